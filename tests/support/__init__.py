"""What the tests share: fakes at the ports, a club of players, and the emails that go to and fro."""
