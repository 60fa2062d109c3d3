// Moves as buttons: by operation, then by what is chosen; greyed, with the reason, if not valid.

import { button, freshId, h, spoken } from "./dom.js";

const MOST_ROWS = 48; // moves of an operation that are shown all at once
const FEW = 12;

/** Everything that buttons of one drawing share. */
export class Choices {
  constructor(moves, { play, explain, best, covered, held }) {
    this.moves = moves;
    this.play = play;
    this.explain = explain;
    this.best = best;
    this.covered = covered; // whether an operation's moves can be made on the board
    this.held = held; // whether they are the cards of a hand that is drawn as buttons
    this.reasons = new Map();
  }

  element() {
    const groups = new Map();
    for (const move of this.moves) {
      if (!groups.has(move.operation)) groups.set(move.operation, []);
      groups.get(move.operation).push(move);
    }
    const single = [...groups.values()].filter((moves) => moves.length === 1 && !moves[0].choices.length).flat();
    const others = [...groups.entries()].filter(([, moves]) => moves.length > 1 || moves[0].choices.length);
    const parts = [
      single.length ? h("div", { class: "move-row" }, single.map((move) => this.button(move, move.label, true))) : null,
      others.map(([operation, moves]) => this.group(operation, moves)),
    ];
    const told = [...this.reasons].map(([why, id]) => h("span", { id }, why));
    return h("div", { class: "choices" }, parts, told.length ? h("div", { hidden: true }, told) : null);
  }

  /** A move; one that is not valid can be reached, and says why. */
  button(move, text, large = false) {
    const attributes = {
      class: `move${large ? " large" : ""}`,
      data: { move: move.text, best: this.best.has(move.text) ? "" : null },
      "aria-label": text === move.label ? null : move.label,
    };
    if (!move.valid) {
      attributes["aria-disabled"] = "true";
      attributes["aria-describedby"] = this.reason(move.why || "This move is not valid now.");
    }
    const why = move.valid ? "" : `${move.label}: ${move.why || "not valid now"}`;
    const made = button(text, () => (move.valid ? this.play(move) : this.explain(why, true)), attributes);
    made.addEventListener("focus", () => this.explain(why));
    made.addEventListener("pointermove", () => this.explain(why)); // not where it was drawn under a pointer at rest
    made.addEventListener("pointerleave", () => this.explain(""));
    return made;
  }

  reason(why) {
    if (!this.reasons.has(why)) this.reasons.set(why, freshId("why"));
    return this.reasons.get(why);
  }

  group(operation, moves) {
    const title = h("h3", {}, spoken(operation));
    const valid = moves.filter((move) => move.valid);
    if (!valid.length && moves.length > FEW) return this.barred(operation, moves);
    const inner = moves.length - valid.length > FEW ? this.mixed(operation, moves, valid) : this.inner(moves);
    if (this.held(moves)) return h("details", { class: "move-group", open: true, data: { key: operation, held: "" } }, h("summary", {}, `${spoken(operation)}: as a list`), inner);
    if (!this.covered(moves)) return h("div", { class: "move-group" }, title, inner);
    return h(
      "details",
      { class: "move-group", data: { key: operation } },
      h("summary", {}, `${spoken(operation)}: the ${valid.length} moves as a list`),
      inner,
    );
  }

  /** An operation of many moves, none of which is valid now: one button, and the reasons. */
  barred(operation, moves) {
    const reasons = [...new Set(moves.map((move) => move.why).filter(Boolean))];
    const why = reasons.slice(0, 3).join("; ") || "not valid now";
    return h("div", { class: "move-row" }, this.button({ text: operation, label: spoken(operation), valid: false, why }, spoken(operation)));
  }

  /** The valid moves, and below, closed, the many others. */
  mixed(operation, moves, valid) {
    const others = moves.filter((move) => !move.valid);
    return [
      this.inner(valid),
      h(
        "details",
        { data: { key: `${operation} not valid` } },
        h("summary", {}, `${others.length} that are not valid`),
        h("div", { class: "move-row scrolls" }, others.map((move) => this.button(move, move.label))),
      ),
    ];
  }

  inner(moves) {
    const depth = moves[0].choices.length;
    const alike = moves.every((move) => move.choices.length === depth);
    if (!depth || !alike) return h("div", { class: "move-row" }, moves.map((move) => this.button(move, move.label)));
    if (depth === 1) return this.members(moves) || this.row(moves, 0);
    if (moves.length > MOST_ROWS) return this.steps(moves, 0);
    return this.rows(moves, depth);
  }

  row(moves, last) {
    return h("div", { class: "move-row" }, moves.map((move) => this.button(move, move.choices[last][2])));
  }

