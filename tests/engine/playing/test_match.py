"""Matches: who begins, moves, undo with consent, rounds, saves, and what each audience gets."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import rulegame
from rulegame.drawing.data import picture_data
from rulegame.game import HIDDEN, Move, View
from rulegame.playing.match import MOST_ALONE, EndlessGame, Match, MatchError
from rulegame.playing.saves import SaveError, read_save
from support.rulesets import RULESETS

ENDLESS = """rulegame: 1
title: Endless
state: {count: 0}
operations: {step: {effects: {count: "1 - count"}}}
end: {never: {when: count > 1, result: draw}}
"""
SIGNS = """rulegame: 1
title: Signs
state: {each player: {score: 0}}
turn: {together: true}
operations:
  show: {choose: {sign: rock | paper}, effects: {my.score: my.score + 1}}
end: {two: {when: "any(score of p == 2 for p in players)", result: draw}}
"""
CARDS = """rulegame: 1
title: Cards
state: {pot: 0, each player: {card: {start: 0, seen by: owner}}}
setup:
  deal: {roll: {dealt: {from: 1..9, seen by: owner}}, effects: {my.card: dealt}}
operations:
  add: {choose: {n: 1..2}, effects: {pot: pot + n}}
  swap: {choose: {c: 1..9}, secret: true, effects: {my.card: c, pot: pot + 1}}
end: {full: {when: pot >= 6, result: draw}}
"""


@pytest.fixture
def race() -> rulegame.Game:
    return rulegame.load(RULESETS / "race.yaml")


class Last:
    """Plays the last move, and keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View, rng: Random) -> Move:
        self.views.append(view)
        return view.moves[-1]


# ---- who begins


def test_a_coin_toss_is_announced_and_saved(race: rulegame.Game, tmp_path: Path) -> None:
    begun = set()
    for seed in range(12):
        match = Match(race, names=["Ann", "Bob"], first="random", seed=seed)
        name = match.names[match.first]
        assert match.heading == f"Coin toss: {name} moves first.\n\n"
        assert match.screen().hear().startswith(match.heading)
        begun.add(name)
    assert begun == {"Ann", "Bob"}
    match = Match(race, first="random", seed=3, save=tmp_path / "save")
    match.close()
    assert Match.load(tmp_path / "save").heading == match.heading
    assert Match(race, first=1).heading == ""


def test_people_change_seats_where_the_ruleset_says_who_begins(tmp_path: Path) -> None:
    (tmp_path / "fixed.yaml").write_text(
        ENDLESS.replace("operations", "turn: {first: 'players[2]'}\noperations")
    )
    match = Match(rulegame.load(tmp_path / "fixed.yaml"), names=["Ann", "Bob"], rounds=2)
    assert match.player == 1 and match.names == ("Bob", "Ann")
    match.resign(0)
    assert match.score.wins == [1, 0] and match.next_round()
    assert match.player == 1 and match.names == ("Ann", "Bob")


# ---- moves


def test_rolls_and_forced_moves_follow_by_themselves(race: rulegame.Game) -> None:
    match = Match(race, seed=1)
    assert [step.seat for step in match.session.line] == [rulegame.CHANCE]
    match.play("add")
    assert match.player == 1 and [s.seat for s in match.session.line] == [-1, 0, -1]


def test_a_refusal_says_why_in_words_for_the_player(race: rulegame.Game) -> None:
    match = Match(race)
    with pytest.raises(MatchError, match=r"^'nonsense' is not a move here\.$"):
        match.play("nonsense")
    with pytest.raises(MatchError, match=r"^It is not your turn\.$"):
        match.play("add", 1)
    with pytest.raises(MatchError, match=r"^No computer has to move\.$"):
        match.play_computer()
    with pytest.raises(MatchError, match=r"^The round is not over\.$"):
        match.next_round()
    match.resign(0)
    for move in (lambda: match.play("add"), lambda: match.resign(1), lambda: match.hint(0)):
        with pytest.raises(MatchError, match=r"^The game is over\.$"):
            move()


