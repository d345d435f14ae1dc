"""Ratings as the operator sees them."""

from tests.support.command_line import ANN, BOB, Pbem


def test_a_rated_match_is_opened_and_its_ratings_are_listed(pbem: Pbem) -> None:
    """None before it is over; `--again` finds nothing new in a service that has run all the time."""
    opened = pbem.done("open", "pipline", ANN, BOB, "size=5", "--rated", "--json").json
    assert opened["rated"] is True
    assert pbem.done("show", str(opened["id"]), "--json").json["rated"] is True
    assert pbem.done("ratings", "--json").json == []
    assert pbem.done("ratings", "--again", "--json").json == []


def test_a_match_is_not_rated_with_a_robot_or_in_private(pbem: Pbem) -> None:
    """Nothing is opened."""
    for more in (("robot:1",), (BOB, "--private")):
        refused = pbem("open", "pipline", ANN, *more, "--rated")
        assert refused.code != 0
        assert "rated" in refused.err
    assert len(pbem.done("matches", "--json").json) == 1


def test_a_table_says_which_matches_are_rated(pbem: Pbem) -> None:
    """In a column of its own."""
    (pbem.directory / "t.csv").write_text(f"game,player,player,rated\npipline,{ANN},{BOB},yes\npipline,{BOB},{ANN},\n")
    found = pbem.done("open", "--csv", "t.csv", "--yes", "--json").json
    assert [one["rated"] for one in found] == [True, False]