  /** A row for each value of all choices but the last. */
  rows(moves, depth) {
    const rows = new Map();
    for (const move of moves) {
      const head = move.choices.slice(0, -1).map(([name, , words]) => `${spoken(name)} ${words}`).join(", ");
      if (!rows.has(head)) rows.set(head, []);
      rows.get(head).push(move);
    }
    return h(
      "div",
      { class: "move-rows" },
      [...rows].map(([head, some]) =>
        h("div", { class: "move-line", role: "group", "aria-label": head }, h("span", { class: "move-head", "aria-hidden": "true" }, head), this.row(some, depth - 1)),
      ),
    );
  }

  /** One choice after the other, each narrowing what can follow. */
  steps(moves, at, chosen = []) {
    const name = moves[0].choices[at][0];
    const values = [...new Set(moves.map((move) => move.choices[at][2]))];
    if (at === moves[0].choices.length - 1) {
      return h("div", { class: "step" }, h("p", { class: "caption" }, spoken(name)), this.row(moves, at));
    }
    const next = h("div", { class: "step-next" });
    const chips = values.map((value) => {
      const some = moves.filter((move) => move.choices[at][2] === value);
      const chip = button(
        value,
        () => {
          chips.forEach((other) => other.setAttribute("aria-pressed", String(other === chip)));
          next.replaceChildren(this.steps(some, at + 1, [...chosen, value]));
        },
        { class: "chip", "aria-pressed": "false", "aria-label": `${spoken(name)} ${value}` },
      );
      return chip;
    });
    return h("div", { class: "step" }, h("p", { class: "caption" }, spoken(name)), h("div", { class: "move-row" }, chips), next);
  }

  /** Values that are sets of a few things: each thing is switched on or off. */
  members(moves) {
    if (moves.length <= FEW) return null;
    const split = (move) => String(move.choices[0][1]).split(/[\s,]+/).filter(Boolean);
    const sets = moves.map(split);
    const all = [...new Set(sets.flat())];
    const proper = sets.every((set) => set.length > 0 && new Set(set).size === set.length);
    const keys = new Map(moves.map((move, k) => [[...sets[k]].sort().join(" "), move]));
    if (!proper || !sets.some((set) => set.length > 1) || keys.size !== moves.length || all.length > 40) return null;
    return this.switches(moves, sets, all, keys);
  }

  switches(moves, sets, all, keys) {
    const sizes = [...new Set(sets.map((set) => set.length))].sort((a, b) => a - b);
    const wanted = sizes.length === 1 ? `Choose ${sizes[0]}.` : `Choose ${sizes[0]} to ${sizes[sizes.length - 1]}.`;
    const chosen = new Set();
    const state = h("p", { class: "about", role: "status" }, wanted);
    const go = button("Play", () => done(), { class: "button main", "aria-disabled": "true" });
    const found = () => keys.get([...chosen].sort().join(" "));
    const done = () => {
      const move = found();
      if (move && move.valid) this.play(move);
      else this.explain(move ? `${move.label}: ${move.why || "not valid now"}` : wanted, true);
    };
    const chips = all.map((thing) => {
      const chip = button(
        thing,
        () => {
          if (chosen.has(thing)) chosen.delete(thing);
          else chosen.add(thing);
          chip.setAttribute("aria-pressed", String(chosen.has(thing)));
          const move = found();
          state.textContent = move ? move.label : `${wanted} ${chosen.size} chosen.`;
          if (move && move.valid) go.removeAttribute("aria-disabled");
          else go.setAttribute("aria-disabled", "true");
        },
        { class: "chip large", "aria-pressed": "false", "data-member": thing },
      );
      return chip;
    });
    return h("div", { class: "members" }, state, h("div", { class: "move-row" }, chips), go);
  }
}

/** A question that is asked step by step, where there are too many moves to list. */
export function questionForm(question, answer, back) {
  const own = freshId("answer");
  const typed = h("input", { id: own, type: "text", autocomplete: "off", spellcheck: "false" });
  const option = ({ text, valid }) =>
    valid === false
      ? button(text, () => answer(text), { class: "move", "data-move": text, "data-doubtful": "" })
      : button(text, () => answer(text), { class: "move", "data-move": text });
  const submit = (event) => {
    event.preventDefault();
    if (typed.value.trim()) answer(typed.value.trim());
  };
  return h(
    "form",
    { class: "question", on: { submit } },
    question.refused ? h("p", { class: "wrong", role: "alert" }, question.refused) : null,
    question.menu ? h("p", { class: "question-menu" }, question.menu) : null,
    h("label", { for: own }, question.prompt || (question.about ? `Choose ${question.about}` : "Your answer")),
    question.options && question.options.length ? h("div", { class: "move-row" }, question.options.map(option)) : null,
    h("div", { class: "typed" }, typed, h("button", { type: "submit", class: "button" }, "Answer")),
    h("p", {}, button("Start over", back, { class: "quiet" })),
  );
}
