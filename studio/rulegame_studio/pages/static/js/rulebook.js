// The rulebook, or who wins, in a dialog. What the server sends is markup of its own making; still only plain
// elements of a text are taken over, without attributes that could do anything.

import { ask, trouble } from "./asking.js";
import { h } from "./dom.js";

const PLAIN = new Set(
  "A ABBR B BLOCKQUOTE BR CAPTION CODE DD DIV DL DT EM H1 H2 H3 H4 HR I KBD LI NAV OL P PRE S SECTION SMALL SPAN STRONG SUB SUP TABLE TBODY TD TH THEAD TR U UL".split(" "),
);
const DROPPED = new Set("EMBED FRAME HEAD IFRAME LINK MATH META OBJECT SCRIPT STYLE SVG TEMPLATE TITLE".split(" "));
const LOWERED = { H1: "H2", H2: "H3", H3: "H4", H4: "H5" }; // the dialog has the heading above them
const KEPT = new Set(["id", "scope", "colspan", "rowspan", "start"]);

function taken(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || DROPPED.has(node.tagName.toUpperCase())) return null;
  if (!PLAIN.has(node.tagName)) {
    const inside = document.createDocumentFragment(); // what is unknown is left out, not what it holds
    inside.append(...[...node.childNodes].map(taken).filter(Boolean));
    return inside;
  }
  const copy = document.createElement(LOWERED[node.tagName] || node.tagName);
  for (const { name, value } of node.attributes) {
    if (name === "id") copy.id = `rule-${value}`;
    else if (KEPT.has(name)) copy.setAttribute(name, value);
    else if (name === "href" && /^#[\w-]+$/.test(value)) copy.setAttribute("href", `#rule-${value.slice(1)}`);
  }
  if (node.tagName === "PRE") copy.tabIndex = 0;
  if (node.tagName === "NAV") copy.setAttribute("aria-label", "Contents of the rulebook");
  for (const child of node.childNodes) {
    const part = taken(child);
    if (part) copy.append(part);
  }
  if (node.tagName !== "TABLE") return copy;
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Table of the rulebook" }, copy);
}

/** Elements of a text, rid of everything else. */
export function plainText(html) {
  const read = new DOMParser().parseFromString(String(html), "text/html");
  return [...read.body.childNodes].map(taken).filter(Boolean);
}

export const showRules = (path, title) => showSheet(`Rules of ${title}`, "Loading rules …", () => ask(path));

/** Who wins with best play, and why, with these settings. */
export const showExplanation = (path, title, settings) =>
  showSheet(`Who wins ${title}?`, "Solving …", () => ask(path, settings));

async function showSheet(heading, waiting, fetchText) {
  const body = h("div", { class: "rulebook" }, h("p", { class: "wait", role: "status" }, waiting));
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "rules-title" },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: "rules-title" }, heading),
      h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Close"),
    ),
    body,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside the sheet
    const link = event.target.closest ? event.target.closest("a[href^='#']") : null;
    if (!link) return;
    event.preventDefault(); // the address of a table stays as it is
    const target = dialog.querySelector(`[id="${CSS.escape(link.getAttribute("href").slice(1))}"]`);
    if (target) {
      target.tabIndex = -1;
      target.focus();
      target.scrollIntoView();
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  const read = async () => {
    try {
      body.replaceChildren(...plainText((await fetchText()).html));
    } catch (error) {
      body.replaceChildren(trouble(error, read));
    }
  };
  await read();
}
