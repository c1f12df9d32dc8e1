// The page in headless Chromium, as the tests use it.
"use strict";

const assert = require("node:assert/strict");
const {chromium} = require("playwright-core");

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const launch = () => chromium.launch({executablePath, args: flags});

const touch = {hasTouch: true, isMobile: true};
const size = (width, height, more = {}) => ({
  viewport: {width, height},
  reducedMotion: "reduce",
  ...more,
});
// The screens on which every chapter must be usable.
const screens = {
  "1440×900": size(1440, 900),
  "1024×768": size(1024, 768),
  "768×1024": size(768, 1024, touch),
  "390×844": size(390, 844, touch),
  "375×667": size(375, 667, touch),
  "844×390": size(844, 390, touch),
};
const desktop = screens["1440×900"],
  phone = screens["390×844"];
const chapters = ["play", "rules", "bubble", "noline"];
const EDGE = 39.5; // sixteenths from the middle of a board to its nearest edge

// watchShifts records every element that moves by itself, not within half a second after an input.
function watchShifts() {
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const {value, sources, hadRecentInput} of list.getEntries()) {
      if (hadRecentInput) continue;
      for (const {node} of sources) globalThis.shifts.push(`${value} ${node?.nodeName}`);
    }
  }).observe({type: "layout-shift", buffered: true});
}

// frames waits until the window has been drawn again.
const frames = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );

// A Page is the page in its own window. It records every error and message of the console.
class Page {
  static async open(browser, url, options = desktop, hash = "") {
    const p = new Page();
    p.context = await browser.newContext(options);
    p.page = await p.context.newPage();
    p.page.setDefaultTimeout(60000);
    p.wrong = [];
    p.page.on("console", (m) => p.wrong.push(m.text()));
    p.page.on("pageerror", (err) => p.wrong.push(String(err)));
    await p.page.addInitScript(watchShifts);
    await p.page.goto(url + hash);
    await p.page.waitForSelector("html.live");
    return p;
  }
  // on opens the page once for a mouse and once for fingers, and looks at it on each screen.
  static async on(screens, browser, url, look) {
    for (const touch of [false, true]) {
      const some = Object.entries(screens).filter(([, {hasTouch = false}]) => hasTouch === touch);
      if (some.length === 0) continue;
      const p = await Page.open(browser, url, some[0][1]);
      for (const [name, {viewport}] of some) {
        await p.page.setViewportSize(viewport);
        await p.frames();
        await look(p, name, viewport);
        await p.fits();
      }
      await p.close();
    }
  }
  async fits() {
    const [scroll, inner] = await this.page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    assert.ok(scroll <= inner, `the page is ${scroll} wide in a window of ${inner}`);
  }
  // close checks what holds at any time.
  async close() {
    assert.deepEqual(this.wrong, [], "messages in the console");
    await this.fits();
    await this.context.close();
  }
  async text(selector) {
    return (await this.page.locator(selector).first().textContent()).replace(/\s+/g, " ").trim();
  }
  count(selector) {
    return this.page.locator(selector).count();
  }
  box(selector) {
    return this.page
      .locator(selector)
      .first()
      .evaluate((e) => e.getBoundingClientRect().toJSON());
  }
  click(selector) {
    return this.page.locator(selector).first().click();
  }
  async keys(...names) {
    for (const name of names) await this.page.keyboard.press(name);
  }
  async focus(selector) {
    await this.page.locator(selector).first().focus();
  }
  // go scrolls to a chapter.
  async go(chapter) {
    await this.page.evaluate((id) => {
      document.documentElement.style.scrollBehavior = "auto";
      document.getElementById(id).scrollIntoView();
    }, chapter);
    await this.frames();
  }
  frames() {
    return frames(this.page);
  }
  // swiped returns a handle of an object. Its promise "ended" is kept when the page stands still
  // after the next swipe.
  swiped() {
    return this.page.evaluateHandle(() => {
      const next = (type) => new Promise((done) => addEventListener(type, done, {once: true}));
      return {ended: next("touchend").then(() => next("scrollend"))};
    });
  }
  // at returns the pixel of a place on a chapter's board, in sixteenths from the centre.
  async at([x, y], chapter = "play") {
    const box = await this.box(`#${chapter} .board`);
    const scale = Math.min(box.width, box.height) / 2 / EDGE;
    return [box.x + box.width / 2 + scale * x, box.y + box.height / 2 - scale * y];
  }
  // drag moves the mouse from place to place on a board, pressed, and looks after each move.
  async drag(places, {chapter = "play", look = () => {}} = {}) {
    await this.page.mouse.move(...(await this.at(places[0], chapter)));
    await this.page.mouse.down();
    for (const to of places.slice(1)) {
      await this.page.mouse.move(...(await this.at(to, chapter)), {steps: 3});
      await look();
    }
    await this.page.mouse.up();
  }
  // darkest returns how far from white the darkest pixel is, in each row of a part of the window.
  async darkest(clip) {
    const picture = (await this.page.screenshot({clip})).toString("base64");
    return this.page.evaluate(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const {width, height} = image,
        paint = new OffscreenCanvas(width, height).getContext("2d");
      paint.drawImage(image, 0, 0);
      const {data} = paint.getImageData(0, 0, width, height),
        rows = Array(height).fill(0);
      data.forEach((v, i) => {
        const y = Math.floor(i / 4 / width);
        rows[y] = Math.max(rows[y], 255 - v);
      });
      return rows;
    }, picture);
  }
  // finger returns a function that sends touch events.
  async finger() {
    const cdp = await this.context.newCDPSession(this.page);
    return (type, ...place) =>
      cdp.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: place.length ? [{x: place[0], y: place[1]}] : [],
      });
  }
}

// Points of the opening, and a place where one of them leaves no line.
const POINT = [6, -8],
  WIN = [11, 16];

module.exports = {
  Page,
  assert,
  launch,
  screens,
  desktop,
  phone,
  size,
  touch,
  chapters,
  POINT,
  WIN,
  watchShifts,
  frames,
};
