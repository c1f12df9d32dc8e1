// The moves: what is on the screen before the program and without it, at five sizes, and
// whatever a reader does in them.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const {pathToFileURL} = require("node:url");
const {Page, names, desktop, sizes} = require("./page.js");

const last = 15, moves = Array.from({length: last + 1}, (_, i) => (i + 1) % (last + 1)); // 1 to 15, then the free play
const sets = ["wide", "narrow", "story", "xor", "overlap"];
const keys = ["ArrowLeft", "Shift+ArrowUp", "+", "-", "0", "n", "0", "+", "-", "ArrowDown", "Shift+ArrowRight", "Enter", "Escape", "Delete", "p", "Backspace", "N", "0", "Escape", "Enter", "Space", "Control+z", "Control+Shift+Z", "Control+y"];

// well checks that nothing failed so far, and that the words and the lists belong together.
async function well(p, where) {
  assert.deepEqual(p.wrong, [], where);
  const refusal = await p.text("#refusal");
  assert.ok(!/did not work|failed/.test(refusal), `${where}: ${refusal}`);
  assert.equal(await p.count("#parts [aria-current=true]"), 1, where);
}

// click presses a button that a move may hide.
const click = (p, selector) => p.page.evaluate((s) => document.querySelector(s).click(), selector);
const box = (p, selector) => p.locator(selector).first().evaluate((e) => { const {x, y, width, height} = e.getBoundingClientRect(); return [x, y, width, height].map(Math.round); });
const said = (p) => p.text("#said");

const tabsOf = (p) => p.locator("#parts a").evaluateAll((all) => all.map((e) => { const {x, y} = e.getBoundingClientRect(); return [x, y].map(Math.round); }));

// named returns the words in the figure right of the board and their boxes, and covered those
// that cover each other or leave the figure.
const named = (p) => p.page.evaluate(() => [...document.querySelectorAll("#room svg")].filter((e) => e.checkVisibility()).map((e) => [e, ...e.querySelectorAll("text")].map((t) => { const {left, top, right, bottom} = t.getBoundingClientRect(); return {words: t === e ? "" : t.textContent, left, top, right, bottom}; })));
async function covered(p) {
  const bad = [];
  for (const [figure, ...all] of await named(p)) {
    for (const [i, a] of all.entries()) {
      if (a.left < figure.left - 1 || a.right > figure.right + 1 || a.top < figure.top - 1 || a.bottom > figure.bottom + 1) bad.push(`${a.words} leaves the figure`);
      for (const b of all.slice(i + 1)) if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6.5) bad.push(`${a.words} and ${b.words} cover each other`);
    }
  }
  return bad;
}

