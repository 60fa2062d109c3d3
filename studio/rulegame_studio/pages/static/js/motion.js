// What moves on the page: pieces that slide to their new place, and arrows that lie above a board.

import { calm, h, s } from "./dom.js";

const SLIDING = 260; // milliseconds
const FADING = 200;
const MOST = 40; // pieces that move at a time

const PIECES = ".piece, .word, .figure, .yes, .die";

/** The places of the boards with what lies there, and where on the screen. */
export function seen(stage) {
  const found = new Map();
  for (const cell of stage.querySelectorAll("[data-index] [data-at]")) {
    const drawn = cell.querySelector(PIECES);
    const at = `${cell.closest("[data-index]").dataset.index}:${cell.dataset.at}`;
    if (drawn) found.set(at, { drawn, look: drawn.outerHTML, box: drawn.getBoundingClientRect() });
  }
  return found;
}

/** A copy of a piece above everything else. */
export function ghost(drawn, box) {
  const copy = drawn.cloneNode(true);
  const cell = getComputedStyle(drawn).getPropertyValue("--cell");
  const around = h("div", { class: "ghost", "aria-hidden": "true", vars: { "--cell": cell, "--size": `${box.width}px`, left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` } }, copy);
  document.body.append(around);
  return around;
}

function slide({ drawn, box }, from) {
  const flying = ghost(drawn, box);
  const start = `translate(${from.left - box.left}px, ${from.top - box.top}px)`;
  drawn.style.visibility = "hidden";
  flying.animate([{ transform: start }, { transform: "none" }], { duration: SLIDING, easing: "ease-in-out" }).finished.finally(() => {
    flying.remove();
    drawn.style.visibility = "";
  });
}

function fade({ drawn, box }) {
  const fading = ghost(drawn, box);
  fading.animate([{ opacity: 1 }, { opacity: 0, transform: "scale(.6)" }], { duration: FADING, fill: "forwards" }).finished.finally(() => fading.remove());
}

function appear({ drawn, box }) {
  const board = drawn.closest("[data-index]");
  if (board.dataset.ground === "upright") {
    const { top } = board.getBoundingClientRect();
    slide({ drawn, box }, { left: box.left, top });
  } else {
    drawn.animate([{ opacity: 0, transform: "scale(.5)" }, { opacity: 1, transform: "none" }], { duration: FADING, easing: "ease-out" });
  }
}

/** Let pieces move from where they were before the stage was drawn anew. */
export function move(stage, before) {
  if (calm.matches || document.hidden || !before.size) return;
  const after = seen(stage);
  const changed = [...after].filter(([at, now]) => before.get(at)?.look !== now.look);
  const gone = new Map([...before].filter(([at, was]) => after.get(at)?.look !== was.look));
  if (!changed.length || changed.length > MOST) return;
  for (const [at, now] of changed) {
    const [board] = at.split(":");
    const from = [...gone].find(([other, was]) => was.look === now.look && other.split(":")[0] === board);
    if (from) {
      gone.delete(from[0]);
      slide(now, from[1].box);
    } else if (!before.has(at)) appear(now);
  }
  if (gone.size <= MOST) gone.forEach(fade);
}

/** An arrow from the first to the last of some places, or a ring around a single one. */
export function arrow(stage, cells) {
  const boxes = cells.map(([index, r, c]) => stage.querySelector(`[data-index="${index}"] [data-at="${r},${c}"]`)?.getBoundingClientRect()).filter(Boolean);
  const picture = stage.querySelector(".picture");
  if (!boxes.length || !picture) return;
  const frame = picture.getBoundingClientRect();
  const middle = (box) => [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  const points = boxes.map(middle);
  const [x, y] = points[points.length - 1];
  const size = Math.min(boxes[0].width, boxes[0].height);
  let drawn = s("circle", { cx: x, cy: y, r: size * 0.42 });
  if (points.length > 1) {
    const [fx, fy] = points[points.length - 2];
    const way = Math.hypot(x - fx, y - fy) || 1;
    const [dx, dy] = [(x - fx) / way, (y - fy) / way];
    const head = Math.min(size * 0.4, way / 2);
    const [bx, by] = [x - dx * head, y - dy * head];
    const line = points.slice(0, -1).map((point) => point.join(" ")).join("L");
    drawn = [
      s("path", { d: `M${line}L${bx} ${by}`, "stroke-width": size * 0.14 }),
      s("path", { class: "head", d: `M${x} ${y}L${bx - dy * head * 0.6} ${by + dx * head * 0.6}L${bx + dy * head * 0.6} ${by - dx * head * 0.6}z` }),
    ];
  }
  picture.append(s("svg", { class: "arrow", "aria-hidden": "true", viewBox: `0 0 ${frame.width} ${frame.height}` }, drawn));
}
