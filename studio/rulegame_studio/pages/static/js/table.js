// A table: the position, the moves, and everything that happens between the players.

import { Choices, questionForm } from "./choices.js";
import { curtain, Deeds, hintList, resultText, undoQuestion } from "./deeds.js";
import { byId, button, h, listed, write } from "./dom.js";
import { dragging, mark } from "./dragging.js";
import { Line } from "./line.js";
import { arrow, move as animate, seen } from "./motion.js";
import { Picker } from "./picking.js";
import { drawPicture, look } from "./picture.js";
import { seatClass, sign } from "./pieces.js";
import { showRules } from "./rulebook.js";
import * as sounds from "./sounds.js";

const [, table, token] = /^\/table\/([^/]+)\/([^/]+)/.exec(window.location.pathname) || [];
const WORDS = { joining: "Joining …", open: "Connected", lost: "Connection lost. Reconnecting …", over: "Closed" };
const TURNED = '.board:not(.hexagons):not([data-ground="upright"]), .graph'; // boards with two sides to sit at
const COMFORTABLE = 36; // pixels of a place that a finger hits
const NO_LINE = "No connection. Reconnecting …";

let snapshot = null;
let picker = null;
let best = new Set(); // what a hint has called best
let review = null;
let shown = null; // a position of the review in place of the present one
let since = 0; // the version in which this position was first seen
let clicked = 0; // the position in which a double click began
let refocusing = false; // the page moves the focus, not the player
let pending = false; // a move is on its way
let told = 0; // the number of records that were read out
let wantsRematch = false;
const early = []; // ratings that came before the review was drawn
let turned = null; // whether somebody has turned the board; null: as it lies for this seat
let zoomed = false;
let hand = new Map(); // the moves that the cards of a hand stand for, by what is written on them
const drawn = {}; // of which data each part was drawn last

// ---- sending

function send(message) {
  if (!line.send(message)) explain(NO_LINE, true);
}

/** Send a decision about the position on the page, one at a time. */
function decide(kind, text) {
  if (pending) return;
  pending = true;
  explain("");
  byId("moves").setAttribute("aria-busy", "true");
  if (!line.send({ kind, text, version: snapshot.version })) {
    settle();
    explain(NO_LINE, true);
  }
}

function play(move) {
  decide("move", move.text);
}

/** Say why something is not possible: in red only to a player who has tried it. */
function explain(text, tried = false) {
  if (refocusing) return;
  write(byId("why"), text);
  byId("why").toggleAttribute("data-tried", tried);
}

/** Give the focus back to what was drawn anew. */
function refocus(element) {
  refocusing = true;
  element?.focus({ preventScroll: true });
  refocusing = false;
}

function settle() {
  pending = false;
  byId("moves").removeAttribute("aria-busy");
}

// ---- the position

function note(seat) {
  const { you, computers, present } = snapshot;
  if (computers[seat]) {
    const strength = /^Computer \((.*)\)$/.exec(computers[seat]);
    const named = snapshot.names[seat].startsWith("Computer") && strength;
    return h("span", { class: "seat-note" }, named ? strength[1] : computers[seat]);
  }
  if (you.role === "seat" && you.seats.includes(seat)) return h("span", { class: "seat-note" }, "you");
  if (you.role === "screen") return null;
  const here = present[seat];
  return h("span", { class: "seat-note presence", data: { here: here ? "" : null } }, here ? "here" : "offline");
}

function mine() {
  return snapshot.asked.some((seat) => snapshot.you.seats.includes(seat)) && snapshot.you.role !== "watch";
}

function turnText() {
  const { asked, names, over, thinking, you } = snapshot;
  if (over) return resultText(snapshot);
  if (you.role === "seat" && mine()) return "Your turn";
  const who = listed(asked.map((seat) => names[seat]));
  if (thinking) return who ? `${who} is thinking` : "Thinking";
  if (!asked.length) return "Please wait …";
  return asked.length > 1 ? `Waiting for ${who}` : `${who}’s turn`;
}

function drawTurn() {
  const { asked, over, picture } = snapshot;
  const seat = over ? (over.winners || [])[0] : asked[0];
  const mark = seat === undefined ? null : sign(seat, picture.signs[seat] || "", look(picture));
  return h(
    "p",
    { class: `turn-line${seat === undefined ? "" : ` ${seatClass(seat)}`}`, data: { over: over ? "" : null, mine: mine() ? "" : null } },
    mark,
    h("span", {}, turnText()),
    snapshot.thinking ? h("span", { class: "thinking", "aria-hidden": "true" }, h("span"), h("span"), h("span")) : null,
  );
}

