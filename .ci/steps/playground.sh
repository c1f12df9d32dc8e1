#!/usr/bin/env bash
# examples/playground: its mathematics under Node.js, and the page in headless Chromium, from its
# own server and as a folder of static files.
source "$(dirname "$0")/../lib.sh"

need chromium chromium
npm install --prefix "$tmp/node" --no-audit --no-fund --loglevel=error playwright-core@1.65.1 axe-core@4.14.1
CHROMIUM=$(command -v chromium)
export CHROMIUM NODE_PATH=$tmp/node/node_modules
cd examples/playground
skip=()
if [ -z "$deep" ]; then
	skip=(-skip '^TestMathsMutants$')
	echo 'left to .ci/deep: TestMathsMutants'
fi
tests "${skip[@]}" . >"$tmp/tests" || {
	cat "$tmp/tests"
	exit 1
}
cat "$tmp/tests"
grep -q 'no test was skipped' "$tmp/tests" # Node.js is there
go build -o "$tmp/playground" .

begin "$tmp/playground" >"$tmp/log"
await "$job" grep -q http "$tmp/log"
timeout 2100 node browser/run.js "$(grep -o 'http[^ ]*' "$tmp/log")/"
end "$job"

# A web server that knows nothing of the page, and compresses nothing.
"$tmp/playground" -build "$tmp/static"
cat >"$tmp/static.js" <<'JS'
const {createServer} = require("node:http"), {readFile} = require("node:fs"), {join, normalize, extname} = require("node:path");
const kinds = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"};
const server = createServer((request, response) => {
  const name = normalize(request.url).slice(1) || "index.html";
  readFile(join(process.argv[2], name), (err, body) => response.writeHead(err ? 404 : 200, {"Content-Type": kinds[extname(name)] || "application/octet-stream"}).end(body));
}).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
JS
begin node "$tmp/static.js" "$tmp/static" >"$tmp/static.log"
await "$job" grep -q http "$tmp/static.log"
timeout 300 node browser/run.js "$(cat "$tmp/static.log")" "few bytes"
timeout 300 node browser/run.js "$(cat "$tmp/static.log")" "ask, learn"
end "$job"
