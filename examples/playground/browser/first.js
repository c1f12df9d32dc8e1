// What is on the screen before the scripts, without them, and on other sites.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const {pathToFileURL} = require("node:url");
const {Page, desktop, sizes, last} = require("./page.js");

module.exports = {
  async "the opening is there before the scripts, and stays"(browser, url) {
    for (const [size, options] of Object.entries(sizes)) {
      const context = await browser.newContext(options), page = await context.newPage(), wrong = [];
      page.on("pageerror", (err) => wrong.push(String(err)));
      page.on("dialog", (d) => d.accept());
      let go = null;
      const held = new Promise((done) => { go = done; });
      await page.route("**/page.js", async (route) => { await held; await route.continue(); });
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => { for (const e of list.getEntries()) globalThis.shift += e.value; }).observe({type: "layout-shift", buffered: true});
      });
      await page.goto(url, {waitUntil: "commit"});
      await page.locator("#loading progress").waitFor(); // the end of the HTML
      await page.waitForFunction(() => getComputedStyle(document.querySelector("#bar")).position === "fixed"); // and its style
      const look = () => page.evaluate(() => ["article:not([hidden])", "#boards svg", "#boards svg .body", "#boards svg line", "#room", "#said .promise", "[data-do=step]", "#next"].map((s) => {
        const {x, y, width, height} = document.querySelector(s).getBoundingClientRect();
        return [s, ...[x, y, width, height].map(Math.round)];
      }));
      const words = () => page.locator("#said").innerText();
      const before = await look(), promise = await words();
      assert.match(await page.locator("article:visible").innerText(), /^Make it fail\./);
      assert.equal(promise, "Make it go on for ever: drag points anywhere, then let it learn."); // it asks, and answers nothing
      assert.doesNotMatch(await page.locator("main").innerText(), /[γuwR]\b|λ|\d/);
      assert.equal(await page.locator(".point:visible").count(), 10);
      assert.equal(await page.locator(".plane line:visible").count(), 1);
      assert.equal(await page.locator("button:not([disabled]):visible, input:not([disabled]):visible").count(), 0);
      assert.equal(await page.locator("progress:visible").count(), 1);
      await page.locator("#boards svg").click();
      await page.keyboard.press("Control+z");
      go();
      await page.waitForSelector("main:not([aria-busy])");
      assert.deepEqual(await look(), before, size);
      assert.equal(await words(), promise);
      const shift = await page.evaluate(() => globalThis.shift);
      assert.ok(shift < 0.05, `${size}: the layout shifts by ${shift}`);
      assert.deepEqual(wrong, []);
      await context.close();
    }
  },

  async "without JavaScript or WebAssembly, the page is an article"(browser, url) {
    const folder = process.env.PLAYGROUND_FOLDER, file = folder && pathToFileURL(path.join(folder, "index.html")).href;
    for (const [name, options, to, why] of [
      ["no JavaScript", {...desktop, javaScriptEnabled: false}, url, /Without JavaScript/],
      ["no WebAssembly", desktop, url, /has no WebAssembly/],
      ["no program", desktop, url, /did not start .* an article/],
      ["no lit-html", desktop, url, /A script of the page did not arrive/],
      ["a file", desktop, file, /not from a file/],
      ["a small screen", {...sizes["390×664"], javaScriptEnabled: false}, url, /Without JavaScript/],
    ]) {
      if (!to) continue; // only the static files have a folder
      const context = await browser.newContext(options), page = await context.newPage();
      if (name === "no WebAssembly") await page.addInitScript(() => { delete globalThis.WebAssembly; });
      if (name === "no program") await page.route("**/playground.wasm.gz", (route) => route.fulfill({status: 404}));
      if (name === "no lit-html") await page.route("**/lit-html.js", (route) => route.fulfill({status: 404}));
      await page.goto(to);
      await page.locator("article[data-of='15']:visible").waitFor();
      assert.equal(await page.locator("article:visible").count(), last, name);
      assert.ok(await page.locator("figure:visible svg").count() >= 5, `${name}: ${await page.locator("figure:visible svg").count()} figures`);
      assert.match(await page.locator("#loading").innerText(), why, name);
      assert.equal(await page.locator("button:visible, .try:visible").count(), 0, name);
      assert.match(await page.locator("#ending").innerText(), /So the mistakes must stop\..*Theorem.*at most 16.*tell a friend/s, name);
      const [reason, title] = await page.evaluate(() => ["#loading", "article h1"].map((q) => document.querySelector(q).getBoundingClientRect().top));
      assert.ok(reason < title, `${name}: the reason is at ${reason}, the title at ${title}`);
      const {scroll, inner, tall} = await page.locator("body").evaluate(() => ({scroll: document.documentElement.scrollWidth, inner: innerWidth, tall: document.documentElement.scrollHeight}));
      assert.ok(scroll <= inner && tall > 3000, `${name}: ${scroll} of ${inner} pixels, ${tall} tall`);
      await context.close();
    }
  },

  async "what other sites read of the page is there"(browser, url) {
    for (const [name, type] of [["og.png", "image/png"], ["favicon.svg", "image/svg+xml"]]) {
      const response = await fetch(url + name);
      assert.equal(response.status, 200, name);
      assert.match(response.headers.get("Content-Type"), new RegExp(type.replace("+", "\\+") + "|octet-stream"));
    }
    assert.equal((await fetch(url + "nothing")).status, 404);
  },
};