function lastText(picture) {
  return picture.last.map(({ seat, text }) => `${picture.players[seat]}: ${text}`).join(" · ");
}

function drawStage(falls) {
  const stage = byId("stage");
  const held = stage.contains(document.activeElement) ? document.activeElement.closest("[data-at]") : null;
  const at = held ? [held.closest("[data-index]").dataset.index, held.dataset.at] : null;
  const picture = shown ? shown.picture : snapshot.picture;
  const last = lastText(picture);
  const before = seen(stage);
  stage.replaceChildren(
    shown ? h("p", { class: "turn-line" }, h("span", {}, shown.label || "The start")) : drawTurn(),
    drawPicture(picture, { pick: shown ? null : picker, notes: note, falls }),
    last ? h("p", { class: "last" }, h("span", { class: "dim" }, "Last move "), last) : h("p", { class: "last" }),
    drawTools(),
  );
  arrange(stage);
  if (!shown) drawHand(stage);
  animate(stage, before);
  if (shown && shown.cells) arrow(stage, shown.cells);
  if (at) refocus(stage.querySelector(`[data-index="${at[0]}"] [data-at="${at[1]}"]`));
}

/** Turn, size and scroll the boards as they are wanted here. */
function arrange(stage) {
  stage.toggleAttribute("data-zoomed", zoomed);
  for (const board of stage.querySelectorAll(TURNED)) board.toggleAttribute("data-turned", isTurned());
  if (!shown) mark(stage, picker);
  const cell = stage.querySelector(".board .cell, .graph .cell");
  const small = Boolean(cell) && cell.getBoundingClientRect().width < COMFORTABLE;
  byId("zoom").hidden = !small && !zoomed;
  byId("turn-board").hidden = !stage.querySelector(TURNED) || snapshot.names.length < 2;
  if (zoomed) stage.querySelector(".cell[data-changed]")?.scrollIntoView({ block: "center", inline: "center" });
}

function isTurned() {
  return turned ?? snapshot.turned;
}

function drawTools() {
  const redrawn = (id) => {
    drawStage(false);
    byId(id)?.focus();
  };
  const turnBoard = () => {
    turned = !isTurned();
    redrawn("turn-board");
  };
  const zoom = () => {
    zoomed = !zoomed;
    redrawn("zoom");
  };
  return h(
    "div",
    { class: "stage-tools", role: "group", "aria-label": "Board" },
    button("Turn the board", turnBoard, { class: "quiet", id: "turn-board" }),
    button(zoomed ? "Fit the board" : "Zoom in", zoom, { class: "quiet", id: "zoom" }),
    snapshot.can.share ? button("Share position", () => send({ kind: "share", at: shown ? review.at : null }), { class: "quiet", id: "share" }) : null,
  );
}

/** The cards of a hand are its buttons, where each stands for one move. */
function drawHand(stage) {
  hand = new Map();
  const { moves, picture, asked, you } = snapshot;
  for (const list of stage.querySelectorAll("[data-hand]")) {
    const shape = picture.shapes[list.dataset.hand];
    const { owner } = shape.caption;
    if (!you.seats.includes(owner) || !asked.includes(owner)) continue;
    shape.pieces.forEach(({ text }, k) => {
      const found = moves.filter(({ choices }) => choices.length === 1 && String(choices[0][1]) === text);
      if (found.length !== 1) return;
      const [only] = found;
      const card = list.children[k];
      hand.set(only.text, only);
      const act = () => (only.valid ? play(only) : explain(`${only.label}: ${only.why || "not valid now"}`, true));
      card.classList.toggle("barred", !only.valid);
      card.replaceChildren(button([...card.childNodes], act, { class: "card-move", "aria-label": only.label, "aria-disabled": only.valid ? null : "true", data: { card: only.text, best: best.has(only.text) ? "" : null } }));
    });
  }
}

// ---- moves

