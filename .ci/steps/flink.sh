#!/usr/bin/env bash
# examples/beam gives the same bits on Flink, also after one of its processes is killed.
source "$(dirname "$0")/../lib.sh"

for command in java mvn; do
	command -v $command >/dev/null || {
		echo "skipped: there is no $command on this machine, and Flink needs it"
		exit 0
	}
done
need ip iproute2
export FLINK_DIR=$tmp/flink FLINK_CACHE=$tmp/cache FLINK_NET=10.$((RANDOM % 200 + 20)).$((RANDOM % 250))
flink=examples/beam/flink
cleanup() { $flink/down.sh; } # also if the step is stopped
go -C examples/beam test -c -o "$tmp/beam.test" .

# on_flink starts a cluster, runs tests on it, and removes it.
on_flink() {
	local status=0
	timeout 600 $flink/up.sh || return
	(cd examples/beam && timeout 900 "$tmp/beam.test" -test.v -test.run "$1") || status=$?
	((status == 0)) || tail -n 20 "$FLINK_DIR"/log/*
	$flink/down.sh
	return $status
}

chmod 755 "$tmp" # other users run the program
on_flink 'TestFlink(Bits|Wide|Long|Recovers|Stall|Orphan|Users|Errors|Causes)'
# This cluster does not retry a job. Without namespaces, workers can run in the launcher.
FLINK_LOOPBACK=1 FLINK_RETRY=0 on_flink 'TestFlink(Bits|Errors|Killed)'
