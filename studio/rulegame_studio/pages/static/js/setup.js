// Setting up a table: who sits where, who begins, what is varied; then the links.

import { ask, gamePath, trouble, Refusal } from "./asking.js";
import { button, byId, freshId, h, listed, spoken } from "./dom.js";
import { field, operationSwitch } from "./fields.js";
import { drawPicture, look } from "./picture.js";
import { seatClass, sign } from "./pieces.js";
import { showExplanation, showRules } from "./rulebook.js";
import { ready } from "./invitations.js";

const PAUSE = 250; // milliseconds without typing before the settings are checked

const id = decodeURIComponent(window.location.pathname.replace(/^\/play\//, ""));
const query = new URLSearchParams(window.location.search);
/** The position that a link leads to: moves, and the settings that they were played with. */
const position = query.has("move")
  ? {
      set: Object.fromEntries(query.getAll("set").map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)])),
      enable: query.getAll("enable"),
      disable: query.getAll("disable"),
      first: query.get("first") || "1",
      moves: query.getAll("move"),
    }
  : null;
let game = null;
let fields = [];
let switches = [];
let checking = 0;
let form = null;

// ---- seats

function seatRow(name, seat) {
  const who = freshId("who");
  const called = freshId("name");
  const choice = h(
    "select",
    { id: who, data: { seat }, on: { change: () => seated() } },
    h("option", { value: "person" }, "A person"),
    game.opponents.map((opponent) => h("option", { value: opponent.name }, `Computer: ${opponent.name}`)),
  );
  if (seat > 0 && game.opponents.length) {
    const usual = game.opponents.find((opponent) => opponent.name === "medium") || game.opponents[0];
    choice.value = usual.name;
  }
  return h(
    "div",
    { class: `seat-row ${seatClass(seat)}` },
    sign(seat, game.picture.signs[seat] || "", look(game.picture)),
    h("div", { class: "entry" }, h("label", { for: who }, `Seat ${seat + 1}`), choice),
    h(
      "div",
      { class: "entry" },
      h("label", { for: called }, "Name", h("span", { class: "sr-only" }, ` at seat ${seat + 1}`)),
      h("input", { id: called, type: "text", maxlength: "40", autocomplete: "off", placeholder: name }),
    ),
    h("p", { class: "about opponent-about" }),
  );
}

const seatRows = () => [...form.querySelectorAll(".seat-row")];

function people() {
  return seatRows().filter((row) => row.querySelector("select").value === "person").length;
}

/** What follows from who sits where: what a strength means, and whether a screen can be shared. */
function seated() {
  for (const row of seatRows()) {
    const chosen = game.opponents.find((opponent) => opponent.name === row.querySelector("select").value);
    row.querySelector(".opponent-about").textContent = chosen ? chosen.about : "";
  }
  form.querySelector("#together").hidden = people() < 2;
}

function seatValues() {
  return seatRows().map((row) => {
    const player = row.querySelector("select").value;
    const name = row.querySelector("input").value.trim();
    return player === "person" ? { kind: "person", name } : { kind: "computer", name, player };
  });
}

// ---- settings

function settings() {
  if (position) return position;
  const set = {};
  for (const each of fields) if (each.changed()) set[each.name] = each.text();
  const on = switches.filter((each) => each.on() !== each.usual);
  return {
    set,
    enable: on.filter((each) => each.on()).map((each) => each.name),
    disable: on.filter((each) => !each.on()).map((each) => each.name),
  };
}

function tell(problems) {
  const box = form.querySelector("#problems");
  const start = form.querySelector("#start");
  if (!problems.length) {
    box.replaceChildren();
    start.removeAttribute("aria-disabled");
  } else {
    box.replaceChildren(
      h("div", { class: "notice bad" }, h("p", {}, "Cannot start yet:"), h("ul", {}, problems.map((line) => h("li", {}, line)))),
    );
    start.setAttribute("aria-disabled", "true");
  }
  for (const each of fields) each.mark(problems.find((line) => line.includes(each.name)));
  const folded = form.querySelector(".settings");
  if (folded && problems.length) folded.open = true;
}

/** Ask whether the game can be played as it is set; only the last answer counts. */
async function check() {
  checking += 1;
  const mine = checking;
  let problems = fields.map((each) => each.problem()).filter(Boolean);
  if (!problems.length) {
    try {
      const answer = await ask(`${gamePath(id)}/check`, settings());
      if (mine !== checking) return;
      problems = answer.ok ? [] : answer.problems;
      if (answer.ok && answer.picture) preview(answer.picture);
    } catch (error) {
      if (mine !== checking) return;
      problems = error.problems && error.problems.length ? error.problems : [error.message];
    }
  }
  if (mine === checking) tell(problems);
}

let pause = 0;
function changed() {
  window.clearTimeout(pause);
  pause = window.setTimeout(check, PAUSE);
}

function preview(picture) {
  byId("preview").replaceChildren(drawPicture(picture));
}

// ---- the form

function beginning() {
  if (position) {
    const { length } = position.moves;
    return h("p", { class: "about" }, `The game continues from the position after ${length} ${length === 1 ? "move or roll" : "moves and rolls"}. `, h("a", { href: window.location.pathname }, "Begin at the start"));
  }
  if (game.players.length < 2) return null;
  if (game.fixed_first !== null && game.fixed_first !== undefined) {
    return h("p", { class: "about" }, `${game.players[game.fixed_first]} always moves first.`);
  }
  const name = freshId("first");
  return h(
    "div",
    { class: "entry" },
    h("label", { for: name }, "Who begins"),
    h(
      "select",
      { id: name, name: "first" },
      game.players.map((_, seat) => h("option", { value: String(seat + 1) }, `Seat ${seat + 1}`)),
      h("option", { value: "random" }, "Random"),
    ),
  );
}

