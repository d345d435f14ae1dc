"""Webhooks: programs of others are called when something happens in a match (Standard Webhooks 1.0).

No call is stored. What has happened follows from the match and from how far a webhook was told of it, and what a call
says is made when it is sent, of what anybody can find then. So a match that was made private, and a player who was
forgotten, are in no call, however long one has waited. A call that a dying process may have sent is sent once more,
under the same identity.
"""
