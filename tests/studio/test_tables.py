"""Tables of a real server, by real sockets: what each seat gets, and what it can do."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

import pytest
from websockets.asyncio.client import connect

from rulegame_studio.limits import LIMITS
from rulegame_studio.new_game import opponents
from rulegame_studio.web import FULL
from studio.running import Client, Server, seated
from waiting import WAIT


def test_a_game_to_its_end_on_two_devices(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", seats=[{"name": "Ann"}, {"name": "Bob"}])
    with seated(studio, *links["seats"], links["watch"]) as (ann, bob, guest):
        first = ann.asked()
        assert first["names"] == ["Ann", "Bob"]
        assert first["you"] == {"role": "seat", "seats": [0]}
        assert [move["label"] for move in first["moves"]] == ["Take 1", "Take 2", "Take 3"]
        ann.move("take 3", first["version"])
        there = bob.asked(1)
        assert there["asked"] == [1] and there["record"] == [
            {"number": 1, "seat": 0, "text": "Take 3"}
        ]
        bob.move("take 3")
        near = ann.asked(2)
        assert [(m["text"], m["valid"], m["why"]) for m in near["moves"]] == [
            ("take 1", True, None),
            ("take 2", False, "only 1 left"),
            ("take 3", False, "only 1 left"),
        ]
        ann.send(kind="move", text="take 2")
        assert ann.until("refused")["text"] == "Not valid: only 1 left"
        over = ann.move("take 1")["over"]
        assert over["text"] == "Ann wins." and over["winners"] == [0]
        assert bob.asked(3)["over"] == over
        seen = guest.drain()
        assert seen is not None and seen["over"] == over and seen["moves"] == []


def test_who_watches_cannot_play_nor_can_anyone_out_of_turn(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    with seated(studio, *links["seats"], links["watch"]) as (_, second, guest):
        second.send(kind="move", text="take 1")
        assert second.until("refused")["text"] == "It is not your turn."
        for kind in ("undo", "resign", "consent", "hint", "rematch", "branch"):
            guest.send(kind=kind)
            assert guest.until("refused")["text"]
        guest.send(kind="move", text="take 1")
        assert guest.until("refused")["text"] == "It is not your turn."


def test_a_move_for_a_position_that_is_gone_is_refused(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", screen=True)
    with seated(studio, links["screen"], links["screen"]) as (here, there):
        version = here.asked()["version"]
        there.asked()
        here.move("take 1", version)
        there.send(kind="move", text="take 1", version=version)
        assert there.until("refused")["text"] == "The position has changed."


def test_an_answer_for_a_position_that_is_gone_is_refused_for_that_reason(studio: Server) -> None:
    links = studio.table("folder/many.yaml", screen=True, seats=[{"kind": "person"}] * 2)
    with seated(studio, links["screen"]) as [here]:
        version = here.asked()["version"]
        for answer in ("add", "2", "3"):
            here.send(kind="answer", text=answer, version=version)
        here.asked(after=1)
        here.send(kind="answer", text="2", version=version)  # a second click on the same button
        assert here.until("refused")["text"] == "The position has changed."


def test_undo_needs_the_others_consent(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    with seated(studio, *links["seats"]) as (ann, bob):
        ann.asked()
        ann.move("take 3")
        bob.asked()
        ann.send(kind="undo")
        while (ask := bob.until()["ask"]) is None:
            pass
        assert (ask["kind"], ask["by"], ask["others"]) == ("undo", 0, [1])
        bob.send(kind="consent", yes=False)
        assert bob.until()["ask"] is None
        ann.send(kind="undo")
        while bob.until()["ask"] is None:
            pass
        bob.send(kind="consent", yes=True)
        back = bob.until()
        assert back["record"] == [] and back["asked"] == [0] and back["ask"] is None


def test_resigning_and_a_rematch_with_sides_swapped(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", seats=[{"name": "Ann"}, {"name": "Bob"}])
    with seated(studio, *links["seats"]) as (ann, bob):
        ann.asked()
        bob.until()
        bob.send(kind="resign")
        assert ann.over()["text"] == "Bob resigns. Ann wins."
        ann.send(kind="rematch")
        mine = theirs = None
        while mine is None:
            mine = ann.until()["rematch"]
        while theirs is None:
            theirs = bob.until()["rematch"]
        assert mine != theirs
        with seated(studio, mine, theirs) as (again, other):
            assert again.until()["names"] == ["Ann", "Bob"]
            assert other.until()["asked"] == [1]  # who was second moves first


def test_computers_play_and_hints_are_given(studio: Server) -> None:
    seats = [{"kind": "person"}, {"kind": "computer", "player": "perfect"}]
    links = studio.table("folder/countdown.yaml", seats=seats)
    assert links["seats"][1] is None
    with seated(studio, links["seats"][0]) as (me,):
        seen = me.asked()
        assert seen["computers"] == [None, "Computer"]  # it has not solved the game yet
        me.send(kind="hint")
        hint = me.until("hint")
        assert [m["text"] for m in hint["moves"] if m["best"]] == ["take 3"]
        assert [m["chance"] for m in hint["moves"]] == [0.0, 0.0, 1.0]
        me.move("take 1")
        seen = me.asked(2)
        assert seen["record"][1]["text"] == "Take 2"
        assert seen["computers"] == [None, "Computer (perfect)"]


def test_a_review_and_another_way_from_one_of_its_positions(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", set={"pile": "4"}, screen=True)
    with seated(studio, links["screen"]) as (here,):
        here.asked()
        here.move("take 1")
        assert here.move("take 3")["over"]["winners"] == [1]
        here.send(kind="review")
        positions = here.until("review")["positions"]
        assert [one["label"] for one in positions] == [
            "Start",
            "Player 1: Take 1",
            "Player 2: Take 3",
        ]
        assert [one["chance"] for one in positions] == [[None] * 2, [None] * 2, [0.0, 1.0]]
        chances: dict[int, list[float]] = {}
        while not (part := here.until("ratings"))["over"]:
            found = [one["chance"] for one in part["ratings"]]
            chances |= dict(zip(part["at"], found, strict=True))
        assert chances == {0: [0.0, 1.0], 1: [0.0, 1.0]} and part["about"] == ""
        here.send(kind="branch", at=1)
        path = here.until("branched")["path"]
    with seated(studio, path) as (anew,):
        seen = anew.asked()
        assert seen["record"] == [{"number": 1, "seat": 0, "text": "Take 1"}]
        assert seen["asked"] == [1]


def test_the_review_is_for_games_that_are_over(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", screen=True)
    with seated(studio, links["screen"]) as (here,):
        here.asked()
        for kind in ("review", "rematch", "branch"):
            here.send(kind=kind, at=0)
            assert here.until("refused")["text"]


def test_many_moves_are_asked_for_step_by_step(studio: Server) -> None:
    links = studio.table("folder/many.yaml", screen=True)
    with seated(studio, links["screen"]) as (here,):
        seen = here.asked()
        assert seen["many"] and seen["moves"] == []
        assert seen["question"]["about"] == "a"
        assert len(seen["question"]["options"]) == 30
        here.send(kind="answer", text="7")
        seen = here.until()
        assert seen["question"]["about"] == "b"
        assert not next(o for o in seen["question"]["options"] if o["text"] == "7")["valid"]
        here.send(kind="answer", text="7")
        assert here.until()["question"]["refused"] == "Not valid: both are 7"
        here.send(kind="answer", text="8")
        assert here.until()["record"] == [{"number": 1, "seat": 0, "text": "Add 7 8"}]
        assert here.move("add 1 2")["record"][1]["text"] == "Add 1 2"  # a whole move will do


def test_how_many_questions_a_move_takes_is_nobody_elses_business(studio: Server) -> None:
    links = studio.table("folder/many.yaml")
    with seated(studio, *links["seats"]) as (first, second):
        first.asked()
        second.until()
        first.drain()
        second.drain()
        seen = len(second.texts)
        for text in ("7", "7", "nonsense"):
            first.send(kind="answer", text=text)
            first.until()
        first.send(kind="back")
        assert first.until()["question"]["about"] == "a"
        second.drain()
        assert len(second.texts) == seen


def test_nobody_plays_for_others(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    with seated(studio, *links["seats"], links["watch"]) as (first, second, guest):
        first.asked()
        for other in (second, guest):
            for kind in ("computer", "act", "move", "answer", "back"):
                other.send(kind=kind, seat=0, text="take 1", by="seat:0")
                assert other.until("refused")["text"]
        assert first.move("take 2")["record"] == [{"number": 1, "seat": 0, "text": "Take 2"}]


def test_a_table_is_full_at_some_point(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    address = f"ws://127.0.0.1:{studio.port}{links['watch'].replace('/table/', '/socket/')}"

    async def crowd() -> Counter[str]:
        """Of all who come, what they hear first."""
        wanted = range(LIMITS.sockets_at_table + 3)
        sockets = await asyncio.gather(*(connect(address, open_timeout=WAIT) for _ in wanted))
        heard = [json.loads(await socket.recv()) for socket in sockets]
        await asyncio.gather(*(socket.close() for socket in sockets))
        assert {m["text"] for m in heard if m["kind"] == "full"} == {FULL}
        return Counter(message["kind"] for message in heard)

    assert asyncio.run(crowd()) == {"table": LIMITS.sockets_at_table, "full": 3}
    with seated(studio, links["watch"]) as (guest,):
        assert guest.until()["you"]["role"] == "watch"


def test_one_player_alone(studio: Server) -> None:
    links = studio.table("folder/alone.yaml", seats=[{"name": "Me"}])
    with seated(studio, links["seats"][0]) as (me,):
        me.asked()
        me.move("take 1")
        me.send(kind="undo")  # nobody else is to be asked
        assert me.asked()["record"] == []
        me.move("take 2")
        assert me.move("take 1")["over"]["text"] == "Me wins."


def test_parameters_and_operations_are_varied(studio: Server) -> None:
    asked = {"set": {"pile": "1"}, "enable": ["pass_on"]}
    address = "/api/games/folder%2Fcountdown.yaml/check"
    assert studio.post(address, asked)["ok"]
    wrong = studio.post(address, {"set": {"pile": "0"}, "disable": ["take"]})
    assert not wrong["ok"] and wrong["problems"]
    links = studio.table("folder/countdown.yaml", **asked)
    with seated(studio, links["seats"][0]) as (me,):
        texts = [move["text"] for move in me.asked()["moves"]]
        assert texts == ["take 1", "take 2", "take 3", "pass_on"]


def test_who_wins_and_why(studio: Server) -> None:
    address = "/api/games/folder%2Fcountdown.yaml/explain"
    html = studio.post(address, {"set": {"pile": "13"}})["html"]
    assert "loses exactly when left mod 4 = 0, in all 13 positions" in html
    assert "first" in html
    large = studio.post("/api/games/connect_four/explain", {})["html"]
    assert large.startswith("<p>Not solved: ")
    assert studio.request("POST", address, {"set": {"pile": "0"}})[0] == 400


def test_chosen_at_once_in_any_order_and_seen_by_nobody_before(studio: Server) -> None:
    links = studio.table("rock_paper_scissors")
    with seated(studio, *links["seats"], links["watch"]) as (first, second, guest):
        assert first.asked()["asked"] == [0, 1]
        second.asked()
        second.send(kind="move", text="show paper")
        waiting = first.drain()
        assert waiting is not None and waiting["asked"] == [0]
        assert all("paper" not in text.lower() for text in _words(first) + _words(guest))
        first.move("show rock")
        shown = second.until()
        while not shown["record"]:
            shown = second.until()
        assert [entry["text"] for entry in shown["record"]] == ["Show rock", "Show paper"]


def _words(client: Client) -> list[str]:
    """What a client was told of the game's course."""
    told = [json.loads(text) for text in client.texts]
    return [json.dumps([data["picture"]["shapes"], data["record"], data["dice"]]) for data in told]


