// Accessibility: axe-core's rules in every chapter, words for screen readers, print, and motion.
"use strict";

const fs = require("node:fs");
const {Page, assert, screens, desktop, size, chapters, POINT, WIN} = require("./page.js");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const views = {
  ...screens,
  dark: {...desktop, colorScheme: "dark"},
  "dark phone": {...screens["390×844"], colorScheme: "dark"},
  "forced colours": {...desktop, forcedColors: "active"},
  "200 %": size(720, 450, {deviceScaleFactor: 2}),
};

async function audit(p, where) {
  const {violations, passes} = await p.page.evaluate(() =>
    globalThis.axe.run(document, {resultTypes: ["violations", "passes"]}),
  );
  assert.ok(passes.length > 20, `only ${passes.length} rules ran`);
  assert.deepEqual(
    violations.map((v) => [where, v.id, v.nodes.map((n) => n.html)]),
    [],
  );
}

module.exports = {
  async "axe-core finds nothing, on each screen, before and after a win"(browser, url) {
    await Page.on(views, browser, url, async (p, view) => {
      const {colorScheme = "light", forcedColors = "none"} = views[view];
      await p.page.emulateMedia({colorScheme, forcedColors, reducedMotion: "reduce"});
      await p.page.evaluate(axe);
      await p.go("play");
      await audit(p, `${view}, at first`);
      await p.drag([POINT, WIN]);
      await p.page.mouse.click(...(await p.at([28, 12])));
      for (const id of chapters) {
        await p.go(id);
        if (id === "rules") {
          await p.focus("#rules .room");
          await p.keys(...Array(9).fill("Enter"));
        }
        if (process.env.SHOTS)
          await p.page.screenshot({path: `${process.env.SHOTS}/${view}-${id}.png`});
      }
      await p.click("[data-set=corners]");
      await p.page.locator("#bias").check();
      await audit(p, `${view}, at the end`);
      await p.click("[data-set=beside]");
      await p.page.locator("#bias").uncheck();
      await p.click("#rules [data-do=again]");
      await p.click("#play h1");
      await p.click("#play [data-do=first]");
    });
  },

  async "changes are told in words, and a run is not told mistake by mistake"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"});
    assert.equal(await p.page.locator("#play .said").getAttribute("role"), "status");
    await p.click("#play [data-do=learn]");
    assert.equal(await p.page.locator("#play .said").getAttribute("aria-live"), "off");
    await p.page.waitForFunction(() => document.querySelector("#play .said").ariaLive === "polite");
    assert.match(await p.text("#play .said"), /^It made 14 mistakes/);
    const time = p.page.locator("#play .time");
    assert.deepEqual(
      [await time.getAttribute("role"), await time.getAttribute("aria-valuetext")],
      ["slider", "mistake 14 of 14"],
    );
    await p.close();
  },

  async "reduced motion is respected"(browser, url) {
    for (const [reducedMotion, moves] of [
      ["reduce", false],
      ["no-preference", true],
    ]) {
      const p = await Page.open(browser, url, {...desktop, reducedMotion});
      const count = await p.page.evaluate(
        () =>
          new Promise((done) => {
            const lines = new Set();
            const look = () => {
              lines.add(document.querySelector("#play .line")?.getAttribute("d"));
              if (/^It made/.test(document.querySelector("#play .said").textContent)) {
                done(lines.size);
              } else requestAnimationFrame(look);
            };
            document.querySelector("#play [data-do=learn]").click();
            look();
          }),
      );
      assert.ok(moves ? count > 4 : count <= 2, `${count} lines with ${reducedMotion}`);
      await p.close();
    }
  },

  async "paper has the words and the figures"(browser, url) {
    const p = await Page.open(browser, url);
    await p.click("#play [data-do=learn]");
    await p.page.emulateMedia({media: "print"});
    for (const id of chapters) {
      const {width, height} = await p.box(`#${id} :is(.board, .room)`);
      assert.ok(width > 300 && height > 300, `${id}: ${width} × ${height}`);
      assert.ok(await p.page.locator(`#${id} .rest :is(p, li)`).first().isVisible());
    }
    assert.equal(await p.count("button:visible, input:visible, nav:visible"), 0);
    const pdf = await p.page.pdf();
    assert.ok(pdf.length > 2e4);
    await p.close();
  },
};