/** The words without boards that are drawn in letters, where there is a real one above. */
function withoutDrawings(lines) {
  if (!snapshot.picture.shapes.some(({ shape }) => ["board", "graph", "track", "pits"].includes(shape))) return lines;
  const drawn = lines.map((line) => {
    const parts = line.trim().split(/\s+/);
    const strokes = line.replace(/[^-|+_=.·\s]/g, "").length;
    return (parts.length > 2 && parts.every((part) => [...part].length < 3)) || strokes > line.length / 2;
  });
  return lines.filter((_, k) => !(drawn[k] && (drawn[k - 1] || drawn[k + 1])));
}

function drawSaid() {
  const said = byId("said");
  const trouble = [snapshot.problem, snapshot.unsaved].filter(Boolean);
  const texts = withoutDrawings(snapshot.said.map(({ text }) => String(text).trimEnd()).filter(Boolean));
  said.hidden = !texts.length && !trouble.length;
  said.replaceChildren(...trouble.map((text) => h("p", { class: "wrong" }, text)), ...texts.map((text) => h("p", {}, text)));
  said.scrollTop = said.scrollHeight; // the newest line is in view
  said.tabIndex = said.scrollHeight > said.clientHeight ? 0 : -1;
}

function movesTitle() {
  if (snapshot.over) return "The game is over";
  if (!mine()) return snapshot.you.role === "watch" ? "You are watching" : "Moves";
  return snapshot.you.role === "screen" ? `${snapshot.names[snapshot.asked[0]]}’s move` : "Your move";
}

function choiceParts() {
  const { moves, many, question } = snapshot;
  if (snapshot.over || snapshot.handover) return [];
  if (many && question) return [questionForm(question, (text) => decide("answer", text), () => send({ kind: "back" }))];
  if (!moves.length) return [h("p", { class: "about" }, mine() ? "Please wait …" : waitingText())];
  const open = picker.whole();
  if (picker.prefix.length) {
    const again = button("Choose another place", () => picker.clear(), { class: "quiet" });
    if (open.length) return [h("p", { class: "about" }, "Which of these?"), new Choices(open, shared()).element(), again];
    return [h("p", { class: "about" }, "Choose the target on the board."), again];
  }
  const board = picker.covers(moves) ? h("p", { class: "about" }, "Choose a place on the board.") : null;
  return [board, new Choices(moves, shared()).element()].filter(Boolean);
}

function waitingText() {
  const { asked, names, you } = snapshot;
  if (you.role !== "watch" && asked.length > 1) return "You have chosen. The others are still choosing.";
  return asked.length ? `${listed(asked.map((seat) => names[seat]))} moves.` : "No move to choose right now.";
}

function shared() {
  const held = (moves) => hand.size > 0 && moves.every((one) => hand.has(one.text));
  return { play, explain, best, held, covered: (moves) => picker.covers(moves) };
}

function drawChoices() {
  const box = byId("choices");
  const active = document.activeElement;
  const inside = box.contains(active);
  const key = inside ? active.dataset.move : null;
  const opened = new Set([...box.querySelectorAll("details[open]")].map((details) => details.dataset.key));
  const closed = new Set([...box.querySelectorAll("details[data-held]:not([open])")].map((details) => details.dataset.key));
  write(byId("moves-title"), movesTitle());
  box.replaceChildren(...choiceParts());
  box.querySelectorAll("details").forEach((details) => {
    const { held, key } = details.dataset;
    details.open = held === undefined ? opened.has(key) : !closed.has(key);
  });
  if (!inside) return;
  const same = key ? box.querySelector(`[data-move="${CSS.escape(key)}"]`) : null;
  refocus(same || byId("moves"));
}

// ---- what else there is

/** A line of the record; in a review it leads to the position after the move. */
function recordText(text, position) {
  if (!review || position >= review.positions.length) return h("span", { class: "record-text" }, text);
  return button(text, () => review.go(position), { class: "record-text record-link", "data-at": position });
}

function drawRecord() {
  const list = byId("record");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  const { record, names, picture } = snapshot;
  let position = 0;
  list.replaceChildren(
    ...record.map(({ number, seat, text }) =>
      seat === null || seat === undefined
        ? h(
            "li",
            { data: { chance: "" } },
            h("span", { class: "record-number" }),
            h("span", { class: "record-chance", "aria-hidden": "true" }, "⚄"),
            h("span", { class: "record-text" }, String(text).replaceAll("_", " ")),
          )
        : h(
            "li",
            {},
            h("span", { class: "record-number" }, String(number ?? "")),
            sign(seat, picture.signs[seat] || "", look(picture)),
            recordText([h("span", { class: "dim" }, `${names[seat]} `), text], (position += 1)),
          ),
    ),
  );
  if (!record.length) list.replaceChildren(h("li", { class: "dim" }, "No move yet."));
  if (atEnd) list.scrollTop = list.scrollHeight;
}

