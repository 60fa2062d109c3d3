"""One game at the table: asks people, lets computers choose, carries out commands."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulegame.game import CHANCE, Game, Move, Outcome, State
from rulegame.playing.conversation import Ask, Conversation, Ending, Reply, converse
from rulegame.playing.session import Session, Step
from rulegame.wording import joined
from rulegame_cli.printing.terminal import Terminal
from rulegame_cli.table import prompt_commands as prompts
from rulegame_cli.table.saving import CannotSave, GameRecord
from rulegame_cli.table.seating import HUMAN, Computers

if TYPE_CHECKING:
    from rulegame.playing.questions import Question

MOST_ALONE: Final = 2000  # answers of computers, one after the other


class EndlessGame(Exception):
    """Computers have played among themselves for so long that they may never end."""

    def __init__(self) -> None:
        super().__init__(f"no end after {MOST_ALONE:,} answers of the computers")


class Left(Exception):
    """Someone has typed `quit`."""


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same from round to round."""

    names: tuple[str, ...]
    seats: tuple[str, ...]  # for each "human", or which computer player
    computers: Computers
    terminal: Terminal
    record: GameRecord
    seed: int
    plain: bool
    delay: float  # seconds after the move of a computer

    @property
    def humans(self) -> frozenset[int]:
        """The seats of people."""
        return frozenset(seat for seat, spec in enumerate(self.seats) if spec == HUMAN)

    @property
    def overlooked(self) -> frozenset[int]:
        """The seats of computers whose turns their human opponents see."""
        return frozenset(range(len(self.seats))) - self.humans if self.humans else frozenset()

    def asks_unseen(self, game: Game) -> bool:
        """Whether a person may have to type something that others must not see."""
        from rulegame.game.visibility import Sight

        unseen = game.companion(Sight).asks_unseen
        return bool(self.humans) and any(map(unseen, game.ruleset.chosen))


def resignation(seat: int, game: Game) -> Outcome:
    """Whoever resigns loses, and all others win; or lose, too, where all share every result."""
    players = range(len(game.players))
    if game.kernel.is_common:
        return Outcome((), tuple(players), False, (-1,) * len(players), "resign")
    others = tuple(other for other in players if other != seat)
    payoffs = tuple(-1 if other == seat else 1 for other in players)
    return Outcome(others, (seat,), False, payoffs, "resign")


