// Points: clicks in every state, drags, the editor and the keyboard.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, dark, phone} = require("./page.js");

// spots are empty places of the set "overlap", in views from the middle.
const spots = [[-0.9, -0.9], [0.9, 0.9], [-0.85, -0.5], [0.85, 0.6], [-0.3, -0.85], [0.45, 0.85], [-0.9, -0.2], [0.9, -0.35], [-0.55, -0.9], [0.92, 0.05]];

const states = {
  "nothing learned": async () => {},
  "two steps": async (p) => { await p.press("Step"); await p.press("Step"); },
  "an epoch": async (p) => { await p.press("Epoch"); },
  "the end": async (p) => { await p.run(); },
  "a run": async (p) => { await p.page.locator("#speed").fill("2"); await p.press("Run"); },
  "a fast run": async (p) => { await p.page.locator("#speed").fill("3"); await p.press("Run"); },
  "a chosen point": async (p) => { await p.click(-0.6, 0.2); },
  "the keyboard on the board": async (p) => { await p.locator(".plane").first().focus(); await p.keys("n", "n"); },
  "two boards": async (p) => { await p.locator("#compare").check(); await p.press("Step"); },
  "convergence": async (p) => { await p.press("Wide margin"); await p.run(); },
};

module.exports = {
  async "no click is lost in any state"(browser, url) {
    for (const [name, reach] of Object.entries(states)) {
      const p = await Page.open(browser, url);
      await p.press("Overlap");
      await reach(p);
      for (const [i, [x, y]] of spots.slice(0, 5).entries()) {
        const before = await p.count(".board >> nth=0 >> .point");
        await p.click(x, y);
        assert.equal(await p.count(".board >> nth=0 >> .point"), before + 1, `click ${i + 1} after ${name}`);
      }
      await p.close();
    }
  },

  async "no tap is lost in any state"(browser, url) {
    for (const name of ["two steps", "the end", "a run"]) {
      const p = await Page.open(browser, url, phone);
      await p.press("Overlap");
      await states[name](p);
      const touch = await p.touches();
      for (const [x, y] of spots.slice(0, 4)) {
        const before = await p.count(".point"), place = await p.at(x, y);
        await touch("touchStart", ...place);
        await p.frames();
        await touch("touchEnd");
        assert.equal(await p.count(".point"), before + 1, `a tap after ${name}`);
      }
      await p.close();
    }
  },

  async "clicked points are learned step by step"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Clear");
    assert.match(await p.status(), /^There are no points/);
    for (const [x, y] of [[-0.6, 0.5], [-0.2, 0.8], [0.3, 0.6]]) await p.click(x, y);
    await p.page.getByLabel("− point").check();
    for (const [x, y] of [[-0.4, 0.05], [0.1, -0.3], [0.7, 0.2]]) await p.click(x, y);
    assert.equal((await p.points())[5], "point 6, class −, at 1.4, 0.4");
    await p.press("Step");
    assert.equal(await p.count("line.new"), 1);
    assert.equal(await p.count(".arrows path"), 1);
    assert.match((await p.names())[0], /in the last update$/);
    await p.press("Step");
    assert.equal(await p.count("line.old"), 1);
    assert.equal(await p.count(".halo"), 1);
    await p.run();
    assert.match(await p.status(), /^Converged/);
    await p.close();
  },

  async "XOR is proved inseparable until a point is dragged away"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("XOR");
    assert.match(await p.text(".verdict"), /^Proved: no line separates/);
    assert.deepEqual(await p.locator(".point text").allTextContents(), Array(4).fill("λ 0.25"));
    await p.run();
    assert.match(await p.status(), /^Cycled/);
    await p.page.mouse.move(...await p.at(-0.5, 0.5));
    await p.page.mouse.down();
    await p.page.mouse.move(...await p.at(0, 0), {steps: 5});
    await p.page.mouse.move(...await p.at(0.8, -0.7), {steps: 5});
    await p.page.mouse.up();
    assert.equal((await p.points())[0], "point 1, class +, at 1.6, −1.4");
    assert.match(await p.text(".verdict"), /^Separable/);
    assert.equal(await p.count(".ring"), 0);
    assert.equal(await p.count(".point"), 4); // the end of a drag adds no point
    await p.press("Undo"); // one drag is one change
    assert.equal((await p.points())[0], "point 1, class +, at −1, 1");
    await p.close();
  },

  async "nothing is claimed without proof"(browser, url) {
    const p = await Page.open(browser, url);
    const points = "-1.5,0.5,-1\n1e100,1.3,1\n-0.4,-0.5,-1\n-1.5,1.6,1\n0.8,-0.9,-1\n-1.1,-1.2,-1\n-0.7,0.2,-1\n-1.4,-0.6,-1\n0.5,1.2,1\n1.6,0.6,1\n1.6,1.6,1\n1.2,0.9,1\n";
    await p.press("Points…");
    await p.locator("#points textarea").fill(points);
    await p.press("Use these points");
    assert.match(await p.text(".verdict"), /^No separating line was found\. None has a margin above/);
    assert.equal(await p.count(".ring"), 0);
    await p.run();
    assert.match(await p.status(), /^Converged/);
    assert.match(await p.text(".verdict"), /^Separable: the line of this run has a margin of 0.14 or more/);
    await p.close();
  },

  async "the board is one tab stop before the buttons"(browser, url) {
    const p = await Page.open(browser, url, dark);
    const colour = await p.page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.ok(Math.max(...colour) < 60, `the background is ${colour}`);
    assert.equal(await p.count("#boards [tabindex]"), 1);
    await p.press("Clear");
    await p.locator(".plane").focus();
    await p.keys("ArrowUp", "Shift+ArrowUp", "Shift+ArrowLeft", "+", "Shift+ArrowRight", "Shift+ArrowRight", "-", "Enter");
    assert.deepEqual(await p.points(), ["point 1, class +, at −0.5, 0.6", "point 2, class −, at 0.5, 0.6", "point 3, class +, at 0.5, 0.6"]);
    assert.match(await p.text("#say"), /point 3/);
    await p.keys("p", "-", "ArrowDown", "Shift+ArrowRight");
    assert.equal((await p.points())[2], "point 3, class −, at 1, 0.5");
    assert.equal(await p.locator(".plane").getAttribute("aria-activedescendant"), "b0p2");
    assert.match(await p.text("#say"), /^point 3, class −, at 1, 0.5/);
    await p.keys("Enter");
    assert.equal(await p.text("#editor h2"), "Point 3");
    await p.keys("Escape", "Delete");
    assert.equal((await p.points()).length, 2);
    await p.keys("n", "Escape", "Tab"); // leaves the board at once
    assert.equal(await p.page.evaluate(() => document.activeElement.closest("#boards")), null);
    await p.page.getByRole("button", {name: "Epoch", exact: true}).focus();
    for (let i = 0; i < 9; i++) await p.keys(i % 2 ? "Enter" : "Space");
    assert.match(await p.status(), /^Converged/);
    assert.equal(await p.page.evaluate(() => document.activeElement.textContent), "Epoch");
    await p.page.reload();
    await p.ready();
    await p.keys("Tab", "Enter"); // the first button skips to the board
    assert.equal(await p.page.evaluate(() => document.activeElement.classList[0]), "plane");
    await p.close();
  },

  async "the editor stands at the point, on a phone too"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options);
      await p.press("XOR");
      for (const [x, y, n] of [[-0.5, 0.5, 1], [0.5, -0.5, 2], [-0.5, -0.5, 3], [0.5, 0.5, 4]]) {
        const [left, top] = await p.at(x, y);
        await (options === phone ? p.page.touchscreen.tap(left, top) : p.click(x, y));
        assert.equal(await p.text("#editor h2"), "Point " + n);
        const box = await p.locator("#editor").boundingBox(), [px, py] = await p.at(x, y);
        const away = Math.max(box.x - px, px - box.x - box.width, box.y - py, py - box.y - box.height);
        assert.ok(away < 60 && box.x >= 0 && box.x + box.width <= options.viewport.width, `the editor is ${away} pixels away`);
        await p.press("Close the editor");
      }
      await p.close();
    }
  },

  async "a finger drags points, not the page"(browser, url) {
    const p = await Page.open(browser, url, phone);
    await p.press("XOR");
    await p.at(0, 0);
    const touch = await p.touches(), before = await p.page.evaluate(() => scrollY);
    await touch("touchStart", ...await p.at(-0.5, 0.5));
    for (let i = 1; i <= 8; i++) await touch("touchMove", ...await p.at(-0.5 + i / 8, 0.5 - i / 8));
    await touch("touchEnd");
    assert.equal((await p.points())[0], "point 1, class +, at 1, −1");
    assert.equal(await p.page.evaluate(() => scrollY), before);
    for (const b of await p.page.locator("button:visible").all()) {
      const box = await b.boundingBox();
      assert.ok(box.height >= 24, `a button of ${box.height} pixels`);
    }
    await p.close();
  },

  async "typed coordinates may be large"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Clear");
    await p.click(0.5, 0.5);
    await p.page.getByLabel("− point").check();
    await p.click(-0.5, 0.5);
    for (const [value, status] of [["1e300", /^Stopped: .*too large to compute with/], ["3.25", /^Converged/]]) {
      await p.locator(".plane").focus();
      await p.keys("Escape", "n", "Enter");
      await p.locator("#editor [name=x]").fill(value);
      await p.keys("Enter", "Escape");
      await p.run();
      assert.match(await p.status(), status);
    }
    assert.equal(await p.text(".edge"), "3.575");
    await p.close();
  },
};
