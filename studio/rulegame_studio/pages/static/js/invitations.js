// A table that is ready: a link for each seat and for those who watch, to open or to copy.

import { button, h } from "./dom.js";
import { look } from "./picture.js";
import { seatClass, sign } from "./pieces.js";

async function copy(address, clicked, input) {
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    input.select(); // where the clipboard is out of reach: marked, ready for the keys
    const done = document.execCommand && document.execCommand("copy");
    if (!done) {
      clicked.textContent = "Marked";
      return;
    }
  }
  clicked.textContent = "Copied";
  window.setTimeout(() => {
    clicked.textContent = "Copy";
  }, 2000);
}

/** A link as a line: whose it is, the address, copying and opening. */
function invitation(title, address, path, mark) {
  const input = h("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": `Link for ${title}`,
    on: { focus: (event) => event.target.select() },
  });
  const copied = h("span", {}, "Copy");
  const copying = button([copied, h("span", { class: "sr-only" }, ` the link for ${title}`)], () => copy(address, copied, input), { class: "button small" });
  return h(
    "li",
    { class: "invitation" },
    h("p", { class: "invited" }, mark, h("strong", {}, title.charAt(0).toUpperCase() + title.slice(1))),
    h("div", { class: "invitation-line" }, input, copying, h("a", { class: "button small", href: path, target: "_blank", rel: "noopener" }, "Open", h("span", { class: "sr-only" }, ` the table for ${title}, in a new window`))),
  );
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