class Sitting:
    """One round, from the welcome to the end."""

    def __init__(self, table: Table, session: Session, number: int = 0) -> None:
        self._table = table
        self._session = session
        self._number = number
        self._terminal = table.terminal
        self._taken = prompts.taken_words(session.game.ruleset, table.names)
        self._conversation: Conversation
        self._state: State | None = None
        self._opening: Question | None = None  # the first question in this state
        self._chosen: Move | None = None  # by a computer, in this state

    def run(self, again: bool = False) -> Outcome:
        """Play to the end; `again`: what was played before is not printed anew."""
        reached = self._lead_along(again)
        alone = 0
        while isinstance(reached, Ask):
            self._tell_of_loss()
            seat = reached.state.player
            assert seat is not None
            if self._table.seats[seat] == HUMAN:
                alone = 0
                reached = self._ask(reached, seat)
            elif alone == MOST_ALONE:
                raise EndlessGame
            else:
                alone += 1
                reached = self._let_choose(reached)
            if self._session.resigned is not None:
                return self._resigned(self._session.resigned)
        self._terminal.write(reached.text)
        return reached.outcome

    def _tell_of_loss(self) -> None:
        """At once, and once."""
        record = self._table.record
        if record.problem and not record.told:
            record.told = True
            self._terminal.remark(f"The game is not saved any more: {record.problem}.")

    def _resigned(self, seat: int) -> Outcome:
        names = self._table.names
        outcome = resignation(seat, self._session.game)
        winners = [names[winner] for winner in outcome.winners]
        wins = f" {joined(winners, 'and')} win{'s' * (len(winners) == 1)} the game!"
        all_lose = " Everyone loses the game." if len(outcome.losers) > 1 else ""
        self._terminal.write(f"{names[seat]} resigns.{wins if winners else all_lose}\n")
        return outcome

    # ---- the conversation

    def _lead_along(self, again: bool) -> Ask | Ending:
        """A new conversation, as far as the game has come."""
        session = self._session
        session.tell_again()
        self._conversation = converse(
            session.game,
            roll=session.roll,
            first=session.first,
            names=self._table.names,
            played=session.played,
            discreet=self._table.overlooked,
            audience=self._table.humans,
        )
        try:
            reached: Ask | Ending = next(self._conversation)
        except StopIteration as end:
            reached = end.value
        while isinstance(reached, Ask) and (move := session.pending) is not None:
            reached = self._send(move)
        if isinstance(reached, Ask):
            self._meet(reached)
            self._terminal.write(reached.recap if again else reached.text)
        return reached

    def _answer(self, reply: Reply) -> Ask | Ending:
        """Answer the question, and print what comes of it."""
        reached = self._send(reply)
        if isinstance(reached, Ask):
            self._meet(reached)
            self._terminal.write(reached.text)
        return reached

    def _send(self, reply: Reply) -> Ask | Ending:
        try:
            return self._conversation.send(reply)
        except StopIteration as end:
            ending: Ending = end.value
            return ending

    def _meet(self, ask: Ask) -> None:
        if ask.state is not self._state:
            self._state, self._opening, self._chosen = ask.state, ask.question, None

    # ---- computers

    def _let_choose(self, ask: Ask) -> Ask | Ending:
        """The computer's answer, shown as if it had been typed."""
        if self._chosen is None:
            self._chosen, note = self._table.computers.choose(
                ask.state, self._session, self._number
            )
            if note:
                self._terminal.remark(note)
        reply: Reply = self._chosen
        option = ask.question.option_of(self._chosen)
        if ask.exchange is not None:
            for prompt, answer in ask.exchange(self._chosen):
                self._terminal.show_answer(prompt, answer)
        else:
            shown = self._chosen.text if option is None else ask.question.entry(option)
            reply = self._chosen if option is None else option
            self._terminal.show_answer(ask.prompt, "" if ask.secret else shown)
        if self._table.delay:
            time.sleep(self._table.delay)
        return self._answer(reply)

    # ---- people

    def _ask(self, ask: Ask, seat: int) -> Ask | Ending:
        terminal, record = self._table.terminal, self._table.record
        if terminal.typed:
            record.settle()
            self._tell_of_loss()
        line = terminal.ask(
            ask.prompt, ask.secret, lambda typed: prompts.words_to_complete(ask, self._taken, typed)
        )
        command = prompts.read_command(line, ask.question, self._taken)
        if command is not None:
            return self._carry_out(command, ask, seat)
        unknown = prompts.unknown_command(line, ask.question)
        return self._answer(line) if unknown is None else self._tell([unknown], ask)

    def _tell(self, lines: Iterable[str], ask: Ask) -> Ask:
        """The answer to a command, and the question once more."""
        self._terminal.write("".join(f"{line}\n" for line in lines) + ask.menu)
        return ask

    def _carry_out(self, command: prompts.Command, ask: Ask, seat: int) -> Ask | Ending:
        session, names = self._session, self._table.names
        match command.name:
            case "undo":
                return self._undo(ask)
            case "redo":
                return self._redo(ask)
            case "resign":
                session.resign(seat)
                return ask
            case "quit":
                raise Left
            case "save":
                return self._tell([self._save(command.argument)], ask)
            case "hint":
                view = ask.state.view(seat, session.line)
                seed = f"{self._table.seed}/{self._number}/hint/{session.place_of(view)}"
                lines = prompts.hint_lines(view, session.first, seed, self._table.plain)
                return self._tell(lines, ask)
            case "rules":
                return self._tell(prompts.rules_lines(session.game, self._table.plain), ask)
            case "state":
                return self._tell(prompts.state_lines(ask.state.view(seat), names), ask)
            case "history":
                return self._tell(prompts.history_lines(session, names), ask)
        return self._tell(prompts.help_lines(ask, self._taken), ask)

    def _undo(self, ask: Ask) -> Ask | Ending:
        if ask.question is not self._opening:  # half a move: what was answered so far is taken back
            self._state = None
            self._terminal.write("\n")
            return self._lead_along(again=True)
        before = self._session.line
        if not self._session.undo(self._table.humans):
            return self._tell(["There is nothing to undo."], ask)
        self._say("Taken back", before[len(self._session.line) :])
        return self._lead_along(again=True)

    def _redo(self, ask: Ask) -> Ask | Ending:
        before = len(self._session.line)
        if not self._session.redo(self._table.humans):
            return self._tell(["There is nothing to redo."], ask)
        self._say("Played again", self._session.line[before:])
        return self._lead_along(again=True)

    def _say(self, what: str, steps: Sequence[Step]) -> None:
        texts = zip(steps, prompts.public_texts(steps), strict=True)
        moves = [text for step, text in texts if step.seat != CHANCE]
        self._terminal.write(f"{what}: {', '.join(moves)}\n\n")

    def _save(self, argument: str) -> str:
        record = self._table.record
        if argument:
            try:
                record.copy_to(Path(argument).expanduser())
            except (CannotSave, ValueError, RuntimeError) as problem:
                return f"'{argument}' cannot be written: {problem}."
            return f"The game so far is in '{argument}'."
        if record.problem:
            return f"This game is not saved: {record.problem}; 'save FILE' writes it elsewhere."
        if record.file is None:
            return "This game is not kept; 'save FILE' writes it to a file."
        return f"The game is kept in {record.file.path}"
