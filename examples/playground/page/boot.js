// Runs where nothing else does: it says what is missing, and shows the page as an article.
"use strict";

globalThis.article = (why) => {
  const words = document.querySelector("#loading");
  words.textContent = why;
  words.hidden = false;
  document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: "article.css"}));
};
if (location.protocol === "file:") globalThis.article("A browser runs this page only from a web server, not from a file. As a file it is an article.");
else if (typeof WebAssembly !== "object") globalThis.article("This browser has no WebAssembly, so this page is an article. With it, you can drag the points, and the perceptron learns.");
// A script of the page that does not arrive fails the module; nothing else would say so.
else document.querySelector("script[type=module]").addEventListener("error", () => globalThis.article("A script of the page did not arrive, so this page is an article. Reload it to try again."));