function drawAsk() {
  const box = byId("ask");
  box.hidden = !snapshot.ask;
  box.replaceChildren(...(snapshot.ask ? undoQuestion(snapshot, send) : []));
}

function drawCurtain() {
  const box = byId("curtain");
  const { handover, names } = snapshot;
  const up = Boolean(handover);
  const was = !box.hidden;
  box.hidden = !up;
  byId("main").inert = up;
  if (!up) {
    box.replaceChildren();
    if (was) byId("moves").focus();
    return;
  }
  box.replaceChildren(...curtain(names[handover.seat], () => send({ kind: "ready", seat: handover.seat })));
  byId("curtain-ready").focus();
}

/** What a screen reader is told of a change. */
function speak() {
  const { record, names } = snapshot;
  const fresh = record.slice(told > record.length ? record.length : told).slice(-4);
  told = record.length;
  const moved = fresh.map(({ seat, text }) => (seat === null || seat === undefined ? text : `${names[seat]}: ${text}`));
  const curtained = snapshot.handover ? `Hand over to ${names[snapshot.handover.seat]}.` : "";
  write(byId("spoken"), [...moved, curtained || turnText()].filter(Boolean).join(". "));
}

function drawTitle() {
  write(byId("title"), snapshot.title);
  const flag = snapshot.over ? "Over" : snapshot.you.role === "seat" && mine() ? "● Your turn" : "";
  document.title = [flag, snapshot.title, "rulegame studio"].filter(Boolean).join(" · ");
}

const deeds = new Deeds(
  byId("deeds"),
  (message) => {
    if (message.kind === "rematch") wantsRematch = true;
    if (message.kind === "hint") hinting();
    send(message);
  },
  { review: () => openReview(), reviewing: () => !byId("review").hidden },
);

/** Draw only what has changed: what somebody has begun to choose or to click must stay. */
function drawChanged(name, parts, paint) {
  const key = JSON.stringify(parts);
  if (drawn[name] === key) return;
  drawn[name] = key;
  paint();
}

function draw(falls) {
  const { asked, computers, handover, many, moves, names, over, picture, present, problem, question, said, thinking, unsaved, you } = snapshot;
  const deciding = [asked, handover, many, moves, over, question, you];
  document.body.dataset.version = snapshot.version;
  drawTitle();
  drawChanged("stage", [computers, deciding, names, picture, present, shown, thinking], () => drawStage(falls));
  drawChanged("said", [problem, said, unsaved], drawSaid);
  drawChanged("choices", [deciding, names, [...best], picker.prefix], drawChoices);
  drawAsk();
  deeds.draw(snapshot);
  drawRecord();
  drawCurtain();
  speak();
}

// ---- hint and review

function hinting() {
  byId("hints").hidden = false;
  byId("hint-list").replaceChildren(h("p", { class: "wait", role: "status" }, "Thinking …"));
}

function showHint(hint) {
  if (hint.version < since) return; // of a position that is no longer there
  best = new Set(hint.moves.filter((move) => move.best).map((move) => move.text));
  byId("hints").hidden = false;
  byId("hint-list").replaceChildren(...hintList(hint));
  picker.best = best;
  drawStage(false);
  drawChoices();
}

function openReview() {
  byId("review").hidden = false;
  if (!review) {
    byId("review-body").replaceChildren(h("p", { class: "wait", role: "status" }, "Loading the review …"));
    send({ kind: "review" });
  }
  deeds.draw(snapshot);
  byId("review-title").focus();
  byId("review").scrollIntoView({ block: "nearest" });
}

async function showReview(message) {
  const { Review } = await import("./review.js");
  if (!snapshot.over) return;
  const { you, names, picture } = snapshot;
  review = new Review(message, {
    names,
    signs: picture.signs,
    seat: you.role === "seat" ? you.seats[0] : 0,
    show: (position, last) => {
      shown = last ? null : position;
      drawStage(false);
    },
    wide: byId("review-body").clientWidth,
    branch: (at) => at < message.positions.length - 1 && send({ kind: "branch", at }),
  });
  byId("review").hidden = false;
  byId("review-body").replaceChildren(review.element());
  early.splice(0).forEach((rated) => review.rate(rated));
  drawRecord();
}