def test_seats_that_choose_at_once_choose_in_any_order() -> None:
    match = Match(rulegame.loads(SIGNS))
    one = match.seat(1)
    match.play("show rock", 1)
    assert list(match.asked) == [0] and not match.session.line
    assert match.view(0).moves and not match.view(1).moves
    match.play("show paper", 0)
    assert [step.move.text for step in match.session.line] == ["show paper", "show rock"]
    assert list(match.asked) == [0, 1] and "paper" in one.hear()
    match.play("show rock", 1)
    assert match.undo([0]) and match.held == {} and list(match.asked) == [0, 1]


def test_computers_that_never_end_are_stopped() -> None:
    match = Match(rulegame.loads(ENDLESS), [Last(), Last()])
    for _ in range(MOST_ALONE):
        match.play_computer()
    with pytest.raises(EndlessGame):
        match.play_computer()


# ---- players


def test_a_player_sees_its_seat_and_its_past() -> None:
    bots = Last(), Last()
    match = Match(rulegame.loads(CARDS), bots, seed=2)
    while match.computer is not None:
        match.play_computer()
    for seat, bot in enumerate(bots):
        assert bot.views
        for view in bot.views:
            assert view.seat == seat and view["card"][1 - seat] is HIDDEN
            others = [seen for seen in view.past if seen.player == 1 - seat]
            assert all(seen.move is HIDDEN for seen in others)
    assert len(bots[0].views[-1].past) > len(bots[0].views[0].past)


def test_a_state_does_not_depend_on_what_led_to_it() -> None:
    game = rulegame.loads(ENDLESS)
    match = Match(game)
    match.play("step")
    match.play("step")
    assert match.state == game.start() and hash(match.state) == hash(game.start())
    assert len(match.view(0).past) == 2 and match.view(0) != game.start().view(0)


def test_a_seed_makes_a_match_repeatable(race: rulegame.Game) -> None:
    lines = []
    for _ in range(2):
        match = Match(race, ["search:20", "easy"], seed=7)
        while match.computer is not None:
            match.play_computer()
        lines.append([step.move.text for step in match.session.line])
    assert lines[0] == lines[1]


def test_unknown_players_are_refused_at_once(race: rulegame.Game) -> None:
    with pytest.raises(rulegame.UnknownPlayer):
        Match(race, ["human", "bob"])
    with pytest.raises(ValueError, match="this game has 2 seats, not 1"):
        Match(race, ["human"])


# ---- undo


def test_undo_waits_until_the_others_agree(race: rulegame.Game) -> None:
    match = Match(race, seed=1)
    match.play("add")
    match.request_undo([0])
    assert match.undo_request is not None and match.player == 1
    with pytest.raises(MatchError, match="already an open"):
        match.request_undo([0])
    with pytest.raises(MatchError, match="for other players"):
        match.answer_undo([0], True)
    match.answer_undo([1], False)
    assert match.undo_request is None and match.player == 1
    match.request_undo([0])
    match.answer_undo([0], False)  # withdrawn
    match.request_undo([0])
    match.answer_undo([1], True)
    assert match.player == 0 and match.undo_request is None
    with pytest.raises(MatchError, match="no open undo request"):
        match.answer_undo([1], True)
    with pytest.raises(MatchError, match="Nothing to undo"):
        match.request_undo([0])


def test_a_move_closes_a_request(race: rulegame.Game) -> None:
    match = Match(race, seed=1)
    match.play("add")
    match.request_undo([0])
    match.play("keep")
    assert match.undo_request is None


def test_nobody_has_to_agree_but_people(race: rulegame.Game) -> None:
    match = Match(race, ["human", "random"], seed=1)
    die = match.session.line[0].move
    match.play("add")
    match.request_undo([0])
    assert [step.move for step in match.session.line] == [die] and match.redo([0])


# ---- rounds and saves


def finished(match: Match) -> Match:
    while True:
        if match.outcome is None:
            match.play(match.state.moves[0])
        elif not match.next_round():
            return match


