// The library: all games as cards, found by searching and by group, and the games that can go on.

import { ask, gamePath, trouble } from "./asking.js";
import { button, byId, h, listed, write } from "./dom.js";
import { drawThumbnail } from "./picture.js";

const GROUPS = [
  ["bundled", "Games"],
  ["gallery", "Gallery"],
  ["variants", "Variants"],
  ["folder", "Your folder"],
];
const SHOWN_TABLES = 4;

let games = [];
let total = 0; // games that there are, read or not
let group = "";
const cards = new Map(); // each is made once: its picture stays

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
  if (!cards.has(game.id)) cards.set(game.id, makeCard(game));
  return cards.get(game.id);
}

/** Begin a game at once: against computers of medium strength, with the usual settings. */
async function playNow(game, clicked) {
  if (clicked.getAttribute("aria-disabled")) return;
  clicked.setAttribute("aria-disabled", "true");
  const seats = game.players.map((_, seat) => (seat ? { kind: "computer", player: "medium" } : { kind: "person" }));
  try {
    const made = await ask("/api/tables", { game: game.id, seats, first: "1", screen: false });
    window.location.assign(made.links.seats.find(Boolean));
  } catch (error) {
    clicked.closest(".game").append(h("p", { class: "problem", role: "alert" }, [error.message, ...(error.problems || [])].join(" ")));
  } finally {
    clicked.removeAttribute("aria-disabled");
  }
}

function makeCard(game) {
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
    game.problem
      ? null
      : h(
          "div",
          { class: "card-actions" },
          button(["Play now", h("span", { class: "sr-only" }, `: ${game.title}`)], (event) => playNow(game, event.currentTarget), { class: "button main small" }),
          h("span", { class: "play-sign", "aria-hidden": "true" }, "Set up"),
        ),
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
  byId("more").hidden = games.length >= total;
  write(byId("more"), `Reading ${games.length} of ${total} games …`);
  write(byId("found"), words.length || group ? `${found.length} ${found.length === 1 ? "game" : "games"} found` : "");
}

/** Show what is read by now; what somebody reads or has reached by the keys stays where it is. */
function showMore() {
  const held = document.activeElement?.closest?.(".game");
  const selector = held && (document.activeElement.matches(".game-link") ? ".game-link" : ".button");
  show();
  if (held?.isConnected) held.querySelector(selector)?.focus({ preventScroll: true });
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

async function remove(table, item) {
  if (!window.confirm(`Delete this game of ${table.title}? It cannot be restored.`)) return;
  try {
    await ask(`/api/tables/${table.table}`, undefined, "DELETE");
  } catch (error) {
    item.append(h("p", { class: "problem", role: "alert" }, error.message));
    return;
  }
  goingOn();
  byId("lead").focus();
}

function tableItem(table) {
  const links = tableLinks(table);
  const whose = h("span", { class: "sr-only" }, `: ${table.title}, ${listed(table.names)}`);
  const link = ([text, path]) => {
    const others = !table.over && table.links.seats.includes(path) && links.length > 1;
    const shown = table.over ? (links.length > 1 ? text : "Look at it") : text;
    return h("a", { class: "button small", href: path, on: others ? { click: (event) => asksFirst(event, text) } : null }, shown, whose.cloneNode(true));
  };
  const item = h(
    "li",
    { class: "going-table" },
    h("div", {}, h("strong", {}, table.title), h("span", { class: "dim" }, [listed(table.names), when(table.started)].filter(Boolean).join(" · "))),
    h("div", { class: "going-links" }, links.map(link), button(["Delete", whose], () => remove(table, item), { class: "quiet" })),
  );
  return item;
}

async function goingOn() {
  let tables;
  try {
    ({ tables } = await ask("/api/tables"));
  } catch {
    return; // the games are there even if their list is not
  }
  const [over, open] = [tables.filter((table) => table.over), tables.filter((table) => !table.over)];
  byId("going").hidden = !open.length;
  byId("finished").hidden = !over.length;
  byId("tables").replaceChildren(...open.slice(0, SHOWN_TABLES).map(tableItem));
  byId("finished-tables").replaceChildren(...over.map(tableItem));
  write(byId("finished-title"), `Finished games (${over.length})`);
  const more = byId("all-tables");
  more.hidden = open.length <= SHOWN_TABLES;
  more.textContent = `Show all ${open.length}`;
  more.onclick = () => {
    byId("tables").replaceChildren(...open.map(tableItem));
    more.hidden = true;
    byId("tables").querySelectorAll("a")[SHOWN_TABLES]?.focus();
  };
}

/** Read the games part by part, and show each part at once. */
async function read() {
  let next = games.length;
  try {
    while (next !== null) {
      const answer = await ask(`/api/library?from=${next}`);
      games = [...games, ...answer.games];
      ({ next, total } = answer);
      if (answer.folder) GROUPS[3][1] = answer.folder;
      byId("groups").removeAttribute("aria-busy");
      filters();
      showMore();
    }
  } catch (error) {
    if (games.length) byId("more").replaceChildren(trouble(error, read));
    else byId("groups").replaceChildren(trouble(error, read));
    byId("groups").removeAttribute("aria-busy");
  }
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
