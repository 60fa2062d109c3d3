"""Expressions, effects and rules in English, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.model import Effects
from rulegame.rulebook.deeds import choice_sentence, effect_clauses, next_sentence, wording_for
from rulegame.rulebook.markup import runs
from rulegame.rulebook.rendering import render
from rulegame.rulebook.sections import deed, rule_sentence
from rulegame.rulebook.verdicts import end_sentence, stuck_sentences

RULES = """
rulegame: 1
title: Words
players: [Ann, Bob]
parameters:
  goal: {{default: 9}}
  fast: true
define:
  near(p): abs(score of p - goal) <= 2
  thrice(x): x * 3
state:
  number: 1
  last: {{type: optional int, about: The number that was used last}}
  leader: {{type: optional player}}
  light: {{type: red | green, start: red}}
  done: false
  piles: {{type: list of int, start: [3, 4]}}
  board: {{type: grid of optional player, rows: 3, columns: 3}}
  each player:
    score: 0
    hand: {{type: set of 1..5}}
    best: {{type: optional int, about: The most that this player has had}}
turn:
  roll:
    die: 1..6
operations:
  go:
    choose:
{choose}
    effects:
{effects}
{more}
end:
  over:
    when: {when}
    result: {result}
"""
AT_ONCE = """
rulegame: 1
title: Bids
state:
  round: 0
  each player:
    gold: {{start: 3, seen by: owner}}
turn:
  together: true
  effects: {{round: round + 1}}
operations:
  offer:
    secret: {first}
    choose: {{bid: 0..my.gold}}
    effects: {{my.gold: my.gold - bid}}
  wait:
    secret: {second}
    effects: {{my.gold: my.gold}}
end:
  over:
    when: round == 3
    payoff: gold
