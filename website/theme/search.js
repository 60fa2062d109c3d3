// Finds the sections in which all words occur; those with the words in their heading come first.
(() => {
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const article = document.querySelector("article");
  const root = document.body.dataset.root.replace(/\/?$/, "/");
  const MOST = 30;

  const rank = (section, words) => {
    const title = section.title.toLowerCase();
    const all = `${section.page} ${section.title} ${section.text}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return 0;
    return 1 + words.filter((word) => title.includes(word)).length * 10;
  };

  const around = (text, word) => {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    return `${at ? "… " : ""}${text.slice(at, at + 180)}${at + 180 < text.length ? " …" : ""}`;
  };

  const entry = (section, words) => {
    const part = document.createElement("p");
    const link = document.createElement("a");
    link.href = root + section.url;
    link.textContent = section.page === section.title ? section.title : `${section.page}: ${section.title}`;
    link.addEventListener("click", () => show(""));
    part.append(link, document.createElement("br"), around(section.text, words[0]));
    return part;
  };

  const show = (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    found.hidden = !words.length;
    article.hidden = words.length > 0;
    if (!words.length) return;
    const ranked = SECTIONS.map((section) => [rank(section, words), section]).filter(([r]) => r);
    ranked.sort((a, b) => b[0] - a[0]);
    const head = document.createElement("h1");
    head.textContent = ranked.length ? `Found ${ranked.length}` : "Nothing found";
    found.replaceChildren(head, ...ranked.slice(0, MOST).map(([, section]) => entry(section, words)));
  };

  input.addEventListener("input", () => show(input.value));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
  });
})();