def test_a_shared_screen_is_handed_over(studio: Server) -> None:
    links = studio.table("number_duel", screen=True)
    assert links["seats"] == [None, None]
    with seated(studio, links["screen"]) as (screen,):
        seen = screen.until()
        assert seen["handover"] == {"seat": 0} and seen["moves"] == []
        for wrong in (1, 99, -1, True, "0", None):  # not whose turn it is
            screen.send(kind="ready", seat=wrong)
            assert screen.until()["handover"] == {"seat": 0}
        screen.send(kind="ready", seat=0)
        mine = screen.asked()
        assert mine["handover"] is None
        chosen = mine["moves"][0]["text"] if mine["moves"] else None
        if chosen is None:
            option = next(o for o in mine["question"]["options"] if o["valid"])
            screen.send(kind="answer", text=option["text"])
        else:
            screen.send(kind="move", text=chosen)
        after = screen.until()
        assert after["handover"] == {"seat": 1} and after["moves"] == []


def test_perfect_players_are_offered_only_if_games_can_be_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "perfect" in {one["name"] for one in opponents()}
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert "perfect" not in {one["name"] for one in opponents()}


def test_the_library_comes_in_parts_with_the_bundled_games_first(studio: Server) -> None:
    whole = studio.get("/api/library")
    assert whole["next"] is None and len(whole["games"]) == whole["total"]
    groups = [game["group"] for game in whole["games"]]
    assert groups[0] == "bundled" and groups[-1] == "folder"
    assert studio.library() == whole["games"]
    assert studio.request("GET", "/api/library?from=one")[0] == 400


