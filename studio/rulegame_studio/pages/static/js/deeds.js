// What can be done at a table beside moving: undo, resign, hint, rematch, and their questions.

import { button, h, listed } from "./dom.js";

/** Undo as it is asked for by another player, or waited for. */
export function undoQuestion(snapshot, send) {
  const { ask, names, you } = snapshot;
  const others = ask.others || names.map((_, seat) => seat);
  const open = you.seats.filter((seat) => seat !== ask.by && others.includes(seat) && !(ask.answered || []).includes(seat));
  if (you.role !== "watch" && you.seats.includes(ask.by)) {
    return [
      h("p", {}, "You asked to undo the last move."),
      button("Withdraw", () => send({ kind: "consent", yes: false }), { class: "button" }),
    ];
  }
  if (you.role === "watch" || !open.length) return [h("p", {}, `${names[ask.by]} asks to undo the last move.`)];
  return [
    h("p", {}, `${names[ask.by]} asks to undo the last move. Do you agree?`),
    h(
      "div",
      { class: "row" },
      button("Yes, undo it", () => send({ kind: "consent", yes: true }), { class: "button" }),
      button("No, keep it", () => send({ kind: "consent", yes: false }), { class: "button" }),
    ),
  ];
}

/** The buttons below the moves. Resigning asks once more, in place. */
export class Deeds {
  constructor(box, send, { review, reviewing }) {
    this.reviewing = reviewing;
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
      over && can.review !== false && !this.reviewing() ? this.deed("review", "Review the game", this.review, { class: "button main" }) : null,
      rematch ? h("a", { class: "button main", href: rematch, "data-deed": "rematch" }, "Go to rematch") : null,
      can.rematch && !rematch ? this.deed("rematch", "Rematch, sides swapped", () => this.send({ kind: "rematch" })) : null,
      can.hint ? this.deed("hint", "Hint", () => this.send({ kind: "hint" })) : null,
      can.undo ? this.deed("undo", "Undo", () => this.send({ kind: "undo" })) : null,
      cover ? this.deed("cover", "Cover the screen", () => this.send({ kind: "away" })) : null,
      can.resign ? this.deed("resign", "Resign", () => this.asked(true)) : null,
      over && you.owner !== false ? h("a", { class: "button", href: "/" }, "Another game") : null,
    ].filter(Boolean);
  }

  question() {
    return [
      h("p", { class: "sure", id: "sure" }, this.snapshot.you.role === "screen" ? `Does ${this.resigning()} resign?` : "Resign this game?"),
      this.deed("yes", "Yes, resign", () => this.resign(), { class: "button danger", "aria-describedby": "sure" }),
      this.deed("no", "No, play on", () => this.asked(false), { "aria-describedby": "sure" }),
    ];
  }

  asked(sure) {
    this.sure = sure;
    this.draw(this.snapshot);
    this.box.querySelector(sure ? "[data-deed='no']" : "[data-deed='resign']")?.focus();
  }

  /** Whoever would resign at a shared screen: the one who is asked. */
  resigningSeat() {
    const { you, asked } = this.snapshot;
    return asked.find((seat) => you.seats.includes(seat)) ?? you.seats[0];
  }

  resigning() {
    return this.snapshot.names[this.resigningSeat()];
  }

  resign() {
    this.sure = false;
    const shared = this.snapshot.you.role === "screen";
    this.send(shared ? { kind: "resign", seat: this.resigningSeat() } : { kind: "resign" });
    this.draw(this.snapshot);
  }
}

const isNumber = (value) => value !== null && value !== undefined && Number.isFinite(Number(value));

/** How far the bar of a move reaches: its chance, or its value among those of the others. */
function reach(move, values) {
  if (isNumber(move.chance)) return Math.max(0, Math.min(1, move.chance));
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (!isNumber(move.value) || most === least) return isNumber(move.value) ? 1 : 0;
  return 0.04 + 0.96 * ((Number(move.value) - least) / (most - least));
}

function worth(move) {
  if (isNumber(move.chance)) return `${(move.chance * 100).toFixed(move.chance > 0 && move.chance < 1 ? 1 : 0)} %`;
  if (move.told) return move.told;
  return isNumber(move.value) ? String(Math.round(Number(move.value) * 1000) / 1000) : "";
}

/** A hint: a bar for each move, the best first. */
export function hintList(hint) {
  const values = hint.moves.map((move) => move.value).filter(isNumber).map(Number);
  const known = hint.moves.some((move) => isNumber(move.chance) || isNumber(move.value));
  const rank = (move) => (isNumber(move.chance) ? move.chance : isNumber(move.value) ? Number(move.value) : -Infinity);
  const moves = [...hint.moves].sort((a, b) => Number(b.best) - Number(a.best) || rank(b) - rank(a) || 0);
  const item = (move) =>
    h(
      "li",
      { class: "hint", data: { best: move.best ? "" : null } },
      h("span", { class: "hint-move" }, move.label, move.best ? h("span", { class: "badge" }, "best") : null),
      h("span", { class: "hint-chance" }, worth(move), move.costs ? h("span", { class: "hint-costs" }, ` −${move.costs}`) : null),
      known ? h("div", { class: "hint-way", "aria-hidden": "true" }, h("div", { class: "hint-done", vars: { "--done": `${reach(move, values) * 100}%` } })) : null,
    );
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
      h("p", { id: "curtain-about" }, `Only ${name} should look at the screen now.`),
      button(`I am ${name}`, ready, { class: "button main", id: "curtain-ready" }),
    ),
  ];
}

/** How the game ended, for the player who reads it. */
export function resultText(snapshot) {
  const { over, names, you } = snapshot;
  const mine = you.role !== "watch" && you.seats.length === 1 && names.length > 1 ? you.seats[0] : null;
  if (mine !== null && (over.winners || []).includes(mine)) return "You won";
  if (mine !== null && (over.losers || []).includes(mine)) return "You lost";
  if (over.text) return over.text;
  if (over.winners && over.winners.length) return `${listed(over.winners.map((seat) => names[seat]))} won.`;
  return over.result === "draw" ? "A draw." : "The game is over.";
}
