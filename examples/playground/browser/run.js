// Tests the page in headless Chromium:
//
//	NODE_PATH=folder/node_modules node browser/run.js http://127.0.0.1:port/ [part of a name]
//
// The folder must contain playwright-core and axe-core. The environment variable CHROMIUM may
// contain the path of the browser.
"use strict";

const {launch} = require("./page.js");
const files = ["first", "play", "bubble", "layout", "access"];
const tests = Object.assign({}, ...files.map((name) => require(`./${name}.js`)));

async function main([url, part = ""]) {
  const browser = await launch(),
    began = Date.now();
  const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
  try {
    for (const [name, test] of Object.entries(tests).slice(Number(process.env.SKIP ?? 0))) {
      if (!name.includes(part)) continue;
      const start = Date.now();
      await test(browser, url);
      console.log(`ok: ${name} (${seconds(start)})`);
    }
    console.log(`${seconds(began)} in all`);
  } finally {
    await browser.close();
  }
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
