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
const learn = (page) => page.evaluate(() => document.querySelector("[data-do=step]").click()).then(() => page.waitForFunction(() => /It made|no more/.test(document.querySelector("#said").textContent)));
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
        const b = pic.boards[0], ends = (l) => [l.kind, polygon(l.ends)];
        return {
          words: [pic.view, pic.undo, pic.redo, pic.state, pic.refusal, pic.chapter, b.cards[0].k, b.stop === "Converged"].join("|"),
          points: pic.points.map((q) => [q.x, q.y, q.label]), places: pic.places,
          marks: b.marks.map((m) => [m.updated, m.wrong, m.name.replace(/, (contradicts[^λ]*λ [^,]*|on the edge[^,]*)/g, "")].join()).join("|"),
          lines: b.lines.filter((l) => l.kind !== "wide").map(ends), regions: b.regions.map((q) => [q.class, polygon(q.polygon)]),
          arrows: b.arrows.map((a) => [a.from, a.to]), dots: b.cards[0].chart.dots.length > 250 ? 0 : b.cards[0].chart.dots.length,
        };
      };
      const seen = {compared: 0, failed: 0, cycled: 0, ended: 0, undone: 0, added: 0};
      const both = (r) => [stand.answer(r), globalThis.playground(r)].map((text) => JSON.parse(text));
      const differ = (r) => {
        const [mine, library] = both(r), [a, b] = [mine, library].map(facts);
        if (library.boards[0].stop === "Cycled") { // only the library sees that a run goes round
          seen.cycled++;
          return differ({do: "undo"});
        }
        seen.compared++;
        if (library.boards[0].against.length > 0) seen.failed++;
        if (library.boards[0].stop === "Converged") seen.ended++;
        if (library.redo) seen.undone++;
        if (library.points.length > 10) seen.added++;
        for (const key of Object.keys(a)) if (!alike(a[key], b[key])) throw new Error(`${JSON.stringify(r)} ${key} in ${library.state}:\n${JSON.stringify(a[key])}\n${JSON.stringify(b[key])}`);
      };
      differ({do: "link", text: "1"});
      for (let i = 0; i < 300; i++) {
        const kind = random(15), gesture = "g" + i, point = random(9), x = random(2201) / 1000 - 1.1, y = random(2201) / 1000 - 1.1;
        if (kind < 4) {
          for (let j = 0; j < 3; j++) differ({do: "move", point, gesture, x: x * (1 - j / 4), y});
          differ({do: "reset", gesture});
        } else if (kind < 6) differ({do: "step", times: 1 + random(20), gesture: random(2) ? "run" : gesture});
        else if (kind < 7) differ({do: "step", times: 500, gesture});
        else if (kind < 9) differ({do: random(3) || stand.log.at(-1).do !== "undo" ? "undo" : "redo"});
        else if (kind < 10) differ({do: "nudge", point, x: random(51) - 25, y: random(51) - 25, gesture});
        else if (kind < 11) differ({do: "reset"});
        else if (kind < 12) differ({do: "link", text: "1"});
        else if (kind < 13) differ({do: "label", point, label: random(2) ? 1 : -1});
        else if (kind < 14) differ({do: "add", label: random(2) ? 1 : -1, x, y});
        else if (facts(JSON.parse(globalThis.playground({do: "show"}))).points.length > 10) differ({do: "remove", point});
      }
      return seen;
    });
    for (const [name, least] of Object.entries({compared: 400, failed: 100, cycled: 1, ended: 10, undone: 20, added: 50})) assert.ok(counts[name] >= least, `${name}: ${counts[name]}`);
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
    assert.ok(bytes > 2e4 && bytes < 1.5e5 && sizes.length <= 18, `${bytes} bytes in ${sizes.length} requests`); // 3 s at 400 kbit/s
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
      assert.match(await said(page), /^Make it go on for ever/);
      assert.equal(await page.locator("#bar button:visible").count(), 1); // Let it learn
      await drag(page, [1.75 / 2.25, 0.75 / 2.25], [0.8, 0.3]);
      await learn(page);
      assert.match(await said(page), /^It made \d+ mistakes, then no more\./);
      const look = () => page.evaluate(() => [document.querySelector("#said .big").textContent, ...[...document.querySelectorAll("line.new, .point .body")].map((e) => { const {x, y, width} = e.getBoundingClientRect(); return [x, y, width].map(Math.round).join(); }), document.querySelectorAll(".race .dot").length]);
      const before = await look();
      assert.equal(await page.locator(".plane .band[points], .plane circle.radius, #room .dome").count(), 1); // an empty band
      await go();
      await page.waitForFunction(() => /^It made \d+ mistakes, then no more\. A theorem promises: at most \d+/.test(document.querySelector("#said").textContent.trim()));
      assert.deepEqual(await look(), before);
      assert.equal(await page.locator(".plane circle.radius, #room .dome").count(), 2);
      for (let i = 0; i < 2; i++) await page.evaluate(() => document.querySelector("[data-do=undo]").click());
      assert.match(await said(page), /A theorem promises: at most 30 mistakes/);
      assert.deepEqual(wrong, []);
      await context.close();
    }
    const {context, page, wrong, go} = await held(browser, url, desktop); // a move waits for the library
    await page.locator("#parts a").nth(1).click();
    await page.waitForFunction(() => /Loading/.test(document.querySelector("#refusal").textContent));
    await go();
    await page.waitForSelector("body[data-move=sides]");
    assert.equal(await page.locator("#refusal").textContent(), "");
    assert.deepEqual(wrong, []);
    await context.close();
  },
};
