# shellcheck shell=bash
# Every step sources this file. A step then runs in the repository's root, ends at its
# first error, and has a temporary folder $tmp. When it ends, in whatever way, its
# background jobs are stopped, $tmp is removed, and its exit status is kept.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

data=../shared/data # tests on larger data run if this folder exists
if [ -z "${PERCEPTRON_DATA:-}" ] && [ -d "$data" ]; then
	PERCEPTRON_DATA=$(cd "$data" && pwd)
	export PERCEPTRON_DATA
fi

deep=${PERCEPTRON_DEEP:-} # .ci/deep sets it: everything runs everywhere
limit=30m    # of the time of one go test
short=-short # where a step is slow
if [ -n "$deep" ]; then
	export PERCEPTRON_FULL=1
	limit=10h
	short=
fi

# slow prints the entries of .ci/slow: a pattern of names, and the places where the tests run too.
slow() { sed '/^#/d; /^$/d; s/\*/\\w*/g' .ci/slow; }

# elsewhere prints a pattern of the tests, and the parts of tests, that do not run in a place.
elsewhere() {
	slow | awk -v place="$1" -v deep="$deep" '
		index($0 " ", " -" place " ") || !deep && !index($0 " ", " " place " ") { gsub("/", "$/^", $1); print "^" $1 "$" }' | paste -sd '|'
}

tmp=$(mktemp -d)
groups=() # process groups of the background jobs

cleanup() { :; } # a step may replace it

finish() {
	local status=$?
	trap - EXIT
	cleanup || true
	local group
	for group in "${groups[@]}"; do
		kill -- "-$group" 2>/dev/null || true # it may have ended
	done
	wait
	rm -rf "$tmp"
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# begin runs a command in the background, in a process group of its own, so that its
# children end with it. The process id is in $job.
begin() {
	set -m
	"$@" &
	set +m
	job=$!
	groups+=("$job")
}

# end stops a background job.
end() {
	kill -- "-$1"
	wait "$1" || true # its status is that of the signal
}

# await retries a command until it succeeds, for a minute at most, while a job runs.
await() {
	local job=$1 deadline=$((SECONDS + 60))
	shift
	until "$@"; do
		kill -0 "$job" || return
		if ((SECONDS >= deadline)); then
			echo "no success within a minute: $*" >&2
			return 1
		fi
		sleep 0.1
	done
}

# expect runs a command, prints its output, and fails unless a whole line matches.
expect() {
	local pattern=$1 out
	shift
	out=$("$@")
	printf '%s\n' "$out"
	grep -Eqx "$pattern" <<<"$out" || {
		echo "no line of the output matches: $pattern" >&2
		return 1
	}
}

# tests runs go test. It prints the packages, each skipped test below its reason, and the slowest tests.
# It fails if no test ran. The steps vet, modules and plot have vetted all packages. The variable place leaves out the
# slow tests that .ci/slow keeps out of this place.
tests() {
	local log status=0
	log=$(mktemp -p "$tmp")
	if [ -n "${place:-}" ]; then
		set -- -skip "$(elsewhere "$place")" "$@"
	fi
	go test -v -vet=off -timeout $limit ${deep:+-count=1} "$@" >"$log" 2>&1 || {
		status=$?
		cat "$log"
		examples_after "$log" "$@"
		return $status
	}
	grep -E '^(ok|\?) ' "$log"
	grep -B 1 -e '--- SKIP' "$log" || echo 'no test was skipped'
	awk '/^--- PASS/ { ran++; gsub(/[()s]/, "", $4); if ($4 + 0 > 10) slow = slow sprintf(" %s %.0f s", $3, $4) }
		END { print ran + 0, "tests passed" (slow ? "; above 10 s:" slow : ""); exit !ran }' "$log" || {
		echo "no test ran: go test $*" >&2
		return 1
	}
}

# library prints the packages of the library, with those of its tests alone, but no programs and pages.
library() { go list ./... | grep -vE '/(examples|bench|docs)(/|$)'; }

# examples_after runs the examples after one that ended its test binary, as log.Fatal does. It takes the log and the
# arguments of go test.
examples_after() {
	local log=$1 ended done=''
	shift
	while ended=$(awk '/^=== RUN +Example/ { on[$3] } /^--- / { delete on[$3] } END { for (name in on) print name }' "$log") && [ -n "$ended" ]; do
		done+=$(awk '/^--- [A-Z]+: Example/ { printf "%s|", $3 }' "$log")$(tr '\n' '|' <<<"$ended")
		printf '%s ended its test binary. The examples after it:\n' "${ended//$'\n'/, }"
		go test -v -vet=off -timeout $limit "$@" -run '^Example' -skip "^(${done%|})\$" >"$log" 2>&1 || true
		grep -v '^=== ' "$log" || true
	done
}

# need installs Debian packages if a command is missing. Two steps take turns, and wait for others who install.
need() {
	command -v "$1" >/dev/null && return
	shift
	(
		flock 9
		packages update -q
		packages install -qy --no-install-recommends "$@"
	) 9>/tmp/perceptron-ci-packages
}

# packages runs apt-get, and tries again for ten minutes while another process has one of its locks.
packages() {
	local log deadline=$((SECONDS + 600))
	log=$(mktemp -p "$tmp")
	until apt-get -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1; do
		if ! grep -qE 'Could not get lock|Unable to (lock|acquire)' "$log" || ((SECONDS >= deadline)); then
			cat "$log" >&2
			return 1
		fi
		sleep 2
	done
}

staticcheck() { go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 "$@"; }

# newest prints the newest patches of the releases of Go that are supported.
newest() {
	local versions platform release patch
	versions=$(go list -m -versions golang.org/toolchain | tr ' ' '\n')
	platform=$(go env GOOS)-$(go env GOARCH)
	for release in 1.24 1.26 1.27; do
		patch=$(sed -n "s/^v0\.0\.1-\(go$release\.[0-9]*\)\.$platform\$/\1/p" <<<"$versions" | sort -V | tail -n 1)
		[ -n "$patch" ] || {
			echo "the module proxy has no Go $release for $platform" >&2
			return 1
		}
		echo "$patch"
	done
}

# copy copies the files of the repository to a folder.
copy() {
	mkdir -p "$1"
	git ls-files -z | xargs -0 cp --parents -t "$1"
}

# program makes a module of the README's first program, which imports the package from
# a folder, and reads a table.
program() {
	local folder=$1 package=$2 module
	module=$(go -C "$package" list -m)
	mkdir "$folder"
	cp "$package/examples/iris/iris.csv" "$folder"
	awk '/^```go$/ { on = 1; next } on && /^```$/ { exit } on' "$package/README.md" >"$folder/main.go"
	go -C "$folder" mod init program
	go -C "$folder" mod edit -go=1.24 -require "$module@v0.0.0" -replace "$module=$package"
}
