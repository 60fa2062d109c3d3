// A table that is ready: a link for each seat and for those who watch, to open or to copy.

import { h } from "./dom.js";
import { look } from "./picture.js";
import { seatClass, sign } from "./pieces.js";
import { linkLine } from "./sharing.js";

/** A link as a line: whose it is, the address, sharing and opening. */
function invitation(title, address, path, mark) {
  const open = h("a", { class: "button small", href: path, target: "_blank", rel: "noopener" }, "Open", h("span", { class: "sr-only" }, ` the table for ${title}, in a new window`));
  return h("li", { class: "invitation" }, h("p", { class: "invited" }, mark, h("strong", {}, title.charAt(0).toUpperCase() + title.slice(1))), linkLine(title, address, open));
}

export function ready(game, made, names) {
  const base = made.base || window.location.origin;
  const { seats, watch } = made.links;
  const items = (seats || [])
    .map((path, seat) => [path, seat])
    .filter(([path]) => path)
    .map(([path, seat]) => invitation(names[seat], base + path, path, h("span", { class: `invited-sign ${seatClass(seat)}` }, sign(seat, game.picture.signs[seat] || "", look(game.picture)))));
  if (watch) items.push(invitation("spectators", base + watch, watch, null));
  return h(
    "div",
    { class: "ready" },
    h("p", { class: "back" }, h("a", { href: "/" }, "← Library")),
    h("h1", { id: "ready-title", tabindex: "-1" }, "The table is ready"),
    h("p", { class: "lead" }, `Send each player their link to ${game.title} and open yours. A link gives access to its seat.`),
    h("ul", { class: "invitations" }, items),
    made.base
      ? null
      : h("p", { class: "notice" }, "Only this machine can reach the studio. Start it with --host to get links for other devices."),
  );
}
