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

# The manifests for Kubernetes fit the schemas, and one with a misspelt field does not.
command -v mvn >/dev/null || {
	echo "skipped: there is no mvn on this machine, and the schema of Flink's operator needs it"
	exit 0
}
python=/usr/bin/python3
$python -c 'import venv, ensurepip' 2>/dev/null || need pip3 python3-venv
$python -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install -q kubernetes-validate==1.37.0
operator=flink-kubernetes-operator-api
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:2.8:copy -Dartifact=org.apache.flink:$operator:1.10.0 -DoutputDirectory="$tmp"
check() { "$tmp/venv/bin/python" .ci/kubernetes.py "$tmp/$operator-1.10.0.jar"; }
manifests=examples/beam/kubernetes/perceptron.yaml
check <$manifests
for field in replicas startupProbe claimName; do
	if sed "s/$field:/${field}s:/" $manifests | check >"$tmp/log" 2>&1 || ! grep -q "'${field}s' was unexpected" "$tmp/log"; then
		cat "$tmp/log"
		exit 1
	fi
done
version() { sed -n "s|.*<$1.version>\(.*\)<.*|\1|p" examples/beam/flink/pom.xml; }
grep -q "image: flink:$(version flink)-java" $manifests # the versions that flink.sh tests
grep -q "job_server:$(version beam)\$" $manifests
