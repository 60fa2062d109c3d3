"""What is shown of a decision that others look on: prompts and answers, made of what they may see.

How many questions a player was asked, and which, may depend on what is hidden; so they are told
here from the move that came of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rulegame.game import Game, Move, State
from rulegame.game.candidates import offers_of
from rulegame.game.rendering import renderer_of
from rulegame.game.visibility import Sight, Unseen
from rulegame.model import Operation
from rulegame.playing.questions import OPERATION, Question

Exchange = list[tuple[str, str]]  # prompts with their answers


def order_of_questions(game: Game, state: State) -> list[str]:
    """In which order a person is asked: for the operation first, unless the ruleset says it."""
    order = [OPERATION]
    if game.point(state).kind == "turn" and game.ruleset.turn.ask:
        order = list(game.ruleset.turn.ask)
    return order if OPERATION in order else [OPERATION, *order]


def _asked(game: Game, state: State, operation: Operation) -> list[str]:
    choices = [choice.name for choice in operation.choices]
    several = len(game.point(state).operations) > 1
    asked = [
        about
        for about in order_of_questions(game, state)
        if (several if about == OPERATION else about in choices)
    ]
    return [*asked, *(name for name in choices if name not in asked)] or [OPERATION]


class Overlooked:
    """A decision, as some seats may see it who look on."""

    def __init__(
        self,
        game: Game,
        state: State,
        move: Move,
        names: Sequence[str],
        eyes: Collection[int],
        common: Mapping[str, Any],
    ) -> None:
        self._game, self._state, self._move = game, state, move
        self._names, self._eyes, self._common = names, eyes, common
        self._sight = game.companion(Sight)
        self._others = any(eye != state.player for eye in eyes)
        self._offered = self._offered_to_all()

    def exchange(self) -> Exchange:
        """The questions that led to the move, and the answers, as far as those may see them."""
        operation = self._game.ruleset.operation(self._move.operation)
        assert operation is not None
        asked = _asked(self._game, self._state, operation)
        if self._others and self._sight.keeps_name(operation):
            return [(self.operation_prompt(), "")]
        if self._others and self._sight.waits(operation):
            return [(self.first_prompt(asked[0]), "")]
        return [
            (self.operation_prompt(), self.operation_answer(operation))
            if about == OPERATION
            else (self.choice_prompt(about), self.choice_answer(operation, about))
            for about in asked
        ]

    def first_prompt(self, about: str) -> str:
        """The first question, whatever is answered."""
        if about == OPERATION:
            return self.operation_prompt()
        if self._offered is None:
            return renderer_of(self._game).plain_prompt(about.replace("_", " "))
        return self._prompt(self._question(about, self._offered), {})

    def _offered_to_all(self) -> list[Move] | None:
        """The moves on offer, if all who look on can tell."""
        seen = self._sight.seen_state(self._state, self._eyes)
        try:
            return offers_of(self._game).candidates(seen)
        except Unseen:
            return None

    def operation_prompt(self) -> str:
        question = self._question(OPERATION, self._offered or [self._move])
        if self._offered is None:
            return self._prompt(question, {})
        return self._prompt(question, {"entries": question.entries(question.options)})

    def operation_answer(self, operation: Operation) -> str:
        if self._offered is None:  # the number of an option would tell how many there are
            return operation.label
        question = self._question(OPERATION, self._offered)
        option = question.option_of(self._move)
        return operation.label if option is None else question.entry(option)

    def choice_prompt(self, about: str) -> str:
        return self._prompt(self._question(about, [self._move]), {})

    def choice_answer(self, operation: Operation, about: str) -> str:
        if self._others and about in self._sight.kept(operation):
            return ""
        question = self._question(about, [self._move])
        return question.entry(question.options[0])

    def _question(self, about: str, moves: Sequence[Move]) -> Question:
        return Question(self._game, self._state, about, moves, self._names, moves, self._eyes)

    def _prompt(self, question: Question, known: Mapping[str, Any]) -> str:
        untold = frozenset({"options", "valid", "entries", "notes"}) - known.keys()
        names = {**self._common, **known}
        try:
            return question.render("prompt", names, untold, whole=True)
        except Unseen:
            return renderer_of(self._game).plain_prompt(question.about.replace("_", " "))
