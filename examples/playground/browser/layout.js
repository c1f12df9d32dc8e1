// The size and the place of the opening's board, on the screens that readers have.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, phone} = require("./page.js");

// The least width of the board; 0 asks only that it stays where it is.
const screens = [[320, 568, 0], [360, 640, 0], [375, 667, 250], [412, 915, 340], [1280, 720, 580], [1280, 800, 640], [1920, 1080, 900]];

module.exports = Object.fromEntries(screens.map(([width, height, least]) => [`the opening's board is large and stays in place, ${width}×${height}`, async (browser, url) => {
  const p = await Page.open(browser, url, {...width < 500 ? phone : desktop, viewport: {width, height}}, "#1");
  const places = new Set();
  const look = async (when) => {
    places.add(JSON.stringify(await p.locator(".plane").boundingBox()));
    assert.equal(places.size, 1, `${when}: ${[...places].join(" ")}`);
    const [wide, next] = await p.page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector("#next").getBoundingClientRect().toJSON()]);
    assert.ok(wide <= width, `${when}: the page is ${wide} wide`);
    assert.ok(next.left >= 0 && next.right <= width && next.bottom <= height, `${when}: Why? ends at ${next.right}, ${next.bottom}`);
  };
  // watch follows the board while a run goes on, until the words match.
  const watch = async (when, words) => {
    await p.press("Let it learn");
    do await look(when);
    while (!words.test(await p.text("#said")));
    await look(when);
  };
  assert.ok((await p.locator(".plane").boundingBox()).width >= least, JSON.stringify(await p.locator(".plane").boundingBox()));
  await look("at first");
  await watch("a full run", /It made 14/);
  await p.page.mouse.move(...await p.at(0.8, 0.8 / 2.25));
  await p.page.mouse.down();
  for (const to of [[0.8, 0.3], [0.1, -0.6], [-0.5, 0.9]]) {
    await p.page.mouse.move(...await p.at(...to));
    await look("a drag");
  }
  await p.page.mouse.up();
  assert.match(await p.text("#said"), /You made it fail: no line through the centre/);
  await watch("a failed run", /Mistake [2-9]/);
  assert.deepEqual([await p.count(".race .dome"), await p.count(".race .floor")], [1, 0]);
  await p.close();
}]));

module.exports["in free play, sets and settings are on the first screen"] = async (browser, url) => {
  const p = await Page.open(browser, url, {...desktop, viewport: {width: 1280, height: 720}});
  const [bar, ...ends] = await p.page.evaluate(() => ["#bar", "[data-load=overlap]", "[name=model]", "[name=gamma]", "[name=origin]", ".plane"].map((s) => { const {top, bottom} = document.querySelector(s).getBoundingClientRect(); return s === "#bar" ? top : bottom; }));
  assert.ok(ends.every((end) => end > 0 && end <= bar), `${ends} of ${bar}`);
  const before = await p.locator(".plane").boundingBox();
  for (const name of ["XOR", "Overlap", "Narrow margin"]) {
    await p.press(name); // the weight space comes and goes
    assert.deepEqual(await p.locator(".plane").boundingBox(), before, name);
  }
  await p.close();
};
