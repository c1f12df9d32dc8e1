// What readers of other screens see, and faults that must not come back.
"use strict";

const {
  Page,
  assert,
  screens,
  desktop,
  phone,
  size,
  touch,
  chapters,
  POINT,
  WIN,
} = require("./page.js");

// Phones that lie and are wide, tablets that lie, and desktops with a zoom of 200 %.
const wide = {
  "932×430": size(932, 430, touch),
  "915×412": size(915, 412, touch),
  "896×414": size(896, 414, touch),
  "667×375": size(667, 375, touch),
  "1024×768": size(1024, 768, touch),
  "1080×810": size(1080, 810, touch),
  "1180×820": size(1180, 820, touch),
  "1112×834": size(1112, 834, touch),
  "1366×1024": size(1366, 1024, touch),
  "640×400": size(640, 400),
  "720×450": size(720, 450),
  "960×540": size(960, 540),
  "320×568": size(320, 568, touch),
  "360×640": size(360, 640, touch),
  "1280×720": size(1280, 720),
  "1920×1080": size(1920, 1080),
  "2560×1440": size(2560, 1440),
};
// The least width or height of the board or the bubble, by the shorter side of the screen.
const least = (viewport) => Math.min(0.56 * viewport.height, 0.62 * viewport.width) - 30;

module.exports = {
  async "on every screen each chapter has its figure, its words and its buttons"(browser, url) {
    await Page.on({...screens, ...wide}, browser, url, async (p, name, viewport) => {
      const {width, height} = viewport;
      for (const id of chapters) {
        await p.go(id);
        const {room, words, buttons, side} = await p.page.evaluate((id) => {
          const box = (e) => e.getBoundingClientRect().toJSON(),
            root = document.getElementById(id);
          return {
            room: box(root.querySelector(".board, .room")),
            words: box(root.querySelector(".lead p")),
            buttons: [...root.querySelectorAll("figure button")]
              .filter((b) => b.checkVisibility())
              .map(box),
            side: box(root.querySelector(".side .said")),
          };
        }, id);
        const where = `${name}, ${id}`,
          long = Math.min(room.width, room.height);
        assert.ok(long >= least(viewport), `${where}: the figure has ${long} pixels`);
        assert.ok(
          words.width >= 170 && words.right <= width,
          `${where}: words of ${words.width} pixels`,
        );
        assert.ok(side.width >= 120, `${where}: ${side.width} pixels beside the figure`);
        assert.ok(
          room.left >= 0 && room.right <= width + 0.5,
          `${where}: the figure leaves the screen`,
        );
        for (const b of buttons) {
          assert.ok(
            b.left >= 0 && b.right <= width && b.height >= 40,
            `${where}: a button at ${b.right}`,
          );
        }
        const shown = buttons.filter((b) => b.top >= 0 && b.bottom <= height);
        const tall = height > width && id !== "play"; // there the buttons follow the figure
        assert.ok(shown.length > 0 || tall, `${where}: no button is on the screen`);
      }
    });
  },

  async "on the first screen everything of the game is there"(browser, url) {
    await Page.on(screens, browser, url, async (p, name, {width, height}) => {
      for (const s of ["h1", ".lead p", ".board", ".said", ".time", "[data-do=learn]"]) {
        const {left, top, right, bottom} = await p.box(`#play ${s}`);
        assert.ok(
          left >= 0 && top >= 0 && right <= width && bottom <= height,
          `${name}: ${s} ${bottom}`,
        );
      }
    });
  },

  async "words say what the symbols are, on every screen"(browser, url) {
    for (const options of [desktop, phone, screens["844×390"]]) {
      const p = await Page.open(browser, url, options);
      await p.click("#play [data-do=learn]");
      const all = await p.page.evaluate(() => document.body.innerText);
      assert.doesNotMatch(all, /epoch|half the gap/i);
      assert.match(
        await p.page.locator("#play .hint").innerText(),
        /R = 2\.02: the furthest point\. γ = 0\.364: the distance of the nearest/,
      );
      assert.doesNotMatch(all, /\d\.\d{5}|[1-9]\d{4}/);
      await p.close();
    }
  },

  async "R counts the coordinate 1 only with a bias"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#p=16,0,1;0,16,1");
    await p.click("#play [data-do=learn]");
    assert.match(await p.text("#play .hint"), /^R = 1: .* γ = 0\.707: .* ≈ 2\./);
    await p.close();
  },

  async "no label is under a point"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options);
      await p.click("#play [data-do=learn]");
      const {bad, seen} = await p.page.evaluate(async () => {
        const {Picture} = await import("./board.js"),
          {Model, onBoard} = await import("./model.js");
        const {show, sizeOf} = await import("./svg.js");
        const svg = document.querySelector("#play .board"),
          bad = [],
          names = new Set();
        let seed = 5,
          seen = 0;
        const random = (n) => {
          seed = (seed * 48271) % 2147483647;
          return seed % n;
        };
        for (let i = 0; i < 150; i++) {
          const points = Array.from({length: 4 + random(9)}, () => ({
            ...onBoard(random(67) - 33, random(67) - 33),
            label: random(2) ? 1 : -1,
          }));
          const turned = points.map((q) =>
            i % 2 ? q : {...q, label: q.y > 0 || (q.y === 0 && q.x > 0) ? 1 : -1},
          );
          const model = new Model(turned);
          show(
            svg,
            sizeOf(svg),
            new Picture(model, sizeOf(svg), {at: random(model.run.rows.length + 1)}).parts(),
          );
          const boxes = [...svg.querySelectorAll(".body")].map((e) => e.getBoundingClientRect());
          for (const text of svg.querySelectorAll("text")) {
            const t = text.getBoundingClientRect();
            seen++;
            names.add(text.textContent);
            if (
              boxes.some(
                (b) =>
                  b.left < t.right - 3 &&
                  b.right > t.left + 3 &&
                  b.top < t.bottom - 5 &&
                  b.bottom > t.top + 5,
              )
            )
              bad.push(`${i}: ${text.textContent}`);
          }
        }
        return {bad, seen: [seen, ...names]};
      });
      assert.deepEqual(bad, []);
      assert.ok(seen[0] > 150 && seen.length === 4, seen.join());
      await p.close();
    }
  },

  async "nothing scrolls but the page"(browser, url) {
    for (const options of [desktop, phone, screens["844×390"], wide["640×400"]]) {
      const p = await Page.open(browser, url, options);
      await p.drag([POINT, WIN]);
      const boxes = await p.page.evaluate(
        () =>
          [...document.querySelectorAll("body *")].filter((e) =>
            /auto|scroll/.test(getComputedStyle(e).overflowY + getComputedStyle(e).overflowX),
          ).length,
      );
      assert.equal(boxes, 0);
      await p.close();
    }
  },

  async "what other sites read of the page is there"(browser, url) {
    for (const [name, type] of [
      ["og.png", /image\/png/],
      ["favicon.svg", /image\/svg/],
    ]) {
      const response = await fetch(url + name);
      assert.equal(response.status, 200, name);
      assert.match(response.headers.get("Content-Type"), type);
    }
    assert.equal((await fetch(url + "nothing")).status, 404);
  },
};