def test_rounds_swap_sides_and_count(race: rulegame.Game) -> None:
    match = Match(race, rounds=3, seed=5)
    assert match.heading == "Round 1 of 3. Player 1 moves first.\n\n"
    finished(match)
    assert [played.session.first for played in match.played] == [0, 1, 0]
    assert sum(match.score.wins) + match.score.draws == 3
    assert match.score_text.startswith("\nScore: Player 1: ")
    once = Match(race, rounds=3, best_of=True, seed=5)
    for _ in range(2):
        once.resign(0)
        once.next_round()
    assert once.is_over and len(once.played) == 2


def test_every_prefix_of_a_record_resumes(race: rulegame.Game, tmp_path: Path) -> None:
    """As after `kill -9`: the file may be cut off anywhere."""
    path = tmp_path / "save"
    match = finished(Match(race, rounds=2, seed=5, save=path))
    match.close()
    lines = path.read_bytes().splitlines(keepends=True)
    wanted = [[step.move.text for step in played.session.line] for played in match.played]
    for count in range(1, len(lines)):
        (tmp_path / "cut").write_bytes(b"".join(lines[:count]) + lines[count][:7])
        again = finished(Match.load(tmp_path / "cut"))
        again.close()
        found = [[step.move.text for step in played.session.line] for played in again.played]
        assert found == wanted and again.score.wins == match.score.wins
        saved = read_save((tmp_path / "cut").read_bytes())
        assert saved.over and saved.rounds == read_save(path.read_bytes()).rounds
        (tmp_path / "cut").unlink()


def test_rules_that_have_changed_refuse_a_save(tmp_path: Path) -> None:
    file = tmp_path / "endless.yaml"
    file.write_text(ENDLESS)
    match = Match(rulegame.load(file), save=tmp_path / "save")
    match.play("step")
    match.close()
    file.write_text(ENDLESS.replace("1 - count", "count"))
    with pytest.raises(SaveError, match="changed after this game was saved"):
        Match.load(tmp_path / "save")


def test_a_ruleset_without_a_file_is_given_again(tmp_path: Path) -> None:
    game = rulegame.loads(ENDLESS)
    match = Match(game, [Last(), "human"], save=tmp_path / "save")
    match.play_computer()
    match.close()
    again = Match.load(tmp_path / "save", game, [Last(), "human"])
    again.play("step")
    assert again.play_computer().text == "step"


def test_a_replay_rolls_nothing(race: rulegame.Game, tmp_path: Path) -> None:
    match = Match(race, seed=5, save=tmp_path / "save")
    match.play("add")
    match.close()
    lines = (tmp_path / "save").read_bytes().splitlines(keepends=True)
    saved = read_save(b"".join(lines[:3]))  # the die of the second turn has not fallen
    match = Match.of(race, saved.header)
    match.recall(saved.rounds)
    (replay,) = match.replays()
    audience = replay.spectators()
    assert [prompt for _, prompt, _ in audience.transcript() if prompt]
    assert len(replay.session.line) == 2


# ---- audiences


def test_audiences_get_the_same_whatever_is_hidden() -> None:
    """Two games that differ in what spectators and the other seat may not see alone."""
    heard = []
    for card, swapped in (("1", "3"), ("9", "8")):
        match = Match(rulegame.loads(CARDS), rolls=[card, "5"], seed=1)
        audiences = match.seat(1), match.spectators(), match.screen(hands_over=True)
        texts = [audience.hear() for audience in audiences]
        for move in (f"swap {swapped}", "add 1", "add 2"):
            match.play(move)
            texts += [audience.hear() for audience in audiences]
            texts += [repr(audience.picture()) for audience in audiences]
            texts += [repr(match.view(1)), audiences[0].prompt, audiences[1].prompt]
        match.undo([1])
        heard.append([*texts, *(audience.hear() for audience in audiences)])
    assert heard[0] == heard[1]
    assert not any("card: 9" in text or "swap" in text for text in heard[1])


