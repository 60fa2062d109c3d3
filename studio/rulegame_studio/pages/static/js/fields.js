// Parameters and operations as fields: their bounds, what they are about, and what is wrong.

import { freshId, h, spoken } from "./dom.js";

function bounds({ min, max, kind }) {
  if (kind !== "number") return "";
  const low = min !== null && min !== undefined;
  const high = max !== null && max !== undefined;
  if (low && high) return `${min} to ${max}`;
  return low ? `at least ${min}` : high ? `at most ${max}` : "";
}

function control(parameter, own, changed) {
  const { kind, value, min, max, choices } = parameter;
  const common = { id: own, name: parameter.name, "aria-describedby": `${own}-about`, on: { input: changed, change: changed } };
  if (kind === "boolean") {
    return h("input", { ...common, type: "checkbox", role: "switch", class: "switch", checked: isOn(value) });
  }
  if (kind === "choice" || (choices && choices.length)) {
    return h("select", common, (choices || []).map((choice) => h("option", { value: choice, selected: choice === value }, choice)));
  }
  if (kind === "number") {
    return h("input", { ...common, type: "number", inputmode: min < 0 ? "text" : "numeric", step: "1", min, max, value });
  }
  return h("input", { ...common, type: "text", autocomplete: "off", spellcheck: "false", value });
}

const isOn = (text) => ["true", "yes", "on"].includes(String(text).toLowerCase());

/** A parameter: the field, its text as the command line would take it, and its problem. */
export function field(parameter, changed) {
  const own = freshId("set");
  const input = control(parameter, own, changed);
  const boolean = parameter.kind === "boolean";
  const range = bounds(parameter);
  const about = [parameter.about, range].filter(Boolean).join(" · ");
  const wrong = h("p", { class: "wrong", id: `${own}-wrong` });
  const label = h("label", { for: own }, spoken(parameter.name));
  const usual = String(parameter.value);
  const text = () => (boolean ? (input.checked ? "true" : "false") : input.value.trim());
  return {
    name: parameter.name,
    text,
    changed: () => (boolean ? input.checked !== isOn(usual) : text() !== usual),
    element: h(
      "div",
      { class: `entry field${boolean ? " field-switch" : ""}` },
      boolean ? [input, label] : [label, input],
      h("p", { class: "about", id: `${own}-about` }, about),
      wrong,
    ),
    problem() {
      if (parameter.kind !== "number" || boolean || input.tagName === "SELECT") return null;
      const number = Number(text());
      if (!text() || !Number.isInteger(number)) return `${parameter.name}: enter a whole number`;
      const { min, max } = parameter;
      const outside = (min !== null && min !== undefined && number < min) || (max !== null && max !== undefined && number > max);
      return outside ? `${parameter.name}: ${number} is not in the range ${range}` : null;
    },
    mark(problem) {
      wrong.textContent = problem || "";
      if (problem) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", `${own}-about ${own}-wrong`);
      } else {
        input.removeAttribute("aria-invalid");
        input.setAttribute("aria-describedby", `${own}-about`);
      }
    },
    reset() {
      if (boolean) input.checked = isOn(usual);
      else input.value = usual;
    },
  };
}

export function operationSwitch(operation, changed) {
  const own = freshId("operation");
  const input = h("input", {
    id: own,
    type: "checkbox",
    role: "switch",
    class: "switch",
    checked: operation.enabled,
    "aria-describedby": `${own}-about`,
    on: { change: changed },
  });
  return {
    name: operation.name,
    usual: operation.enabled,
    on: () => input.checked,
    element: h(
      "div",
      { class: "field-switch" },
      input,
      h("label", { for: own }, operation.label || spoken(operation.name)),
      h("p", { class: "about", id: `${own}-about` }, operation.about || ""),
    ),
    reset() {
      input.checked = operation.enabled;
    },
  };
}
