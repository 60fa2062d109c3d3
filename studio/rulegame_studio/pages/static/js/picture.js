// A position as elements: who plays with what belongs to them, and what lies between them.

import { drawBoard, drawGraph, drawTrack, label } from "./board.js";
import { h, spoken } from "./dom.js";
import { card, die, red, seatClass, sign } from "./pieces.js";

const MOST_PIPS = 24; // in a heap that is drawn one by one
const MOST_HEAPS = 12;
const LARGE = new Set(["board", "graph", "pits", "heaps", "track"]);

const shared = (shape) => shape.caption.owner === null || shape.caption.owner === undefined;

function captioned(shape, ...inner) {
  return h(
    "div",
    { class: `shape ${shape.shape}` },
    h("p", { class: "caption", title: shape.caption.about || null }, spoken(shape.caption.label)),
    inner,
  );
}

function bar(shape) {
  const way = (shape.value - Math.min(shape.start, shape.goal)) / Math.abs(shape.goal - shape.start); // full at the greater end
  const done = Math.max(0, Math.min(1, Number.isFinite(way) ? way : 0));
  const owner = shared(shape) ? "" : ` ${seatClass(shape.caption.owner)}`;
  const beyond = way > 1 || way < 0;
  return h(
    "div",
    { class: `shape bar${owner}`, data: { changed: shape.changed ? "" : null, beyond: beyond ? "" : null } },
    h(
      "p",
      { class: "bar-line" },
      h("span", { class: "caption", title: shape.caption.about || null }, spoken(shape.caption.label)),
      h("span", { class: "bar-value" }, String(shape.value)),
      h("span", { class: "bar-goal" }, h("span", { class: "sr-only" }, "goal "), h("span", { "aria-hidden": "true" }, "→ "), String(shape.goal)),
    ),
    h("div", { class: "bar-way", "aria-hidden": "true" }, h("div", { class: "bar-done", vars: { "--done": `${done * 100}%` } })),
  );
}

function heaps(shape) {
  const { counts } = shape;
  const drawn = counts.length <= MOST_HEAPS && counts.every((count) => count >= 0 && count <= MOST_PIPS);
  const most = Math.max(1, ...counts);
  const owner = shared(shape) ? "" : ` ${seatClass(shape.caption.owner)}`;
  return captioned(
    shape,
    h(
      "ol",
      { class: `heaps-row${owner}`, data: { numbers: drawn ? null : "", many: counts.length > 4 ? "" : null } },
      counts.map((count, k) =>
        h(
          "li",
          { class: "heap", data: { changed: shape.changed[k] ? "" : null } },
          drawn
            ? h("div", { class: "heap-pips", "aria-hidden": "true", vars: { "--most": most } }, Array.from({ length: count }, () => h("span", { class: "pip" })))
            : null,
          h("span", { class: "heap-count" }, h("span", { class: "sr-only" }, shape.labels.length ? `${shape.labels[k]}: ` : `number ${k + 1}: `), String(count)),
          h("span", { class: "heap-number", "aria-hidden": "true" }, shape.labels[k] ?? String(k + 1)),
        ),
      ),
    ),
  );
}

function value(shape, picture) {
  const { piece: drawn } = shape;
  const seat = drawn.seat !== null && drawn.seat !== undefined ? drawn.seat : null;
  const text = drawn.symbol || drawn.text || "–";
  return h(
    "div",
    { class: "shape value", data: { changed: drawn.changed ? "" : null } },
    h("span", { class: "caption", title: shape.caption.about || null }, spoken(shape.caption.label)),
    h(
      "span",
      { class: `value-text${seat === null ? "" : ` ${seatClass(seat)}`}` },
      seat === null ? null : sign(seat, picture.signs[seat] || "", look(picture)),
      h("span", { class: red(text) || null }, text),
    ),
  );
}

