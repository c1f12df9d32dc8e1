#!/usr/bin/env bash
# examples/playground in headless Chromium.
source "$(dirname "$0")/../lib.sh"

need chromium chromium
npm install --prefix "$tmp/node" --no-audit --no-fund --loglevel=error playwright-core@1.65.1
go build -o "$tmp/playground" ./examples/playground
begin "$tmp/playground" >"$tmp/log"
await "$job" grep -q http "$tmp/log"
CHROMIUM=$(command -v chromium) NODE_PATH=$tmp/node/node_modules \
	node examples/playground/browser_test.js "$(grep -o 'http[^ ]*' "$tmp/log")"
