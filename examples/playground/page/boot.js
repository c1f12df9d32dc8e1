// Runs where nothing else does: it says what is missing, and shows the page as an article.
"use strict";

globalThis.article = (why) => {
  document.querySelector("#loading").textContent = why;
  document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: "article.css"}));
};
if (location.protocol === "file:") globalThis.article("A browser runs this page only from a web server, not from a file. As a file it is an article.");
else if (typeof WebAssembly !== "object") globalThis.article("This browser has no WebAssembly, so this page is an article. With it, you can drag the points, and the perceptron learns.");
