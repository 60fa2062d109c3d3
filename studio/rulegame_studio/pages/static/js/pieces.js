// The smallest parts of a picture: signs of players, pieces, cards and dice.

import { calm, h, s, spoken } from "./dom.js";

const SEAT_COLOURS = 6; // as many as the style sheet has
const PIPS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6.5], [17, 6.5], [7, 12], [17, 12], [7, 17.5], [17, 17.5]],
};
const FALLING = 720; // milliseconds

export const seatClass = (seat) => `seat-${seat % SEAT_COLOURS}`;

/** A form for each player, so that colour is never all that tells them apart. */
function form(seat) {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round" };
  switch (seat) {
    case 0:
      return s("path", { d: "M7.5 7.5l9 9m0-9l-9 9", ...line });
    case 1:
      return s("circle", { cx: 12, cy: 12, r: 5, ...line });
    case 2:
      return s("path", { d: "M12 6.5l5.5 10h-11z", ...line });
    case 3:
      return s("rect", { x: 7.2, y: 7.2, width: 9.6, height: 9.6, rx: 1, ...line });
    case 4:
      return s("path", { d: "M12 5.8l6.2 6.2-6.2 6.2-6.2-6.2z", ...line });
    case 5:
      return s("path", { d: "M12 6v12M6 12h12", ...line });
    default:
      return s("text", { x: 12, y: 16.5, "text-anchor": "middle", "font-size": 12, fill: "currentColor" }, String(seat + 1));
  }
}

const CROWN = "M6 17L5 8.5l4 3.5 3-5.5 3 5.5 4-3.5-1 8.5z";

/** What stands for a player: a piece that looks like itself, a sign that the ruleset wants, or a form of one's own. */
export function sign(seat, wished, look = "") {
  if (look === "man" || look === "king" || (look === "stone" && seat < 2)) {
    const crown = look === "king" ? s("svg", { viewBox: "0 0 24 24" }, s("path", { d: CROWN, fill: "currentColor" })) : null;
    return h("span", { class: `piece ${look} ${seatClass(seat)}`, data: { seat }, "aria-hidden": "true" }, crown);
  }
  const inner = wished && !look
    ? h("span", { class: "piece-word", data: { long: length(wished) } }, wished)
    : s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, form(seat));
  return h("span", { class: `piece ${seatClass(seat)}`, "aria-hidden": "true" }, inner);
}

function length(text) {
  const letters = [...String(text)].length;
  return letters <= 2 ? null : letters <= 4 ? "some" : letters <= 8 ? "many" : "most";
}

const SIDES = { yes: true, true: true, no: false, false: false };

/** Whether places only say yes or no: then a dot says it better than a word in each of them. */
export function isYesOrNo(pieces) {
  return pieces.length > 0 && pieces.every(({ seat, symbol, text }) => (seat ?? null) === null && !symbol && text in SIDES);
}

/** What lies in a place of a board or a track. */
export function piece(drawn, picture, dots = false) {
  if (dots) return SIDES[drawn.text] ? h("span", { class: "yes", "aria-hidden": "true" }) : null;
  if (drawn.seat !== null && drawn.seat !== undefined) {
    return sign(drawn.seat, drawn.symbol || picture.signs[drawn.seat] || "", drawn.form);
  }
  if (drawn.pips) return die({ piece: drawn, pips: drawn.pips }, false);
  const text = drawn.symbol || drawn.text;
  if (coloured(drawn)) return peg(drawn);
  if (drawn.form === "chess") return h("span", { class: `figure ${drawn.symbol < "a" ? "white" : "black"}`, "aria-hidden": "true" }, `${FIGURES[drawn.symbol.toLowerCase()]}\ufe0e`);
  if (!drawn.text) {
    return text && text !== "." && text !== "·" ? h("span", { class: "empty-sign", "aria-hidden": "true" }, text) : null;
  }
  return h("span", { class: `word${red(text)}`, "aria-hidden": "true", data: { long: length(text) } }, text);
}

const FIGURES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

/** The class of what is written for a card of a red suit. */
export const red = (text) => (/^[♥♦]/.test(text) ? " red" : "");

const coloured = ({ tint }) => tint !== null && tint !== undefined;

/** A peg or a token: its colour, and what it is called. */
function peg(drawn) {
  return h("span", { class: `piece peg tint-${drawn.tint % 9}`, "aria-hidden": "true" }, h("span", { class: "piece-word" }, drawn.symbol || drawn.text));
}

/** A piece in words. */
export function told(drawn, picture) {
  const text = drawn.text || "empty";
  const name = drawn.seat !== null && drawn.seat !== undefined ? picture.players[drawn.seat] : null;
  const what = (name && name !== text ? `${name}, ${text}` : text) + (drawn.form === "king" ? ", king" : "");
  const marks = (drawn.marks || []).map(spoken).map((mark) => mark.toLowerCase());
  return [what, ...marks, drawn.changed ? "just moved" : "", drawn.won ? "won" : ""].filter(Boolean).join(", ");
}

export function card(drawn, picture) {
  const seat = drawn.seat !== null && drawn.seat !== undefined ? ` ${seatClass(drawn.seat)}` : "";
  const text = drawn.symbol || drawn.text;
  if (coloured(drawn)) return h("li", {}, peg(drawn), h("span", { class: "sr-only" }, drawn.text));
  return h(
    "li",
    { class: `card${seat}${red(text)}`, data: { changed: drawn.changed ? "" : null, long: length(text) }, title: drawn.text !== text ? drawn.text : null },
    text,
  );
}

function pips(number) {
  return (PIPS[number] || []).map(([x, y]) => s("circle", { cx: x, cy: y, r: 2.1 }));
}

/** A die with its pips, or with what it shows; it falls if it has just been thrown. */
export function die(shape, falls) {
  const shown = shape.pips !== null && shape.pips !== undefined;
  const face = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, shown ? pips(shape.pips) : null);
  const text = shape.piece.symbol || shape.piece.text;
  const drawn = h(
    "span",
    { class: "die", data: { long: shown ? null : length(text) } },
    shown ? face : h("span", { class: "die-word" }, text),
  );
  if (falls && !calm.matches) {
    drawn.classList.add("falls");
    if (shown) tumble(face, shape.pips);
  }
  return drawn;
}

/** Other faces in quick change, ever slower, before the one that fell. */
function tumble(face, fell) {
  const began = performance.now();
  let shown = fell;
  const step = () => {
    const passed = performance.now() - began;
    if (passed >= FALLING || !face.isConnected) {
      face.replaceChildren(...pips(fell));
      return;
    }
    shown = (shown % 6) + 1;
    face.replaceChildren(...pips(shown));
    window.setTimeout(step, 50 + (passed / FALLING) * 110);
  };
  window.setTimeout(step, 30);
}
