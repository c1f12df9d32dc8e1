#!/usr/bin/env bash
# examples/playground in headless Chromium: the server's files, and the static ones.
source "$(dirname "$0")/../lib.sh"

need chromium chromium
npm install --prefix "$tmp/node" --no-audit --no-fund --loglevel=error playwright-core@1.65.1 axe-core@4.14.1
CHROMIUM=$(command -v chromium)
export CHROMIUM NODE_PATH=$tmp/node/node_modules PLAYGROUND_EXPECT=$tmp/expect.json
cd examples/playground
go test -count=1 -run 'TestLibrary$' .
go build -o "$tmp/playground" .

"$tmp/playground" -build "$tmp/static"
export PLAYGROUND_FOLDER=$tmp/static

begin "$tmp/playground" >"$tmp/log"
await "$job" grep -q http "$tmp/log"
timeout 2100 node browser/run.js "$(grep -o 'http[^ ]*' "$tmp/log")/"
end "$job"

# A web server that knows nothing of the page, and compresses nothing.
cat >"$tmp/static.js" <<'JS'
const {createServer} = require("node:http"), {readFile} = require("node:fs"), {join, normalize, extname} = require("node:path");
const kinds = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"};
const server = createServer((request, response) => {
  const name = normalize(request.url).slice(1) || "index.html";
  readFile(join(process.argv[2], name), (err, body) => response.writeHead(err ? 404 : 200, {"Content-Type": kinds[extname(name)] || "application/octet-stream"}).end(body));
}).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
JS
begin node "$tmp/static.js" "$tmp/static" >"$tmp/static.log"
await "$job" grep -q http "$tmp/static.log"
timeout 300 node browser/run.js "$(cat "$tmp/static.log")" "the numbers are"
end "$job"
