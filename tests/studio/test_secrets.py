"""Games that differ only in what a seat may not see are the same over its socket, byte by byte."""

from __future__ import annotations

import json

import pytest

from studio.running import Client, Data, Server, seated


def played(server: Server, game: str, mover: int, chosen: int) -> tuple[list[str], Data]:
    """All that the others hear while one of two chooses, and what that one was told at last."""
    links = server.table(game)
    watched = [links["seats"][1 - mover], links["watch"]]
    with seated(server, *watched) as others:
        for other in others:
            other.drain()
        with seated(server, links["seats"][mover]) as (choosing,):
            decide(choosing, chosen)
            for other in others:
                other.drain()
            return [text for other in others for text in other.texts], choosing.last


def decide(client: Client, chosen: int) -> None:
    """Make the valid move of that number, whether it is in a list or asked for step by step."""
    seen = client.asked()
    if seen["moves"]:
        valid = [move["text"] for move in seen["moves"] if move["valid"]]
        client.send(kind="move", text=valid[chosen])
        client.drain()
        return
    while client.last["question"]:
        valid = [one["text"] for one in client.last["question"]["options"] if one["valid"]]
        client.send(kind="answer", text=valid[chosen])
        client.drain()


@pytest.mark.parametrize(
    ("game", "mover"), [("number_duel", 0), ("rock_paper_scissors", 0), ("rock_paper_scissors", 1)]
)
def test_what_one_chooses_in_secret_is_not_in_the_others_frames(
    studio: Server, game: str, mover: int
) -> None:
    told = [played(studio, game, mover, chosen) for chosen in (0, 1)]
    (one, mine), (other, theirs) = told
    assert one == other and len(one) > 2
    assert (mine["asked"], mine["over"]) == (theirs["asked"], theirs["over"])
    assert mover not in mine["asked"]


def test_what_is_dealt_is_for_its_owner(studio: Server) -> None:
    """In Kuhn poker each has a card that the other does not know; a watcher knows neither."""
    links = studio.table("kuhn_poker")
    with seated(studio, *links["seats"], links["watch"]) as clients:
        for client in clients:
            client.drain()
        cards = [[_hand(client.last, owner) for owner in (0, 1)] for client in clients]
        assert cards[0][1] == cards[1][0] == "hidden" == cards[2][0] == cards[2][1]
        assert cards[0][0] != "hidden" != cards[1][1]


def _hand(seen: Data, owner: int) -> object:
    """What a seat holds, as somebody sees it."""
    owned = [s for s in seen["picture"]["shapes"] if s["caption"]["owner"] == owner]
    hidden = [shape for shape in owned if shape["shape"] == "hidden"]
    return "hidden" if hidden else json.dumps(owned)