def test_a_link_to_a_position_has_its_moves_and_settings(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml", set={"pile": "9"}, screen=True)
    with seated(studio, links["screen"]) as (here,):
        assert here.asked()["can"]["share"]
        here.move("take 2")
        here.send(kind="share")
        path = here.until("position")["path"]
    assert path == "/play/folder%2Fcountdown.yaml?first=1&set=pile%3D9&move=take+2"
    wanted = {"set": {"pile": "9"}, "first": "1", "moves": ["take 2"]}
    checked = studio.post("/api/games/folder%2Fcountdown.yaml/check", wanted)
    assert checked["ok"] and checked["picture"]["turn"] == 1
    links = studio.table("folder/countdown.yaml", screen=True, **wanted)
    with seated(studio, links["screen"]) as (anew,):
        seen = anew.asked()
        assert [line["text"] for line in seen["record"]] == ["Take 2"] and seen["asked"] == [1]
    bad = studio.post("/api/games/folder%2Fcountdown.yaml/check", {"moves": ["take 99"]})
    assert not bad["ok"] and "move 1: 'take 99'" in bad["problems"][0]


def test_there_is_no_link_to_a_position_where_something_is_hidden(studio: Server) -> None:
    links = studio.table("kuhn_poker", screen=True)
    with seated(studio, links["screen"]) as (here,):
        assert not here.next()["can"]["share"]
        here.send(kind="share")
        assert "hidden" in here.until("refused")["text"]
    wanted = {"game": "kuhn_poker", "moves": ["deal 1"]}
    assert studio.request("POST", "/api/tables", wanted)[0] == 400


def test_a_game_can_be_deleted(studio: Server) -> None:
    made = studio.post("/api/tables", {"game": "nim", "screen": True})
    with seated(studio, made["links"]["screen"]) as (here,):
        here.asked()
        assert studio.request("DELETE", f"/api/tables/{made['table']}")[0] == 200
        assert "deleted" in here.until("gone")["text"]
    listed = studio.get("/api/tables")["tables"]
    assert made["table"] not in [table["table"] for table in listed]
    assert not list((studio.home).rglob(f"{made['table']}*"))
    assert studio.request("DELETE", f"/api/tables/{made['table']}")[0] == 404
    assert studio.request("DELETE", "/api/tables/..%2Fkeys")[0] == 404


def test_browsers_get_a_page_for_what_is_not_there(studio: Server) -> None:
    status, headers, body = studio.request("GET", "/nothing", headers={"Accept": "text/html"})
    assert status == 404 and headers["content-type"].startswith("text/html")
    assert b"<h1>Page not found</h1>" in body and "style-src" in headers["content-security-policy"]
    status, headers, _ = studio.request("GET", "/nothing")
    assert status == 404 and headers["content-type"].startswith("text/plain")
