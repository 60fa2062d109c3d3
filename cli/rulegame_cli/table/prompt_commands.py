"""What can be typed at a prompt beside the moves: which line is a command, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rulegame.wording import as_written
from rulegame_cli.printing.progress import working

if TYPE_CHECKING:
    from rulegame.game import Game, View
    from rulegame.language.types import Type
    from rulegame.model import Ruleset
    from rulegame.playing.conversation import Ask
    from rulegame.playing.match import Match
    from rulegame.playing.questions import Question
    from rulegame.playing.session import Session
    from rulegame_cli.printing.advice import Room

COMMANDS: Final = {
    "hint": "show the best move and rate the others",
    "undo": "take back the last move (dice are not re-rolled)",
    "redo": "redo the move you undid",
    "rules": "show the rules",
    "state": "show the position (everything you are allowed to see)",
    "history": "list the moves so far",
    "save": "show where the game is saved; `save FILE` saves a copy",
    "resign": "resign the game",
    "quit": "save and quit; continue with `rulegame resume`",
    "help": "show this list",
}
SYNONYMS: Final = {"?": "help", "exit": "quit"}


class Command(NamedTuple):
    """A command that was typed, and what follows it."""

    name: str
    argument: str


def taken_words(ruleset: Ruleset, names: Sequence[str]) -> frozenset[str]:
    """The words that mean something in the game itself: a command of that name needs its colon."""
    words = {text for o in ruleset.chosen for text in (o.name, o.label, o.key)}
    return frozenset(word.lower() for word in (*words, *ruleset.words, *names) if word)


def read_command(line: str, question: Question, taken: frozenset[str]) -> Command | None:
    """The command that a line is; None if it is an answer, or nothing that is known."""
    text = line.strip()
    colon = text.startswith(":")
    word, _, argument = text.removeprefix(":").lstrip().partition(" ")
    name = SYNONYMS.get(word.lower(), word.lower())
    if name not in COMMANDS or (argument.strip() and name != "save"):
        return None
    if not colon:
        answer = question.read(line)
        if {name, word.lower()} & taken or answer.option is not None or answer.move is not None:
            return None
    return Command(name, argument.strip())


def spelling(taken: frozenset[str]) -> dict[str, str]:
    """How each command is typed in a game."""
    return {name: f":{name}" if name in taken else name for name in COMMANDS}


def words_to_complete(ask: Ask, taken: frozenset[str], typed: str) -> list[str]:
    """What can be typed at a prompt, with all colons if one was begun with."""
    if typed.startswith(":"):
        return [f":{name}" for name in COMMANDS]
    return [*ask.question.words(), *spelling(taken).values()]


# ---- the answers


def help_lines(ask: Ask, taken: frozenset[str]) -> Iterator[str]:
    """The moves and the commands."""
    from rulegame.wording import joined

    valid = [option for option in ask.question.options if option.valid]
    yield f"You can type {joined(ask.question.entries(valid), 'or')}."
    yield "You can also type:"
    written = spelling(taken)
    for name, about in COMMANDS.items():
        yield f"  {written[name]:<9}{about}"
    if any(name in taken for name in COMMANDS):
        yield "The colon marks a command that has the same name as a move."


def hint_lines(match: Match, seat: int, plain: bool, room: Room | None = None) -> Iterator[str]:
    """The best move, and what each is worth; on a screen with `room` for them by labels and as
    winning chances.
    """
    from rulegame.game import GameError
    from rulegame_cli.printing.advice import advice_lines, chance_lines

    with working(plain) as progress:
        progress("looking ahead", 0, None)
        try:
            advice = match.hint(seat, progress=progress)
        except (ValueError, GameError) as problem:
            yield f"No hint here: {problem}"
            return
        except KeyboardInterrupt:  # the person does not want to wait, and plays on
            yield "Hint interrupted."
            return
    if room is not None:
        yield from chance_lines(advice, match.view(seat), match.names, room)
    else:
        yield from advice_lines(advice)


def rules_lines(game: Game, plain: bool) -> Iterator[str]:
    """The rulebook."""
    from rulegame.game import GameError
    from rulegame.rulebook import render, write_rulebook

    with working(plain) as progress:
        progress("writing the rulebook", 0, None)
        try:
            text = render(write_rulebook(game), "text")
        except GameError as error:
            text = f"Cannot show the rules: {error.diagnostic.message}"
        except Exception as error:  # whatever fails, the game goes on
            text = f"Cannot write the rulebook: {type(error).__name__}: {error}"
    yield from text.splitlines()


def state_lines(view: View, names: Sequence[str], drawn: bool = False) -> Iterator[str]:
    """Every declared value that the player may know; `hidden` for the others. Where the position
    is `drawn`, only those that are not in the picture.
    """
    from rulegame.drawing.position import undrawn_values

    cells, game = view.cells, view.game
    undrawn = undrawn_values(game) if drawn else frozenset(game.ruleset.state)
    for name, value in game.ruleset.state.items():
        if name not in undrawn:
            continue
        variable = value.variable
        owners = range(len(names)) if variable.each_player else range(1)
        texts = []
        for owner in owners:
            places = game.kernel.places(name, owner)
            codes = cells[places.start : places.stop]
            texts.append(_value(variable.type, codes, game.ruleset.words, names))
        if variable.each_player:
            texts = [f"{who} {text}" for who, text in zip(names, texts, strict=True)]
        yield f"{name.replace('_', ' ')}: {', '.join(texts)}"


def _value(
    type_: Type, codes: Sequence[int | None], words: Sequence[str], names: Sequence[str]
) -> str:
    from rulegame.evaluation.values import readable
    from rulegame.language.types import is_row

    if None in codes:
        return "hidden"
    value = codes if is_row(type_) else codes[0]
    return as_written(readable(type_, value, words, names))


def history_lines(session: Session, names: Sequence[str], labels: bool = False) -> Iterator[str]:
    """The moves so far, perhaps by labels; what was chosen in secret stays so."""
    from rulegame.game import CHANCE
    from rulegame.playing.telling import public_steps, public_texts, told_texts

    number = 0
    line = public_steps(session.line)
    texts = told_texts(line, names) if labels else public_texts(line)
    for step, text in zip(line, texts, strict=True):
        if step.seat == CHANCE:
            yield f"     {text}"
        else:
            number += 1
            yield f"{number:>3}. {names[step.seat]}: {text}"
    if not session.line:
        yield "No moves yet."


def unknown_command(line: str, question: Question) -> str | None:
    """What to say about a line that was meant as a command, but is none."""
    from rulegame.diagnostics import nearest

    word = line.strip().removeprefix(":").lstrip().partition(" ")[0]
    answer = question.read(line)
    if not line.strip().startswith(":") or not word.isalpha():
        return None
    if answer.option is not None or answer.move is not None:
        return None
    if word.lower() in COMMANDS:
        return f"':{word.lower()}' takes no argument."
    if question.secret:  # it may be what was to be kept secret
        return "Unknown command. ':help' lists all commands."
    close = nearest(word.lower(), COMMANDS)
    hint = f"Did you mean ':{close}'?" if close else "':help' lists all commands."
    return f"Unknown command ':{word[:40]}'. {hint}"
