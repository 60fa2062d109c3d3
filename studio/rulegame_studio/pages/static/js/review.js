// After the game: the curve of winning chances, a slider through the positions, and "what if".

import { button, h, s } from "./dom.js";
import { seatClass, sign } from "./pieces.js";

const HIGH = 180;
const EDGE = { left: 40, right: 12, top: 12, bottom: 24 };

const y = (chance) => EDGE.top + (1 - chance) * (HIGH - EDGE.top - EDGE.bottom);
const known = (chance) => chance !== null && chance !== undefined;
const percent = (chance) => (known(chance) ? `${Math.round(chance * 100)} %` : "not known");

/** The curve of one seat, broken where nothing is known. */
function curve(positions, seat, x) {
  let path = "";
  let joined = false;
  positions.forEach(({ chance }, k) => {
    const value = chance ? chance[seat] : null;
    if (!known(value)) {
      joined = false;
      return;
    }
    path += `${joined ? "L" : "M"}${x(k).toFixed(1)} ${y(value).toFixed(1)}`;
    joined = true;
  });
  return s("path", { d: path || "M0 0", class: `curve ${seatClass(seat)}`, data: { seat } });
}

export class Review {
  constructor({ positions, about }, names, signs, { show, branch, wide }) {
    this.wide = Math.max(280, Math.min(900, wide)); // letters keep their size in windows of any width
    this.positions = positions;
    this.about = about;
    this.names = names;
    this.signs = signs;
    this.show = show;
    this.branch = branch;
    this.at = positions.length - 1;
  }

  known() {
    return this.positions.some(({ chance }) => chance && chance.some(known));
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
      { viewBox: `0 0 ${this.wide} ${HIGH}`, class: "chart", role: "img", "aria-label": "Winning chances through the game. The slider below tells them for each position." },
      lines,
      this.names.map((_, seat) => curve(this.positions, seat, (k) => this.x(k))),
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
      this.about ? h("p", { class: "about" }, this.about) : null,
      this.known() ? this.chart() : h("p", { class: "about" }, "The winning chances of this game are not known."),
      h("label", { class: "sr-only", for: "review-slider" }, "Position"),
      this.slider,
      h(
        "div",
        { class: "review-row" },
        button("‹ Back", () => this.go(this.at - 1), { class: "button small" }),
        button("On ›", () => this.go(this.at + 1), { class: "button small" }),
        this.text,
        (this.what = button("What if from here?", () => this.branch(this.at), { class: "button small" })),
      ),
      this.known() ? this.legend : null,
    );
    this.go(this.at);
    return built;
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.positions.length - 1, at));
    const position = this.positions[this.at];
    const chances = position.chance || [];
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
