// Asking the server over HTTP, and what is shown when it does not answer.

import { h } from "./dom.js";

/** What the server has refused, in its own words. */
export class Refusal extends Error {
  constructor(text, problems, status) {
    super(text);
    this.problems = problems;
    this.status = status;
  }
}

export async function ask(path, body, method = "GET") {
  const options = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal("No response from the studio. Is it still running?", [], 0);
  }
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    // an answer without JSON is told by its status below
  }
  if (!response.ok || answer === null) {
    const text = answer && typeof answer.error === "string" ? answer.error : `The studio answered with ${response.status}.`;
    const problems = answer && Array.isArray(answer.problems) ? answer.problems.map(String) : [];
    throw new Refusal(text, problems, response.status);
  }
  return answer;
}

/** A notice in place of what could not be read. */
export function trouble(error, again) {
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    h("p", {}, error instanceof Refusal ? error.message : "Something went wrong on this page."),
    error.problems && error.problems.length ? h("ul", {}, error.problems.map((line) => h("li", {}, line))) : null,
    again ? h("button", { type: "button", class: "button", on: { click: again } }, "Try again") : null,
  );
}

export const gamePath = (id) => `/api/games/${encodeURIComponent(id)}`;
