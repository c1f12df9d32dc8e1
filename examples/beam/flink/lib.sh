# shellcheck shell=bash
# What up.sh and down.sh share. They change one folder, and one network on this machine.
run=${FLINK_DIR:-/tmp/perceptron-flink}
net=${FLINK_NET:-10.77.0} # the network's address begins so
bridge=pf${net//./-} # its name, and how the names of its namespaces begin
bridge=${bridge:0:13}
flink=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) # of this checkout

fail() {
	echo "$0: $*" >&2
	exit 1
}

# stop ends a process and all that it has started.
stop() {
	[ ! -e "$run/$1.pid" ] || kill -KILL -- "-$(cat "$run/$1.pid")" 2>/dev/null || true
}
