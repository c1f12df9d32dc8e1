// Whatever a reader does in the moves: all ways between them, all sets, all keys, and chance.
"use strict";

const assert = require("node:assert/strict");
const {Page, names, moves, desktop, well, said} = require("./page.js");

const sets = ["wide", "narrow", "story", "xor", "overlap"];
const keys = ["ArrowLeft", "Shift+ArrowUp", "+", "-", "0", "n", "0", "+", "-", "ArrowDown", "Shift+ArrowRight", "Enter", "Escape", "Delete", "p", "Backspace", "N", "0", "Escape", "Enter", "Space", "Control+z", "Control+Shift+Z", "Control+y"];

module.exports = {
  async "every move after every move"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    const seen = await p.page.evaluate(async (moves) => {
      const go = (n) => new Promise((done) => {
        if (location.hash === "#" + n) return done();
        addEventListener("hashchange", done, {once: true});
        location.hash = "#" + n;
      });
      const seen = [];
      for (let far = 1; far < moves.length; far++) { // every pair of moves that are so far apart, in circles
        const done = new Set();
        for (const start of moves) {
          if (!done.has(start)) await go(start);
          for (let at = start; !done.has(at); ) {
            done.add(at);
            at = (at + far) % moves.length;
            await go(at);
            const e = document.querySelector("article:not([hidden])");
            seen.push([at, e ? Number(e.dataset.of) : 0, document.body.dataset.move, document.querySelector("#refusal").textContent]);
          }
        }
      }
      return seen;
    }, moves);
    assert.equal(seen.length, moves.length * (moves.length - 1));
    for (const [to, article, move, refusal] of seen) assert.deepEqual([article, move, refusal], [to, names[to], ""]);
    await well(p, "at the end");
    await p.close();
  },

  async "every set in every move"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (const move of moves) {
      await p.move(move);
      const wrong = await p.page.evaluate((sets) => sets.flatMap((set) => [`[data-load=${set}]`, "[data-do=step]", "[data-do=epoch]", "[data-do=step]"].map((button) => {
        document.querySelector(button).click();
        return [set, button, document.querySelector("#refusal").textContent, document.querySelectorAll("#boards .point").length];
      })).filter(([, , refusal, points]) => refusal || points < 4), sets);
      assert.deepEqual(wrong, [], `move ${move}`);
      await well(p, `move ${move}`);
    }
    await p.close();
  },

  async "every key in every move and state"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (const move of moves) {
      await p.move(move);
      const failed = await p.page.evaluate((keys) => ["start", "step", "epoch", "run"].flatMap((reach) => {
        for (let i = 0; i < {start: 0, step: 1, epoch: 1, run: 12}[reach]; i++) document.querySelector(`[data-do=${reach === "epoch" ? "epoch" : "step"}]`).click();
        return keys.map((name) => {
          const parts = name === "+" ? ["+"] : name.split("+"), plane = document.querySelector(".plane");
          plane.focus();
          plane.dispatchEvent(new KeyboardEvent("keydown", {key: {Space: " "}[parts.at(-1)] ?? parts.at(-1), shiftKey: parts.includes("Shift"), ctrlKey: parts.includes("Control"), bubbles: true, cancelable: true}));
          return [reach, name, document.querySelector("#refusal").textContent];
        }).filter(([, , refusal]) => refusal);
      }), keys);
      assert.deepEqual(failed, [], `move ${move}`);
      await well(p, `move ${move}`);
    }
    await p.locator(".plane").first().focus(); // and really pressed
    for (const key of keys) await p.keys(key);
    await well(p, "by the keyboard");
    await p.close();
  },

  async "a failing request does not stop the page"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Step");
    await p.page.evaluate(() => {
      const right = globalThis.playground;
      globalThis.playground = () => { globalThis.playground = right; throw new Error("a test"); };
    });
    await p.press("Step");
    assert.match(await p.text("#refusal"), /^This did not work: a test/);
    await p.page.evaluate(() => { document.querySelector("#said").firstElementChild.remove(); document.querySelector("#panels")._$litPart$ = {_$AI() { throw new Error("drawing"); }}; });
    await p.press("Step");
    assert.match(await p.text("#refusal"), /^This did not work: drawing/);
    await p.press("Step");
    assert.equal(await p.text("#refusal"), "");
    assert.equal(await p.number("k"), "3 mistakes");
    await p.close();
  },

  async "1,000 random actions"(browser, url) {
    for (const seed of [1, 2]) {
      const p = await Page.open(browser, url, desktop, "#" + seed);
      const done = await p.page.evaluate(async ({seed, keys}) => {
        const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
        const all = (s) => [...document.querySelectorAll(s)];
        const send = (e, type, event) => e.dispatchEvent(new event(type, {bubbles: true, button: 0, pointerId: 1, isPrimary: true, clientX: random(1200), clientY: random(800)}));
        let done = 0;
        for (; done < 500; done++) {
          const planes = all(".plane"), plane = planes[random(planes.length)], kind = random(10);
          if (kind < 4) { const list = all("button:not([id^=save]):not(#link)"); list[random(list.length)].click(); }
          else if (kind < 5) { const list = all("a[href^='#']"); list[random(list.length)].click(); }
          else if (kind < 6) { const list = all("select").filter((e) => e.checkVisibility()); if (list.length) { const e = list[random(list.length)]; e.selectedIndex = random(e.options.length); send(e, "change", Event); } }
          else if (kind < 7) { const list = all("input:not([name=adds])").filter((e) => e.checkVisibility()), e = list[random(list.length)]; if (!e) continue; if (e.type === "checkbox") e.click(); else { e.value = random(300) / 100; for (const type of ["input", "change"]) send(e, type, Event); } }
          else if (kind < 8) { for (const type of ["pointerdown", "pointermove", "pointerup"]) send(random(2) ? plane : plane.querySelector(".touch") ?? plane, type, PointerEvent); }
          else { plane.focus(); const key = keys[random(keys.length)].split("+"); plane.dispatchEvent(new KeyboardEvent("keydown", {key: key.at(-1) || "+", shiftKey: key.includes("Shift"), ctrlKey: key.includes("Control"), bubbles: true})); }
          document.querySelector("dialog[open]")?.close();
          await new Promise((next) => setTimeout(next, 0));
          const refusal = document.querySelector("#refusal").textContent;
          if (/did not work|failed/.test(refusal)) return `${done}: ${refusal}`;
        }
        return done;
      }, {seed, keys});
      assert.equal(done, 500);
      await well(p, `seed ${seed}`);
      await p.move(3);
      await p.press("Step");
      assert.match(await p.status(), /^Epoch 1\. Point 1 \(\+\) was wrong/);
      await p.close();
    }
  },

  async "no class has a colour when all weights are 0"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("XOR");
    await p.run();
    assert.match(await p.status(), /^Cycled/);
    assert.equal(await p.number("w"), "(0, 0)");
    assert.equal(await p.count(".regions polygon"), 0);
    assert.equal(await p.count(".point .cross"), 4);
    await p.close();
  },

  async "under Average and Pocket, all numbers are those of the line that predicts"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Overlap");
    const seen = {};
    for (const keep of ["Last", "Average", "Pocket"]) {
      await p.set("keep", keep);
      for (let i = 0; i < 3; i++) await p.press("Epoch");
      const line = await p.locator(keep === "Last" ? "line.new" : "line.kept").first().evaluate((e) => ["x1", "y1", "x2", "y2"].map((a) => e[a].baseVal.value / 50));
      const [w1, w2] = (await p.number("w")).replaceAll("−", "-").slice(1, -1).split(", ").map(Number), b = Number((await p.number("bias")).replace("−", "-"));
      for (const [x, y] of [line.slice(0, 2), line.slice(2)]) assert.ok(Math.abs(w1 * x - w2 * y + b) < 2e-3 * Math.hypot(w1, w2), `${keep}: the line drawn is not that of w and b`);
      seen[keep] = [w1, w2, b, await p.number("margin"), await p.number("right")].join();
    }
    assert.equal(new Set(Object.values(seen)).size, 3, JSON.stringify(seen));
    await p.close();
  },
};
