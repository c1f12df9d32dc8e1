#!/usr/bin/env bash
# examples/beam gives the same bits in process and on a separate job server.
source "$(dirname "$0")/../lib.sh"

go -C examples/beam build -o "$tmp/beam" .
go -C examples/beam build -o "$tmp/prism" github.com/apache/beam/sdks/v2/go/cmd/prism
for shard in 1 2 3; do
	awk -v s=$shard 'BEGIN { for (i = s; i < 3000; i += 3) print (i % 2 ? "+1" : "-1"), (i % 2 + 1) ":" 1 + i % 7, "4:0.5" }' >"$tmp/shard-$shard.svm"
done
mix() { TMPDIR=$tmp "$tmp/beam" -shards "$tmp/shard-*.svm" -checkpoint "$tmp/$1.json" "${@:2}"; }
expect 'no mistakes on any shard after [0-9]+ rounds, .*' mix inside

begin "$tmp/prism" -job_port 0 -serve_http=false -log_kind json >"$tmp/log" 2>&1 # it logs the free port that it takes
await "$job" grep -q 'localhost:[0-9]' "$tmp/log" || {
	cat "$tmp/log"
	exit 1
}
endpoint=$(grep -o 'localhost:[0-9]*' -m 1 "$tmp/log")
expect 'no mistakes on any shard after [0-9]+ rounds, .*' mix outside --runner=universal --endpoint="$endpoint" --environment_type=LOOPBACK
cmp "$tmp/inside.json" "$tmp/outside.json"
