// Tests the page in headless Chromium:
//
//	NODE_PATH=folder/node_modules node browser_test.js http://127.0.0.1:port [folder for screenshots]
//
// The folder must contain playwright-core. The environment variable CHROMIUM may
// contain the path of the browser.
"use strict";

const assert = require("node:assert/strict");
const {chromium} = require("playwright-core");

const [url, shots] = process.argv.slice(2);
const desktop = {viewport: {width: 1280, height: 860}};
const phone = {viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true, deviceScaleFactor: 2};

// A Page is the playground in its own window. It records every error and console
// message.
class Page {
  static async open(browser, options) {
    const context = await browser.newContext(options);
    const page = new Page();
    page.page = await context.newPage();
    page.wrong = [];
    page.sizes = [];
    page.page.on("console", (m) => page.wrong.push(m.text()));
    page.page.on("pageerror", (err) => page.wrong.push(String(err)));
    page.page.on("requestfinished", (r) => page.sizes.push(r.sizes()));
    await page.page.goto(url);
    await page.page.waitForSelector("main:not([aria-busy])");
    return page;
  }

  async close(name) {
    if (shots) await this.page.screenshot({path: `${shots}/${name}.png`, fullPage: true});
    assert.deepEqual(this.wrong, [], "messages in the console");
    const {scroll, inner} = await this.page.evaluate(() => ({scroll: document.documentElement.scrollWidth, inner: innerWidth}));
    assert.ok(scroll <= inner, `the page is ${scroll} wide in a window of ${inner}`);
    await this.page.context().close();
  }

  text(selector) { return this.page.locator(selector).textContent(); }
  count(selector) { return this.page.locator(selector).count(); }
  press(name) { return this.page.getByRole("button", {name, exact: true}).click(); }
  key(name) { return this.page.keyboard.press(name); }
  names() { return this.page.locator(".point").evaluateAll((all) => all.map((e) => e.getAttribute("aria-label"))); }
  async points() { return (await this.names()).map((name) => name.replace(/, (contradicts|in the last).*/, "")); }

  // at returns the pixel of a place, which is in views from the middle of the plane.
  async at(x, y) {
    await this.page.locator("#plane").scrollIntoViewIfNeeded();
    const box = await this.page.locator("#plane").boundingBox();
    return [box.x + box.width * (1 + x) / 2, box.y + box.height * (1 - y) / 2];
  }

  // run trains to the end. It returns the updates and the bound of each card.
  async run() {
    await this.page.locator("#speed").fill("4");
    await this.press("Run");
    await this.page.waitForSelector("#run[aria-disabled=true]");
    const numbers = (term) => this.page.locator(`dd[data-of="${term}"]`).evaluateAll((all) => all.map((e) => Number.parseInt(e.textContent)));
    return {k: await numbers("k"), bound: await numbers("k ≤")};
  }
}

