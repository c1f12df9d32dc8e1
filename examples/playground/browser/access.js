// Accessibility: axe-core's rules, texts for screen readers, and reduced motion.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const {Page, desktop, dark, sizes} = require("./page.js");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

async function audit(p, where) {
  const {violations, passes} = await p.page.evaluate(() => globalThis.axe.run(document, {resultTypes: ["violations", "passes"]}));
  assert.ok(passes.length > 20, `only ${passes.length} rules ran`);
  assert.deepEqual(violations.map((v) => [where, v.id, v.nodes.map((n) => n.html + " " + n.failureSummary)]), []);
}

const views = {
  ...sizes, dark, "forced colours": {...desktop, forcedColors: "active"}, "dark phone": {...sizes["390×664"], colorScheme: "dark"},
  "200 %": {...desktop, viewport: {width: 640, height: 400}, deviceScaleFactor: 2},
};

module.exports = Object.fromEntries(Object.entries(views).map(([view, options]) => [`axe-core finds nothing, ${view}`, async (browser, url) => {
  const p = await Page.open(browser, url, options, "#1");
  await p.page.evaluate(axe);
  for (let move = 1; move <= 15; move++) {
    await p.move(move);
    await p.page.evaluate(() => document.querySelector("[data-do=step]").click()); // a move may hide it
    await p.page.waitForFunction(() => !/Pause/.test(document.querySelector("[data-do=step]").textContent));
    await audit(p, `move ${move}`);
    if (process.env.SHOTS) await p.page.screenshot({path: `${process.env.SHOTS}/${view}-${move}.png`});
  }
  await p.move(0);
  await p.press("XOR");
  await p.press("Epoch");
  await audit(p, "XOR");
  await p.locator(".plane").first().focus();
  await p.keys("n", "Enter");
  await audit(p, "editor");
  await p.keys("Escape");
  await p.press("Points…");
  await audit(p, "dialog");
  await p.press("Close");
  await p.page.locator("[data-help=r]").first().click();
  await audit(p, "tip");
  await p.close();
}]));

module.exports["every update is described in text"] = async (browser, url) => {
  const p = await Page.open(browser, url);
  assert.equal(await p.locator(".status").first().getAttribute("role"), "status");
  await p.press("Step");
  const described = [await p.status(), await p.text(".sum"), await p.locator(".plane").getAttribute("aria-label"), await p.locator("#panels .race svg").first().getAttribute("aria-label"), await p.locator("#room .space svg").getAttribute("aria-label")].join("\n").replaceAll("\u00a0", " ");
  for (const part of ["Point 1 (−) was wrong. The line tilts to correct it.", "(w, b) = (0, 0, 0) − (−1.5, 0.5, 1)", "plane with 12 points. Epoch 1. Point 1", "1 mistake of at most 27: ‖w‖ after each mistake", "Weight space after 1 mistakes. The floor is at 0.468, the top of the dome at 2.47. The tip of w is"]) {
    assert.ok(described.includes(part), `${part} is not in ${described}`);
  }
  await p.close();
};

module.exports["reduced motion is respected"] = async (browser, url) => {
  for (const [reducedMotion, still] of [["reduce", true], ["no-preference", false]]) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion});
    await p.press("Overlap");
    await p.press("Step");
    assert.equal(await p.locator(".halo").first().evaluate((e) => getComputedStyle(e).animationName === "none"), still);
    await p.locator("#speed").fill("2");
    await p.press("Run");
    // With reduced motion, Run makes many steps in one drawing.
    const [drawn, steps] = await p.page.evaluate(() => new Promise((done) => {
      const k = () => Number.parseInt(document.querySelector("[data-of=k]").textContent), first = k();
      let n = 0;
      new MutationObserver(() => { if (++n === 2) done([n, k() - first]); }).observe(document.querySelector("[data-of=k]"), {characterData: true, childList: true, subtree: true});
    }));
    assert.ok(still ? steps > 4 * drawn : steps <= 3 * drawn, `${steps} steps in ${drawn} drawings with ${reducedMotion}`);
    await p.close();
  }
};
