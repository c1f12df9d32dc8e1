// Chapters 1 and 4: the board, the run, the dial, the timeline, the win, and the bias.
"use strict";

const {Page, assert, desktop, phone, screens, size, POINT, WIN} = require("./page.js");

const said = (p, chapter = "play") => p.text(`#${chapter} .said`);
const moving = {...desktop, reducedMotion: "no-preference"};
const head = (p) => p.page.locator("#play .time").evaluate((e) => Number(e.ariaValueNow));

module.exports = {
  async "ask, learn, drag, win, undo"(browser, url) {
    const p = await Page.open(browser, url),
      answers = "#play :is(.reach, .band, .best, text.r)";
    assert.equal(await p.page.title(), "Make it fail · Perceptron");
    assert.match(await said(p), /^Make it go on for ever/);
    assert.doesNotMatch(await p.text("#play .side"), /[γR\d]/); // it asks, and answers nothing
    assert.deepEqual([await p.count(answers), await p.count("#play .cross")], [0, 3]);
    assert.deepEqual([await p.count("#play .dot"), await p.count("#play .arc")], [1, 1]);
    await p.click("#play [data-do=learn]");
    assert.match(
      await said(p),
      /^It made 14 mistakes, then no more. A theorem promises: at most 30/,
    );
    assert.match(await p.text("#play .hint"), /R = 2\.02: .* γ = 0\.364: .* ≈ 30\.7/);
    assert.ok((await p.count(answers)) >= 4);
    assert.deepEqual([await p.count("#play .cross"), await p.count("#play .dot.made")], [0, 14]);
    const arcs = new Set(),
      caught = [];
    const look = async () => {
      arcs.add(await p.page.evaluate(() => document.querySelector("#play .arc")?.getTotalLength()));
      caught.push(await p.count("#play .caught"));
    };
    await p.drag([POINT, [6, -4], [9, 4], WIN, [6, -6], WIN], {look});
    assert.deepEqual(caught, [0, 0, 1, 0, 1]); // it snaps shut and opens
    assert.ok(arcs.size >= 3 && arcs.has(undefined), [...arcs].join());
    assert.match(await said(p), /^You won: it never stops\. Mistake \d+/);
    assert.match(await p.text("#play .hint"), /three ringed points surround the centre/);
    assert.deepEqual([await p.count("#play .ring"), await p.count("#play .turned")], [3, 2]);
    assert.deepEqual([await p.count("#play .arc"), await p.count("#play .reach")], [0, 0]);
    await p.click("#play [data-do=undo]");
    assert.match(await said(p), /^It made 14 mistakes/);
    assert.equal(await p.page.locator("#play [data-do=undo]").isDisabled(), true);
    await p.close();
  },

  async "the triangle has the centre inside; two points make one straight line"(browser, url) {
    const p = await Page.open(browser, url);
    const inside = () =>
      p.page.evaluate(() => {
        const numbers = (s) => s.match(/-?[\d.]+/g).map(Number);
        const e = document.querySelector("#play .caught"),
          q = numbers(e.getAttribute("d"));
        const {cx, cy} = document.querySelector("#play .pin"),
          [x, y] = [cx, cy].map((v) => v.baseVal.value);
        const turns = [];
        for (let i = 0; i < q.length; i += 2) {
          const [a, b, c, d] = [0, 1, 2, 3].map((j) => q[(i + j) % q.length]);
          turns.push((c - a) * (y - b) - (d - b) * (x - a));
        }
        return [q.length / 2, turns.every((v) => v > 0) || turns.every((v) => v < 0), turns];
      });
    for (const to of [WIN, [12, 14], [4, 12], [-4, 20]]) {
      await p.drag([POINT, to]);
      assert.deepEqual((await inside()).slice(0, 2), [3, true], to.join());
      await p.click("#play [data-do=undo]");
    }
    await p.drag([POINT, [-20, -2]]); // onto a +
    const [corners, , turns] = await inside();
    assert.equal(corners, 2);
    assert.ok(
      turns.every((v) => Math.abs(v) < 30),
      turns.join(),
    ); // it goes through the centre
    assert.match(await p.text("#play .hint"), /two ringed points are opposite/);
    await p.click("#play [data-do=undo]");
    await p.drag([POINT, [0, 0]]);
    assert.match(await p.text("#play .hint"), /at the centre, so it is on every line/);
    await p.close();
  },

  async "the win is told when it has been seen, and the counter never falls"(browser, url) {
    const p = await Page.open(browser, url, moving);
    await p.drag([POINT, WIN]);
    const seen = await p.page.evaluate(
      () =>
        new Promise((done) => {
          const all = [];
          const look = () => {
            const words = document.querySelector("#play .said").textContent,
              made = Number(/Mistake (\d+)/.exec(words)?.[1]),
              count = Number(document.querySelector("#play .time").ariaValueMax);
            all.push([/You won/.test(words), made]);
            if (made < 1.5 * count) requestAnimationFrame(look);
            else done({all, count});
          };
          requestAnimationFrame(look);
        }),
    );
    const first = seen.all.findIndex(([won]) => won);
    assert.ok(first > 3, `told after ${first} frames`);
    assert.ok(seen.all[first][1] >= seen.count - 1, `told at mistake ${seen.all[first]}`);
    assert.ok(seen.all.at(-1)[1] > seen.count, "the run does not go on");
    seen.all.reduce((a, b) => {
      assert.ok(b[1] >= a[1], `${b[1]} after ${a[1]}`);
      return b;
    });
    await p.drag([
      [-22, -22],
      [-21, -20],
    ]); // a touch ends the loop
    await p.close();
    const q = await Page.open(browser, url, moving);
    await q.drag([POINT, WIN]);
    await q.page.waitForFunction(() =>
      /You won/.test(document.querySelector("#play .said").textContent),
    );
    const {x, y, width} = await q.box("#play .time");
    await q.page.mouse.click(x + width / 2, y + 30);
    const at = await head(q);
    for (let i = 0; i < 20; i++) await q.frames();
    assert.equal(await head(q), at); // it loops as long as nobody touches it
    assert.match(await q.text("#play .time"), /a round of \d+, for ever/);
    await q.close();
  },

  async "the timeline is dragged and has keys; the board follows"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options);
      await p.click("#play [data-do=learn]");
      const tip = () => p.page.locator("#play .head.w").getAttribute("d");
      const {x, y, width} = await p.box("#play .time"),
        tips = new Set(),
        heads = [];
      const move = await p.finger();
      for (let i = 0; i <= 10; i++) {
        const place = [x + 12 + ((width - 24) * i) / 20, y + 30];
        if (options === phone) await move(i === 0 ? "touchStart" : "touchMove", ...place);
        else {
          await p.page.mouse.move(...place);
          if (i === 0) await p.page.mouse.down();
        }
        await p.page.evaluate(() => new Promise(requestAnimationFrame));
        if (i > 0) tips.add(await tip());
        if (i > 0 || options !== phone) heads.push(await head(p)); // a finger has to go across
      }
      if (options === phone) await move("touchEnd");
      await p.page.mouse.up();
      assert.deepEqual(
        heads,
        heads.toSorted((a, b) => a - b),
      );
      assert.ok(heads[0] <= 2 && heads.at(-1) >= 13 && tips.size >= 8, heads.join());
      await p.focus("#play .time");
      await p.keys("Home", "ArrowRight", "ArrowRight", "ArrowLeft");
      assert.equal(await head(p), 1);
      assert.match(await said(p), /Mistake 1 of 14\./);
      await p.keys("End");
      assert.equal(await head(p), 14);
      await p.close();
    }
  },

  async "the words of the timeline have a line of their own, and the promise is there"(
    browser,
    url,
  ) {
    const sets = {
      far: ["#p=33,0,1;33,1,-1;-32,0,-1", /promise: at most 4498 →/], // of 132 mistakes
      near: ["#p=20,22,1;12,-18,-1;-20,-2,1", /promise: at most \d+$/],
      loop: ["#p=16,16,1;-16,-16,1;-16,16,-1;16,-16,-1", /a round of \d+, for ever$/],
    };
    const some = {desktop, phone, small: screens["375×667"], smallest: size(320, 568)};
    for (const [name, [hash, words]] of Object.entries(sets)) {
      await Page.on(some, browser, url + hash, async (p, screen) => {
        await p.click("#play [data-do=learn]");
        const {texts, dots, box} = await p.page.evaluate(() => {
          const all = (s) =>
            [...document.querySelectorAll(`#play .time ${s}`)].map((e) => [
              e.textContent,
              e.getBoundingClientRect().toJSON(),
            ]);
          const box = document.querySelector("#play .time").getBoundingClientRect().toJSON();
          return {texts: all("text"), dots: all(":is(.dot, .head)"), box};
        });
        const where = `${screen}, ${name}`;
        assert.ok(
          texts.some(([t]) => words.test(t)),
          `${where}: ${texts.map(([t]) => t)}`,
        );
        for (const [i, [t, a]] of texts.entries()) {
          assert.ok(a.left >= box.left && a.right <= box.right, `${where}: ${t} is cut off`);
          for (const [u, b] of texts.slice(i + 1)) {
            const apart = a.right + 8 < b.left || b.right + 8 < a.left || a.bottom < b.top + 2;
            assert.ok(apart || b.bottom < a.top + 2, `${where}: ${t} is on ${u}`);
          }
          const low = a.bottom < box.top + 25 ? a.bottom - 4 : 0; // of the words above the dots
          for (const [, d] of dots) assert.ok(d.top >= low, `${where}: a dot is on ${t}`);
        }
      });
    }
  },

  async "while it plays, × marks the points on the wrong side of the line"(browser, url) {
    const p = await Page.open(browser, url, moving);
    await p.click("#play [data-do=learn]");
    const bad = await p.page.evaluate(
      () =>
        new Promise((done) => {
          const bad = [];
          const look = () => {
            const head = document.querySelector("#play .head.w"),
              tip = head?.getAttribute("d").match(/-?[\d.]+/g);
            const pin = document.querySelector("#play .pin"),
              middle = [pin.cx.baseVal.value, pin.cy.baseVal.value];
            for (const g of tip ? document.querySelectorAll("#play .point") : []) {
              const body = g.querySelector(".body"),
                b = body.getBBox();
              const [x, y] = [b.x + b.width / 2 - middle[0], b.y + b.height / 2 - middle[1]];
              const dot = x * (tip[0] - middle[0]) + y * (tip[1] - middle[1]);
              const wrong = body.classList.contains("plus") ? dot < 0 : dot > 0;
              const marked = g.querySelector(".cross") !== null;
              if (Math.abs(dot) > 500 && wrong !== marked) bad.push(dot);
            }
            const {ariaValueNow, ariaValueMax} = document.querySelector("#play .time");
            if (ariaValueNow < Number(ariaValueMax)) requestAnimationFrame(look);
            else done(bad);
          };
          look();
        }),
    );
    assert.deepEqual(bad, []);
    await p.close();
  },

  async "a chosen point leaves the reason and the buttons; a press beside ends it"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options);
      await p.drag([POINT, WIN]);
      await p.page.mouse.click(...(await p.at([28, 12])));
      const reason = /^Point 9, class −, at 1\.75, 0\.75\. .* surround the centre/;
      assert.match(await p.text("#play .hint"), reason);
      assert.equal(await p.page.locator("#play [data-do=learn]").isVisible(), true);
      const heading = await p.box("#play h1");
      await p.page.mouse.click(heading.left + 20, heading.top + 10);
      assert.equal(await p.count("#play .chosen"), 0);
      assert.equal(await p.page.locator("#play [data-do=first]").isVisible(), true);
      assert.deepEqual([await p.count("#play .ring"), await p.count("#play .body.last")], [3, 1]);
      await p.close();
    }
  },

  async "points are added, turned, deleted and moved by mouse, finger and keys"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options),
        points = () => p.count("#play .point");
      const tap = async (...place) =>
        options === phone
          ? p.page.touchscreen.tap(...(await p.at(place)))
          : p.page.mouse.click(...(await p.at(place)));
      await tap(18, -26);
      assert.equal(await points(), 11);
      assert.match(await p.text("#play .hint"), /^Point 11, class \+, at 1\.1\d, −1\.\d+/);
      await p.click("#play [data-do=turn]");
      assert.match(await p.text("#play .hint"), /^Point 11, class −/);
      await tap(-30, 0); // beside the point: nothing is chosen, and nothing added
      assert.deepEqual([await points(), await p.count("#play .chosen")], [11, 0]);
      await tap(18, -26);
      await p.click("#play [data-do=remove]");
      assert.equal(await points(), 10);
      await p.click("#play [data-do=undo]");
      assert.equal(await points(), 11);
      await p.click("#play [data-do=first]");
      await p.focus("#play .board");
      await p.keys("n", "ArrowRight", "ArrowUp", "Shift+ArrowLeft");
      assert.match(await p.text("#play .hint"), /^Point 1, class \+, at 0\.813, 1\.44/);
      await p.keys("-", "p", "+", "Delete", "Escape", "n", "n", "Escape", "-");
      assert.match(await p.text("#play .hint"), /^Point 10, class −, at 0\.75, 0\.75/);
      await p.close();
    }
  },

  async "a finger drags a point, and scrolls the page elsewhere"(browser, url) {
    const p = await Page.open(browser, url, phone),
      send = await p.finger();
    const go = async (from, to) => {
      const [a, b] = [await p.at(from), await p.at(to)];
      await send("touchStart", ...a);
      for (let i = 1; i <= 5; i++) {
        await send("touchMove", a[0] + ((b[0] - a[0]) * i) / 5, a[1] + ((b[1] - a[1]) * i) / 5);
      }
      await send("touchEnd");
      await p.frames();
    };
    await go(POINT, WIN);
    assert.match(await said(p), /You won/);
    assert.equal(await p.page.evaluate(() => scrollY), 0);
    await go([30, 20], [30, -20]); // down
    await go([30, -20], [30, 20]);
    assert.ok((await p.page.evaluate(() => scrollY)) > 20, "the page does not scroll");
    for (const s of ["#play .time", "#bubble .room"]) {
      await p.page.locator(s).evaluate((e) => e.scrollIntoView({block: "end"}));
      await p.frames();
      const {left, width, top, height} = await p.box(s),
        x = left + width / 4;
      const values = () =>
        p.page.evaluate(() => [...document.querySelectorAll(".time")].map((e) => e.ariaValueNow));
      const before = await values();
      const swipe = await p.swiped();
      await send("touchStart", x, top + height / 2);
      for (let i = 1; i <= 8; i++) await send("touchMove", x, top + height / 2 - 15 * i);
      await send("touchEnd");
      await p.frames();
      assert.deepEqual(await values(), before, `a swipe over ${s} moves the run`);
      await swipe.evaluate((e) => e.ended); // a tap while the page still scrolls only stops it
      await p.page.locator(s).evaluate((e) => e.scrollIntoView({block: "end"}));
      await p.frames();
      await p.page.touchscreen.tap(x, (await p.box(s)).top + height * 0.7);
      await p.frames();
      assert.notDeepEqual(await values(), before, `a tap on ${s} does not`);
    }
    await p.close();
  },

  async "the address keeps the points"(browser, url) {
    const p = await Page.open(browser, url);
    await p.drag([POINT, WIN]);
    const hash = await p.page.evaluate(() => location.hash);
    assert.match(hash, /^#p=20,22,1;.*;11,16,-1;/);
    await p.close();
    const q = await Page.open(browser, url, desktop, hash);
    assert.deepEqual([await q.count("#play .caught"), await q.count("#play .point")], [1, 10]);
    await q.click("#play [data-do=first]");
    assert.match(await said(q), /It made 14/);
    await q.close();
    const r = await Page.open(browser, url, desktop, "#p=99,99,1");
    assert.equal(await r.count("#play .point"), 10);
    const read = await r.page.evaluate(async () => {
      const {parse} = await import("./page.js"),
        bad = ["#p=99,99,1", "#p=1,2,3", "#p=", "#5", "#c=1&p=1,1,1", "#p=1,1,1;;"];
      return [parse("#p=1,2,-1"), ...bad.map(parse)];
    });
    assert.deepEqual(read, [[{x: 1, y: 2, label: -1}], ...Array(6).fill(null)]);
    await r.close();
  },

  async "few points, many, and a run without an end in sight"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#p=16,16,1");
    await p.focus("#play .board");
    await p.keys("n", "Delete");
    assert.match(await said(p), /There are no points/);
    for (let i = 0; i < 26; i++) await p.keys("Escape", "+");
    assert.equal(await p.count("#play .point"), 24);
    await p.close();
    const q = await Page.open(browser, url, desktop, "#p=33,0,1;33,1,-1;-32,0,-1");
    await q.click("#play [data-do=learn]");
    assert.match(await said(q), /^It made 132 mistakes, .* at most 4498\./);
    assert.match(await q.text("#play .hint"), /γ = 0\.0308: .* ≈ 4498\./);
    // no digits of a rounded square
    assert.doesNotMatch(await q.text("#play"), /\d\.\d{5}|[1-9]\d{4}/);
    await q.close();
    const r = await Page.open(browser, url, desktop, "#p=-2,-2,-1;21,20,1;8,1,1;-11,-11,1");
    await r.click("#play [data-do=learn]"); // it has not come back after 1,000 rounds
    assert.match(await said(r), /^You won: it never stops\. Mistake 1921\./);
    await r.close();
  },

  async "chapter 4: the bias lets the line leave the centre, and corners have none"(browser, url) {
    const p = await Page.open(browser, url);
    await p.go("noline");
    await p.page.waitForSelector("#noline .caught");
    assert.match(await said(p, "noline"), /^It never stops/);
    await p.page.locator("#bias").check();
    assert.match(await said(p, "noline"), /^It made 8 mistakes, then no more\./);
    assert.match(await p.text("#noline .hint"), /In space, with the coordinate 1: R = 1\.97/);
    const line = await p.page.locator("#noline .line").getAttribute("d");
    const [ax, ay, bx, by] = line.match(/[\d.]+/g).map(Number),
      [cx, cy] = await p.page.evaluate(() => {
        const {cx, cy} = document.querySelector("#noline .pin");
        return [cx.baseVal.value, cy.baseVal.value];
      });
    const far =
      Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / Math.hypot(bx - ax, by - ay);
    assert.ok(far > 20, `the line is ${far} pixels from the centre`);
    await p.click("[data-set=corners]");
    assert.match(await said(p, "noline"), /^It never stops/);
    assert.equal(await p.count("#noline .span"), 2);
    await p.drag(
      [
        [16, 16],
        [-24, -8],
      ],
      {chapter: "noline"},
    );
    assert.match(await said(p, "noline"), /^It made/);
    await p.page.locator("#bias").uncheck();
    await p.click("#noline [data-do=undo]");
    assert.equal(await p.page.locator("#bias").isChecked(), true);
    await p.close();
  },

  async "w has its length: the board's arrow is as long as its dot is high"(browser, url) {
    const p = await Page.open(browser, url);
    await p.click("#play [data-do=learn]");
    await p.focus("#play .time");
    const ratios = [];
    for (const k of [1, 4, 8, 14]) {
      await p.keys("Home", ...Array(k).fill("ArrowRight"));
      ratios.push(
        await p.page.evaluate(() => {
          const value = (e, name) => e[name].baseVal.value;
          const [x, y] = document
            .querySelector("#play .head.w")
            .getAttribute("d")
            .match(/[\d.]+/g);
          const pin = document.querySelector("#play .pin"),
            dot = document.querySelector("#play .time .head");
          const long = Math.hypot(x - value(pin, "cx"), y - value(pin, "cy"));
          const axis = Number(
            document.querySelector("#play .axis").getAttribute("d").split(/[ H]/)[1],
          );
          return long / (axis - value(dot, "cy"));
        }),
      );
    }
    for (const r of ratios) assert.ok(Math.abs(r / ratios[0] - 1) < 0.05, ratios.join());
    await p.close();
  },

  async "1,000 random deeds leave the page well"(browser, url) {
    const p = await Page.open(browser, url, size(1024, 768));
    await p.page.evaluate(async () => {
      let seed = 11;
      const random = (n) => {
        seed = (seed * 48271) % 2147483647;
        return seed % n;
      };
      const all = (s) => [...document.querySelectorAll(s)];
      const keys = [
        "n",
        "p",
        "+",
        "-",
        "ArrowLeft",
        "ArrowUp",
        "Delete",
        "Escape",
        "Enter",
        "Home",
      ];
      for (let i = 0; i < 1000; i++) {
        const svgs = all(".board, .room, .time"),
          svg = svgs[random(svgs.length)],
          kind = random(4);
        const box = svg.getBoundingClientRect(),
          buttons = all("button:enabled, #bias").filter((b) => b.checkVisibility());
        const event = {
          bubbles: true,
          isPrimary: true,
          pointerId: 1,
          button: 0,
          pointerType: "mouse",
          clientX: box.left + random(box.width),
          clientY: box.top + random(box.height),
        };
        svg.setPointerCapture = () => {};
        if (kind === 0) buttons[random(buttons.length)].click();
        else if (kind === 1) {
          svg.dispatchEvent(
            new KeyboardEvent("keydown", {key: keys[random(keys.length)], bubbles: true}),
          );
        } else if (kind === 2) {
          const input = all("input[type=range]")[random(2)];
          input.value = random(300) / 100;
          input.dispatchEvent(new Event("input"));
        } else {
          const types = ["pointerdown", "pointermove", "pointermove", "pointerup"];
          for (const [j, type] of types.entries()) {
            svg.dispatchEvent(new PointerEvent(type, {...event, clientX: event.clientX + 9 * j}));
          }
        }
        if (i % 50 === 0) await new Promise((next) => setTimeout(next, 0));
      }
    });
    assert.deepEqual(p.wrong, []);
    await p.page
      .locator("#play [data-do=first], #play [data-do=remove]")
      .locator("visible=true")
      .first()
      .click();
    await p.close();
  },
};
