// The story: its moves on one screen, by keyboard and by link, and whatever a reader does
// in them.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, phone} = require("./page.js");

const moves = Array.from({length: 15}, (_, i) => (i + 1) % 15); // 1 to 14, then the free play
const sets = ["wide", "narrow", "story", "xor", "overlap", "three", "row"];
const keys = ["ArrowLeft", "Shift+ArrowUp", "+", "-", "0", "n", "0", "+", "-", "ArrowDown", "Shift+ArrowRight", "Enter", "Escape", "Delete", "p", "Backspace", "N", "0", "Escape", "Enter", "Space", "Control+z", "Control+Shift+Z", "Control+y"];

// well checks that nothing failed so far, and that the board and its text belong together.
async function well(p, where) {
  assert.deepEqual(p.wrong, [], where);
  const refusal = await p.text("#refusal");
  assert.ok(!/did not work|failed/.test(refusal), `${where}: ${refusal}`);
  assert.equal(await p.count("[data-chapter][aria-current]"), 1, where);
}

// click presses a button that a move may hide.
const click = (p, selector) => p.page.evaluate((s) => document.querySelector(s).click(), selector);

module.exports = {
  async "every move after every move"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    const seen = await p.page.evaluate(async (moves) => {
      const go = (n) => new Promise((done) => {
        if (document.querySelector(`[data-chapter="${n}"][aria-current]`)) return done();
        addEventListener("hashchange", done, {once: true});
        document.querySelector(`[data-chapter="${n}"]`).click();
      });
      const seen = [];
      for (const from of moves) {
        for (const to of moves) {
          await go(from);
          await go(to);
          const e = document.querySelector("article:not([hidden]) h2"), current = document.querySelector("[data-chapter][aria-current]").dataset.chapter;
          seen.push([to, e ? parseInt(e.textContent) : 0, Number(current), document.querySelector("#refusal").textContent]);
        }
      }
      return seen;
    }, moves);
    assert.equal(seen.length, 15 * 15);
    for (const [to, heading, current, refusal] of seen) assert.deepEqual([heading, current, refusal], [to, to, ""]);
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

  async "a class that the model does not know"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#12");
    await p.locator(".plane").first().focus();
    await p.keys("n", "0");
    assert.match(await p.status(), /^Stopped: point 1: bad label/);
    await p.keys("+");
    await p.press("Step");
    assert.match(await p.status(), /^Epoch 1/);
    await p.close();
    const link = await Page.open(browser, url, desktop, "#c=0&wide=1&model=0,0,0,1,0,0&p=1,1,1&p=0,0,0");
    assert.match(await link.status(), /^Stopped: point 2: bad label/);
    await link.close();
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
    await p.page.evaluate(() => { document.querySelector("#words").firstElementChild.remove(); document.querySelector("#panels")._$litPart$ = {_$AI() { throw new Error("drawing"); }}; });
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
      await p.move(2);
      await p.press("Step");
      assert.match(await p.status(), /^Epoch 1\. Point 1 \(\+\) was wrong/);
      await p.close();
    }
  },

  async "each move fits on one screen"(browser, url) {
    for (const viewport of [{width: 1440, height: 900}, {width: 1024, height: 768}]) {
      const p = await Page.open(browser, url, {...desktop, viewport}, "#1");
      for (const move of moves.slice(0, 14)) {
        await p.move(move);
        if (![1, 3].includes(move)) await click(p, "[data-do=step]");
        if (process.env.SHOTS) await p.page.screenshot({path: `${process.env.SHOTS}/${viewport.width}-${move}.png`});
        const boxes = await p.page.evaluate(() => [...document.querySelectorAll("article, .plane, .status, .proof, #room svg, #train button, #key, #next")].filter((e) => e.checkVisibility()).map((e) => [e.id || e.className.baseVal || e.className || e.tagName, e.getBoundingClientRect().toJSON()]));
        const where = `${viewport.width}, move ${move}`;
        for (const [name, b] of boxes) assert.ok(b.left >= 0 && b.top >= 0 && b.right <= viewport.width && b.bottom <= viewport.height, `${where}: ${name} ends at ${b.right}, ${b.bottom}`);
        assert.ok(boxes.filter(([name]) => name === "plane").every(([, b]) => b.width > 270), `${where}: the board is small`);
        const low = Math.max(...boxes.filter(([name]) => name === "plane" || name === "SVG" || name === "svg").map(([, b]) => b.bottom));
        assert.ok(boxes.filter(([name]) => name === "key" || name === "proof").every(([, b]) => b.top >= low - 1), `${where}: the figures end at ${low}`);
        const {height, inner} = await p.page.evaluate(() => ({height: document.documentElement.scrollHeight, inner: innerHeight}));
        assert.ok(height <= inner, `${where} scrolls`);
      }
      await p.close();
    }
    const small = await Page.open(browser, url, phone, "#6");
    await small.page.evaluate(() => scrollTo(0, 500));
    const box = await small.locator(".plane").boundingBox();
    assert.ok(box.y >= 0 && box.y < 60, `the board is at ${box.y}`);
    await small.close();
  },

  async "the proof in small moves"(browser, url) {
    const p = await Page.open(browser, url, desktop, "");
    assert.equal(await p.status(), "Your line has 8 of 10 points on the right side.");
    assert.equal(await p.count(".cross"), 2 + 1); // and in the key
    for (const [name, value] of [["w1", "0.5"], ["w2", "1.5"]]) await p.locator(`#room input[name=${name}]`).fill(value);
    assert.match(await p.status(), /^Your line has (9|all 10)/);
    for (const name of ["w1", "w2"]) await p.locator(`#room input[name=${name}]`).fill("0");
    assert.equal(await p.status(), "Both weights are 0, so there is no line: every point has the score 0."); // b comes later
    await p.follow("Next");
    for (let k = 1; k <= 7; k++) await p.press("Step");
    assert.equal(await p.count(".space .arrow"), 7 + 1); // and w
    await p.press("Step");
    assert.match(await p.status(), /^Converged.* 7 mistakes in \d epochs\.$/);
    assert.doesNotMatch(await p.text("#words"), /at most/); // that is the question
    assert.equal(await p.locator("[data-do=step]").getAttribute("aria-disabled"), "true");
    assert.equal(await p.count(".space .dome"), 0);
    await p.follow("Next");
    assert.equal(await p.count(".plane .radius"), 1);
    assert.match(await p.text("#room"), /Here γ = 0\.5, and R = 2\./);
    await p.locator("#guess").fill("30");
    await p.follow("Next");
    await p.press("Step");
    assert.match(await p.text(".proof"), /^⟨u, w⟩ grew by 0\.7\. It grows by at least γ = 0\.5\. $/);
    await p.move(5);
    assert.match(await p.text(".proof"), /‖w‖² grew by 2\.44\. It grows by at most R² = 4\. The angle to the old w is 99°/);
    assert.equal(await p.count(".space .half"), 1);
    await p.move(6);
    for (const [kind, words] of [[".g.small", "0 mistakes"], [".r.small", "0 mistakes"], [".strong.small", "k = 5"]]) assert.equal(await p.text(".space " + kind), words);
    await p.move(7);
    for (let i = 0; i < 3; i++) await p.press("Suppose one more");
    assert.match(await p.status(), /^Suppose that there were 10 mistakes/);
    await p.move(8);
    await p.press("Suppose one more");
    assert.match(await p.text(".proof"), /^One place is left/);
    await p.press("Suppose one more");
    assert.match(await p.text("#words"), /mistake 17 cannot happen: at most 16 mistakes\..*Your guess was 30\./s);
    assert.equal(await p.text("[data-do=step]"), "Suppose one more");
    assert.equal(await p.count(".space .meet"), 0);
    assert.equal(await p.locator("[data-do=step]").getAttribute("aria-disabled"), "true");
    await p.press("Undo");
    await p.move(9);
    await p.locator("#gamma").fill("0.25");
    assert.match(await p.text("#room .slide"), /at most 64 mistakes/);
    assert.equal(await p.count(".support"), 0);
    await p.locator("#gamma").fill("1");
    assert.match(await p.text("#room .slide"), /not with these points/);
    assert.match(await p.status(), /No u has this γ for these points: the largest is 0\.5\./);
    assert.equal(await p.count(".space .arrow"), 0);
    assert.equal(await p.count(".plane .near"), 5);
    await p.press("Back to the run");
    assert.equal(await p.count(".space .arrow"), 8);
    await p.move(10);
    assert.doesNotMatch(await p.text(".proof"), /\d\.\d{4}/); // few digits
    await p.move(11);
    await p.locator("#rate").fill("2");
    await p.press("Step");
    assert.equal(await p.text(".sum"), "w = (0, 0) + 2·1·(0.7, 0.6) = (1.4, 1.2)");
    await p.move(12);
    await p.run();
    assert.match(await p.text("figcaption >> nth=1"), /margin: .* % of γ/);
    await p.move(14);
    await p.run();
    assert.match(await p.status(0), /^Cycled/);
    assert.match(await p.status(1), /^Converged: the class of every point has the highest score. 10 mistakes in 3 epochs \(at most 123 possible\)/);
    await p.close();
  },

  async "the story by keyboard, and back"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (let i = 0; i < 40 && await p.page.evaluate(() => document.activeElement.id) !== "next"; i++) await p.keys("Tab");
    for (let move = 2; move <= 15; move++) {
      await p.keys("Enter");
      await p.page.waitForSelector(`[data-chapter="${move % 15}"][aria-current]`);
    }
    await p.page.goBack();
    await p.page.waitForSelector("[data-chapter='14'][aria-current]");
    await p.page.goBack();
    await p.page.waitForSelector("[data-chapter='13'][aria-current]");
    await p.page.goForward();
    await p.page.waitForSelector("[data-chapter='14'][aria-current]");
    await p.move(2);
    for (let i = 0; i < 40 && await p.page.evaluate(() => document.activeElement.dataset.do) !== "step"; i++) await p.keys("Tab");
    await p.keys("Enter", "Space");
    assert.match(await p.status(), /Point 6/);
    await p.close();
    for (const [hash, move] of [["#3", 3], ["#c=3", 3], ["#14", 14], ["", 1]]) {
      const q = await Page.open(browser, url, desktop, hash);
      assert.equal(await q.locator("[data-chapter][aria-current]").getAttribute("data-chapter"), String(move));
      assert.equal(await q.state(), String(move));
      await q.close();
    }
  },

  async "the legend has what the picture has"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    const pairs = {"line now": "line.new", "line before": "line.old", "last update": ".halo", "wrong now": ".point .cross", "contradicting point": ".point .ring", "line kept": "line.kept", "on the edge": ".point .support", "margin of the line": ".own:not([points=''])", R: ".plane circle.radius"};
    for (const move of moves) {
      await p.move(move);
      for (let i = 0; i < 3; i++) {
        const key = await p.page.locator("#key li").allTextContents();
        assert.equal(key.some((k) => /^nearer to|^between/.test(k)), await p.count("#boards .band:not([points=''])") > 0, `the band in move ${move}`);
        for (const [words, selector] of Object.entries(pairs)) {
          assert.equal(key.some((k) => k.startsWith(words)), await p.count("#boards " + selector) > 0, `${words} in move ${move}`);
        }
        await click(p, "[data-do=epoch]");
      }
    }
    await p.close();
  },

  async "a click on the empty board spoils no move, and undo leaves none"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (const move of moves.slice(0, 14)) {
      await p.move(move);
      assert.equal(await p.locator("[data-do=undo]").getAttribute("aria-disabled"), "true");
      const before = await p.points();
      await p.click(0.55, -0.85);
      await p.locator(".plane").first().focus();
      await p.keys("+", "Enter", "Control+z");
      assert.deepEqual(await p.points(), before, `move ${move}`);
      assert.equal(await p.count(`[data-chapter="${move}"][aria-current]`), 1);
    }
    await p.press("Step");
    await p.click(0, 0); // the middle point of the row
    assert.match(await p.text("#score"), /^Score: .* for 0/);
    await p.move(0);
    const before = await p.count(".board >> nth=0 >> .point");
    await p.click(0.55, -0.85);
    assert.equal(await p.count(".board >> nth=0 >> .point"), before + 1);
    await p.close();
  },

  async "an epoch without a mistake turns no line"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#2");
    for (let k = 1; k <= 7; k++) await p.press("Step");
    await p.page.waitForFunction(() => document.querySelector(".plane .added")); // the motion is over
    const seen = await p.page.evaluate(() => new Promise((done) => {
      const lines = new Set(), arrows = new Set(), places = new Set(), start = performance.now();
      const look = () => {
        lines.add(document.querySelector("line.new").getAttribute("y1"));
        arrows.add([...document.querySelectorAll(".space .arrow path")].map((e) => e.getAttribute("d")).join());
        const walker = document.querySelector(".walker");
        if (walker) places.add(walker.getAttribute("transform"));
        if (performance.now() - start > 2500) done([lines.size, arrows.size, places.size > 1]);
        else requestAnimationFrame(look);
      };
      document.querySelector("[data-do=step]").click();
      look();
    }));
    assert.match(await p.status(), /^Converged/);
    assert.deepEqual(seen, [1, 1, true]);
    await p.close();
  },

  async "a step walks to its point"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#4");
    const seen = p.page.evaluate(() => new Promise((done) => {
      const places = new Set(), lines = new Set(), start = performance.now();
      const look = () => {
        const walker = document.querySelector(".walker");
        if (walker) places.add(walker.getAttribute("transform"));
        lines.add(document.querySelector("line.new")?.getAttribute("y1"));
        if (performance.now() - start > 3000 || lines.size > 4 && !walker && places.size) done([places.size, lines.size]);
        else requestAnimationFrame(look);
      };
      look();
    }));
    await p.press("Step");
    const [places, lines] = await seen;
    assert.ok(places >= 2 && lines > 4, `${places} places, ${lines} lines`);
    assert.match(await p.status(), /Point 9 \(\+\)|Point \d+/);
    await p.close();
  },

  async "on a slow line, the first figure is there, and no button is"(browser, url) {
    const context = await browser.newContext(desktop), page = await context.newPage(), wrong = [];
    page.on("pageerror", (err) => wrong.push(String(err)));
    let go = null;
    const held = new Promise((done) => { go = done; });
    await page.route("**/playground.wasm.gz", async (route) => { await held; await route.continue(); });
    await page.goto(url);
    assert.equal(await page.locator(".point:visible").count(), 10);
    assert.match(await page.locator("article:visible").textContent(), /A line has two sides/);
    assert.equal(await page.locator("button:not([disabled]):visible, input:not([disabled]):visible").count(), 0);
    await page.mouse.click(300, 400);
    await page.locator("#next").click();
    await page.keyboard.press("Control+z");
    assert.equal(await page.locator("progress").count(), 1);
    go();
    await page.waitForSelector("main:not([aria-busy])");
    assert.equal(await page.locator("[data-chapter='2'][aria-current]").count(), 1);
    assert.equal(await page.locator("progress").count(), 0);
    assert.deepEqual(wrong, []);
    await context.close();
  },

  async "a print has two pages at most, and both pictures"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#6");
    for (const [move, most] of [[6, 2], [12, 2], [0, 2]]) {
      await p.move(move);
      const pages = String(await p.page.pdf({format: "A4"})).match(/\/Type\s*\/Page\b(?!s)/g).length;
      assert.ok(pages <= most, `${pages} pages for move ${move}`);
      await p.page.emulateMedia({media: "print"});
      assert.ok((await p.locator(".plane").first().boundingBox()).width > 200);
      if (move === 6) assert.ok((await p.locator(".space svg").boundingBox()).height > 200);
      await p.page.emulateMedia({media: "screen"});
    }
    await p.close();
  },
};