"""
SIMPLE = "      n: 1..3"


def _game(
    tmp_path: Path,
    choose: str = SIMPLE,
    effects: str = "      number: n",
    when: str = "number == 0",
    result: str = "win",
    more: str = "",
) -> rulegame.Game:
    file = tmp_path / "words.yaml"
    text = RULES.format(choose=choose, effects=effects, when=when, result=result, more=more)
    file.write_text(text, encoding="utf-8")
    return rulegame.load(file)


def _plain(sentence: str) -> str:
    return "".join(run.text for run in runs(sentence))


CONDITIONS = {
    "my.score == goal": "your score is exactly 9",
    "my.score >= goal + 1": "your score is at least 10",
    "9 < my.score": "your score is above 9",
    "not my.score > 3": "your score is at most 3",
    "their.score != my.score": "your opponent's score is not your score",
    "0 <= number <= 5": "number is from 0 to 5",
    "number not in 0..5": "the number is below 0 or above 5",
    "number in [1, 3]": "the number is 1 or 3",
    "light == red": "the light is red",
    "done": "done is true",
    "not done": "done is false",
    "last == none": "the number that was used last is not set",
    "my.best != none": "the most that you have had is set",
    "leader == me": "the leader is you",
    "size(my.hand) == 0": "your hand is empty",
    "3 in my.hand": "3 is in your hand",
    "sum(piles) < 4": "the sum of the piles is below 4",
    "piles[1] == piles[2]": "the number in pile 1 is the number in pile 2",
    "board[1, 2] == none": "the cell in row 1, column 2 of the board is empty",
    "board[1, 2] == me": "the cell in row 1, column 2 of the board is yours",
    "board[1, 2] == them": "the cell in row 1, column 2 of the board is your opponent's",
    "all(c != none for c in board)": "every cell of the board is taken",
    "any(score of p > 3 for p in players)": "at least one player's score is above 3",
    "not any(score of p > 3 for p in players)": "no player's score is above 3",
    "not all(score of p > 3 for p in players)": ("at least one player's score is at most 3"),
    "any(piles[i] > i for i in 1..2)": (
        "there is a number i from 1 to 2 such that the number in pile i is above i"
    ),
    "count(score of p == 0 for p in players) >= 2": (
        "there are at least 2 players whose score is exactly 0"
    ),
    "max(score) - min(score) > 4": (
        "the greatest score of all players minus the least score of all players is above 4"
    ),
    "near(me) and fast": "the difference between your score and 9 is at most 2",
    "fast": "this is always so",
    "number * 2 + 1 > (number - 1) * 3": ("the number × 2 + 1 is above (the number − 1) × 3"),
    "number - (die - 1) > 0": "the number − (the die − 1) is above 0",
    "mod(number + 1, 3) + 1 == 2": (
        "(the remainder of (the number plus 1) divided by 3 (never below 0)) plus 1 is exactly 2"
    ),
    "all(s == 0 for s in piles)": "every pile is exactly 0",
    "mod(number, 3) == 0": (
        "the remainder of the number divided by 3 (never below 0) is exactly 0"
    ),
    "done or number == 1 and light == red": (
        "done is true or (the number is exactly 1 and the light is red)"
    ),
    "seat(me) == 2": "the seat number of you is exactly 2",
    "first == me": "the player who moved first is you",
}


@pytest.mark.parametrize("expression", CONDITIONS)
def test_conditions(tmp_path: Path, expression: str) -> None:
    game = _game(tmp_path, when=expression)
    w = wording_for(game.ruleset)
    said = _plain(w.condition(game.ruleset.end[0].when))
    wanted = CONDITIONS[expression]
    assert said.removeprefix("the ") == wanted.removeprefix("the ")


EFFECTS = {
    "number: number + n": "the number goes up by n",
    "number: n + number": "the number goes up by n",
    "my.score: my.score - die": "your score goes down by the die",
    "number: number * 2": "the number is doubled",
    "number: number * n": "the number is multiplied by n",
    "number: number / n": "the number is divided by n (the remainder is dropped)",
    "number: 0": "the number becomes 0",
    "last: none": "the number that was used last is cleared",
    "last: n": "the number that was used last becomes n",
    "leader: me": "the leader becomes you",
    "done: not done": "done is switched",
    "my.hand: with(my.hand, n)": "n is added to your hand",
    "my.hand: without(my.hand, n)": "n is taken out of your hand",
    "board[n, n]: me": "the cell in row n, column n of the board becomes yours",
    "piles[1]: piles[1] - 1": "the number in pile 1 goes down by 1",
    "number: 0 if die == 1 else number + die": (
        "the number becomes 0 if the die is exactly 1, otherwise it goes up by the die"
    ),
    "score of p for p in players: 0": "every player's score becomes 0",
    "number: number * 2 + n": "the number becomes the number × 2 + n",
    "their.score: max(0, their.score - n)": (
        "your opponent's score becomes the greater of 0 and (your opponent's score minus n)"
    ),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_effects(tmp_path: Path, effect: str) -> None:
    game = _game(tmp_path, effects=f"      {effect}")
    operation = game.ruleset.operations[0]
    step = operation.steps[0]
    assert isinstance(step, Effects)
    (said,) = effect_clauses(wording_for(game.ruleset, operation), step)
    assert _plain(said) == EFFECTS[effect]


def test_values_that_are_alike_are_said_once(tmp_path: Path) -> None:
    effects = "      number: number + n\n      my.score: number + n"
    game = _game(tmp_path, effects=effects)
    operation = game.ruleset.operations[0]
    step = operation.steps[0]
    assert isinstance(step, Effects)
    said = list(effect_clauses(wording_for(game.ruleset, operation), step))
    assert said == ["the number goes up by n", "your score becomes the new number"]


CHOICES = {
    "n: 1..3": "Choose a number n from 1 to 3.",
    "n: [1, 2, 4]": "Choose n: 1, 2 or 4.",
    "n: my.hand": "Choose n: one of the numbers in your hand.",
    "pile: 1..size(piles)": "Choose a pile: a number from 1 to 2.",
    "pile: list(p for p in 1..2 if piles[p] > 0)": (
        "Choose a pile: a number from 1 to 2 for which the number in that pile is above 0."
    ),
    "player_: players": "Choose a player.",
    "other: list(p for p in players if p != me)": ("Choose an other: a player other than you."),
    "cards: subsets(1..5, 2)": "Choose two different numbers from 1 to 5.",
    "colour: [red, green]": "Choose a colour: red or green.",
    "place: cells(board)": "Choose a place: a cell of the board.",
    "place: list(c for c in cells(board) if board[c] == none)": (
        "Choose a place: a cell of the board for which the chosen place is empty."
    ),
}


@pytest.mark.parametrize(("function", "where"), [("neighbours", "next to"), ("around", "around")])
def test_choices_of_cells_near_another(tmp_path: Path, function: str, where: str) -> None:
    choose = f"      place: cells(board)\n      other: {function}(place)"
    operation = (game := _game(tmp_path, choose, "      number: 1")).ruleset.operations[0]
    said = choice_sentence(wording_for(game.ruleset, operation), operation.choices[1])
    assert said == f"Choose an other: a cell {where} the chosen place."


@pytest.mark.parametrize("choice", CHOICES)
def test_choices(tmp_path: Path, choice: str) -> None:
    written = choice.replace(": ", ': "', 1) + '"'
    game = _game(tmp_path, choose=f"      {written}", effects="      number: 1")
    operation = game.ruleset.operations[0]
    said = choice_sentence(wording_for(game.ruleset, operation), operation.choices[0])
    assert _plain(said) == CHOICES[choice]


NEXT = {
    "me": "You move again.",
    "them": "Your opponent moves next.",
    "them if die == 1 else me": (
        "If the die is exactly 1, your opponent moves next; otherwise you move again."
    ),
}


@pytest.mark.parametrize("expression", NEXT)
def test_whose_turn_is_next(tmp_path: Path, expression: str) -> None:
    game = _game(tmp_path, more=f"    next: {expression}")
    operation = game.ruleset.operations[0]
    assert operation.next is not None
    said = next_sentence(
        wording_for(game.ruleset, operation), operation.next, operation.sources["next"]
    )
    assert said == NEXT[expression]


@pytest.mark.parametrize("name", ["at", "into"])
def test_a_choice_named_by_a_preposition_is_quoted(tmp_path: Path, name: str) -> None:
    operation = (
        game := _game(tmp_path, f"      {name}: 1..3", f"      number: {name}")
    ).ruleset.operations[0]
    wording = wording_for(game.ruleset, operation)
    said = choice_sentence(wording, operation.choices[0])
    assert said == f"Choose ‘{name}’: a number from 1 to 3."
    effects = next(step for step in operation.steps if isinstance(step, Effects))
    assert effect_clauses(wording, effects) == [f"the number becomes the chosen ‘{name}’"]


def test_quoted_effects_and_results_agree_with_their_subject(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(
        """