// learn lets the opening's run end.
async function learn(p) {
  await p.press("Let it learn");
  await p.page.waitForFunction(() => /^It made \d+ mistakes?, then/.test(document.querySelector("#said").textContent.trim()));
}

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
      assert.equal(promise, ""); // the first screen asks, and answers nothing
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

  ...Object.fromEntries(Object.entries(sizes).map(([size, options]) => [`every move fits on one screen of ${size}`, async (browser, url) => {
    const p = await Page.open(browser, url, options, "#1"), {width, height} = options.viewport, places = {};
    for (const move of moves.slice(0, last)) {
      await p.move(move);
      if (move === 9) await p.locator("#guess").fill("10");
      const two = [12, 15].includes(move);
      for (let step = 0; step < (move === 9 ? 12 : 9); step++) {
        const theorem = width < 832 && await p.count("body.ended") > 0; // on a phone it stands below, and the page scrolls to it
        const boxes = await p.page.evaluate(() => [...document.querySelectorAll(".idea, .idea p, .try, .plane, #room svg, #room .slide, #room .sliders, #said p, [data-do=step], #next, #back, #guess")].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => [e.id || e.className.baseVal || e.className || e.tagName, e.getBoundingClientRect().toJSON()]));
        const where = `${size}, move ${move}, step ${step}`, bar = await p.page.evaluate(() => document.querySelector("#bar").getBoundingClientRect().top);
        for (const [name, b] of boxes) assert.ok(b.left >= -0.5 && b.top >= 0 && b.right <= width + 0.5 && b.bottom <= (["button main", "main", "next", "back", "button", "button off"].includes(name) ? height : bar + 0.5), `${where}: ${name} ends at ${b.right}, ${b.bottom} of ${bar}`);
        assert.ok(boxes.filter(([name]) => name === "plane").every(([, b]) => b.width >= 115), `${where}: the board is small`);
        const scrolls = await p.page.evaluate(() => [document.documentElement, ...document.querySelectorAll("#story, .idea, #said, main")].filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => `${e.id || e.tagName} ${e.scrollHeight} ${e.clientHeight}`));
        assert.deepEqual(scrolls.filter((s) => !theorem || !/^HTML/.test(s)), [], `${where} scrolls`);
        assert.equal(await p.count("#ending:visible"), move === 9 && step > 9 ? 1 : 0, where);
        const ended = await p.count("body.ended") > 0, stage = await p.locator("body").getAttribute("data-stage");
        for (const selector of ["#next", "[data-do=step]", "#parts", ...move > 1 && !two && !ended ? [".plane", "article:not([hidden]) h1"] : [], ...stage === "room" ? ["#room"] : []]) {
          const [x, y, w, h] = await box(p, selector), now = JSON.stringify(selector.startsWith("article") ? [x, y] : [x, y, w, h]);
          assert.equal(places[(selector === ".plane" ? stage : "") + selector] ??= now, now, `${where}: ${selector} moves`);
        }
        if (!two && width > 832) { // the stage is at one place in all moves
          const stageOf = JSON.stringify(await box(p, stage === "room" ? "#room" : ".plane"));
          assert.equal(places.stage ??= stageOf, stageOf, `${where}: the stage moves`);
        }
        if (stage === "room") { // the figure of the proof is the largest thing
          const [, , w, h] = await box(p, "#room"), plane = ended && width > 832 ? [0, 0, 0, 0] : await box(p, ".plane");
          assert.ok(w * h > 2 * plane[2] * plane[3], `${where}: the figure has ${w}×${h}, the board ${plane[2]}×${plane[3]}`);
        }
        assert.deepEqual(await covered(p), [], where);
        if (move === 9 && step > 9) assert.match((await named(p))[0].map((t) => t.words).join("|"), /floor kγ = 8\.5.*no room for w.*dome √k·R = 8\.25/, where);
        if (step === 0) {
          const small = await p.page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility({visibilityProperty: true}) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.closest(".hidden, option")).map((e) => [e.textContent.slice(0, 30), parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM && e instanceof SVGElement ? e.getScreenCTM().a : 1)]).filter(([, px]) => px < 10.99));
          assert.deepEqual(small, [], `${where}: small texts`);
          const targets = await p.page.evaluate(() => [...document.querySelectorAll("#bar button, #bar .button, #room input, #guess, nav a, .text")].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => [e.textContent || e.name, Math.min(e.getBoundingClientRect().height, e.matches("input") ? 99 : e.getBoundingClientRect().width), e.closest("nav, .text") ? 24 : 44]));
          for (const [name, px, least] of targets) assert.ok(px >= least - 0.5, `${where}: ${name} has ${px} pixels, want ${least}`);
          if (width < 400) assert.ok(await p.page.evaluate(() => document.querySelector(".touch").getBoundingClientRect().width) >= 43.5, `${where}: the points are small for a finger`);
        }
        if ([1, 2, 4, 13].includes(move)) break;
        await click(p, two ? "[data-do=epoch]" : "[data-do=step]");
      }
    }
    const tabs = await tabsOf(p);
    await p.move(0);
    assert.deepEqual(await tabsOf(p), tabs, `${size}: the tabs move`);
    await p.move(1);
    assert.deepEqual(await tabsOf(p), tabs, `${size}: the tabs move`);
    await learn(p);
    const promise = await box(p, "#said"), bar = await box(p, "#bar");
    assert.ok(promise[1] + promise[3] <= bar[1], `the record ends at ${promise[1] + promise[3]}`);
    await p.close();
  }])),

  async "the opening: ask, learn, drag, record, undo, link"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, permissions: ["clipboard-read", "clipboard-write"]}, ""), answers = "circle.radius, .plane .along, .plane .support, .plane .weights, .race svg, .band:not([points='']), line.wide";
    assert.equal(await p.page.title(), "Make it fail · Perceptron");
    assert.equal((await said(p)).trim(), "");
    assert.deepEqual([await p.count(answers), await p.count("line.new"), await p.count(".cross"), await p.count("#bar :is(button, .button):visible")], [0, 1, 3, 1]);
    await learn(p);
    assert.match(await said(p), /It made 14 mistakes, then no more\. The promise was: at most 30\.\s*No order of these points makes more than 14: the promise is for all points with the same R and γ\.\s*Can you make it err more often, or for ever\?/);
    assert.ok(await p.count(answers) > 8, `${await p.count(answers)} answers`);
    assert.equal(await p.count(".race .dot"), 14);
    const seen = new Set();
    await p.page.mouse.move(...await p.at(-1.375 / 2.25, -1.375 / 2.25));
    await p.page.mouse.down();
    for (const to of [[0.2, -0.3], [0.6, 0.3], [0.7, 0.4]]) {
      await p.page.mouse.move(...await p.at(...to));
      seen.add((await said(p)).match(/The promise: at most (\d+) mistakes\./)[1]);
      assert.match(await said(p), /\(R\/γ\)² ≈ \(2\.02\/0\.\d{1,4}\)² ≈ \d+/); // three digits, and no false =
      assert.equal(await p.count(".race .dot"), 1);
    }
    await p.page.mouse.up();
    assert.equal(seen.size, 3, [...seen].join()); // it changes while the point moves
    await learn(p);
    const [, k, most] = (await said(p)).match(/It made (\d+) mistakes, then no more\. The promise was: at most (\d+)/).map(Number);
    assert.ok(k > 14 && k <= most && k / most < 14 / 30, `${k} of ${most}`); // more mistakes are the record, even if they are a smaller share
    assert.match(await said(p), /Your record!/);
    await p.press("Copy a link");
    await p.page.waitForFunction(() => /copied/.test(document.querySelector("#note").textContent));
    const link = await p.page.evaluate(() => navigator.clipboard.readText());
    assert.doesNotMatch(link, /\.\d{5}/); // coordinates are short
    await p.press("Start again");
    assert.match(await said(p), new RegExp(`The promise: at most 30 mistakes.*Your record: ${k} mistakes`, "s"));
    await learn(p);
    assert.match(await said(p), new RegExp(`It made 14 mistakes.*Your record: ${k} mistakes`, "s"));
    await p.follow(`Your record: ${k} mistakes`);
    await p.page.waitForFunction((k) => document.querySelector("#said").textContent.includes(`It made ${k} `), k);
    await p.state();
    await p.page.reload();
    await p.ready();
    assert.match(await said(p), new RegExp(`It made ${k} mistakes`));
    const other = await Page.open(browser, url, desktop, new URL(link).hash);
    assert.match(await said(other), new RegExp(`It made ${k} mistakes, then no more\\. The promise was: at most ${most}`));
    assert.equal(await other.count(".race .dot"), k);
    await other.locator("#next").click();
    await other.arrived(2);
    await other.close();
    await p.close();
  },

  async "one point is no record for ever"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#c=1&wide=1&model=0,0,0,1,0,1&origin=1&p=1,1,1");
    await learn(p);
    assert.match(await said(p), /It made 1 mistake, then no more\. The promise was: at most 1\./);
    assert.doesNotMatch(await said(p), /%/);
    await p.press("Start again");
    await learn(p);
    assert.match(await said(p), /It made 14 mistakes.*Your record!/);
    await p.close();
  },

  async "a win: the cycle, its period, no floor, and the points that contradict each other"(browser, url) {
    for (const options of [desktop, sizes["390×664"]]) {
      const p = await Page.open(browser, url, options, "#1"), win = () => p.page.waitForFunction(() => /You won/.test(document.querySelector("#said").textContent));
      await p.drag([0.375 / 2.25, -0.5 / 2.25], [0.3, 0.5]);
      await p.press("Let it learn");
      await win();
      assert.match(await said(p), /^\s*You won: it never stops\. Mistake 195 brings w back to where it was 57 mistakes before\. So it goes round for ever\.\s+Points 5\s\(−\), 6\s\(\+\) and 10\s\(−\) contradict each other: no line through the centre has them all right\./);
      assert.match(await p.text(".race svg"), /no floor/);
      assert.equal(await p.count(".race .floor"), 0);
      assert.equal((await p.locator(".loop path").first().getAttribute("d")).split("L").length, 58); // 57 mistakes, and the way is closed
      assert.match(await p.locator(".loop path").first().getAttribute("d"), /^M(\S+ \S+)L.*L\1$/);
      assert.deepEqual(await p.locator(".point text").allTextContents(), ["5", "6", "10"]);
      assert.equal(await p.count(".point .ring"), 3);
      await p.press("Undo"); // the run
      await p.press("Undo"); // the drag
      await p.drag([0.375 / 2.25, -0.5 / 2.25], [-1.25 / 2.25, -0.125 / 2.25]); // onto a +
      const [a, b] = await p.locator(".point .body").evaluateAll((all) => [all[3], all[4]].map((e) => e.getBoundingClientRect().toJSON()));
      assert.ok(Math.abs(a.x + a.width / 2 - b.x - b.width / 2) >= 0.7 * a.width, `one point covers the other: ${a.x}, ${b.x}`);
      await p.press("Let it learn");
      await win();
      assert.match(await said(p), /Points 4\s\(\+\) and 5\s\(−\) contradict each other: no line through the centre has both right\./);
      await p.page.locator("#next").click();
      await p.arrived(2);
      await p.close();
    }
  },

  async "the mouse and the finger add, turn and delete points in the opening"(browser, url) {
    for (const options of [desktop, sizes["390×664"]]) {
      const p = await Page.open(browser, url, options, "#1");
      const tap = async (x, y) => options === desktop ? p.click(x, y) : p.page.touchscreen.tap(...await p.at(x, y));
      await tap(0.5, -0.75); // an empty place
      assert.equal((await p.points())[10], "point 11, class +, at 1.125, −1.6875");
      await p.press("Make it −");
      assert.equal((await p.points())[10], "point 11, class −, at 1.125, −1.6875");
      assert.equal(await p.text("#turn"), "Make it +");
      await p.press("Close the editor");
      await tap(0.25 / 2.25, 1.5 / 2.25); // a point
      await tap(-0.8, -0.4); // beside the editor: it closes, and nothing else
      assert.deepEqual([(await p.points()).length, await p.count("#editor:visible")], [11, 0]);
      await tap(0.25 / 2.25, 1.5 / 2.25);
      await p.press("Delete");
      assert.deepEqual([(await p.points()).length, await p.count("#editor:visible")], [10, 0]);
      await p.press("Undo");
      assert.equal((await p.points())[6], "point 7, class +, at 0.25, 1.5");
      assert.doesNotMatch(await p.state(), /\.\d{5}/);
      await p.close();
    }
  },

  async "a line in the hand: drag the tip of w"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#2");
    assert.equal(await p.status(), "Your line has 8 of 10 points on the right side.");
    const away = await p.locator(".point .cross").evaluateAll((all) => all.map((e) => { const [a, b] = [e, e.closest(".point").querySelector(".body")].map((e) => e.getBoundingClientRect()); return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2) < 1; }));
    assert.deepEqual(away, [true, true]); // the × is on its point
    await p.drag([1 / 2.25, 0.5 / 2.25], [0.1, 0.8]);
    assert.equal(await p.status(), "Your line has all 10 points on the right side.");
    const line = () => p.locator("line.new").first().evaluate((e) => Math.atan2(e.y2.baseVal.value - e.y1.baseVal.value, e.x2.baseVal.value - e.x1.baseVal.value));
    const before = await line();
    await p.drag([0.2 / 2.25, 1.8 / 2.25], [0.05, 0.4]);
    assert.ok(Math.abs(await line() - before) < 0.05); // shorter, and the line stays
    await p.press("Undo");
    await p.press("Undo");
    assert.equal(await p.status(), "Your line has 8 of 10 points on the right side.");
    for (const name of ["w1", "w2"]) await p.locator(`#room input[name=${name}]`).fill("0");
    assert.equal(await p.status(), "Both weights are 0, so there is no line: every point has the score 0.");
    await p.close();
  },

  async "the proof, with the number at the end"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#3");
    assert.match(await p.text("article:not([hidden])"), /Once round all points is an epoch\./); // the status counts them
    for (let k = 1; k <= 7; k++) await p.press("Step");
    assert.equal(await p.count("#room .space .arrow"), 7 + 1); // and w
    await p.press("Step");
    assert.match(await p.status(), /^Converged.* 7 mistakes in \d epochs\.$/);
    assert.equal(await p.count("#room .space .dome, #room .space .floor"), 0);
    await p.follow("Next");
    await p.arrived(4);
    assert.equal(await p.status(), "γ = 0.5 and R = 2.");
    assert.equal(await p.count("#room .space .arrow"), 10 + 1); // and u
    await p.move(5);
    await p.press("Step");
    assert.match(await p.text(".proof"), /^⟨u, w⟩ grew by 0\.7\. It grows by at least γ = 0\.5\. $/);
    assert.equal(await p.count("#room .space .dome"), 0);
    await p.move(6);
    assert.match(await p.text(".proof"), /‖w‖² grew by 2\.44\. It grows by at most R² = 4\. The angle to the old w is 99°/);
    assert.equal(await p.count("#room .space .half"), 1);
    await p.move(7);
    assert.equal(await p.count("#room .space .dome:not(.thin)"), 1);
    assert.equal(await p.count("#room .space .floor"), 0);
    for (let k = 4; k <= 7; k++) {
      assert.deepEqual(await p.locator("#room .small.r").allTextContents().then((all) => all.filter((t) => /\D/.test(t))), [k + " mistakes"]);
      const [u, dome] = await Promise.all(["u", "dome"].map((name) => p.page.evaluate((name) => { const {top, bottom} = [...document.querySelectorAll("#room text.strong")].find((e) => e.textContent.startsWith(name)).getBoundingClientRect(); return {top, bottom}; }, name)));
      assert.ok(u.bottom <= dome.top + 4 || dome.bottom <= u.top + 4, `the dome's name covers u at ${k}`);
      if (k < 7) await p.press("Step");
    }
    for (let k = 7; k > 4; k--) await p.press("Undo");
    await p.move(8);
    assert.deepEqual(await p.locator("#room .small.g").allTextContents(), ["4 mistakes", "3", "2", "1", "0"]);
    assert.equal(await p.text(".caught"), "kγ = 2 ≤ ⟨u, w⟩ = 2.5 ≤ ‖w‖ = 2.69 ≤ √k·R = 4");
    await p.move(9);
    await p.locator("#guess").fill("30");
    const number = () => p.page.evaluate(() => /\b1[67]\b/.test(document.querySelector("main").innerText.replace(/\n\d+(?=\n)/g, "")));
    for (let k = 8; k <= 15; k++) {
      assert.equal(await number(), false, `the number is given away at ${k}`);
      await p.press("One more");
      assert.match(await p.status(), new RegExp(`^Suppose ${k} mistakes`));
    }
    await p.press("One more");
    assert.match(await p.text(".proof"), /^One place is left/);
    assert.deepEqual([await p.count("#room .between"), await p.count("#room .thin"), await p.text("#worth")], [0, 0, ""]); // no room, no old lines
    await p.press("One more");
    assert.match(await said(p), /At most 16 mistakes\..*At 17 the floor \(8\.5\) is above the dome \(8\.25\).*This run made 7; no order of these points makes more\. The promise is for all points with this γ and R\./s);
    assert.match(await p.text("#ending"), /kγ = √k·R: after k = \(R\/γ\)².*Theorem.*These points: \(2\/0\.5\)² = 16, so at most 16/s);
    assert.ok(await p.page.evaluate(() => { // also numbers that are longer than those of this move
      const e = document.querySelector("#numbers"), own = e.textContent;
      e.textContent = "(11.2345/2.04567)² = 30.16, so at most 30";
      const fits = [...e.getClientRects()].every((r) => r.right <= e.closest(".theorem").getBoundingClientRect().right);
      e.textContent = own;
      return fits;
    }), "the theorem's numbers are cut off");
    assert.equal(await p.text("#worth"), "14 too many.");
    assert.ok(await p.locator(".promise .big").evaluate((e) => parseFloat(getComputedStyle(e).fontSize)) > 32);
    const inGap = await p.page.evaluate(() => {
      const all = [...document.querySelectorAll("#room text")], words = all.find((e) => e.textContent === "no room for w").getBBox(), floor = document.querySelector("#room .floor:not(.thin)").getBBox().y, {cx, cy, r} = document.querySelector("#room .dome:not(.thin)");
      const x = words.x + words.width / 2 - cx.baseVal.value, y = words.y + words.height / 2;
      return floor < y && y < cy.baseVal.value - Math.sqrt(r.baseVal.value ** 2 - x ** 2);
    });
    assert.ok(inGap, "the words are not between the floor and the dome");
    assert.equal(await p.locator("[data-do=step]").getAttribute("aria-disabled"), "true");
    for (const [guess, worth] of [["16", "Right: the promise!"], ["7", "Right for these points!"], ["9", "No order makes so many."], ["5", "2 too few."], ["", ""]]) {
      await p.locator("#guess").fill(guess);
      assert.equal(await p.text("#worth"), worth);
    }
    await p.close();
  },

  async "going further"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#10");
    await p.locator("#gamma").fill("0.25");
    assert.match(await p.text("#room .slide"), /at most 64 mistakes/);
    await p.locator("#gamma").fill("1");
    assert.match(await p.text("#room .slide"), /not with these points/);
    assert.match(await p.status(), /No u has this γ for these points: the largest is 0\.5\./);
    assert.equal(await p.count(".plane .near"), 5);
    await p.page.getByRole("button", {name: "Reset γ", exact: true}).click();
    assert.equal(await p.count("#room .space .arrow"), 8);
    await p.move(11);
    assert.doesNotMatch(await p.text(".proof"), /\d\.\d{4}/); // few digits
    await p.move(12);
    await p.run();
    assert.match(await p.text("figcaption >> nth=1"), /margin: .* % of γ/);
    await p.move(13);
    assert.equal(await p.status(), "Proved: no line separates the points.");
    assert.equal(await p.count("#room .arrow"), 4);
    await p.drag([-1.5 / 2.2, 0.5 / 2.2], [0, -0.9]);
    assert.match(await p.status(), /^Separable: a line has/);
    assert.equal(await p.count("#room .arrow"), 0);
    assert.match(await p.text("#room"), /The chain is open: a line separates/);
    await p.move(14);
    for (let k = 1; k <= 9; k++) await p.press("Step");
    assert.match(await p.status(), /^Cycled/);
    assert.equal(await p.count("#room .arrow"), 9);
    await p.move(15);
    await click(p, "[data-do=epoch]");
    await click(p, "[data-do=epoch]");
    assert.equal(await p.count("line.kept"), 2);
    await p.close();
  },

  async "a drag keeps its point, and the figure its place"(browser, url) {
    for (const options of [desktop, sizes["390×664"]]) {
      const p = await Page.open(browser, url, options, "#5");
      for (const move of [4, 5, 6, 7, 8, 9]) {
        await p.move(move);
        const plane = await box(p, ".plane"), room = await box(p, "#room"), i = 6, far = [1.9 / 2.25, -0.5 / 2.25];
        await p.page.mouse.move(...await p.at(...far));
        await p.page.mouse.down();
        for (const y of [-0.1, 0, 0.1, 0.18, 0.21]) {
          await p.page.mouse.move(...await p.at(far[0], y));
          assert.deepEqual([await box(p, ".plane"), await box(p, "#room")], [plane, room], `move ${move} at ${y}`);
          const [x, z] = await p.locator(".point").nth(i).evaluate((e) => { const {e: x, f: y} = e.transform.baseVal.consolidate().matrix; return [x / 100, -y / 100]; });
          assert.ok(Math.hypot(x - far[0], z - y) < 0.025, `move ${move}: the point is at ${x}, ${z}, the pointer at ${far[0]}, ${y}`);
          const words = await p.page.locator("main").innerText();
          assert.doesNotMatch(words, /at most 16|\b0\.5 and R/);
          if (y === 0.21) assert.match(await p.text("#room"), /the promise is at most \d+ mistakes: too many floors|no margin γ/, `move ${move} at ${y}`);
        }
        await p.page.mouse.up();
        await p.press("Undo");
        assert.deepEqual(await box(p, ".plane"), plane);
        assert.equal(await p.count("#room svg"), 1);
      }
      await p.close();
    }
  },

  async "what a sentence names lights up"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#8");
    const wide = (selector) => p.locator(selector).first().evaluate((e) => parseFloat(getComputedStyle(e).strokeWidth));
    for (const [light, selector] of [["floor", "#room .space .floor:not(.thin)"], ["dome", "#room .space .dome:not(.thin)"], ["w", ".plane .weights"]]) {
      await p.page.mouse.move(2, 2);
      const before = await wide(selector);
      await p.locator(`article:not([hidden]) [data-light=${light}]`).first().hover();
      assert.ok(await wide(selector) > before, light);
    }
    await p.close();
  },

  async "a new move has the title, the focus and the top of the page"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    await learn(p); // then there is a way on
    for (let move = 2; move <= last; move++) {
      await p.locator("#next").click();
      await p.arrived(move);
      const [title, heading, top] = await p.page.evaluate(() => [document.title, document.activeElement.textContent, scrollY]);
      assert.equal(title, heading + " · Perceptron");
      assert.equal(top, 0);
      assert.equal(await p.count("#moves [aria-current=step]"), 1);
      assert.match(await p.text("#parts [aria-current]"), move < 10 ? /The proof/ : /Going further/);
    }
    await p.locator("#next").click();
    await p.arrived(0);
    assert.equal(await p.page.title(), "Free play · Perceptron");
    await p.page.goBack();
    await p.arrived(last);
    await p.page.goBack();
    await p.arrived(last - 1);
    await p.page.goForward();
    await p.arrived(last);
    await p.press("Step");
    await p.page.evaluate(() => { // a state that is written late does not undo a link
      location.hash = "#5";
      dispatchEvent(new Event("pagehide"));
    });
    await p.arrived(5);
    await p.move(3);
    for (let i = 0; i < 40 && await p.page.evaluate(() => document.activeElement.dataset.do) !== "step"; i++) await p.keys("Tab");
    await p.keys("Enter", "Space");
    assert.match(await p.status(), /Point 6/);
    await p.close();
    for (const [hash, move] of [["#4", 4], ["#c=4", 4], ["#15", 15], ["", 1], ["#16", 1]]) {
      const q = await Page.open(browser, url, desktop, hash);
      assert.equal(await q.locator("body").getAttribute("data-move"), names[move]);
      if (hash === "#16") assert.equal(await q.text("#refusal"), "the link is damaged: there is no move 16");
      else assert.equal(await q.state(), String(move));
      await q.close();
    }
  },

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

  async "the legend has what the picture has"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#2");
    const pairs = {"line now": "line.new", "line before": "line.old", "last update": ".halo", "wrong now": ".point .cross", "contradicting point": ".point .ring", "line kept": "line.kept", "on the edge": ".point .support", "margin of the line": ".own:not([points=''])", R: ".plane circle.radius"};
    for (const move of moves.slice(1)) {
      await p.move(move);
      for (let i = 0; i < 3; i++) {
        const bad = await p.page.evaluate((pairs) => {
          const key = [...document.querySelectorAll("#key li")].map((e) => e.textContent.trim());
          return Object.entries(pairs).filter(([words, selector]) => key.some((k) => k.startsWith(words)) !== (document.querySelector("#boards " + selector.replaceAll(", ", ", #boards ")) !== null)).map(([words]) => words);
        }, pairs);
        assert.deepEqual(bad, [], `move ${move}`);
        await click(p, "[data-do=epoch]");
      }
    }
    await p.close();
  },

  async "a click spoils no move, and undo leaves none"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (const move of moves.slice(1, last)) { // the opening has clicks that add points
      await p.move(move);
      assert.equal(await p.locator("[data-do=undo]").getAttribute("aria-disabled"), "true");
      const before = await p.points();
      await p.click(0.55, -0.85);
      await p.locator(".plane").first().focus();
      await p.keys("+", "n", "Enter", "Control+z");
      assert.deepEqual(await p.points(), before, `move ${move}`);
      assert.equal(await p.locator("#editor:visible").count(), 0, `move ${move}`);
      assert.equal(await p.locator("body").getAttribute("data-move"), names[move]);
    }
    await p.close();
  },

  async "a step walks to its point, and an epoch without a mistake turns no line"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#3");
    // A step records every place of the walker and every line until its motion ends.
    const step = () => p.page.evaluate(() => new Promise((done) => {
      const lines = new Set(), places = new Set(), arrows = new Set();
      let walked = false;
      const look = () => {
        const walker = document.querySelector(".walker");
        if (walker) places.add(walker.getAttribute("transform"));
        walked ||= walker !== null;
        lines.add(document.querySelector("line.new")?.getAttribute("y1"));
        arrows.add([...document.querySelectorAll("#room .space .arrow path")].map((e) => e.getAttribute("d")).join());
        if (walked && !walker && document.querySelector(".plane .added")) done([places.size, lines.size, arrows.size]);
        else requestAnimationFrame(look);
      };
      document.querySelector("[data-do=step]").click();
      look();
    }));
    let most = 0;
    for (let k = 1; k <= 7; k++) {
      const [places, lines] = await step();
      if (k > 1) assert.ok(lines >= 2, `step ${k}: ${lines} lines`);
      most = Math.max(most, places);
    }
    assert.ok(most >= 2, `${most} places`);
    const [places, lines, arrows] = await step();
    assert.match(await p.status(), /^Converged/);
    assert.deepEqual([places > 1, lines, arrows], [true, 1, 1]);
    await p.close();
  },

  async "a print has words and figures on one page"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#6");
    for (const [move, most] of [[1, 1], [2, 1], [6, 1], [9, 1], [12, 1], [0, 2]]) {
      await p.move(move);
      const pages = String(await p.page.pdf({format: "A4"})).match(/\/Type\s*\/Page\b(?!s)/g).length;
      assert.ok(pages <= most, `${pages} pages for move ${move}`);
      await p.page.emulateMedia({media: "print"});
      assert.ok((await p.locator(".plane").first().boundingBox()).width > 200);
      if (move > 0) assert.ok(await p.locator("article:visible").count() === 1, `move ${move}`);
      await p.page.emulateMedia({media: null});
    }
    await p.close();
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