function together() {
  const option = (value, title, about, checked) => {
    const own = freshId("screen");
    return h(
      "div",
      { class: "option" },
      h("input", { type: "radio", name: "screen", id: own, value, checked, "aria-describedby": `${own}-about` }),
      h("div", {}, h("label", { for: own }, title), h("p", { class: "about", id: `${own}-about` }, about)),
    );
  };
  const secrets = game.hides ? " Private information is covered between turns." : "";
  return h(
    "fieldset",
    { id: "together", class: "together" },
    h("legend", {}, "People play"),
    option("yes", "on this device", `Players take turns here.${secrets}`, true),
    option("no", "each with their own link", "On other devices or in other windows.", false),
  );
}

function varying() {
  if (position) return null;
  fields = game.parameters.map((parameter) => field(parameter, changed));
  switches = game.operations.map((operation) => operationSwitch(operation, changed));
  const parts = [];
  if (fields.length) {
    parts.push(h("fieldset", { class: "panel" }, h("legend", {}, "Settings"), h("div", { class: "fields" }, fields.map((each) => each.element))));
  }
  if (switches.length) {
    parts.push(h("fieldset", { class: "panel" }, h("legend", {}, "Operations"), h("div", { class: "switches" }, switches.map((each) => each.element))));
  }
  if (!parts.length) return null;
  const again = button(
    "Reset to defaults",
    () => {
      [...fields, ...switches].forEach((each) => each.reset());
      check();
    },
    { class: "quiet" },
  );
  const names = [...fields, ...switches].map((each) => spoken(each.name));
  const few = names.slice(0, 4).join(", ") + (names.length > 4 ? " …" : "");
  return h("details", { class: "settings" }, h("summary", {}, `Settings: ${few}`), h("div", { class: "varying" }, parts, h("p", { class: "right" }, again)));
}

async function start(event) {
  event.preventDefault();
  const go = form.querySelector("#start");
  await check();
  if (go.getAttribute("aria-disabled") === "true") {
    form.querySelector("#problems").scrollIntoView({ block: "nearest" });
    return;
  }
  go.setAttribute("aria-disabled", "true");
  const seats = seatValues();
  const first = position ? position.first : form.elements.first ? form.elements.first.value : "1";
  const screen = people() > 1 && form.elements.screen.value === "yes";
  try {
    const made = await ask("/api/tables", { game: id, ...settings(), seats, first, screen });
    go.removeAttribute("aria-disabled");
    const direct = made.links.screen || onlyOne(made.links.seats) || (people() === 0 ? made.links.watch : null);
    if (direct) window.location.assign(direct);
    else invite(made, seats);
  } catch (error) {
    tell(error instanceof Refusal && error.problems.length ? error.problems : [error.message]);
    go.removeAttribute("aria-disabled");
  }
}

function onlyOne(paths) {
  const found = (paths || []).filter(Boolean);
  return found.length === 1 ? found[0] : null;
}

function invite(made, seats) {
  const names = seats.map((seat, number) => seat.name || game.players[number]);
  byId("main").replaceChildren(ready(game, made, names));
  document.title = `The table is ready · ${game.title}`;
  byId("ready-title").focus();
}

function drawForm() {
  form = h(
    "form",
    { class: "setup-form", novalidate: true, on: { submit: start } },
    h(
      "fieldset",
      { class: "panel" },
      h("legend", {}, game.players.length > 1 ? "Who sits where" : "Who plays"),
      game.players.map(seatRow),
      beginning(),
      together(),
    ),
    varying(),
    h("div", { id: "problems", role: "status", "aria-live": "polite" }),
    h("div", { class: "start-row" }, h("button", { id: "start", type: "submit", class: "button main" }, "Start the game")),
  );
  return form;
}

function drawPage() {
  document.title = `${game.title} · rulegame studio`;
  const main = byId("main");
  main.removeAttribute("aria-busy");
  main.replaceChildren(
    h(
      "div",
      { class: "setup" },
      h(
        "div",
        { class: "setup-about" },
        h("p", { class: "back" }, h("a", { href: "/" }, "← Library")),
        h("h1", {}, game.title),
        h("p", { class: "lead" }, game.summary),
        h(
          "p",
          { class: "buttons" },
          button("Read the rules", () => showRules(`${gamePath(id)}/rules`, game.title), { class: "button" }),
          button("Who wins?", () => showExplanation(`${gamePath(id)}/explain`, game.title, settings()), { class: "button" }),
        ),
        h("section", { class: "panel preview", "aria-label": `Starting position, for ${listed(game.players)}` }, h("p", { class: "caption" }, position ? "Position" : "Starting position"), h("div", { id: "preview" })),
      ),
      drawForm(),
    ),
  );
  preview(game.picture);
  seated();
  if (position) check();
}

async function read() {
  try {
    game = await ask(gamePath(id));
  } catch (error) {
    byId("main").removeAttribute("aria-busy");
    byId("main").replaceChildren(
      h("p", { class: "back" }, h("a", { href: "/" }, "← Library")),
      h("h1", {}, "Cannot set up this game"),
      trouble(error, read),
    );
    return;
  }
  drawPage();
}

read();