rulegame: 1
title: Game
state: {clues: 3, light: 3}
operations:
  go:
    effects:
      clues: size(list(i + i for i in 1..clues))
      light: size(list(i + i for i in 1..light))
end:
  over:
    when: clues == 9
    winners: list(players[i] for i in [1, 1])
"""
    )
    game = rulegame.load(file)
    operation = game.ruleset.operations[0]
    effects = next(step for step in operation.steps if isinstance(step, Effects))
    said = effect_clauses(wording_for(game.ruleset, operation), effects)
    assert [_plain(clause).partition(" size(")[0] for clause in said] == [
        "the clues become",
        "the light becomes",
    ]
    assert "the winners are list(" in _plain(end_sentence(game.ruleset, game.ruleset.end[0]))


def test_a_choice_without_words_is_quoted_as_it_is_written(tmp_path: Path) -> None:
    choose = "list(i + n for i in [1, 1])"
    file = tmp_path / "game.yaml"
    file.write_text(
        f"""
rulegame: 1
title: Game
state: {{n: 0}}
operations:
  go:
    choose: {{k: "{choose}"}}
    effects: {{n: n + k}}
end: {{over: {{when: n > 3, result: win}}}}
""",
        "utf-8",
    )
    game = rulegame.load(file)
    assert choose in _plain(deed(game.ruleset, game.ruleset.operations[0]))


RESULTS = {
    "win": "You win if the number is exactly 0 after your move.",
    "lose if fast else win": "You lose if the number is exactly 0 after your move.",
    "draw": "The game is a draw if the number is exactly 0 after your move.",
    "win if done else lose": (
        "If the number is exactly 0 after your move: you win if done is true, "
        "and otherwise you lose."
    ),
}


@pytest.mark.parametrize("result", RESULTS)
def test_results(tmp_path: Path, result: str) -> None:
    game = _game(tmp_path, result=result)
    assert _plain(end_sentence(game.ruleset, game.ruleset.end[0])) == RESULTS[result]


STUCK = {
    "lose": "If the game is not over and you have no valid move, you lose.",
    "{result: pass, all: lose}": (
        "If the game is not over and you have no valid move, you pass: your turn is over, and the "
        "next player moves. "
        "If both players pass one after the other, the player whose turn is next "
        "(the first of them who passed) loses."
    ),
    "{result: draw, unless: after.number < 5}": (
        "If the game is not over and you have no valid move, or none after which the number is "
        "below 5, the game is a draw."
    ),
}


@pytest.mark.parametrize("stuck", STUCK)
def test_stuck(tmp_path: Path, stuck: str) -> None:
    game = _game(tmp_path, more=f"stuck: {stuck}")
    assert " ".join(stuck_sentences(game.ruleset)) == STUCK[stuck]


def test_an_expression_that_would_take_too_many_words_stays_code(tmp_path: Path) -> None:
    long = " and ".join(f"number != {k}" for k in range(40))
    game = _game(tmp_path, when=long)
    said = end_sentence(game.ruleset, game.ruleset.end[0])
    assert [run.style for run in runs(said)] == ["plain", "code", "plain"]


# ---- what was said wrongly once


def _operations(tmp_path: Path, effects: str, more: str = "", when: str = "number == 0") -> str:
    """What the rulebook says of the one operation."""
    game = _game(tmp_path, effects=effects, more=more, when=when)
    return _plain(deed(game.ruleset, game.ruleset.operations[0]))


def test_an_if_inside_of_an_if_keeps_its_otherwise(tmp_path: Path) -> None:
    effects = "      number: (1 if n > die else 2) if die > 3 else number\n      done: true"
    assert (
        "The number becomes 1 if (the die is above 3 and n is above the die), otherwise it "
        "becomes 2 if the die is above 3, otherwise it stays as it is; and done becomes true."
    ) in _operations(tmp_path, effects)


def test_what_is_read_is_told_before_it_is_changed(tmp_path: Path) -> None:
    said = _operations(tmp_path, "      number: 0\n      my.score: my.score + number")
    assert said.endswith("Your score goes up by the number, and the number becomes 0.")
    said = _operations(tmp_path, "      my.score: their.score\n      their.score: my.score")
    assert "All at once, your score becomes your opponent's score" in said


def test_what_was_and_what_will_be_are_told_apart(tmp_path: Path) -> None:
    more = "validity:\n  grows: after.piles[1] >= piles[1] + 1"
    game = _game(tmp_path, effects="      piles[1]: piles[1] + n", more=more)
    rule = game.ruleset.validity[0]
    said = rule_sentence(game.ruleset, rule, list(game.ruleset.operations))
    assert "the number in pile 1 after the move is at least the number in pile 1 plus 1" in said


def test_two_players_of_two_loops_are_not_both_that_player(tmp_path: Path) -> None:
    nested = "any(any(score of p > score of q for q in players) for p in players)"
    game = _game(tmp_path, when=nested)
    said = end_sentence(game.ruleset, game.ruleset.end[0])
    assert nested in _plain(said) and "that player" not in said


def test_a_definition_s_argument_keeps_its_parentheses(tmp_path: Path) -> None:
    game = _game(tmp_path, when="thrice(number + 1) > 9", more="")
    said = end_sentence(game.ruleset, game.ruleset.end[0])
    assert "(the number + 1) × 3 is above 9" in said


def test_what_is_quoted_comes_with_what_its_names_mean(tmp_path: Path) -> None:
    game = _game(tmp_path, when="size(list(p for p in players if near(p))) > goal")
    said = _plain(end_sentence(game.ruleset, game.ruleset.end[0]))
    assert "size(list(p for p in players if near(p))) > goal" in said
    assert "near(p) is abs(score of p - goal) <= 2" in said and "goal is 9" in said


@pytest.mark.parametrize("name", ["pass", "show"])
def test_an_operation_that_changes_nothing_says_so(tmp_path: Path, name: str) -> None:
    file = tmp_path / "empty.yaml"
    text = f"""
