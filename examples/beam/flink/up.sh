#!/usr/bin/env bash
# Starts Flink on this machine: a JobManager, two TaskManagers and Beam's job server. As root, each process of Flink is in a network namespace of its own.
# Otherwise, or with FLINK_LOOPBACK=1, each has a loopback address of its own. With
# FLINK_RETRY=0, Flink does not retry a job that fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/lib.sh"

[ ! -e "$run" ] || fail "$run exists; $(cat "$run/checkout" 2>/dev/null || echo "$here")/down.sh removes it"
ended() {
	local status=$?
	trap - EXIT
	set +f
	((status == 0)) || { tail -n 5 "$run"/log/* >&2 || true; "$here/down.sh"; }
	exit $status
}
trap ended EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# With each pipeline, Beam uploads its jars to Flink, which has them already. Beam leaves
# out files whose names contain gradle/wrapper.
cache=${FLINK_CACHE:-$run} # down.sh leaves another folder
jars=$cache/gradle/wrapper
mkdir -p "$run"/{bin,log,tmp}
echo "$here" >"$run/checkout"

# bridged makes the network, if it may.
bridged() {
	[ "${FLINK_LOOPBACK:-}" != 1 ] || return
	ip link add "$bridge" type bridge 2>"$run/log/network" && touch "$run/network" && return
	((EUID)) || ! grep -q exists "$run/log/network" || fail "the network $bridge exists; FLINK_NET chooses another"
	return 1
}

# network gives each process of Flink a namespace in the network, or else an address.
network() {
	if ! bridged; then
		net=127.${net#*.}
		return
	fi
	ip address add "$net.1/24" dev "$bridge"
	ip link set "$bridge" up
	local i
	for i in 0 1 2; do
		local space=$bridge-$i
		ip netns add "$space"
		ip link add "$space" type veth peer name eth0 netns "$space"
		ip link set "$space" master "$bridge" up
		ip -n "$space" address add "$net.1$i/24" dev eth0
		ip -n "$space" link set eth0 up
		ip -n "$space" link set lo up
	done
}

# inside prints how to run a command where the JobManager (0) or a TaskManager runs.
inside() { [ ! -e "$run/network" ] || echo "ip netns exec $bridge-$1"; }

# start starts a command in a session of its own. The script bin/NAME starts it again. Each log has
# at most two files of 8 MB.
start() {
	local name=$1
	shift
	{
		printf '#!/usr/bin/env bash\necho $$ >%q\n' "$run/$name.pid"
		printf 'exec %s > >(exec %q %q >/dev/null 2>&1) 2>&1 </dev/null\n' "$(printf '%q ' "$@")" "$run/bin/rotate.sh" "$run/log/$name"
	} >"$run/bin/$name"
	chmod +x "$run/bin/$name"
	setsid "$run/bin/$name" &
}

# flink prints the command of a process of Flink or Beam, with a heap and direct memory of so
# many megabytes.
flink() {
	local heap=$1 direct=$2 package
	shift 2
	printf '%s ' java "-Xmx${heap}m" -XX:MaxMetaspaceSize=256m "-XX:MaxDirectMemorySize=${direct}m" -XX:+UseSerialGC -XX:TieredStopAtLevel=1
	for package in java.lang java.lang.reflect java.net java.io java.nio sun.nio.ch java.text java.time java.util java.util.concurrent; do
		echo "--add-opens=java.base/$package=ALL-UNNAMED"
	done
	printf '%s ' "-Djava.io.tmpdir=$run/tmp" -cp "$jars/*" "$@"
}

# await retries a command until it succeeds, for some seconds.
await() {
	local deadline=$((SECONDS + $1)) what=$2
	shift 2
	until "$@" 2>/dev/null; do
		((SECONDS < deadline)) || fail "$what does not answer"
		sleep 0.2
	done
}

# get asks the JobManager's web server for a path.
get() {
	exec 3<>"/dev/tcp/$net.10/8081" && printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3 && cat <&3
}
answers() { (get /overview) | grep -q '"taskmanagers":2'; }
listens() { bash -c "exec 3<>/dev/tcp/$1/$2"; }

SECONDS=0
if [ ! -e "$jars" ]; then
	mvn -B -q -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$jars.part"
	mv "$jars.part" "$jars"
fi
echo "downloads by Maven: $SECONDS s, $(du -sm "$jars" | cut -f1) MB"
SECONDS=0
go -C "$here/.." build -ldflags='-s -w' -o "$cache/beam" .
cp "$cache/beam" "$here/worker.sh" "$here/rotate.sh" "$run/bin"
echo "build of the workers: $SECONDS s"

SECONDS=0
network
set -f # the * in a class path is Java's
{
	cat "$here/flink-conf.yaml"
	printf '%s\n' "jobmanager.rpc.address: $net.10" "rest.address: $net.10" "rest.bind-address: $net.10" \
		"parallelism.default: 2" "taskmanager.numberOfTaskSlots: ${FLINK_SLOTS:-2}" "io.tmp.dirs: $run/tmp"
	[ "${FLINK_RETRY:-1}" = 0 ] || printf 'restart-strategy.%s\n' "type: fixed-delay" "fixed-delay.attempts: 6" "fixed-delay.delay: 2s"
} >"$run/flink-conf.yaml"
# shellcheck disable=SC2046 # a command of several words
start jobmanager $(inside 0) $(flink 192 256 org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$run")
for i in 1 2; do
	# shellcheck disable=SC2046
	start tm$i $(inside $i) $(flink 320 768 org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$run") \
		-D "taskmanager.host=$net.1$i" -D "taskmanager.bind-host=$net.1$i" -D "taskmanager.resource-id=tm$i"
done
# shellcheck disable=SC2046
start jobserver $(inside 0) $(flink 256 256 org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master "$net.10:8081" --flink-conf-dir "$run" \
	--job-host "$net.10" --job-port 8099 --artifact-port 8098 --expansion-port 8097 --artifacts-dir "$run/tmp")
await 90 "a cluster of two TaskManagers" answers
await 30 "the job server" listens "$net.10" 8099
echo "start of the cluster: $SECONDS s"
echo "web page: $(tee "$run/web" <<<"http://$net.10:8081")"
echo "endpoint: $(tee "$run/endpoint" <<<"$net.10:8099")"
