// The opening before the library is there: it works, its numbers are the library's, and the
// library goes on where it was.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, phone} = require("./page.js");

// held opens the page without its program, which go lets through.
async function held(browser, url, options, hash = "") {
  const context = await browser.newContext(options), page = await context.newPage(), wrong = [];
  page.setDefaultTimeout(60000);
  page.on("pageerror", (err) => wrong.push(String(err)));
  let go = null;
  const gate = new Promise((done) => { go = done; });
  await page.route("**/playground.wasm.gz", async (route) => { await gate; await route.continue(); });
  await page.goto(url + hash);
  await page.waitForSelector("main:not([aria-busy])");
  return {context, page, wrong, go: async () => { go(); await page.waitForSelector("#loading", {state: "detached"}); }};
}
const said = (page) => page.locator("#said").innerText();
const learn = (page) => page.evaluate(() => document.querySelector("[data-do=step]").click()).then(() => page.waitForFunction(() => /It made/.test(document.querySelector("#said").textContent)));
async function drag(page, from, ...places) {
  const box = await page.locator(".plane").boundingBox(), at = ([x, y]) => [box.x + box.width * (1 + x) / 2, box.y + box.height * (1 - y) / 2];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (const to of places) await page.mouse.move(...at(to), {steps: 3});
  await page.mouse.up();
}

