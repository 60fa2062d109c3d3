// After the game: the curve of winning chances, a slider through the positions, and "what if".

import { button, h, s } from "./dom.js";
import { seatClass, sign } from "./pieces.js";

const HIGH = 180;
const EDGE = { left: 40, right: 12, top: 12, bottom: 24 };

const y = (chance) => EDGE.top + (1 - chance) * (HIGH - EDGE.top - EDGE.bottom);
const known = (chance) => chance !== null && chance !== undefined;
const percent = (chance) => (known(chance) ? `${Math.round(chance * 100)} %` : "unknown");

/** The path of one seat: a dot for each chance that is known, joined over the turns of the others. */
function pathOf(positions, seat, x) {
  let path = "";
  let last = -Infinity;
  positions.forEach(({ chance }, k) => {
    if (!known(chance[seat])) return;
    const at = `${x(k).toFixed(1)} ${y(chance[seat]).toFixed(1)}`;
    path += k - last <= chance.length ? `L${at}` : `M${at}h0`;
    last = k;
  });
  return path;
}

export class Review {
  constructor({ positions, rated, about }, names, signs, { show, branch, wide }) {
    this.wide = Math.max(280, Math.min(900, wide)); // letters keep their size in windows of any width
    this.positions = positions;
    this.rating = { done: 0, total: rated.length, over: !rated.length, about };
    this.names = names;
    this.signs = signs;
    this.show = show;
    this.branch = branch;
    this.at = positions.length - 1;
  }

  /** Chances that were computed since, or the end of that. */
  rate({ at, chances, over, about }) {
    at.forEach((k, n) => {
      this.positions[k].chance = chances[n];
    });
    Object.assign(this.rating, { done: this.rating.done + at.length, over, about });
    this.drawFigure();
    this.go(this.at);
  }

  paths() {
    return this.names.map((_, seat) => pathOf(this.positions, seat, (k) => this.x(k)));
  }

  /** The chart, how much of it is computed, or why there is none. */
  drawFigure() {
    const { done, total, over, about } = this.rating;
    const charted = this.paths().some((path) => path.includes("L"));
    const computed = this.positions.filter(({ chance }) => chance.some(known)).length;
    this.cursor = null;
    const text = about || (over && computed < 2 ? "No chart: the winning chances of this game could not be computed." : "");
    this.figure.replaceChildren(
      ...[
        charted ? this.chart() : null,
        over ? null : h("p", { class: "about" }, h("label", { for: "review-progress" }, "Computing winning chances … "), h("progress", { id: "review-progress", max: total, value: done })),
        text ? h("p", { class: "about", role: "status" }, text) : null,
      ].filter(Boolean),
    );
    this.legend.hidden = computed < 2; // the end alone is told above
  }

  x(k) {
    return EDGE.left + (k / Math.max(1, this.positions.length - 1)) * (this.wide - EDGE.left - EDGE.right);
  }

  chart() {
    const lines = [0, 0.5, 1].map((chance) => [
      s("line", { x1: EDGE.left, x2: this.wide - EDGE.right, y1: y(chance), y2: y(chance), class: "grid-line" }),
      s("text", { x: EDGE.left - 6, y: y(chance) + 4, class: "tick", "text-anchor": "end" }, `${chance * 100}%`),
    ]);
    this.cursor = s("line", { y1: EDGE.top - 4, y2: HIGH - EDGE.bottom + 4, class: "cursor" });
    this.dots = this.names.map((_, seat) => s("circle", { r: 5, class: `dot ${seatClass(seat)}` }));
    const chart = s(
      "svg",
      { viewBox: `0 0 ${this.wide} ${HIGH}`, class: "chart", role: "img", "aria-label": "Winning chances through the game. The slider below gives the value for each position." },
      lines,
      this.paths().map((path, seat) => s("path", { d: path || "M0 0", class: `curve ${seatClass(seat)}`, data: { seat } })),
      this.cursor,
      this.dots,
    );
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const inner = ((event.clientX - box.left) / box.width) * this.wide - EDGE.left;
      this.go(Math.round((inner / (this.wide - EDGE.left - EDGE.right)) * (this.positions.length - 1)));
    });
    return chart;
  }

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
    this.text = h("p", { class: "review-label", role: "status" });
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
        this.text,
        (this.what = button("What if from here?", () => this.branch(this.at), { class: "button small" })),
      ),
      this.legend,
    );
    this.drawFigure();
    this.go(this.at);
    return built;
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.positions.length - 1, at));
    const position = this.positions[this.at];
    const chances = position.chance;
    this.slider.value = String(this.at);
    const label = position.label || (this.at ? `Position ${this.at}` : "The start");
    this.text.textContent = label;
    this.slider.setAttribute("aria-valuetext", [label, ...this.names.map((name, seat) => `${name} ${percent(chances[seat])}`)].join(", "));
    this.what.setAttribute("aria-disabled", String(this.at === this.positions.length - 1));
    if (this.cursor) this.mark(chances);
    this.legend.replaceChildren(
      ...this.names.map((name, seat) => h("li", {}, sign(seat, this.signs[seat] || ""), h("span", {}, name), h("strong", {}, percent(chances[seat])))),
    );
    this.show(position, this.at === this.positions.length - 1);
  }

  mark(chances) {
    const here = this.x(this.at);
    this.cursor.setAttribute("x1", here);
    this.cursor.setAttribute("x2", here);
    this.dots.forEach((dot, seat) => {
      const value = chances[seat];
      dot.setAttribute("visibility", known(value) ? "visible" : "hidden");
      dot.setAttribute("cx", here);
      dot.setAttribute("cy", y(known(value) ? value : 0));
    });
  }
}
