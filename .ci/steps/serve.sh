#!/usr/bin/env bash
# examples/serve learns and answers over HTTP.
source "$(dirname "$0")/../lib.sh"

go -C examples/serve build -o "$tmp/serve" .
begin "$tmp/serve" -addr 127.0.0.1:0 -file "$tmp/served.perceptron" >"$tmp/log" 2>"$tmp/errors"
server=$job
await "$server" grep -q http "$tmp/log"
url=$(grep -o 'http.*' "$tmp/log")
ask() { node -e 'fetch(process.argv[1], {method: "POST", body: process.argv[2]}).then(r => r.text()).then(t => console.log(t.trim()))' "$@"; }
expect '.*"learned":1,"saved":0.*' ask "$url/update" '{"x": [1, 2], "y": 1}'
expect '.*"label":1.*' ask "$url/predict" '{"x": [1, 2]}'
second() { ! "$tmp/serve" -addr 127.0.0.1:0 -file "$tmp/served.perceptron" 2>&1; }
expect 'serve: another server uses .*' second
kill "$server"
wait "$server" # it saves, and ends with status 0
