"""`rulegame new`: create a ruleset from a template or as a variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rulegame.extras import is_installed
from rulegame.files.atomic import write_whole
from rulegame_cli.calling.gathering import STANDARD_INPUT
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    NAMES,
    ColorOptions,
    SettingsOptions,
    argument,
    flag,
    option,
)
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import Terminal, visible

SUFFIXES: Final = (".yaml", ".yml")
LONGEST_TITLE: Final = 100
PLAYERS: Final = ("Player 1", "Player 2")


class NewOptions(ColorOptions):
    """Create a new game or variant. Asks for anything you did not pass as an option."""

    file: str = argument("FILE", "File to write; .yaml is appended if missing.")
    parent: str = option("RULESET", "Create a variant of this ruleset.", "--from")
    title: str = option("TITLE", "Title of the game.")
    kind: str = option("pile|race|dice|board", "Template to start from.")
    names: str = NAMES
    force: bool = flag("Overwrite an existing file.")
    yes: bool = flag("Do not ask; use defaults.", "--yes", "-y")


def run(options: NewOptions) -> int:
    """Exit code 0: written; 1: the parent has problems; 2: wrong call."""
    path = _path(options.file, options.force)
    ask = _questioner(options)
    text = _variant(path, options, ask) if options.parent else _game(path, options, ask)
    if text is None:
        return 1
    _write(path, text, options.force)
    shown = visible(_shown(path))
    print(f"Created {shown}. Next steps:")
    for command in ("play", "test", "prove") if is_installed("solve") else ("play", "test"):
        print(f"  rulegame {command} {shown}")
    return 0


def _shown(path: Path) -> str:
    return f'"{path}"' if " " in str(path) else str(path)


# ---- the file


def _path(name: str, force: bool) -> Path:
    if not name.isprintable() or name == STANDARD_INPUT:
        raise WrongCall(f"'{name}' is not a valid file name")
    path = Path(name)
    if path.suffix not in SUFFIXES:
        path = path.with_name(path.name + ".yaml") if path.name else path
    try:
        if path.is_dir() or not path.name:
            raise WrongCall(f"'{name}' is a folder. Give a file name.")
        if path.exists() and not force:
            raise WrongCall(f"'{path}' already exists. Use --force to overwrite it.")
        if not path.parent.is_dir():
            raise WrongCall(f"Folder '{path.parent}' does not exist")
    except OSError:
        raise WrongCall(f"'{name}' is not a valid file name") from None
    return path


def _write(path: Path, text: str, force: bool) -> None:
    """The whole file or none of it; one that has appeared in the meantime is left alone."""
    try:
        write_whole(path, text.encode(), new=not force)
    except FileExistsError:
        raise WrongCall(f"'{path}' already exists. Use --force to overwrite it.") from None
    except OSError as error:
        raise WrongCall(f"Cannot write '{path}': {error.strerror}") from None


# ---- what it is to be


Ask = Callable[[str, str], str]


def _questioner(options: NewOptions) -> Ask:
    """Asks with a default in brackets; the default is taken without asking if nobody answers."""
    terminal = Terminal(options.style)
    silent = options.yes

    def ask(question: str, default: str) -> str:
        nonlocal silent
        if silent:
            return default
        try:
            line = terminal.ask(f"{question} [{default}]: ", secret=False)
        except EOFError:
            terminal.end_line()
            silent = True
            return default
        return line.strip() or default

    return ask


def _answer(given: str, ask: Ask, question: str, default: str, read: Callable[[str], str]) -> str:
    """The option if it was given, else the answer; a wrong answer is asked for again."""
    if given:
        return read(given)
    while True:
        try:
            return read(ask(question, default))
        except WrongCall as mistake:
            print(visible(str(mistake)))


def _game(path: Path, options: NewOptions, ask: Ask) -> str:
    from rulegame.drafts import KINDS, sketch

    for given, read in ((options.kind, _read_kind), (options.names, _read_players)):
        if given:
            read(given)  # what is wrong with the call is told before anything is asked
    title = _answer(options.title, ask, "Title", _title(path), _read_title)
    if not options.kind and not options.yes:
        width = max(map(len, KINDS))
        for number, (kind, about) in enumerate(KINDS.items(), 1):
            print(f"  {number}  {kind:<{width}}  {about}")
    kind = _answer(options.kind, ask, "Kind of game", "pile", _read_kind)
    players = _answer(options.names, ask, "Players", ", ".join(PLAYERS), _read_players)
    return sketch(kind, title, _names(players))


def _variant(path: Path, options: NewOptions, ask: Ask) -> str | None:
    from rulegame.drafts import sketch_variant

    if options.kind or options.names:
        raise WrongCall(
            "--kind and --names cannot be combined with --from: a variant inherits both"
        )
    if options.parent == STANDARD_INPUT:
        raise WrongCall("--from: expected a ruleset file or bundled game, not standard input")
    game = open_game(options.parent, SettingsOptions(no_color=options.no_color))
    if game is None:
        return None
    found = _parent(options.parent, path)
    title = _answer(options.title, ask, "Title", _title(path), _read_title)
    return sketch_variant(found, game, title)


def _parent(name: str, path: Path) -> str:
    """What `extends` says: a bundled name, or the way from the new file's folder to another."""
    from rulegame.bundled import ruleset_path

    if ruleset_path(name) is not None:
        return name
    parent = Path(name).resolve()
    if parent == path.resolve():
        raise WrongCall("a ruleset cannot be a variant of itself")
    folder = path.parent.resolve()
    if not parent.is_relative_to(folder):
        raise WrongCall(f"'{name}' must be in the new file's folder or below it")
    return parent.relative_to(folder).as_posix()


def _title(path: Path) -> str:
    words = path.stem.replace("_", " ").replace("-", " ").split()
    title = " ".join(word[:1].upper() + word[1:] for word in words)
    return title if title.isprintable() and title else "New Game"


def _read_title(text: str) -> str:
    title = " ".join(text.split())
    if not title or not title.isprintable() or len(title) > LONGEST_TITLE:
        raise WrongCall(f"--title: expected at most {LONGEST_TITLE} printable characters")
    return title


def _read_kind(text: str) -> str:
    from rulegame.drafts import KINDS
    from rulegame.wording import joined

    kinds = list(KINDS)
    word = text.strip().lower()
    if word in kinds:
        return word
    if word in [str(number) for number in range(1, len(kinds) + 1)]:
        return kinds[int(word) - 1]
    raise WrongCall(f"--kind: expected {joined(kinds, 'or')}, not '{text}'")


def _names(text: str) -> Sequence[str]:
    return [" ".join(name.split()) for name in text.split(",")]


def _read_players(text: str) -> str:
    from rulegame.limits import LIMITS

    names = _names(text)
    good = all(name and name.isprintable() and len(name) <= LONGEST_TITLE for name in names)
    if not good or len(set(names)) != len(names) or not 2 <= len(names) <= LIMITS.players:
        raise WrongCall(
            f"--names: expected 2 to {LIMITS.players} different names separated by commas"
        )
    return text
