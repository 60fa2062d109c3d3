// Elements from names, attributes and children. Texts only ever become text, never markup: rulesets
// are written by strangers.

const SVG = "http://www.w3.org/2000/svg";

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, deed] of Object.entries(value)) element.addEventListener(event, deed);
    } else if (name === "vars") {
      for (const [key, number] of Object.entries(value)) element.style.setProperty(key, number);
    } else if (name === "data") {
      for (const [key, text] of Object.entries(value)) {
        if (text !== null && text !== undefined) element.dataset[key] = text;
      }
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(name, attributes, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

export function s(name, attributes, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Change a text only if it differs, so that a screen reader is not told twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function button(text, deed, attributes) {
  return h("button", { type: "button", on: { click: deed }, ...attributes }, text); // a text, or elements
}

/** "row_names" and "hand" as they are read: "Row names", "Hand". */
export function spoken(name) {
  const words = String(name).replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

let numbered = 0;

/** An id that nothing else on the page has. */
export function freshId(stem) {
  numbered += 1;
  return `${stem}-${numbered}`;
}

export const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
