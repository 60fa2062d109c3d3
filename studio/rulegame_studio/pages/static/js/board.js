// Boards and tracks: places that are seen, walked through with the arrow keys, and clicked.

import { h, s, spoken } from "./dom.js";
import { isYesOrNo, piece, told } from "./pieces.js";

const walked = new Map(); // where somebody stood on each board, across drawings

/** Keys of a board: arrows, and the ends of rows and columns. */
const STEPS = {
  ArrowUp: (r, c) => [r - 1, c],
  ArrowDown: (r, c) => [r + 1, c],
  ArrowLeft: (r, c) => [r, c - 1],
  ArrowRight: (r, c) => [r, c + 1],
  Home: (r) => [r, 0],
  End: (r) => [r, Infinity],
  PageUp: (r, c) => [0, c],
  PageDown: (r, c) => [Infinity, c],
};

function place(board, r, c) {
  return board.querySelector(`[data-at="${r},${c}"]`);
}

function walk(event, index, rows) {
  const cell = event.target.closest("[data-at]");
  const board = event.currentTarget;
  if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
  const [r, c] = cell.dataset.at.split(",").map(Number);
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    cell.click();
    return;
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  let [down, right] = step(r, c);
  if (board.dataset.turned !== undefined && event.key.startsWith("Arrow")) [down, right] = [2 * r - down, 2 * c - right];
  down = Math.max(0, Math.min(rows.length - 1, down));
  right = Math.max(0, Math.min(rows[down].length - 1, right));
  stand(board, index, down, right).focus();
}

/** Make one place the one that the tab key leads to. */
function stand(board, index, r, c) {
  board.querySelectorAll("[tabindex='0'][data-at]").forEach((other) => other.setAttribute("tabindex", "-1"));
  const cell = place(board, r, c);
  cell.setAttribute("tabindex", "0");
  walked.set(index, [r, c]);
  return cell;
}

function cellName(shape, r, c) {
  const row = shape.row_names[r];
  const column = shape.column_names[c];
  const letters = /^[a-z]+$/i;
  if (letters.test(column) && !letters.test(row)) return `${column}${row}`;
  if (letters.test(row) && !letters.test(column)) return `${row}${column}`;
  return `row ${row}, column ${column}`;
}

/** One place: what lies there, and what can be done with it. */
function cell(drawn, name, at, context) {
  const { picture, index, pick, small } = context;
  const state = pick ? pick.state(index, ...at) : null;
  const words = [`${name}: ${told(drawn, picture)}`];
  if (state && state.kind === "open") words.push(state.label);
  if (state && state.kind === "chosen") words.push("chosen");
  if (state && state.kind === "barred") words.push(`not valid: ${state.why}`);
  const number = context.numbers ? context.numbers[at[0] * context.columns + at[1]] : 0;
  const marks = (drawn.marks || []).map((mark) => h("span", { class: `mark mark-${context.marks.indexOf(mark) % 4}`, "aria-hidden": "true" }));
  return h(
    "div",
    {
      class: "cell",
      role: small ? null : "gridcell",
      tabindex: small ? null : "-1",
      "aria-label": small ? null : words.join(", "),
      "aria-disabled": state && state.kind === "barred" ? "true" : null,
      "aria-selected": state && state.kind === "chosen" ? "true" : null,
      data: {
        at: at.join(","),
        changed: drawn.changed ? "" : null,
        won: drawn.won ? "" : null,
        state: state ? state.kind : null,
        landing: state && state.landing ? "" : null,
        best: state && state.best ? "" : null,
        shade: (at[0] + at[1]) % 2 ? "odd" : null,
      },
    },
    h("span", { class: "cell-in" }, number && !drawn.text ? h("span", { class: "square-number", "aria-hidden": "true" }, String(number)) : piece(drawn, picture, context.dots), marks),
  );
}

function wire(board, index, rows, pick) {
  board.addEventListener("keydown", (event) => walk(event, index, rows));
  board.addEventListener("focusin", (event) => {
    const found = event.target.closest("[data-at]");
    if (!found) return;
    const at = found.dataset.at.split(",").map(Number);
    stand(board, index, ...at);
    if (pick && found.matches(":focus-visible")) pick.look(index, ...at);
  });
  if (pick) {
    board.addEventListener("click", (event) => {
      const found = event.target.closest("[data-at]");
      if (found) pick.click(index, ...found.dataset.at.split(",").map(Number));
    });
  }
  const [r, c] = walked.get(index) || [0, 0];
  const row = Math.min(r, rows.length - 1);
  const first = place(board, row, Math.min(c, rows[row].length - 1));
  if (first) first.setAttribute("tabindex", "0");
}

