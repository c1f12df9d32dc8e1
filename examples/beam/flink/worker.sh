#!/bin/sh
# Flink's TaskManager starts this for --environment_type=PROCESS, with the arguments --id
# and --provision_endpoint. The worker is the example's own program.
export GOMEMLIMIT=512MiB
exec "$(dirname "$0")/beam" "$@"