def test_all_who_choose_at_once_are_asked_at_once() -> None:
    match = Match(rulegame.loads(SIGNS), names=["Ann", "Bob"])
    ann, bob, others = match.seat(0), match.seat(1), match.spectators()
    prompts = [audience.prompt for audience in (ann, bob, others)]
    assert prompts == ["Choose sign: ", "Choose sign: ", ""]
    ann.hear()
    assert "Bob's turn" in bob.hear()
    bob.answer("nonsense")
    assert "not an option" in bob.reaction and bob.hear().startswith(bob.reaction)
    assert ann.hear() == ann.ask.menu  # type: ignore[union-attr]
    bob.answer("rock")
    assert list(match.asked) == [0] and not bob.prompt and not match.session.line
    ann.answer("paper")
    assert [step.move.text for step in match.session.line] == ["show paper", "show rock"]
    heard = bob.hear()
    assert "paper" in heard and heard.count("Bob's turn") == 1  # the next one
    assert ann.prompt == bob.prompt
    bob.answer("rock")
    assert match.undo([0]) and [ann.prompt, bob.prompt] == prompts[:2]


def test_a_picture_is_json_without_what_is_hidden() -> None:
    match = Match(rulegame.loads(CARDS), rolls=["9", "5"], seed=1)
    shapes = json.loads(json.dumps(picture_data(match.seat(1).picture())))["shapes"]
    cards = {s["caption"]["owner"]: s for s in shapes if s["caption"]["label"] == "card"}
    assert cards[0]["shape"] == "hidden" and "9" not in json.dumps(cards[0])
    assert cards[1]["shape"] != "hidden"


def test_a_late_audience_hears_a_recap(race: rulegame.Game) -> None:
    match = Match(race, seed=1)
    match.screen().hear()
    match.play("add")
    assert "Welcome" in Match(race, seed=1).screen().hear()
    assert "Welcome" not in match.screen().hear()


def test_an_answer_is_a_move_and_all_hear_of_it(race: rulegame.Game) -> None:
    match = Match(race, names=["Ann", "Bob"], seed=1)
    ann, bob = match.seat(0), match.seat(1)
    assert ann.prompt and not bob.prompt
    bob.hear()
    ann.answer("nonsense")
    assert match.player == 0 and bob.hear() == ""
    ann.answer("add")
    assert match.player == 1 and "Ann" in bob.hear() and bob.prompt and not ann.prompt
    match.resign(1)
    assert ann.hear().endswith("Bob resigns. Ann wins the game!\n") and not bob.prompt


def test_rolls_do_not_count_as_changes(race: rulegame.Game) -> None:
    """Numbers that all see count what all know of: how often was rolled may be hidden."""
    match = Match(race, seed=1)
    assert match.session.line and match.changes == 0
    match.play("add")
    assert len(match.session.line) == 3 and match.changes == 1
    again = Match.of(race, match.header)
    again.follow(match.entries)
    assert again.changes == 1


def test_the_record_has_nothing_that_was_not_played(race: rulegame.Game) -> None:
    match = Match(race, seed=1)
    match.screen().answer("add")
    lines = [json.loads(line) for line in match.record.text().splitlines()]
    kinds = [next(key for key in line if key not in ("n", "check")) for line in lines]
    assert kinds == ["rulegame save", "roll", "move", "roll", "last"]


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", ["bidding", "cards", "race", "secret", "throws"])
def test_random_matches(name: str, tmp_path: Path) -> None:
    """Exactly those who have to decide are asked; a match that is resumed is the same."""
    game, rng, path = rulegame.load(RULESETS / f"{name}.yaml"), Random(name), tmp_path / "save"
    match, seats = Match(game, rounds=2, seed=3, save=path), range(len(game.players))
    players = [match.seat(seat) for seat in seats]
    for _ in range(60):
        assert [seat for seat in seats if players[seat].prompt] == sorted(match.asked)
        assert not match.spectators().prompt
        if match.outcome is not None and not match.next_round():
            break
        seat = rng.choice(match.asked)
        move = rng.choice(match.view(seat).moves)
        step = rng.randrange(8)
        if step == 0:
            match.undo([seat])
        elif step == 1 and not match.held:
            match.close()
            again = Match.load(path)
            assert (again.state, again.entries, again.score) == (
                match.state,
                match.entries,
                match.score,
            )
            match, players = again, [again.seat(seat) for seat in seats]
        elif step < 5:
            match.play(move, seat)
        else:
            replies: list[Move | str] = [move, move.text, "nonsense"]
            players[seat].answer(rng.choice(replies))