module.exports = {
  async "the opening's numbers before the library are the library's"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    const counts = await p.page.evaluate(async () => {
      const {stand} = await import("./opening.js");
      let seed = 7;
      const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
      const near = (a, b) => Math.abs(a - b) < 1e-7 || a === b;
      const alike = (a, b) => Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((v, i) => alike(v, b[i])) : typeof a === "number" ? near(a, b) : a === b;
      const polygon = (list) => list.toSorted(([a, b], [c, d]) => near(a, c) ? b - d : a - c); // its first corner may differ
      const facts = (pic) => {
        const b = pic.boards[0], c = b.cards[0], proved = c.gamma.startsWith("none"), ends = (l) => [l.kind, polygon(l.ends)];
        return {
          words: [pic.view, pic.running, pic.undo, pic.redo, pic.state, pic.refusal, pic.chapter, b.stop === "not started" || b.stop === "in training" ? "" : b.stop, c.k, c.r, c.gamma, c.bound, proved ? "" : c.limit, proved || b.stop === "Cycled" ? "" : b.status].join("|"),
          points: pic.points.map((q) => [q.x, q.y, q.label]), places: pic.places,
          marks: b.marks.map((m) => [m.updated, m.wrong, proved ? "" : m.name, m.support].join()).join("|"),
          lines: b.lines.map(ends), band: polygon(b.band), regions: b.regions.map((q) => [q.class, polygon(q.polygon)]),
          arrows: b.arrows.map((a) => [a.from, a.to]), u: [b.u, b.g, b.r], chart: [c.chart.low, c.chart.high, c.chart.meet], dots: Number.parseInt(c.k) > 250 ? [] : c.chart.dots,
        };
      };
      const seen = {compared: 0, failed: 0, ended: 0, undone: 0, large: 0};
      const differ = (r) => {
        const mine = JSON.parse(stand.answer(r)), library = JSON.parse(globalThis.playground(r)), [a, b] = [mine, library].map(facts);
        seen.compared++;
        if (library.boards[0].cards[0].gamma.startsWith("none")) seen.failed++;
        if (library.boards[0].stop === "Converged") seen.ended++;
        if (library.redo) seen.undone++;
        if (Number(library.boards[0].cards[0].bound) > 200) seen.large++;
        for (const key of Object.keys(a)) if (!alike(a[key], b[key])) throw new Error(`${JSON.stringify(r)} ${key} in ${library.state}:\n${JSON.stringify(a[key])}\n${JSON.stringify(b[key])}`);
      };
      differ({do: "link", text: "1"});
      for (let i = 0; i < 250; i++) {
        const kind = random(12), gesture = "g" + i, point = random(10);
        if (kind < 4) {
          for (let j = 0; j < 3; j++) differ({do: "move", point, gesture, x: random(2201) / 1000 - 1.1, y: random(2201) / 1000 - 1.1});
          differ({do: "reset", gesture});
        } else if (kind < 6) differ({do: "step", times: 1 + random(20), gesture: random(2) ? "run" : gesture});
        else if (kind < 7) differ({do: "step", times: 500, gesture});
        else if (kind < 9) differ({do: random(3) ? "undo" : "redo"});
        else if (kind < 10) differ({do: "nudge", point, x: random(51) - 25, y: random(51) - 25, gesture});
        else if (kind < 11) differ({do: "reset"});
        else differ({do: "link", text: "1"});
      }
      return seen;
    });
    for (const [name, least] of Object.entries({compared: 400, failed: 20, ended: 10, undone: 20, large: 5})) assert.ok(counts[name] >= least, `${name}: ${counts[name]}`);
    await p.close();
  },

  async "the opening needs few bytes, and a drag asks once for each move"(browser, url) {
    const context = await browser.newContext(phone), page = await context.newPage(), sizes = [], asked = [];
    page.on("request", (r) => /favicon/.test(r.url()) || asked.push(r.url()));
    page.on("requestfinished", (r) => sizes.push(r.sizes()));
    await page.route("**/playground.wasm.gz", () => {}); // it never arrives
    await page.goto(url);
    await page.waitForSelector("main:not([aria-busy])");
    const bytes = (await Promise.all(sizes)).reduce((sum, s) => sum + s.responseBodySize, 0);
    console.log(`  ${bytes} bytes in ${sizes.length} requests before the program`);
    assert.ok(bytes > 2e4 && bytes < 1.5e5 && sizes.length <= 17, `${bytes} bytes in ${sizes.length} requests`); // 3 s at 400 kbit/s
    assert.equal(new Set(asked).size, asked.length, "a file is asked for twice");
    const calls = await page.evaluate(() => {
      const right = globalThis.playground, plane = document.querySelector(".plane"), {x, y, width} = document.querySelectorAll(".touch")[3].getBoundingClientRect();
      const send = (e, type, i) => e.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 1, isPrimary: true, pointerType: "mouse", clientX: x + width / 2 + i, clientY: y + width / 2}));
      let calls = 0;
      globalThis.playground = (r) => { calls++; return right(r); };
      plane.setPointerCapture = () => {};
      send(document.querySelectorAll(".touch")[3], "pointerdown", 0);
      for (let i = 4; i < 24; i++) send(plane, "pointermove", i);
      return calls;
    });
    assert.equal(calls, 20);
    await context.close();
  },

  async "the opening works before the library, which goes on with it"(browser, url) {
    for (const options of [desktop, phone]) {
      const {context, page, wrong, go} = await held(browser, url, options);
      await drag(page, [0.8, 0.8 / 2.25], [0.8, 0.3]);
      await learn(page);
      assert.match(await said(page), /It made \d+ of at most \d+ mistakes/);
      const look = () => page.evaluate(() => ["#said", ".plane", ".race"].map((s) => document.querySelector(s).outerHTML.replaceAll(/<!--.*?-->/g, "").replaceAll(/-?\d+\.\d+/g, (v) => String(Number(Number(v).toFixed(2))))));
      const before = await look();
      await go();
      await page.waitForTimeout(100);
      const after = await look();
      assert.deepEqual([after[0], after[2]], [before[0], before[2]]);
      assert.equal(await page.locator("[data-do=undo]").getAttribute("aria-disabled"), "false");
      for (let i = 0; i < 2; i++) await page.evaluate(() => document.querySelector("[data-do=undo]").click());
      assert.match(await said(page), /Promise: at most 30 mistakes/);
      assert.deepEqual(wrong, []);
      await context.close();
    }
    const {context, page, wrong, go} = await held(browser, url, desktop); // a move waits for the library
    await page.locator("#next").click();
    await page.waitForFunction(() => /Loading/.test(document.querySelector("#refusal").textContent));
    await go();
    await page.waitForSelector("body[data-move='2']");
    assert.equal(await page.locator("#refusal").textContent(), "");
    assert.deepEqual(wrong, []);
    await context.close();
  },
};
