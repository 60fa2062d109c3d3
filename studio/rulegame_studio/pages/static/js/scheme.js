// Light or dark, before anything is drawn: as the system says, or as was chosen here.
(function () {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try {
      const kept = window.localStorage.getItem("scheme");
      return kept === "light" || kept === "dark" ? kept : "";
    } catch {
      return "";
    }
  }

  function keep(scheme) {
    try {
      if (scheme) window.localStorage.setItem("scheme", scheme);
      else window.localStorage.removeItem("scheme");
    } catch {
      // a browser that keeps nothing still shows what was chosen, until the page is left
    }
  }

  let wished = chosen();

  function apply() {
    root.dataset.scheme = wished || (system.matches ? "dark" : "light");
    const button = document.getElementById("scheme");
    if (!button) return;
    const words = { light: "Light", dark: "Dark", "": "Auto" };
    button.textContent = words[wished];
    button.dataset.wished = wished || "auto";
    button.setAttribute("aria-label", `Colours: ${words[wished]}. Change`);
    button.title = "Colours: as the system, light or dark";
  }

  function next() {
    const order = ["", "light", "dark"];
    wished = order[(order.indexOf(wished) + 1) % order.length];
    keep(wished);
    apply();
  }

  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    const button = document.getElementById("scheme");
    if (button) button.addEventListener("click", next);
  });
})();
