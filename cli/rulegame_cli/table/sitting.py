"""One game at the table: asks people, lets computers choose, carries out commands."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulegame.game import CHANCE, Game, Move, Outcome, State
from rulegame.playing.conversation import Ask, Conversation, Ending, Reply, converse
from rulegame.playing.saving import CannotSave, GameRecord
from rulegame.playing.scoring import resignation
from rulegame.playing.seating import HUMAN
from rulegame.playing.session import Session, Step
from rulegame.playing.telling import public_texts, told_texts
from rulegame.wording import joined
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.terminal import Terminal
from rulegame_cli.table import prompt_commands as prompts
from rulegame_cli.table.seating import Computers
from rulegame_cli.table.showing import Showing

if TYPE_CHECKING:
    from rulegame.playing.questions import Question

MOST_ALONE: Final = 2000  # answers of computers, one after the other


class EndlessGame(Exception):
    """Computers have played among themselves for so long that they may never end."""

    def __init__(self) -> None:
        super().__init__(f"no end after {MOST_ALONE:,} computer moves")


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
    handover: bool  # the screen is cleared between people who hide something from each other

    @property
    def humans(self) -> frozenset[int]:
        """The seats of people."""
        return frozenset(seat for seat, spec in enumerate(self.seats) if spec == HUMAN)

    @property
    def overlooked(self) -> frozenset[int]:
        """The seats of computers whose turns their human opponents, or people who watch, see."""
        return frozenset(range(len(self.seats))) - self.humans if self.audience else frozenset()

    @property
    def audience(self) -> frozenset[int]:
        """The seats for whose eyes is what is printed. At a screen, those who only watch see what
        all may see.
        """
        watched = frozenset(range(len(self.seats))) if self.terminal.draws else frozenset[int]()
        return self.humans or watched

    @property
    def told(self) -> frozenset[int]:
        """The seats whose turns are told, not asked: at a screen, those of computers."""
        return self.overlooked if self.terminal.draws else frozenset()

    def asks_unseen(self, game: Game) -> bool:
        """Whether a person may have to type something that others must not see."""
        from rulegame.game.visibility import Sight

        unseen = game.companion(Sight).asks_unseen
        return bool(self.humans) and any(map(unseen, game.ruleset.chosen))

    def hands_over(self, game: Game, seat: int) -> bool:
        """Whether the screen must be handed over before it shows a person what that one sees."""
        from rulegame.game.visibility import Sight

        several = len(self.humans) > 1 and self.terminal.draws
        return self.handover and several and game.companion(Sight).tells_alone(seat)


class Sitting:
    """One round, from the welcome to the end."""

    def __init__(self, table: Table, session: Session, number: int = 0) -> None:
        self._table = table
        self._session = session
        self._number = number
        self._terminal = table.terminal
        self._showing = Showing(table.terminal, table.computers.notes)
        self._taken = prompts.taken_words(session.game.ruleset, table.names)
        self._conversation: Conversation
        self._state: State | None = None
        self._opening: Question | None = None  # the first question in this state
        self._chosen: Move | None = None  # by a computer, in this state
        self._remark = ""  # to be read by all before the next question
        self._alone: int | None = None  # for whose eyes only the screen is

    def run(self, heading: str | None = None) -> Outcome:
        """Play to the end; with a heading, what was played before is not printed anew."""
        self._remark = heading or ""
        try:
            return self._run(heading is not None)
        finally:
            self._end_privacy()

    def _run(self, again: bool) -> Outcome:
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
        self._terminal.write(self._remark)
        self._remark = ""
        self._show(reached.state)
        self._terminal.write(reached.text)
        return reached.outcome

    def _tell_of_loss(self) -> None:
        """At once, and once."""
        record = self._table.record
        if record.problem and not record.told:
            record.told = True
            self._terminal.remark(f"Saving failed: {record.problem}. You can play on.")

    def _resigned(self, seat: int) -> Outcome:
        names = self._table.names
        outcome = resignation(seat, self._session.game)
        self._end_privacy()
        winners = [names[winner] for winner in outcome.winners]
        wins = f" {joined(winners, 'and')} win{'s' * (len(winners) == 1)} the game!"
        all_lose = " Everyone loses the game." if len(outcome.losers) > 1 else ""
        if self._state is not None:
            self._show(self._state)
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
            audience=self._table.audience,
            narrated=self._table.told,
            drawn=self._showing.draws,
        )
        try:
            reached: Ask | Ending = next(self._conversation)
        except StopIteration as end:
            reached = end.value
        while isinstance(reached, Ask) and (move := session.pending) is not None:
            reached = self._send(move)
        if isinstance(reached, Ask):
            self._meet(reached)
            self._present(reached, reached.recap if again else reached.text)
        return reached

    def _answer(self, reply: Reply) -> Ask | Ending:
        """Answer the question, and print what comes of it."""
        reached = self._send(reply)
        if isinstance(reached, Ask):
            self._meet(reached)
            self._present(reached, reached.text)
        return reached

    def _present(self, ask: Ask, text: str) -> None:
        """What is said before the prompt, with the position above the menu."""
        seat = ask.state.player
        assert seat is not None
        person = self._table.seats[seat] == HUMAN
        if person and self._alone != seat and self._table.hands_over(self._session.game, seat):
            text = self._hand_over(ask, text, seat)
        menu = ask.menu if text.endswith(ask.menu) else ""
        self._terminal.write(self._remark + text.removesuffix(menu))
        self._remark = ""
        self._show_to(ask)
        self._terminal.write(menu)

    # ---- privacy

    def _hand_over(self, ask: Ask, text: str, seat: int) -> str:
        """What all may read, on a screen with nothing else, until the others look away; what is
        left is for the eyes of one player.
        """
        own = ask.recap if text.endswith(ask.recap) else text
        names = self._table.names
        others = [names[other] for other in sorted(self._table.humans) if other != seat]
        away = f"{'is' if len(others) == 1 else 'are'} looking away"
        self._clear()
        self._terminal.write(self._remark + text.removesuffix(own))
        self._remark = ""
        self._terminal.ask(
            f"{names[seat]}: press Enter once {joined(others, 'and')} {away}. ", secret=True
        )
        self._alone = seat
        return own

    def _end_privacy(self) -> None:
        """Nothing that was for one player alone stays on the screen."""
        if self._alone is not None:
            self._clear()
            self._alone = None

    def _clear(self) -> None:
        self._terminal.clear()
        self._showing.forget()

    # ---- the position

    def _show_to(self, ask: Ask, again: bool = False) -> None:
        """The position for whom it is asked; for those who only watch, what all may see."""
        seat = ask.state.player
        assert seat is not None
        if self._table.seats[seat] == HUMAN:
            self._show(ask.state, (seat,), again)
        elif not self._table.humans:
            self._show(ask.state)

    def _show(self, state: State, eyes: Collection[int] | None = None, again: bool = False) -> None:
        """The position for some seats; as all may see it if none are named."""
        names = self._table.names
        eyes = range(len(names)) if eyes is None else eyes
        self._showing.show(state, self._session.line, eyes, names, again)

    def _send(self, reply: Reply) -> Ask | Ending:
        try:
            reached = self._conversation.send(reply)
        except StopIteration as end:
            ending: Ending = end.value
            self._end_privacy()
            return ending
        if reached.state.player != self._alone:
            self._end_privacy()
        return reached

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
        if ask.state.player in self._table.told:
            pass
        elif ask.exchange is not None:
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
        self._terminal.write("".join(f"{line}\n" for line in lines))
        self._show_to(ask)
        self._terminal.write(ask.menu)
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
                drawn = names if self._showing.draws else ()
                lines = prompts.hint_lines(view, session.first, seed, self._table.plain, drawn)
                return self._tell(lines, ask)
            case "rules" if self._showing.draws:
                page("".join(f"{said}\n" for said in prompts.rules_lines(session.game, False)))
                self._showing.forget()
                return self._tell([], ask)
            case "rules":
                return self._tell(prompts.rules_lines(session.game, self._table.plain), ask)
            case "state" if self._showing.draws:
                self._show_to(ask, again=True)
                return self._tell([], ask)
            case "state":
                return self._tell(prompts.state_lines(ask.state.view(seat), names), ask)
            case "history":
                return self._tell(prompts.history_lines(session, names, self._showing.draws), ask)
        return self._tell(prompts.help_lines(ask, self._taken), ask)

    def _undo(self, ask: Ask) -> Ask | Ending:
        if ask.question is not self._opening:  # half a move: what was answered so far is taken back
            self._state = None
            self._terminal.write("\n")
            return self._lead_along(again=True)
        before = self._session.line
        if not self._session.undo(self._table.humans):
            return self._tell(["Nothing to undo."], ask)
        self._end_privacy()
        self._say("Undone", before[len(self._session.line) :])
        return self._lead_along(again=True)

    def _redo(self, ask: Ask) -> Ask | Ending:
        before = len(self._session.line)
        if not self._session.redo(self._table.humans):
            return self._tell(["Nothing to redo."], ask)
        self._end_privacy()
        self._say("Redone", self._session.line[before:])
        return self._lead_along(again=True)

    def _say(self, what: str, steps: Sequence[Step]) -> None:
        labels = self._showing.draws
        told = told_texts(steps, self._table.names) if labels else public_texts(steps)
        moves = [text for step, text in zip(steps, told, strict=True) if step.seat != CHANCE]
        self._remark = f"{what}: {', '.join(moves)}\n\n"

    def _save(self, argument: str) -> str:
        record = self._table.record
        if argument:
            try:
                record.copy_to(Path(argument).expanduser())
            except (CannotSave, ValueError, RuntimeError) as problem:
                return f"Cannot write '{argument}': {problem}."
            return f"Saved a copy to '{argument}'."
        if record.problem:
            return f"Game not saved: {record.problem}. Use `save FILE` to save it elsewhere."
        if record.file is None:
            return "This game is not being saved. Use `save FILE` to save it."
        return f"Saved to {record.file.path}"