rulegame: 1
title: Empty
state: {{n: 0}}
operations:
  {name}: {{effects: {{}}}}
  up: {{effects: {{n: n + 1}}}}
end: {{over: {{when: n > 3, result: win}}}}
"""
    file.write_text(text, "utf-8")
    game = rulegame.load(file)
    assert "changes nothing" in deed(game.ruleset, game.ruleset.operations[0])


WINNERS = {
    "players": "the game is a draw",
    "'[me, them]'": "the game is a draw",
    "them": "your opponent wins",
    "list(p for p in players if score of p > 3)": (
        "the players whose score is above 3 win (if that is everyone or nobody, it is a draw)"
    ),
}


@pytest.mark.parametrize("winners", WINNERS)
def test_winners(tmp_path: Path, winners: str) -> None:
    file = tmp_path / "words.yaml"
    text = RULES.format(
        choose=SIMPLE, effects="      number: n", when="number == 0", result="win", more=""
    )
    file.write_text(text.replace("    result: win\n", f"    winners: {winners}\n"), "utf-8")
    game = rulegame.load(file)
    said = _plain(end_sentence(game.ruleset, game.ruleset.end[0])).lower()
    assert WINNERS[winners] in said


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (False, False, "Then it is shown, and carried out for all at once"),
        (True, False, "Then it is shown, unless it is secret, and carried out for all at once"),
        (True, True, "Then it is carried out for all at once"),
    ],
)
def test_what_is_chosen_at_once_is_shown_unless_secret(
    tmp_path: Path, first: bool, second: bool, said: str
) -> None:
    path = tmp_path / "bids.yaml"
    path.write_text(AT_ONCE.format(first=str(first).lower(), second=str(second).lower()), "utf-8")
    printed = render(rulegame.write_rulebook(rulegame.load(path)), "text")
    assert f"{said}, each from what was before." in " ".join(printed.split())
