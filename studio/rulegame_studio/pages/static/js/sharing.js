// A link to give away: copied, passed on by the device, or read from the screen as a QR code.

import { button, freshId, h } from "./dom.js";

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

/** A line with an address and what can be done with it; below, the code if that is wanted. */
export function linkLine(title, address, ...more) {
  const input = h("input", {
    type: "text",
    readonly: true,
    value: address,
    "aria-label": `Link for ${title}`,
    on: { focus: (event) => event.target.select() },
  });
  const hidden = (text) => h("span", { class: "sr-only" }, ` ${text} for ${title}`);
  const copied = h("span", {}, "Copy");
  const below = h("div", { class: "code-place", id: freshId("code"), hidden: true });
  const showCode = async () => {
    below.hidden = !below.hidden;
    code.setAttribute("aria-expanded", String(!below.hidden));
    if (below.childElementCount) return;
    const { drawCode } = await import("./qr.js");
    below.replaceChildren(drawCode(address, `QR code of the link for ${title}`) || h("p", { class: "about" }, "This link is too long for a QR code."));
  };
  const code = button(["QR code", hidden("of the link")], showCode, { class: "button small", "aria-expanded": "false", "aria-controls": below.id });
  const share = navigator.share
    ? button(["Share", hidden("the link")], () => navigator.share({ title: document.title, url: address }).catch(() => {}), { class: "button small" })
    : null;
  return [
    h("div", { class: "invitation-line" }, input, button([copied, hidden("the link")], () => copy(address, copied, input), { class: "button small" }), share, code, more),
    below,
  ];
}

/** The same in a dialog. */
export function shareSheet(heading, text, title, address) {
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "share-title" },
    h("div", { class: "sheet-head" }, h("h2", { id: "share-title" }, heading), button("Close", () => dialog.close(), { class: "button" })),
    h("div", { class: "share" }, h("p", { class: "about" }, text), linkLine(title, address)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
