// After the game: one curve, the mistakes, the best moves, a slider through the positions, and "what if".

import { button, h, s } from "./dom.js";
import { seatClass, sign } from "./pieces.js";

const HIGH = 180;
const EDGE = { left: 44, right: 12, top: 16, bottom: 24 };
const MOST_MISTAKES = 6; // that are listed before the others are asked for
const BADNESS = { "??": 2, "?": 1 };

const known = (value) => value !== null && value !== undefined;

export class Review {
  constructor({ positions, order, about }, { names, signs, seat, show, branch, wide }) {
    this.wide = Math.max(280, Math.min(900, wide)); // letters keep their size in windows of any width
    this.positions = positions;
    this.rating = { done: 0, total: order.length, over: !order.length, about };
    this.range = null; // of payoffs; null where values are winning chances
    this.names = names;
    this.signs = signs;
    this.seat = seat; // whose curve is drawn
    this.show = show;
    this.branch = branch;
    this.at = positions.length - 1;
  }

  /** Ratings that were computed since, or the end of that. */
  rate({ at, ratings, marks, range, over, about }) {
    at.forEach((k, n) => Object.assign(this.positions[k], ratings[n], { rated: true }));
    if (marks) this.positions.forEach((position, k) => (position.mark = marks[k] || ""));
    if (range !== undefined) this.range = range;
    Object.assign(this.rating, { done: this.rating.done + at.length, over, about: about || this.rating.about });
    this.drawFigure();
    this.drawMistakes();
    this.go(this.at);
  }

  // ---- the curve

  /** What a position is worth to a seat. Each player's search sees its own side a little too well: estimates are
   *  averaged with those beside them. */
  worth(k, seat) {
    const { chance, estimated } = this.positions[k];
    if (!estimated || !known(chance[seat])) return chance[seat];
    const beside = [k - 1, k + 1].map((other) => this.positions[other]).filter((one) => one?.estimated && known(one.chance[seat]) && one.seat !== this.positions[k].seat);
    if (!beside.length) return chance[seat];
    return (chance[seat] + beside.reduce((sum, one) => sum + one.chance[seat], 0) / beside.length) / 2;
  }

  x(k) {
    return EDGE.left + (k / Math.max(1, this.positions.length - 1)) * (this.wide - EDGE.left - EDGE.right);
  }

  y(value) {
    const [low, high] = this.range || [0, 1];
    const part = high > low ? (value - low) / (high - low) : 0.5;
    return EDGE.top + (1 - Math.max(0, Math.min(1, part))) * (HIGH - EDGE.top - EDGE.bottom);
  }

  text(value) {
    if (!known(value)) return "unknown";
    return this.range ? String(Math.round(value * 100) / 100) : `${Math.round(value * 100)} %`;
  }

  path() {
    let path = "";
    this.positions.forEach((_, k) => {
      const value = this.worth(k, this.seat);
      if (known(value)) path += `${path ? "L" : "M"}${this.x(k).toFixed(1)} ${this.y(value).toFixed(1)}`;
    });
    return path;
  }