export function drawBoard(shape, context) {
  const { small, index, pick } = context;
  const inner = { ...context, marks: shape.marks || [], numbers: shape.numbers || [], columns: shape.column_names.length, dots: isYesOrNo(shape.rows.flat()) };
  const head = h(
    "div",
    { class: "board-head", role: small ? null : "row" },
    h("span", { class: "corner", role: small ? null : "columnheader" }, small ? null : h("span", { class: "sr-only" }, "Rows")),
    shape.column_names.map((name) => h("span", { class: "column-name", role: small ? null : "columnheader" }, name)),
  );
  const rows = shape.rows.map((row, r) =>
    h(
      "div",
      { class: "board-row", role: small ? null : "row", vars: { "--row": r } },
      h("span", { class: "row-name", role: small ? null : "rowheader" }, shape.row_names[r]),
      row.map((drawn, c) => cell(drawn, cellName(shape, r, c), [r, c], inner)),
    ),
  );
  const board = h(
    "div",
    {
      class: `board${shape.hexagons ? " hexagons" : ""}${shape.sides.length ? ` owned top-${shape.sides[0] % 6} left-${shape.sides[1] % 6}` : ""}`,
      role: small ? null : "grid",
      "aria-label": small ? null : spoken(shape.caption.label),
      data: { index, ground: shape.ground, crowded: pick && pick.crowded(index) ? "" : null },
    },
    small ? null : head,
    rows,
  );
  if (!small) wire(board, index, shape.rows, pick);
  const used = new Set(shape.rows.flat().flatMap((drawn) => drawn.marks || []));
  const legend = inner.marks.filter((mark) => used.has(mark));
  return h(
    "div",
    { class: "board-wrap", vars: { "--rows": shape.rows.length, "--columns": shape.column_names.length } },
    h("div", { class: "board-scroll" }, board),
    legend.length && !small
      ? h("p", { class: "legend" }, legend.map((mark) => h("span", {}, h("span", { class: `mark mark-${inner.marks.indexOf(mark) % 4}`, "aria-hidden": "true" }), ` ${spoken(mark)}`)))
      : null,
  );
}

/** Places in a row, counted from 1: a board of one row that may be broken into lines. */
export function drawTrack(shape, context) {
  const { small, index, pick, picture } = context;
  const inner = { ...context, marks: [], dots: isYesOrNo(shape.pieces) };
  const cells = shape.pieces.map((drawn, k) =>
    h(
      "div",
      { class: "track-place", role: small ? null : "presentation" },
      h("span", { class: "track-number", "aria-hidden": "true" }, shape.labels[k] ?? String(k + 1)),
      cell(drawn, shape.labels[k] ?? `place ${k + 1}`, [0, k], inner),
    ),
  );
  const row = h("div", { class: "track-row", role: small ? null : "row" }, cells);
  const track = h(
    "div",
    { class: "track", role: small || !cells.length ? null : "grid", "aria-label": small || !cells.length ? null : label(shape, picture), data: { index } },
    row,
  );
  if (!small && cells.length) wire(track, index, [shape.pieces], pick);
  return track;
}

/** Points where they lie, with lines between them: clicked and walked through like a track. */
export function drawGraph(shape, context) {
  const { small, index, pick, picture } = context;
  const inner = { ...context, marks: [], dots: false };
  const right = Math.max(...shape.points.map(([x]) => x));
  const low = Math.max(...shape.points.map(([, y]) => y));
  const ends = ([a, b]) => ({ x1: shape.points[a][0], y1: shape.points[a][1], x2: shape.points[b][0], y2: shape.points[b][1] });
  const lines = s(
    "svg",
    { class: "graph-lines", viewBox: `-0.5 -0.5 ${right + 1} ${low + 1}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    shape.lines.map((line) => s("line", { ...ends(line), "vector-effect": "non-scaling-stroke" })),
  );
  const points = shape.pieces.map((drawn, k) =>
    h(
      "div",
      { class: "graph-point", role: small ? null : "presentation", vars: { "--x": shape.points[k][0], "--y": shape.points[k][1] } },
      cell(drawn, `point ${shape.names[k]}`, [0, k], inner),
      small ? null : h("span", { class: "graph-name", "aria-hidden": "true" }, shape.names[k]),
    ),
  );
  const graph = h(
    "div",
    { class: "graph", role: small ? null : "grid", "aria-label": small ? null : label(shape, picture), data: { index } },
    lines,
    h("div", { role: small ? null : "row" }, points),
  );
  if (!small) wire(graph, index, [shape.pieces], pick);
  return h("div", { class: "board-wrap", vars: { "--columns": right + 1, "--rows": low + 1 } }, graph);
}

export function label(shape, picture) {
  const { owner } = shape.caption;
  const name = spoken(shape.caption.label);
  return owner === null || owner === undefined ? name : `${name} of ${picture.players[owner]}`;
}
