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
export FLINK_CACHE=$tmp/cache
flink=examples/beam/flink
net=10.$((RANDOM % 200 + 20))
cluster() { export FLINK_DIR=$tmp/$1 FLINK_NET=$net.${#1}; }
cleanup() { # also if the step is stopped
	local name
	for name in faults jobs local; do (cluster $name && [ ! -e "$FLINK_DIR" ] || $flink/down.sh); done
}
go -C examples/beam test -c -o "$tmp/beam.test" .

# up starts a cluster.
up() {
	cluster "$1"
	timeout 600 $flink/up.sh
}

# on runs tests on a cluster, and removes it.
on() {
	local status=0
	cluster "$1"
	(cd examples/beam && timeout 900 "$tmp/beam.test" -test.v -test.run "$2") || status=$?
	((status == 0)) || tail -n 20 "$FLINK_DIR"/log/*
	$flink/down.sh
	return $status
}

jobs='Bits|Users|Errors|Causes'
if [ -n "$deep" ]; then
	jobs+='|Wide|Long'
else
	echo 'left to .ci/deep: TestFlinkWide, TestFlinkLong'
fi
chmod 755 "$tmp" # other users run the program
up faults
begin on faults 'TestFlink(Recovers|Stall|Orphan)' >"$tmp/log" 2>&1 # beside the rest, because it waits for time limits
faults=$job
up jobs
on jobs "TestFlink($jobs)"
# This cluster does not retry a job, and has no namespaces.
export FLINK_LOOPBACK=1 FLINK_RETRY=0
up local
on local 'TestFlinkKilled'
status=0
wait "$faults" || status=$?
cat "$tmp/log"
exit $status
