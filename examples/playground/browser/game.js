// The opening as a game: the question, the run, the record, and the win.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, sizes, said, learn} = require("./page.js");

module.exports = {
  async "the opening: ask, learn, drag, record, undo, link"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, permissions: ["clipboard-read", "clipboard-write"]}, ""), answers = "circle.radius, .plane .along, .plane .support, .plane .weights, #room svg, .band:not([points='']), line.wide";
    assert.equal(await p.page.title(), "Make it fail · Perceptron");
    assert.match(await said(p), /^Make it go on for ever/);
    assert.deepEqual([await p.count(answers), await p.count("line.new"), await p.count(".cross"), await p.count("#bar :is(button, .button):visible")], [0, 1, 3, 1]);
    await learn(p);
    assert.match(await said(p), /It made 14 mistakes, then no more\. A theorem promises: at most 30\.\s*Can you make it err more often, or for ever\?/);
    assert.ok(await p.count(answers) > 6, `${await p.count(answers)} answers`);
    assert.equal(await p.count(".race .dot"), 14);
    const seen = new Set();
    await p.page.mouse.move(...await p.at(-1.375 / 2.25, -1.375 / 2.25));
    await p.page.mouse.down();
    for (const to of [[0.2, -0.3], [0.6, 0.3], [0.7, 0.4]]) {
      await p.page.mouse.move(...await p.at(...to));
      seen.add((await said(p)).match(/A theorem promises: at most (\d+) mistakes\./)[1]);
      assert.match(await said(p), /\(R\/γ\)² ≈ \(2\.02\/0\.\d{1,4}\)² ≈ \d+/); // three digits, and no false =
      assert.equal(await p.count(".race .dot"), 1);
    }
    await p.page.mouse.up();
    assert.equal(seen.size, 3, [...seen].join()); // it changes while the point moves
    await learn(p);
    const [, k, most] = (await said(p)).match(/It made (\d+) mistakes, then no more\. A theorem promises: at most (\d+)/).map(Number);
    assert.ok(k > 14 && k <= most && k / most < 14 / 30, `${k} of ${most}`); // more mistakes are the record, even if they are a smaller share
    assert.match(await said(p), /Your record!/);
    await p.press("Copy a link to this");
    await p.page.waitForFunction(() => /copied/.test(document.querySelector("#note").textContent));
    const link = await p.page.evaluate(() => navigator.clipboard.readText());
    assert.doesNotMatch(link, /\.\d{5}/); // coordinates are short
    assert.match(await p.text("[data-do=step]"), /^Again$/);
    await p.press("First points");
    assert.match(await said(p), new RegExp(`A theorem promises: at most 30 mistakes.*Your record: ${k} mistakes`, "s"));
    await learn(p);
    assert.match(await said(p), new RegExp(`It made 14 mistakes.*Your record: ${k} mistakes`, "s"));
    await p.follow(`Your record: ${k} mistakes`);
    await p.page.waitForFunction((k) => document.querySelector("#said").textContent.includes(`It made ${k} `), k);
    await p.state();
    await p.page.reload();
    await p.ready();
    assert.match(await said(p), new RegExp(`It made ${k} mistakes`));
    const other = await Page.open(browser, url, desktop, new URL(link).hash);
    assert.match(await said(other), new RegExp(`It made ${k} mistakes, then no more\\. A theorem promises: at most ${most}`));
    assert.equal(await other.count(".race .dot"), k);
    await other.locator("#next").click();
    await other.arrived(2);
    await other.close();
    await p.close();
  },

  async "nothing moves from the first byte to the end of a run"(browser, url) {
    for (const viewport of [{width: 1280, height: 800}, {width: 375, height: 667}, {width: 320, height: 568}, {width: 667, height: 375}]) {
      const context = await browser.newContext({...desktop, viewport}), page = await context.newPage();
      await page.addInitScript(() => {
        globalThis.shifts = []; // of elements; a number that becomes longer moves the words after it
        new PerformanceObserver((list) => { for (const e of list.getEntries()) for (const {node} of e.sources) if (node?.nodeType === 1) globalThis.shifts.push(`${e.value} ${node.outerHTML.slice(0, 80)}`); }).observe({type: "layout-shift", buffered: true});
      });
      await page.goto(url);
      await page.waitForSelector("#loading", {state: "detached"});
      await page.evaluate(() => document.querySelector("[data-do=step]").click());
      await page.waitForFunction(() => /It made 14/.test(document.querySelector("#said").textContent));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      assert.deepEqual(await page.evaluate(() => globalThis.shifts), [], `${viewport.width}×${viewport.height}`);
      await context.close();
    }
  },

  async "one point is no record for ever"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#c=1&wide=1&model=0,0,0,1,0,1&origin=1&p=1,1,1");
    await learn(p);
    assert.match(await said(p), /It made 1 mistake, then no more\. A theorem promises: at most 1\./);
    assert.doesNotMatch(await said(p), /%/);
    await p.press("First points");
    await learn(p);
    assert.match(await said(p), /It made 14 mistakes.*Your record!/);
    await p.close();
  },

  async "a win: the cycle, its period, no floor, and the points that contradict each other"(browser, url) {
    for (const options of [desktop, sizes["390×664"], sizes["390×844"]]) {
      const p = await Page.open(browser, url, options, "#1"), win = () => p.page.waitForFunction(() => /You won.*goes round for ever/s.test(document.querySelector("#said").textContent));
      await p.drag([0.375 / 2.25, -0.5 / 2.25], [0.3, 0.5]);
      await p.press("Let it learn");
      await win();
      assert.match(await said(p), /^\s*You won: it never stops\. Mistake 195 brings the arrow w back to where it was 57 mistakes before\. So it goes round for ever\.\s+Points 5\s\(−\), 6\s\(\+\) and 10\s\(−\) contradict each other: no line through the centre has them all right\./);
      assert.ok(await p.locator("#said").evaluate((e) => e.scrollHeight <= e.clientHeight + 1), "the words of the win are cut off");
      assert.match(await p.text("#room svg"), /no lower limit/);
      assert.equal(await p.count("#room .floor"), 0);
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

  async "a win is told at once, and stays: no round has to close"(browser, url) {
    const step = (p) => p.page.evaluate(async () => (await import("./app.js")).ask({do: "step", times: 1, gesture: "run"})); // as Run does, but it waits
    for (const options of [desktop, sizes["390×664"], sizes["390×844"]]) {
      const p = await Page.open(browser, url, options, "#1");
      await p.drag([0.375 / 2.25, -0.5 / 2.25], [0.3, 0.5]);
      assert.equal(await p.count("body.won"), 0);
      for (let k = 2; k < 5; k++) {
        await step(p);
        assert.match(await said(p), new RegExp(`^\\s*You won: it never stops\\. No line separates these points\\. Mistake ${k}, and no end\\.\\s+Points 5`));
        assert.equal(await p.count("body.won #next:visible"), 1);
        assert.ok(await p.locator("#said").evaluate((e) => e.scrollHeight <= e.clientHeight + 1), "the words of the win are cut off");
      }
      const points = await p.points();
      await p.press("First points");
      await p.state();
      await p.page.reload();
      await p.ready();
      await p.frames();
      assert.match(await said(p), /You won: your record has no end/);
      assert.ok(await p.locator("#said").evaluate((e) => e.scrollHeight <= e.clientHeight + 1), "the record is cut off");
      await p.follow("You won: your record has no end");
      await p.page.waitForFunction(() => /^\s*You won: it never stops/.test(document.querySelector("#said").textContent));
      assert.deepEqual(await p.points(), points);
      await p.page.locator("#next").click();
      await p.arrived(2);
      await p.page.locator("#parts a").first().click();
      await p.arrived(1);
      assert.match(await said(p), /You won: your record has no end/);
      await p.drag([0.375 / 2.25, -0.5 / 2.25], [0.3, 0.5]);
      assert.match(await said(p), /^\s*Now no line through the centre separates the points, so it will never stop\. Let it learn, and see\./);
      await p.close();
    }
  },

  async "the end of the proof has the reader's own points, or those of the win"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    const end = async () => {
      await p.move(9);
      for (let i = 0; i < 10; i++) await p.press("One more");
    };
    await learn(p);
    await end();
    assert.match(await p.text("#ending"), /The first points: \(2\.02\/0\.364\)² ≈ 30\.7, so at most 30.*Then try again to make it fail\./s);
    await p.follow("the first points");
    await p.page.waitForFunction(() => /So it must stop: at most 30 mistakes\./.test(document.querySelector("#said").textContent));
    assert.match((await p.locator("#room text").allTextContents()).join(), /no room for w/);
    await p.move(1);
    await p.drag([0.375 / 2.25, -0.5 / 2.25], [-1.25 / 2.25, -0.125 / 2.25]); // onto a +: no line
    await p.press("Let it learn");
    await p.page.waitForFunction(() => /You won.*for ever/s.test(document.querySelector("#said").textContent));
    assert.equal(await p.count("#said [data-copy]:visible"), 1);
    const won = await p.state();
    await p.locator("#next").click();
    await p.arrived(2);
    assert.equal(await p.locator("#back").getAttribute("href"), "#" + won);
    await end();
    await p.follow("the points with which you won");
    await p.page.waitForFunction(() => /You won/.test(document.querySelector("#said").textContent));
    assert.equal(await p.state(), won);
    await p.close();
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
      await tap(0.25 / 2.25, 1.5 / 2.25);
      await p.press("First points"); // the editor would be at another point
      assert.equal(await p.count("#editor:visible"), 0);
      await p.close();
    }
  },
};
