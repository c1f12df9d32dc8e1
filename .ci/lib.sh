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

# Emulators and wasm are slow. The widest grids of tests compare one machine's results
# with each other, so they run on real machines only.
widest='TestNaive|TestStreamNaive|TestMulticlassNaive|TestMulticlassStreamNaive|TestResume|TestSaved$|TestHostile|TestErrorRows|TestSearchOptimal|TestSeparateFits|TestSeparateSizes|TestAhead$|TestCopyMemory'
widest+='|TestSparseNaive|TestRowByRow|TestGroupRows|TestSeparationsTwin|TestWideMemory'
widest+='|TestSealed|TestAPI$|TestLayers|TestKilled|TestReadPython|TestWavesPython' # they start processes
widest+='|TestSavedWide|TestLoadedCopied|TestMulticlassTwo$|TestLabelUnknown|TestLetter|TestDigits'
widest+='|TestRowsLeftOutMore|TestMushroom|TestSeparateMushroom|TestAverageDigits' # theorems on larger data; their bits are in the goldens

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

# tests runs go test. It prints the packages, and each skipped test below its reason.
tests() {
	local log status
	log=$(mktemp -p "$tmp")
	go test -v "$@" >"$log" 2>&1 || {
		status=$?
		cat "$log"
		return $status
	}
	grep -E '^(ok|\?) ' "$log"
	grep -B 1 -e '--- SKIP' "$log" || echo 'no test was skipped'
}

# need installs Debian packages if a command is missing. Two steps take turns.
need() {
	command -v "$1" >/dev/null && return
	shift
	(
		flock 9
		apt-get update -q
		apt-get install -qy --no-install-recommends "$@"
	) 9>/tmp/perceptron-ci-packages
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
	go -C "$folder" mod edit -go=1.24.0 -require "$module@v0.0.0" -replace "$module=$package"
}
