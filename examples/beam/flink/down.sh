#!/usr/bin/env bash
# Stops and removes all that up.sh has made, also after a failure of up.sh.
set -uo pipefail
source "$(dirname "$0")/lib.sh"

owner=$(cat "$run/checkout" 2>/dev/null || echo "$flink") # up.sh has written it
[ "$owner" = "$flink" ] || [ ! -e "$owner" ] || fail "$run is the cluster of another checkout: $owner/down.sh removes it"
for pid in "$run"/*.pid; do stop "$(basename "$pid" .pid)"; done
if [ -e "$run/network" ]; then # otherwise, a network of this name is another cluster's
	for i in 0 1 2; do
		[ ! -e "/sys/class/net/$bridge-$i" ] || ip link delete "$bridge-$i" # a namespace deletes it later
		if [ -e "/run/netns/$bridge-$i" ]; then
			ip netns pids "$bridge-$i" | xargs -r kill -KILL
			ip netns delete "$bridge-$i"
		fi
	done
	[ ! -e "/sys/class/net/$bridge" ] || ip link delete "$bridge"
fi
for _ in {1..50}; do
	rm -rf "$run" 2>/dev/null && exit # a process that is ending may still write
	sleep 0.1
done
fail "cannot remove $run"
