"""A match at a terminal: draws it, asks people, shows what computers play, carries out commands."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulegame.game import CHANCE, State
from rulegame.game.visibility import Sight
from rulegame.playing.audience import Audience, entered
from rulegame.playing.conversation import Ask, Ending, Reply
from rulegame.playing.match import Match
from rulegame.playing.saving import CannotSave
from rulegame.playing.seating import HUMAN, REPLY_PAUSE
from rulegame.playing.telling import public_texts, told_texts
from rulegame.wording import joined
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.terminal import Terminal, visible
from rulegame_cli.table import prompt_commands as prompts
from rulegame_cli.table.display import Display, dense

if TYPE_CHECKING:
    from rulegame.game import Move
    from rulegame.playing.questions import Question
    from rulegame.playing.session import Step


UNSEEN: Final = "(not shown) "  # what is typed
WATCH_PAUSE: Final = 1.0  # seconds after each move where nobody plays, but somebody watches


class Left(Exception):
    """Someone has typed `quit`."""


class TerminalMatch:
    """A match at one terminal, and how it is shown there."""

    def __init__(
        self, match: Match, terminal: Terminal, *, plain: bool, delay: float | None, handover: bool
    ) -> None:
        self.match = match
        match.computers.timed = terminal.draws
        self.terminal = terminal
        self._plain = plain
        pause = WATCH_PAUSE if terminal.draws and not match.people else 0.0
        self._delay = pause if delay is None else delay  # seconds after the move of a computer
        self._handover = handover  # whether the screen is cleared between people with secrets
        self._notes: dict[int, str] = {}  # the computers in their seats, in words
        self._noted: set[str] = set()  # remarks of computers that were made
        self._greeted = False  # whether it was said how to get help

    @property
    def asks_unseen(self) -> bool:
        """Whether a person may have to type something that other people here must not see."""
        game = self.match.game
        unseen = game.companion(Sight).asks_unseen
        return self._several and any(map(unseen, game.ruleset.chosen))

    @property
    def _several(self) -> bool:
        return len(self.match.people) > 1

    def make_players(self) -> None:
        """Make the computer players; `WrongCall` if there is none of a name."""
        with working(self._plain) as progress:
            self.match.computers.progress = progress
            progress("preparing", 0, None)
            try:
                self.match.computers.check(self.match.first)
            except ValueError as problem:
                raise WrongCall(visible(str(problem))) from None

    def run(self, heading: str | None = None) -> None:
        """Play all rounds that are left. The first goes on from where it was left, if there is a
        heading for that.
        """
        match, terminal = self.match, self.terminal
        while True:
            terminal.write(match.heading if heading is None else "")
            match.begin()
            self._play_round(heading)
            heading = None
            terminal.write(match.score_text)
            if not match.next_round():
                return

    # ---- one round

    def _play_round(self, heading: str | None) -> None:
        """One round; with a heading, what was played before is not printed anew."""
        match, terminal = self.match, self.terminal
        everybody = range(len(match.seats))
        eyes = match.people or (everybody if terminal.draws else ())
        self._display = Display(terminal, self._notes)
        self._audience = Audience(
            match, eyes, match.people, narrates=terminal.draws, drawn=self._display.draws
        )
        self._taken = prompts.taken_words(match.game.ruleset, match.names)
        self._state: State | None = None
        self._opening: Question | None = None  # the first question in this state
        self._chosen: Move | None = None  # by a computer, in this state
        self._reply_at = 0.0  # when the next move of a computer may be shown
        self._remark = heading or ""  # to be read by all before the next question
        self._alone: int | None = None  # for whose eyes only the screen is
        try:
            self._play(heading is not None)
        finally:
            self._end_privacy()

    def _play(self, again: bool) -> None:
        match = self.match
        reached = self._restart(again)
        while isinstance(reached, Ask):
            self._tell_of_loss()
            seat = reached.state.player
            assert seat is not None
            person = match.seats[seat] == HUMAN
            reached = self._ask(reached, seat) if person else self._let_choose(reached)
            if match.session.resigned is not None:
                self._resigned()
                return
        assert reached is not None
        self.terminal.write(self._remark)
        self._remark = ""
        text = dense(reached.text) if self._display.draws else reached.text
        self._show(reached.state, above=text)
        self.terminal.write(text)

    def _tell_of_loss(self) -> None:
        """At once, and once."""
        record = self.match.record
        if record.problem and not record.told:
            record.told = True
            self.terminal.remark(f"Saving failed: {record.problem}. You can play on.")

    def _resigned(self) -> None:
        self._end_privacy()
        if self._state is not None:
            self._show(self._state)
        self.terminal.write(self.match.resignation_text)

    # ---- the conversation

    def _restart(self, again: bool) -> Ask | Ending | None:
        """A new conversation, as far as the game has come."""
        reached = self._audience.restart()
        if isinstance(reached, Ask):
            self._meet(reached)
            self._present(reached, reached.recap if again else reached.text)
        return reached

    def _answer(self, reply: Reply) -> Ask | Ending | None:
        """Answer the question, and print what comes of it."""
        reached = self._audience.answer(reply)
        if self._display.draws and self.match.people:
            self._reply_at = time.monotonic() + REPLY_PAUSE
        if not isinstance(reached, Ask) or reached.state.player != self._alone:
            self._end_privacy()
        if isinstance(reached, Ask):
            self._meet(reached)
            self._present(reached, reached.text)
        return reached

    def _present(self, ask: Ask, text: str) -> None:
        """The text before the prompt. The position stands above it, so that the text stays on the
        screen; only what is said to begin with stands above the position.
        """
        seat = ask.state.player
        assert seat is not None
        if seat in self.match.people and self._alone != seat and self._hands_over(seat):
            text = self._hand_over(ask, text, seat)
        menu = ask.menu if text.endswith(ask.menu) else ""
        said, greeting = self._remark + text.removesuffix(menu), self._greeting(ask)
        self._remark = ""
        if self._display.draws and not greeting:
            said, menu = "", dense(said) + menu
        self.terminal.write(said)
        self._show_to(ask, above=menu + greeting)
        self.terminal.write(menu + greeting)

    def _greeting(self, ask: Ask) -> str:
        """Once, at the first question beside a picture: how to get help."""
        if self._greeted or not self._display.draws:
            return ""
        self._greeted = True
        word = prompts.spelling(self._taken)["help"]
        cell = f", or a cell such as {ask.question.cell}" if ask.question.cell else ""
        return f"Type {word} for what you can type{cell}.\n"

    # ---- privacy

    def _hands_over(self, seat: int) -> bool:
        """Whether the screen must be handed over before it shows a person what that one sees."""
        several = self._several and self.terminal.draws
        sight = self.match.game.companion(Sight)
        return self._handover and several and sight.tells_alone(seat)

    def _hand_over(self, ask: Ask, text: str, seat: int) -> str:
        """What all may read, on a screen with nothing else, until the others look away; what is
        left is for the eyes of one player.
        """
        own = ask.recap if text.endswith(ask.recap) else text
        names = self.match.names
        others = [names[other] for other in self.match.people if other != seat]
        away = f"{'is' if len(others) == 1 else 'are'} looking away"
        self._clear()
        self.terminal.write(self._remark + text.removesuffix(own))
        self._remark = ""
        self.terminal.ask(
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
        self.terminal.clear()
        self._display.forget()

    # ---- the position

    def _show_to(self, ask: Ask, again: bool = False, above: str = "") -> None:
        """The position for whom it is asked; for those who only watch, what all may see. It goes
        above a text that is about to be written.
        """
        seat = ask.state.player
        assert seat is not None
        if seat in self.match.people:
            self._show(ask.state, (seat,), again, above)
        elif not self.match.people:
            self._show(ask.state, above=above)

    def _show(
        self,
        state: State,
        eyes: Collection[int] | None = None,
        again: bool = False,
        above: str = "",
    ) -> None:
        """The position for some seats; as all may see it if none are named."""
        match = self.match
        eyes = range(len(match.names)) if eyes is None else eyes
        self._notes.clear()
        self._notes.update(match.computers.notes(match.seats, match.first))
        self._display.show(state, match.session.line, eyes, match.names, again, above)

    def _meet(self, ask: Ask) -> None:
        if ask.state is not self._state:
            self._state, self._opening, self._chosen = ask.state, ask.question, None

    # ---- computers

    def _let_choose(self, ask: Ask) -> Ask | Ending | None:
        """The computer's answer, shown as if it had been typed."""
        if self._chosen is None:
            self._chosen = self._choose()
        reply, shown = entered(ask, self._chosen)
        if self.terminal.draws:  # where it is told in a sentence
            reply, shown = self._chosen, []
        for prompt, answer in shown:
            self.terminal.show_answer(prompt, "" if ask.secret and not ask.exchange else answer)
        time.sleep(max(self._delay, self._reply_at - time.monotonic(), 0))
        return self._answer(reply)

    def _choose(self) -> Move:
        match, seat = self.match, self.match.computer
        assert seat is not None
        with working(self._plain) as progress:
            match.computers.progress = progress
            progress("thinking", 0, None)
            move = match.choose()
            note = match.computers.player(match.seats[seat], match.first)
        remark = getattr(note, "note", None)
        if isinstance(remark, str) and remark not in self._noted:
            self._noted.add(remark)
            self.terminal.remark(remark)
        return move

    # ---- people

    def _ask(self, ask: Ask, seat: int) -> Ask | Ending | None:
        terminal, record = self.terminal, self.match.record
        if terminal.typed:
            record.settle()
            self._tell_of_loss()
        secret = ask.secret and self._several  # a person alone hides nothing from computers
        prompt = f"{ask.prompt}{UNSEEN}" if secret and self._display.draws else ask.prompt
        line = terminal.ask(
            prompt, secret, lambda typed: prompts.words_to_complete(ask, self._taken, typed)
        )
        command = prompts.read_command(line, ask.question, self._taken)
        if command is not None:
            return self._carry_out(command, ask, seat)
        unknown = prompts.unknown_command(line, ask.question)
        return self._answer(line) if unknown is None else self._tell([unknown], ask)

    def _tell(self, lines: Iterable[str], ask: Ask) -> Ask:
        """The answer to a command, and the question once more."""
        answer = "".join(f"{line}\n" for line in lines)
        self._show_to(ask, above=answer + ask.menu)
        self.terminal.write(answer + ask.menu)
        return ask

    def _carry_out(self, command: prompts.Command, ask: Ask, seat: int) -> Ask | Ending | None:
        match, names, draws = self.match, self.match.names, self._display.draws
        match command.name:
            case "undo":
                return self._undo(ask)
            case "redo":
                return self._redo(ask)
            case "resign":
                match.resign(seat)
                return ask
            case "quit":
                raise Left
            case "save":
                return self._tell([self._save(command.argument)], ask)
            case "hint":
                room = self._display.room(ask.menu + ask.prompt) if draws else None
                return self._tell(prompts.hint_lines(match, seat, self._plain, room), ask)
            case "rules" if draws:
                page("".join(f"{said}\n" for said in prompts.rules_lines(match.game, False)))
                self._display.forget()
                return self._tell([], ask)
            case "rules":
                return self._tell(prompts.rules_lines(match.game, self._plain), ask)
            case "state" if draws:
                lines = list(prompts.state_lines(match.view(seat), names, drawn=True))
                self._show_to(ask, again=True)
                return self._tell(lines, ask)
            case "state":
                return self._tell(prompts.state_lines(match.view(seat), names), ask)
            case "history":
                return self._tell(prompts.history_lines(match.session, names, draws), ask)
        return self._tell(prompts.help_lines(ask, self._taken), ask)

    def _undo(self, ask: Ask) -> Ask | Ending | None:
        if ask.question is not self._opening:  # half a move: what was answered so far is taken back
            self._state = None
            self.terminal.write("\n")
            return self._restart(again=True)
        before = self.match.session.line
        if not self.match.undo(self.match.people):
            return self._tell(["Nothing to undo."], ask)
        return self._turned("Undone", before[len(self.match.session.line) :])

    def _redo(self, ask: Ask) -> Ask | Ending | None:
        before = len(self.match.session.line)
        if not self.match.redo(self.match.people):
            return self._tell(["Nothing to redo."], ask)
        return self._turned("Redone", self.match.session.line[before:])

    def _turned(self, what: str, steps: Sequence[Step]) -> Ask | Ending | None:
        """Say what was undone or redone, and ask what is asked now."""
        self._end_privacy()
        told = told_texts(steps, self.match.names) if self._display.draws else public_texts(steps)
        moves = [text for step, text in zip(steps, told, strict=True) if step.seat != CHANCE]
        self._remark = f"{what}: {', '.join(moves)}\n\n"
        return self._restart(again=True)

    def _save(self, argument: str) -> str:
        record = self.match.record
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
