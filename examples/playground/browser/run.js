// Tests the page in headless Chromium:
//
//	NODE_PATH=folder/node_modules node browser/run.js http://127.0.0.1:port/ [part of a test's name]
//
// The folder must contain playwright-core and axe-core. The environment variable
// CHROMIUM may contain the path of the browser.
"use strict";

const {launch} = require("./page.js");
const tests = Object.assign({}, ...["clicks", "training", "share", "story", "motion", "robust", "first", "game", "opening", "layout", "access"].map((name) => require(`./${name}.js`)));

async function main([url, part = ""]) {
  const browser = await launch();
  try {
    for (const [name, test] of Object.entries(tests)) {
      if (!name.includes(part)) continue;
      const start = Date.now();
      await test(browser, url);
      console.log(`ok: ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
  }
}

main(process.argv.slice(2)).catch((err) => {
  console.error(err);
  process.exit(1);
});