/** The pits of two players face one another, with their stores at the ends. */
function pits(shape, picture) {
  const facing = shape.counts.length === 2;
  const store = (seat) =>
    shape.stores.length ? h("div", { class: `pit store ${seatClass(seat)}` }, h("span", { class: "sr-only" }, `${picture.players[seat]}, ${spoken(shape.store_label)}: `), String(shape.stores[seat])) : null;
  const pit = (seat, count, k) =>
    h(
      "div",
      { class: `pit ${seatClass(seat)}`, data: { changed: shape.changed[seat][k] ? "" : null } },
      h("span", { class: "sr-only" }, `${picture.players[seat]}, ${k + 1}: `),
      String(count),
      h("span", { class: "pit-number", "aria-hidden": "true" }, String(k + 1)),
    );
  const side = (seat) => {
    const drawn = shape.counts[seat].map((count, k) => pit(seat, count, k));
    return h("div", { class: "pits-row" }, facing && seat ? drawn.reverse() : drawn, facing ? null : store(seat));
  };
  const sides = h("div", { class: "pits-rows" }, (facing ? [1, 0] : shape.counts.map((_, seat) => seat)).map(side));
  return captioned(shape, h("div", { class: "pits-board", data: { facing: facing ? "" : null } }, facing ? store(1) : null, sides, facing ? store(0) : null));
}

function hand(shape, { picture, index }) {
  return captioned(
    shape,
    shape.pieces.length
      ? h("ul", { class: "cards", "aria-label": label(shape, picture), data: { hand: index } }, shape.pieces.map((drawn) => card(drawn, picture)))
      : h("p", { class: "none" }, "none"),
  );
}

function hidden(shape) {
  return h(
    "div",
    { class: "shape value" },
    h("span", { class: "caption", title: shape.caption.about || null }, spoken(shape.caption.label)),
    h("span", { class: "card back" }, h("span", { class: "sr-only" }, "hidden")),
  );
}

function fallen(shape, context) {
  return h(
    "div",
    { class: "shape dice" },
    die(shape, context.falls),
    h("span", { class: "caption" }, `${spoken(shape.caption.label)} `, h("strong", {}, shape.piece.symbol || shape.piece.text)),
  );
}

function draw(shape, index, context) {
  const inner = { ...context, index };
  switch (shape.shape) {
    case "board":
      return h(
        "div",
        { class: "shape board-shape" },
        context.titled ? h("p", { class: "caption", title: shape.caption.about || null }, spoken(shape.caption.label)) : null,
        drawBoard(shape, inner),
      );
    case "graph":
      return h("div", { class: "shape board-shape" }, context.titled ? h("p", { class: "caption" }, spoken(shape.caption.label)) : null, drawGraph(shape, inner));
    case "pits":
      return pits(shape, context.picture);
    case "bar":
      return bar(shape);
    case "heaps":
      return heaps(shape);
    case "track":
      return captioned(shape, drawTrack(shape, inner));
    case "history":
      return history(shape, context.picture);
    case "hand":
      return hand(shape, inner);
    case "die":
      return fallen(shape, context);
    case "hidden":
      return hidden(shape);
    default:
      return value(shape, context.picture);
  }
}

/** What the pieces of players look like. */
export function look(picture) {
  if (picture.form) return picture.form;
  const drawn = picture.shapes.flatMap((shape) => (shape.shape === "board" ? shape.rows.flat() : []));
  return drawn.find(({ form, seat }) => form && form !== "king" && seat !== null)?.form || "";
}

/** What a value was after each move that has set it, and what else these moves have set. */
function history(shape, picture) {
  const row = ({ move, pieces, results, moves }) =>
    h(
      "li",
      {},
      h("span", { class: "heap-number", "aria-hidden": "true" }, String(move)),
      moves.map(({ seat, text }) => h("span", { class: `result ${seatClass(seat)}` }, text)),
      h("ul", { class: "cards" }, pieces.map((drawn) => card(drawn, picture))),
      results.map(([name, drawn]) => h("span", { class: "result" }, `${spoken(name)} `, h("strong", {}, drawn.symbol || drawn.text))),
    );
  return captioned(shape, h("ol", { class: "earlier" }, shape.rows.map(row)));
}

