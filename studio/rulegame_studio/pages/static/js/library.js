// The library: all games as cards, found by searching and by group, and the games that can go on.

import { ask, gamePath, trouble } from "./asking.js";
import { button, byId, h, listed, write } from "./dom.js";
import { drawThumbnail } from "./picture.js";

const GROUPS = [
  ["folder", "Your folder"],
  ["bundled", "Games"],
  ["gallery", "Gallery"],
  ["variants", "Variants"],
];
const SHOWN_TABLES = 4;

let games = [];
let group = "";

const plain = (text) => String(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// ---- pictures, as cards come into view

const asked = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      asked.unobserve(entry.target);
      waiting.push(entry.target);
    }
    fetchNext();
  },
  { rootMargin: "200px" },
);
const waiting = [];
let running = 0;

function fetchNext() {
  while (running < 3 && waiting.length) {
    running += 1;
    paint(waiting.shift()).finally(() => {
      running -= 1;
      fetchNext();
    });
  }
}

async function paint(frame) {
  try {
    const picture = await ask(`${gamePath(frame.dataset.game)}/picture`);
    frame.replaceChildren(drawThumbnail(picture));
    frame.dataset.ready = "";
  } catch {
    frame.dataset.ready = "none"; // a card without a picture can still be played
  }
}

// ---- cards

function facts(game) {
  const count = game.players.length;
  return [
    count === 1 ? "1 player" : `${count} players`,
    game.hides ? "secrets" : null,
    game.at_once ? "all at once" : null,
  ].filter(Boolean);
}

function gameCard(game) {
  const path = `/play/${encodeURIComponent(game.id)}`;
  const frame = h("div", { class: "card-picture", data: { game: game.id } });
  if (!game.problem) asked.observe(frame);
  return h(
    "li",
    { class: "game", data: { problem: game.problem ? "" : null } },
    game.problem ? null : frame,
    h(
      "div",
      { class: "game-text" },
      h("h3", {}, game.problem ? game.title || game.id : h("a", { href: path, class: "game-link" }, game.title)),
      game.problem ? h("p", { class: "problem" }, game.problem) : h("p", { class: "summary" }, game.summary),
      h("ul", { class: "facts-line", "aria-label": "About this game" }, game.problem ? null : facts(game).map((fact) => h("li", {}, fact))),
      game.fairness ? h("p", { class: "fairness" }, game.fairness) : null,
    ),
    game.problem ? null : h("span", { class: "play-sign", "aria-hidden": "true" }, "Play"),
  );
}

function matches(game, words) {
  const text = plain([game.title, game.summary, game.id, ...game.players].join(" "));
  return words.every((word) => text.includes(word));
}

function show() {
  const words = plain(byId("search").value).split(/\s+/).filter(Boolean);
  const found = games.filter((game) => (!group || game.group === group) && matches(game, words));
  const sections = GROUPS.map(([name, title]) => [name, title, found.filter((game) => game.group === name).sort((a, b) => Number(Boolean(a.problem)) - Number(Boolean(b.problem)))])
    .filter(([, , some]) => some.length)
    .map(([name, title, some]) =>
      h(
        "section",
        { "aria-labelledby": `group-${name}` },
        h("h2", { id: `group-${name}` }, title, h("span", { class: "count" }, String(some.length))),
        h("ul", { class: "games" }, some.map(gameCard)),
      ),
    );
  const nothing = h(
    "div",
    { class: "notice" },
    h("p", {}, games.length ? "No games match your search." : "There are no games here."),
    games.length ? button("Show all games", clear, { class: "button" }) : null,
  );
  byId("groups").replaceChildren(...(sections.length ? sections : [nothing]));
  write(byId("found"), words.length || group ? `${found.length} ${found.length === 1 ? "game" : "games"} found` : "");
}

function clear() {
  byId("search").value = "";
  group = "";
  filters();
  show();
  byId("search").focus();
}

function filters() {
  const present = GROUPS.filter(([name]) => games.some((game) => game.group === name));
  const choice = (name, title) =>
    button(
      title,
      () => {
        group = name;
        byId("filters").querySelectorAll("button").forEach((other) => other.setAttribute("aria-pressed", String(other.dataset.group === name)));
        show();
      },
      { class: "chip", "aria-pressed": String(group === name), "data-group": name },
    );
  byId("filters").hidden = present.length < 2;
  byId("filters").replaceChildren(choice("", "All"), ...present.map(([name, title]) => choice(name, title)));
}

// ---- games that can go on

function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
}

function tableLinks(table) {
  const { links } = table;
  if (!links) return [];
  if (links.screen) return [["Go on", links.screen]];
  const seats = (links.seats || []).map((path, seat) => [path, seat]).filter(([path]) => path);
  const found = seats.length === 1 ? [["Go on", seats[0][0]]] : seats.map(([path, seat]) => [`As ${table.names[seat]}`, path]);
  return found.length ? found : links.watch ? [["Watch", links.watch]] : [];
}

/** Ask before somebody takes the seat of another at this machine, whose secrets it shows. */
function asksFirst(event, text) {
  const seat = `${text.replace("As ", "")}’s seat`;
  if (!window.confirm(`Take ${seat}? You will see what only this player may see.`)) event.preventDefault();
}

function tableItem(table) {
  const known = Number.isInteger(table.turns);
  const turns = known ? `${table.turns} ${table.turns === 1 ? "turn" : "turns"}` : "";
  const state = table.over ? (known ? `over after ${turns}` : "over") : turns;
  const links = tableLinks(table);
  return h(
    "li",
    { class: "going-table" },
    h(
      "div",
      {},
      h("strong", {}, table.title),
      h("span", { class: "dim" }, [listed(table.names), state, when(table.started)].filter(Boolean).join(" · ")),
    ),
    links.length
      ? h(
          "div",
          { class: "going-links" },
          links.map(([text, path]) =>
            h("a", { class: "button small", href: path, on: !table.over && table.links.seats.includes(path) && links.length > 1 ? { click: (event) => asksFirst(event, text) } : null }, table.over ? (links.length > 1 ? text : "Look at it") : text, h("span", { class: "sr-only" }, `: ${table.title}, ${listed(table.names)}`)),
          ),
        )
      : null,
  );
}

async function goingOn() {
  let tables;
  try {
    const answer = await ask("/api/tables");
    tables = Array.isArray(answer) ? answer : answer.tables;
  } catch {
    return; // the games are there even if their list is not
  }
  tables = [...tables].sort((a, b) => Number(Boolean(a.over)) - Number(Boolean(b.over)));
  if (!tables.length) return;
  byId("going").hidden = false;
  byId("tables").replaceChildren(...tables.slice(0, SHOWN_TABLES).map(tableItem));
  const more = byId("all-tables");
  more.hidden = tables.length <= SHOWN_TABLES;
  more.textContent = `Show all ${tables.length}`;
  more.addEventListener("click", () => {
    byId("tables").replaceChildren(...tables.map(tableItem));
    more.hidden = true;
    byId("tables").querySelectorAll("a")[SHOWN_TABLES]?.focus();
  });
}

async function read() {
  try {
    const answer = await ask("/api/library");
    games = answer.games;
    if (answer.folder) GROUPS[0][1] = answer.folder;
  } catch (error) {
    byId("groups").replaceChildren(trouble(error, read));
    return;
  } finally {
    byId("groups").removeAttribute("aria-busy");
  }
  filters();
  show();
}

byId("search").addEventListener("input", show);
byId("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  byId("groups").querySelector("a.game-link")?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    event.preventDefault();
    byId("search").focus();
  }
});
read();
goingOn();
