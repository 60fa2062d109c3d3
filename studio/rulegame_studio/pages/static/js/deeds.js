// What can be done at a table beside moving: undo, resign, hint, rematch, and their questions.

import { button, h, listed } from "./dom.js";

/** Undo as it is asked for by another player, or waited for. */
export function undoQuestion(snapshot, send) {
  const { ask, names, you } = snapshot;
  const open = you.seats.filter((seat) => seat !== ask.by && !(ask.answered || []).includes(seat));
  if (you.role === "watch" || !open.length) {
    return [h("p", {}, you.seats.includes(ask.by) ? "You have asked to take the last move back." : `${names[ask.by]} asks to take the last move back.`)];
  }
  return [
    h("p", {}, `${names[ask.by]} asks to take the last move back. Do you agree?`),
    h(
      "div",
      { class: "row" },
      button("Yes, take it back", () => send({ kind: "consent", yes: true }), { class: "button" }),
      button("No, it stands", () => send({ kind: "consent", yes: false }), { class: "button" }),
    ),
  ];
}

/** The buttons below the moves. Resigning asks once more, in place. */
export class Deeds {
  constructor(box, send, { review }) {
    this.box = box;
    this.send = send;
    this.review = review;
    this.sure = false;
    this.snapshot = null;
  }

  draw(snapshot) {
    this.snapshot = snapshot;
    if (!snapshot.can.resign) this.sure = false;
    const held = this.box.contains(document.activeElement) ? document.activeElement.dataset.deed : null;
    this.box.replaceChildren(...(this.sure ? this.question() : this.buttons()));
    this.box.hidden = !this.box.childElementCount;
    if (held) (this.box.querySelector(`[data-deed="${held}"]`) || this.box.querySelector("button, a"))?.focus();
  }

  deed(name, text, act, attributes = {}) {
    return button(text, act, { class: "button", "data-deed": name, ...attributes });
  }

  buttons() {
    const { can, over, you, rematch, handover, hides } = this.snapshot;
    const cover = you.role === "screen" && hides && !handover && !over;
    return [
      over ? this.deed("review", "Review the game", this.review, { class: "button main" }) : null,
      rematch ? h("a", { class: "button main", href: rematch, "data-deed": "rematch" }, "To the rematch") : null,
      can.rematch && !rematch ? this.deed("rematch", "Rematch, sides swapped", () => this.send({ kind: "rematch" })) : null,
      can.hint ? this.deed("hint", "Hint", () => this.send({ kind: "hint" })) : null,
      can.undo ? this.deed("undo", "Undo", () => this.send({ kind: "undo" })) : null,
      cover ? this.deed("cover", "Cover the screen", () => this.send({ kind: "away" })) : null,
      can.resign ? this.deed("resign", "Resign", () => this.asked(true)) : null,
      over ? h("a", { class: "button", href: "/" }, "Another game") : null,
    ].filter(Boolean);
  }

  question() {
    return [
      h("p", { class: "sure", id: "sure" }, "Resign this game?"),
      this.deed("yes", "Yes, resign", () => this.resign(), { class: "button danger", "aria-describedby": "sure" }),
      this.deed("no", "No, play on", () => this.asked(false), { "aria-describedby": "sure" }),
    ];
  }

  asked(sure) {
    this.sure = sure;
    this.draw(this.snapshot);
    this.box.querySelector(sure ? "[data-deed='no']" : "[data-deed='resign']")?.focus();
  }

  resign() {
    this.sure = false;
    this.send({ kind: "resign" });
    this.draw(this.snapshot);
  }
}

/** A hint: a bar for each move, the best first. */
export function hintList(hint) {
  const known = hint.moves.some((move) => move.chance !== null && move.chance !== undefined);
  const moves = [...hint.moves].sort((a, b) => Number(b.best) - Number(a.best) || (b.chance ?? -1) - (a.chance ?? -1));
  const item = (move) => {
    const chance = move.chance ?? null;
    const percent = chance === null ? "" : `${(chance * 100).toFixed(chance > 0 && chance < 1 ? 1 : 0)} %`;
    return h(
      "li",
      { class: "hint", data: { best: move.best ? "" : null } },
      h("span", { class: "hint-move" }, move.label, move.best ? h("span", { class: "badge" }, "best") : null),
      h("span", { class: "hint-chance" }, percent, move.costs ? h("span", { class: "hint-costs" }, ` ${move.costs}`) : null),
      known ? h("div", { class: "hint-way", "aria-hidden": "true" }, h("div", { class: "hint-done", vars: { "--done": `${Math.max(0, Math.min(1, chance ?? 0)) * 100}%` } })) : null,
    );
  };
  const first = moves.slice(0, 8);
  const rest = moves.slice(8);
  return [
    hint.about ? h("p", { class: "about" }, hint.about) : null,
    h("ol", { class: "hint-items" }, first.map(item)),
    rest.length ? h("details", {}, h("summary", {}, `${rest.length} more`), h("ol", { class: "hint-items" }, rest.map(item))) : null,
  ].filter(Boolean);
}

/** Between two players at one screen: nothing is shown until the right one says so. */
export function curtain(name, ready) {
  return [
    h(
      "div",
      { class: "curtain-inner", role: "dialog", "aria-modal": "true", "aria-labelledby": "curtain-title", "aria-describedby": "curtain-about" },
      h("h2", { id: "curtain-title" }, `Hand over to ${name}`),
      h("p", { id: "curtain-about" }, `What ${name} may see is shown as soon as nobody else looks.`),
      button(`I am ${name}, show it`, ready, { class: "button main", id: "curtain-ready" }),
    ),
  ];
}

export function resultText(snapshot) {
  const { over, names } = snapshot;
  if (over.text) return over.text;
  if (over.winners && over.winners.length) return `${listed(over.winners.map((seat) => names[seat]))} won.`;
  return over.result === "draw" ? "A draw." : "The game is over.";
}