function closeReview() {
  review = null;
  shown = null;
  early.length = 0;
  byId("review").hidden = true;
  byId("review-body").replaceChildren();
}

// ---- hearing

function redraw() {
  drawStage(false);
  drawChoices();
}

function take(message) {
  const fresh = !snapshot || message.version !== snapshot.version;
  const falls = Boolean(snapshot) && message.record.length !== snapshot.record.length && (message.dice || []).length > 0;
  const same = picker && JSON.stringify([message.moves, message.picture]) === JSON.stringify([snapshot.moves, snapshot.picture]);
  if (fresh && !same) {
    best = new Set();
    byId("hints").hidden = true;
    explain("");
  }
  if (!snapshot) told = message.record.length;
  else sounding(snapshot, message);
  snapshot = message;
  if (!message.over && review) closeReview();
  settle();
  if (!same) {
    picker = new Picker(message.moves, message.picture.shapes, { play, explain, redraw });
    since = message.version;
  }
  picker.best = best;
  draw(falls);
  if (message.rematch && wantsRematch) window.location.assign(message.rematch);
}

function heard(message) {
  switch (message.kind) {
    case "table":
      take(message);
      break;
    case "refused":
      settle();
      wantsRematch = false;
      explain(message.text, true);
      if (!byId("hints").hidden && !best.size) byId("hints").hidden = true;
      if (!review && !byId("review").hidden) byId("review-body").replaceChildren(h("p", { class: "about" }, message.text));
      break;
    case "hint":
      showHint(message);
      break;
    case "review":
      showReview(message);
      break;
    case "ratings":
      if (review) review.rate(message);
      else early.push(message);
      break;
    case "position":
      sharePosition(message.path);
      break;
    case "branched":
      window.location.assign(message.path);
      break;
    case "full":
    case "gone":
      byId("stage").replaceChildren(h("div", { class: "notice bad", role: "alert" }, h("p", {}, message.text), h("p", {}, h("a", { href: "/" }, "Back to library"))));
      break;
    default:
      break;
  }
}

async function sharePosition(path) {
  const { shareSheet } = await import("./sharing.js");
  shareSheet("Share this position", "The link has the game, its settings and the moves so far. Whoever has a studio with this game plays on from here.", "this position", window.location.origin + path);
}

/** What is to be heard of a new position. */
function sounding(before, message) {
  if (message.over && !before.over) {
    const result = resultText(message);
    sounds.play(result === "You won" ? "won" : result === "You lost" ? "lost" : "over");
  } else if (message.record.length > before.record.length) {
    const last = message.record[message.record.length - 1];
    const own = message.you.seats.includes(last.seat);
    sounds.play((message.dice || []).length ? "roll" : own ? "move" : "reply");
  }
}

function drawSound() {
  const box = byId("sound");
  box.textContent = sounds.isOn() ? "Sound on" : "Sound off";
  box.setAttribute("aria-pressed", String(sounds.isOn()));
}

function lineChanged(state) {
  const box = byId("link-state");
  box.dataset.state = state;
  write(box, WORDS[state]);
  document.body.classList.toggle("no-line", state === "lost");
  if (state === "lost") settle();
}

byId("rules").addEventListener("click", () => showRules(`/api/tables/${table}/${token}/rules`, snapshot ? snapshot.title : "the game"));
/** The second click of a double click belongs to the position that the first one was meant for. */
document.addEventListener(
  "click",
  (event) => {
    if (event.detail < 2) clicked = since;
    else if (clicked !== since && event.target.closest("#stage, #choices [aria-disabled], #choices [data-doubtful]")) event.stopPropagation();
  },
  { capture: true },
);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && picker && picker.prefix.length) picker.clear();
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!review || !step || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, [data-index], #record")) return;
  event.preventDefault();
  review.go(review.at + step);
});
byId("sound").addEventListener("click", () => {
  sounds.turn();
  drawSound();
});
drawSound();
dragging(byId("stage"), () => picker);
window.addEventListener("resize", () => snapshot && shown && drawStage(false));
const line = new Line(`/socket/${table}/${token}`, { heard, changed: lineChanged });