  chart() {
    const [low, high] = this.range || [0, 1];
    const lines = [low, (low + high) / 2, high].map((value) => [
      s("line", { x1: EDGE.left, x2: this.wide - EDGE.right, y1: this.y(value), y2: this.y(value), class: "grid-line" }),
      s("text", { x: EDGE.left - 6, y: this.y(value) + 4, class: "tick", "text-anchor": "end" }, this.text(value)),
    ]);
    this.cursor = s("line", { y1: EDGE.top - 4, y2: HIGH - EDGE.bottom + 4, class: "cursor" });
    this.dot = s("circle", { r: 5, class: `dot ${seatClass(this.seat)}` });
    const marks = this.positions.map(({ mark, seat }, k) => {
      const value = this.worth(k, this.seat);
      return mark && known(value) ? s("text", { x: this.x(k), y: this.y(value) - 7, class: `mistake ${seatClass(seat)}`, "text-anchor": "middle" }, mark) : null;
    });
    const what = this.range ? "Expected payoff" : "Winning chances";
    const chart = s(
      "svg",
      { viewBox: `0 0 ${this.wide} ${HIGH}`, class: "chart", role: "img", "aria-label": `${what} of ${this.names[this.seat]} through the game. The slider below gives the value for each position.` },
      lines,
      s("path", { d: this.path() || "M0 0", class: `curve ${seatClass(this.seat)}`, data: { seat: this.seat } }),
      this.cursor,
      marks,
      this.dot,
    );
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const inner = ((event.clientX - box.left) / box.width) * this.wide - EDGE.left;
      this.go(Math.round((inner / (this.wide - EDGE.left - EDGE.right)) * (this.positions.length - 1)));
    });
    return chart;
  }

  /** The chart, how much of it is computed, or why there is none. */
  drawFigure() {
    const { done, total, over, about } = this.rating;
    const charted = this.path().includes("L");
    this.cursor = null;
    const text = about || (over && !charted ? "No chart: too few positions of this game have a value." : "");
    this.figure.replaceChildren(
      ...[
        charted ? this.chart() : null,
        over ? null : h("p", { class: "about" }, h("label", { for: "review-progress" }, "Rating the moves … "), h("progress", { id: "review-progress", max: total, value: done })),
        text ? h("p", { class: "about", role: "status" }, text) : null,
      ].filter(Boolean),
    );
  }

  // ---- mistakes

  /** What was played at a position, and what would have been better. */
  verdict(k) {
    const { mark, lost, best, rated } = this.positions[k];
    const next = this.positions[k + 1];
    if (!rated) return "";
    if (!next) return best.length ? `Best here: ${best.join(" or ")}.` : "";
    const better = best.length ? `${mark ? "Better" : "Also good"}: ${best.join(" or ")}.` : "";
    if (!mark) return `${next.label}${best.length ? "." : ", the best move."} ${better}`.trim();
    return `${next.label} ${mark} ${lost ? `(−${lost})` : ""} ${better}`.replace(/\s+/g, " ").trim();
  }

  drawMistakes() {
    const found = this.positions.map(({ mark }, k) => ({ mark, k })).filter(({ mark }) => mark);
    const cost = ({ k, mark }) => BADNESS[mark] * 1000 + (parseFloat(this.positions[k].lost) || 0);
    const worst = [...found].sort((a, b) => cost(b) - cost(a)).slice(0, this.all ? Infinity : MOST_MISTAKES).sort((a, b) => a.k - b.k);
    const item = ({ k }) =>
      h(
        "li",
        {},
        button([sign(this.positions[k].seat, this.signs[this.positions[k].seat] || ""), h("span", {}, this.verdict(k))], () => this.go(k), { class: "quiet mistake-row", "data-at": k }),
      );
    const more = found.length - worst.length;
    const showAll = () => {
      this.all = true;
      this.drawMistakes();
    };
    const held = this.mistakes.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    this.mistakes.replaceChildren(
      ...[
        found.length ? h("h3", {}, "Biggest mistakes") : this.rating.over && this.rating.done ? h("p", { class: "about" }, "No mistakes found.") : null,
        h("ol", { class: "mistake-rows" }, worst.map(item)),
        more ? button(`${more} more`, showAll, { class: "quiet" }) : null,
      ].filter(Boolean),
    );
    if (held) this.mistakes.querySelector(`[data-at="${held}"]`)?.focus({ preventScroll: true });
  }

  // ---- the whole

  element() {
    const last = this.positions.length - 1;
    this.slider = h("input", {
      type: "range",
      id: "review-slider",
      min: "0",
      max: String(last),
      value: String(this.at),
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.label = h("p", { class: "review-label", role: "status" });
    this.told = h("p", { class: "review-verdict", role: "status" });
    this.legend = h("ul", { class: "review-legend" });
    const built = h(
      "div",
      { class: "review-inner" },
      (this.figure = h("div", { class: "review-figure" })),
      h("label", { class: "sr-only", for: "review-slider" }, "Position"),
      this.slider,
      h(
        "div",
        { class: "review-row" },
        button("‹ Back", () => this.go(this.at - 1), { class: "button small" }),
        button("Next ›", () => this.go(this.at + 1), { class: "button small" }),
        this.label,
        (this.what = button("What if from here?", () => this.branch(this.at), { class: "button small", title: "Play on from this position at a new table" })),
      ),
      this.told,
      this.legend,
      (this.mistakes = h("div", { class: "mistakes" })),
    );
    this.drawFigure();
    this.drawMistakes();
    this.go(this.at);
    return built;
  }

  /** Whose curve is drawn: a click on another name changes it. */
  drawLegend(chances) {
    const choose = (seat) => {
      this.seat = seat;
      this.drawFigure();
      this.go(this.at);
      this.legend.querySelectorAll("button")[seat]?.focus();
    };
    const held = this.legend.contains(document.activeElement);
    this.legend.replaceChildren(
      ...this.names.map((name, seat) =>
        h("li", {}, button([sign(seat, this.signs[seat] || ""), h("span", {}, name), h("strong", {}, this.text(chances[seat]))], () => choose(seat), { class: "chip", "aria-pressed": String(seat === this.seat) })),
      ),
    );
    if (held) this.legend.querySelectorAll("button")[this.seat]?.focus();
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.positions.length - 1, at));
    const position = this.positions[this.at];
    const chances = this.names.map((_, seat) => this.worth(this.at, seat));
    this.slider.value = String(this.at);
    const label = position.label || (this.at ? `Position ${this.at}` : "The start");
    this.label.textContent = label;
    const verdict = this.verdict(this.at);
    this.told.textContent = verdict && this.at < this.positions.length - 1 ? `Then ${verdict}` : verdict;
    this.slider.setAttribute("aria-valuetext", [label, ...this.names.map((name, seat) => `${name} ${this.text(chances[seat])}`)].join(", "));
    this.what.setAttribute("aria-disabled", String(this.at === this.positions.length - 1));
    if (this.cursor) this.point(chances[this.seat]);
    this.drawLegend(chances);
    this.show(position, this.at === this.positions.length - 1);
  }

  point(value) {
    const here = this.x(this.at);
    this.cursor.setAttribute("x1", here);
    this.cursor.setAttribute("x2", here);
    this.dot.setAttribute("visibility", known(value) ? "visible" : "hidden");
    this.dot.setAttribute("cx", here);
    this.dot.setAttribute("cy", this.y(known(value) ? value : 0));
  }
}