/** A player: the sign, the name, what is known of them, and their own values. */
function seat(number, context) {
  const { picture, notes } = context;
  const turn = picture.turn === number;
  const won = picture.winners.includes(number);
  const small = picture.shapes
    .map((shape, index) => [shape, index])
    .filter(([shape]) => shape.caption.owner === number && !LARGE.has(shape.shape));
  const note = notes ? notes(number) : null;
  return h(
    "section",
    { class: `seat ${seatClass(number)}`, "aria-label": picture.players[number], data: { turn: turn ? "" : null, won: won ? "" : null } },
    h(
      "header",
      { class: "seat-head" },
      sign(number, picture.signs[number] || "", look(picture)),
      h("span", { class: "seat-name" }, picture.players[number]),
      picture.captured[number] ? h("span", { class: "seat-note" }, `took ${picture.captured[number]}`) : null,
      note,
      won ? h("span", { class: "badge won" }, "won") : turn ? h("span", { class: "badge" }, "turn") : null,
    ),
    small.length ? h("div", { class: "seat-values" }, small.map(([shape, index]) => draw(shape, index, context))) : null,
  );
}

/** What all share, and what is too large for a player's own panel. */
function middle(context) {
  const { picture } = context;
  const large = [];
  const facts = [];
  const dice = [];
  picture.shapes.forEach((shape, index) => {
    if (shape.shape === "die") dice.push(draw(shape, index, context));
    else if (shared(shape) && (shape.shape === "value" || shape.shape === "hidden")) facts.push(draw(shape, index, context));
    else if (shared(shape)) large.push(draw(shape, index, context));
    else if (LARGE.has(shape.shape)) large.push(ofOne(shape, index, context));
  });
  return h(
    "div",
    { class: "middle", data: { large: picture.shapes.some((shape) => LARGE.has(shape.shape)) ? "" : null } },
    large,
    dice.length ? h("div", { class: "dice-row" }, dice) : null,
    facts.length ? h("div", { class: "facts" }, facts) : null,
  );
}

function ofOne(shape, index, context) {
  const { owner } = shape.caption;
  return h(
    "div",
    { class: `of-one ${seatClass(owner)}` },
    h("p", { class: "of-name" }, sign(owner, context.picture.signs[owner] || "", look(context.picture)), ` ${context.picture.players[owner]}`),
    draw(shape, index, context),
  );
}

/** A whole position. `pick` tells what clicking a place does; `notes` what stands beside a name. */
export function drawPicture(picture, { pick = null, notes = null, falls = false } = {}) {
  const boards = picture.shapes.filter(({ shape }) => shape === "board" || shape === "graph").length;
  const context = { picture, pick, notes, falls, small: false, titled: boards > 1 };
  return h(
    "div",
    { class: "picture", data: { roomy: picture.shapes.some((shape) => LARGE.has(shape.shape)) ? null : "" } },
    h("div", { class: "seats", vars: { "--seats": Math.min(picture.players.length, 4) } }, picture.players.map((_, number) => seat(number, context))),
    middle(context),
  );
}

/** A small picture for a card of the library: the one shape that tells most, or all values. */
export function drawThumbnail(picture) {
  const context = { picture, pick: null, notes: null, falls: false, small: true, titled: false };
  const order = ["board", "graph", "pits", "history", "heaps", "track", "hand", "bar", "die", "value", "hidden"];
  const ranked = picture.shapes
    .map((shape, index) => [shape, index])
    .sort(([a], [b]) => order.indexOf(a.shape) - order.indexOf(b.shape));
  const best = ranked.length && ["board", "graph", "pits"].includes(ranked[0][0].shape) ? ranked.slice(0, 1) : ranked.slice(0, 4);
  const faces = picture.shapes.filter((shape) => shape.shape === "die").slice(0, 1);
  const drawn = best.filter(([shape]) => shape.shape !== "die").map(([shape, index]) => draw(shape, index, context));
  return h("div", { class: "thumbnail", "aria-hidden": "true", inert: true }, faces.map((shape) => die(shape, false)), drawn);
}