const tests = {
  async "the first points converge within the bound"(browser) {
    const p = await Page.open(browser, desktop);
    assert.match(await p.text("#status"), /^Ready/);
    const {k, bound} = await p.run();
    assert.deepEqual([k, bound], [[7], [27]]);
    assert.equal(await p.text("#status"), "Converged: every point is on the right side. 7 mistakes in 3 epochs (at most 27 possible).");
    assert.match(await p.text("#verdict"), /^Separable/);
    const sizes = await Promise.all(p.sizes);
    const wire = sizes.reduce((sum, s) => sum + s.responseBodySize + s.responseHeadersSize, 0);
    assert.ok(wire > 1e5 && wire < 1e6, `${wire} bytes over the wire`);
    console.log(`  ${wire} bytes over the wire`);
    await p.close("converged");
  },

  async "clicked points are learned step by step"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("Clear");
    assert.match(await p.text("#status"), /^There are no points/);
    for (const [x, y] of [[-0.6, 0.5], [-0.2, 0.8], [0.3, 0.6]]) await p.page.mouse.click(...await p.at(x, y));
    await p.page.getByLabel("− point").check();
    for (const [x, y] of [[-0.4, 0.05], [0.1, -0.3], [0.7, 0.2]]) await p.page.mouse.click(...await p.at(x, y));
    assert.equal((await p.points())[5], "point 6, class −, at 1.4, 0.4");
    await p.press("Step");
    assert.equal(await p.count("line.new"), 1);
    assert.match((await p.names())[0], /in the last update$/);
    await p.press("Step");
    assert.equal(await p.count("line.old"), 1);
    assert.equal(await p.count(".halo"), 1);
    const {k, bound} = await p.run();
    assert.ok(k[0] > 2 && k[0] <= bound[0], `${k} mistakes of at most ${bound}`);
    assert.match(await p.text("#status"), /^Converged/);
    await p.close("clicked");
  },

  async "XOR is inseparable until a point is dragged away"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("XOR");
    assert.match(await p.text("#verdict"), /^Inseparable: no line/);
    assert.equal(await p.count(".ring"), 4);
    assert.deepEqual(await p.page.locator(".point text").allTextContents(), Array(4).fill("λ 0.25"));
    await p.run();
    assert.match(await p.text("#status"), /^Cycled/);
    if (shots) await p.page.screenshot({path: `${shots}/xor.png`, fullPage: true});
    await p.page.mouse.move(...await p.at(-0.5, 0.5));
    await p.page.mouse.down();
    await p.page.mouse.move(...await p.at(0, 0), {steps: 5});
    await p.page.mouse.move(...await p.at(0.8, -0.7), {steps: 5});
    await p.page.mouse.up();
    assert.equal((await p.points())[0], "point 1, class +, at 1.6, −1.4");
    assert.match(await p.text("#verdict"), /^Separable/);
    assert.equal(await p.count(".ring"), 0);
    assert.equal(await p.count(".point"), 4); // the end of a drag adds no point
    const {k, bound} = await p.run();
    assert.ok(k[0] <= bound[0]);
    assert.match(await p.text("#status"), /^Converged/);
    await p.close("dragged");
  },

  async "OneVsRest learns three classes"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("Three classes");
    assert.equal(await p.page.locator("[name=model]").inputValue(), "OneVsRest of Online");
    const {k, bound} = await p.run();
    assert.deepEqual(k, [3, 3, 3]);
    assert.ok(k.every((v, i) => v <= bound[i]));
    assert.equal(await p.count("#regions polygon"), 3);
    assert.equal(await p.count("line.new"), 3);
    await p.close("three");
  },

  async "every model and field trains"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("Narrow margin");
    const set = (name, value) => p.page.locator(`[name=${name}]`).selectOption(value);
    const fill = async (name, value) => {
      await p.page.locator(`[name=${name}]`).fill(value);
      await p.key("Enter");
    };
    for (const [model, k] of [["Margin", 458], ["Batch", 71], ["Online", 33]]) {
      await set("model", model);
      const got = await p.run();
      assert.deepEqual(got.k, [k], model);
      assert.ok(k <= got.bound[0]);
    }
    await set("model", "Margin");
    await fill("gamma", "0.05");
    await fill("eta", "0.5");
    for (const order of ["Shuffled", "Sampled"]) {
      await set("order", order);
      const {k, bound} = await p.run();
      assert.ok(k[0] > 10 && k[0] <= bound[0], `${order}: ${k} of ${bound}`);
      assert.match(await p.text("#status"), /^Converged/);
    }
    await p.press("Overlap");
    await set("keep", "Average");
    for (let i = 0; i < 5; i++) await p.press("Epoch");
    assert.equal(await p.text("#epochs"), "5");
    assert.equal(await p.count("line.kept"), 1);
    await fill("eta", "-1");
    assert.match(await p.text("#status"), /^Ready|^Stopped/);
    await p.press("Step");
    assert.match(await p.text("#status"), /^Stopped: bad configuration/);
    await p.close("fields");
  },

  async "Pause stops Run, and Reset restarts the training"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("Overlap");
    await p.page.locator("#speed").fill("2");
    await p.press("Run");
    await p.page.waitForFunction(() => Number.parseInt(document.querySelector("#cards dd").textContent) > 5);
    await p.press("Pause");
    const k = await p.text("#cards dd >> nth=0");
    await p.press("Step");
    assert.equal(Number.parseInt(await p.text("#cards dd >> nth=0")), Number.parseInt(k) + 1);
    await p.press("Reset");
    assert.equal(await p.text("#cards dd >> nth=0"), "0 mistakes");
    assert.equal(await p.count("#lines line"), 0);
    await p.close("reset");
  },

  async "the page works by keyboard in dark mode"(browser) {
    const p = await Page.open(browser, {...desktop, colorScheme: "dark"});
    const colour = await p.page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.ok(Math.max(...colour) < 60, `the background is ${colour}`);
    await p.page.getByRole("button", {name: "Clear"}).focus();
    await p.key("Enter");
    await p.page.locator("#plane").focus();
    for (const name of ["ArrowUp", "Shift+ArrowUp", "Shift+ArrowLeft", "+", "Shift+ArrowRight", "Shift+ArrowRight", "-", "Enter"]) await p.key(name);
    assert.deepEqual(await p.points(), ["point 1, class +, at −0.5, 0.6", "point 2, class −, at 0.5, 0.6", "point 3, class +, at 0.5, 0.6"]);
    for (let i = 0; i < 3; i++) await p.key("Tab"); // to point 3
    for (const name of ["-", "ArrowDown", "Shift+ArrowRight"]) await p.key(name);
    assert.equal((await p.points())[2], "point 3, class −, at 1, 0.5");
    assert.equal(await p.text("#editor h2"), "Point 3");
    await p.key("Delete");
    assert.equal((await p.points()).length, 2);
    await p.page.getByRole("button", {name: "Epoch"}).focus();
    for (let i = 0; i < 9; i++) await p.key(i % 2 ? "Enter" : "Space");
    assert.match(await p.text("#status"), /^Converged/);
    assert.equal(await p.page.evaluate(() => document.activeElement.textContent), "Epoch");
    await p.press("Overlap");
    for (let i = 0; i < 12; i++) await p.press("Step");
    await p.close("dark");
  },

  async "tap and drag work on a phone"(browser) {
    const p = await Page.open(browser, phone);
    await p.press("XOR");
    await p.page.touchscreen.tap(...await p.at(0.2, 0.1));
    assert.equal((await p.points())[4], "point 5, class +, at 0.4, 0.2");
    const cdp = await p.page.context().newCDPSession(p.page);
    const touch = async (type, ...place) => cdp.send("Input.dispatchTouchEvent", {type, touchPoints: place.length ? [{x: place[0], y: place[1]}] : []});
    const before = await p.page.evaluate(() => scrollY);
    await touch("touchStart", ...await p.at(-0.5, 0.5));
    for (let i = 1; i <= 8; i++) await touch("touchMove", ...await p.at(-0.5 + i / 8, 0.5 - i / 8));
    await touch("touchEnd");
    assert.equal((await p.points())[0], "point 1, class +, at 1, −1");
    assert.equal(await p.page.evaluate(() => scrollY), before); // the drag moved the point, not the page
    for (const box of await Promise.all((await p.page.getByRole("button").locator("visible=true").all()).map((b) => b.boundingBox()))) {
      assert.ok(box.height >= 32, `a button of ${box.height} pixels`);
    }
    await p.press("XOR");
    await p.press("Step");
    await p.close("phone");
  },

  async "typed coordinates may be large"(browser) {
    const p = await Page.open(browser, desktop);
    await p.press("Clear");
    await p.page.mouse.click(...await p.at(0.5, 0.5));
    await p.page.getByLabel("− point").check();
    await p.page.mouse.click(...await p.at(-0.5, 0.5));
    await p.page.mouse.click(...await p.at(0.5, 0.5)); // a click on a point selects it and adds none
    const x = p.page.locator("#editor [name=x]");
    for (const [text, status] of [["1e300", /^Stopped: .*overflow/], ["3.25", /^Converged/]]) {
      await x.fill(text);
      await p.key("Enter");
      await p.run();
      assert.match(await p.text("#status"), status);
    }
    assert.equal(await p.text("#edge"), "3.575");
    await p.page.locator("#editor [name=label]").selectOption("−");
    assert.equal((await p.points())[0], "point 1, class −, at 3.25, 1");
    await p.press("Delete");
    assert.equal((await p.points()).length, 1);
    await p.close("typed");
  },
};

async function main() {
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"]});
  try {
    for (const [name, test] of Object.entries(tests)) {
      await test(browser);
      console.log(`ok: ${name}`);
    }
  } finally {
    await browser.close();
  }
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
