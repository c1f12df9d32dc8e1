// Keeps the files of the page, so that a reload without a network works. With a network, the
// newest files are loaded, and kept.
"use strict";

const open = () => caches.open("perceptron");
addEventListener("install", () => skipWaiting());
addEventListener("activate", (e) => e.waitUntil(clients.claim()));

// The page names what it loaded before this worker was there; the browser still has it.
addEventListener("message", (e) => e.waitUntil((async () => {
  const cache = await open();
  await Promise.all(e.data.map((url) => cache.add(new Request(url, {cache: "force-cache"}))));
  e.source.postMessage("kept");
})()));

addEventListener("fetch", (e) => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith((async () => {
    try {
      const fresh = await fetch(e.request), copy = fresh.clone();
      if (fresh.ok) e.waitUntil(open().then((cache) => cache.put(e.request, copy)));
      return fresh;
    } catch (err) {
      const kept = await (await open()).match(e.request);
      if (!kept) throw err;
      return kept;
    }
  })());
});
