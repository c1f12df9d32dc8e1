#!/usr/bin/env bash
# What an owner publishes can be installed: the renamed modules go to a file proxy, as
# rename.sh says. From there, an empty module gets the package and runs the README's first
# program, go install makes the command, and go run the playground. With the oldest release of Go that is supported, and
# this machine's; .ci/deep takes all.
source "$(dirname "$0")/../lib.sh"

module=example.com/owner/perceptron version=v0.1.0
ordinary=$(go env GOPROXY)
modules=$(go env GOMODCACHE)/cache/download
flags=$(go env GOFLAGS)

toolchains=()
patches=$(newest)
own=$(go env GOVERSION)
for patch in $patches; do
	if [ -z "$deep" ] && [[ $patch != go1.24.* && $patch != "${own%.*}".* ]]; then continue; fi
	toolchains+=("$(GOTOOLCHAIN=$patch go env GOROOT)/bin")
done

# The archives are those that the go command would make of the repository.
mkdir "$tmp/archive"
cat >"$tmp/archive/main.go" <<'EOF'
package main

import (
	"log"
	"os"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	m := module.Version{Path: os.Args[1], Version: os.Args[2]}
	if err := zip.CreateFromVCS(os.Stdout, m, os.Args[3], os.Args[4], os.Args[5]); err != nil {
		log.Fatal(err)
	}
}
EOF
go -C "$tmp/archive" mod init archive
go -C "$tmp/archive" get golang.org/x/mod@v0.41.0
go -C "$tmp/archive" build -o "$tmp/archive/" .

# A cache of its own, which the modules of the last run are not in. Modules that were
# fetched before come from the usual one.
export GOMODCACHE=$tmp/cache GOPROXY="file://$tmp/proxy,file://$modules,${ordinary%,direct}"
export GOFLAGS="$flags -modcacherw -trimpath" GONOSUMDB=$module GOTOOLCHAIN=local GOWORK=off

./rename.sh "$tmp/renamed" "$module" "$version"
cd "$tmp/renamed"
record() { git -c user.name=owner -c user.email=owner@example.com commit -qam "$1"; }
# publish tags a folder of the repository, and puts its module in the proxy.
publish() {
	local folder=$1 tag=${1:+$1/}$version path=$module${1:+/$1}
	local to=$tmp/proxy/$path/@v
	git tag "$tag"
	mkdir -p "$to"
	echo "$version" >"$to/list"
	printf '{"Version":"%s","Time":"%s"}' "$version" "$(TZ=UTC git log -1 --date=format-local:%FT%TZ --format=%cd)" >"$to/$version.info"
	git show "$tag:${folder:+$folder/}go.mod" >"$to/$version.mod"
	"$tmp/archive/archive" "$path" "$version" "$PWD" "$tag" "$folder" >"$to/$version.zip"
}
git init -q
git add -A
record 'the first commit has the package'
publish ''
mapfile -t nested < <(git ls-files '*/go.mod' | xargs -n 1 dirname)
for folder in "${nested[@]}"; do
	go -C "$folder" get "$module@$version"
done
record 'the second has the modules that require it'
for folder in "${nested[@]}"; do
	publish "$folder"
done
revision=$(git rev-parse HEAD)
program "$tmp/program" "$PWD"
go -C "$tmp/program" mod edit -droprequire "$module" -dropreplace "$module"
cd "$tmp/program"
cp go.mod "$tmp/go.mod"

[ ${#toolchains[@]} -gt 1 ]
for toolchain in "${toolchains[@]}"; do
	PATH=$toolchain:$PATH
	go version
	cp "$tmp/go.mod" .
	rm -f go.sum
	go get "$module@$version"
	expect versicolor go run .
	go get "$module/...@$version"
	go build "$module/..." # the module has all files that its programs embed

	rm -rf "$tmp/site"
	go run "$module/examples/playground@$version" -build "$tmp/site"
	while read -r file; do # what the page loads
		[ -s "$tmp/site/$file" ]
	done < <(grep -oE '(src|href)="[^":#]+\.(js|css)"' "$tmp/site/index.html" | cut -d '"' -f 2 | sort -u | tee "$tmp/loads")
	[ -s "$tmp/loads" ]
	GOBIN=$tmp/bin go install "$module/examples/serve@$version"

	# What the command requires needs Go 1.26.
	if [[ $(go env GOVERSION) == go1.24.* ]]; then
		continue
	fi
	export GOBIN=$tmp/bin
	go install "$module/cmd/perceptron@$version"
	expect "perceptron $version, go1\.[0-9.]+" "$GOBIN/perceptron" --version
	"$GOBIN/perceptron" plot bound none 2>"$tmp/error" && exit 1
	expect "perceptron: .*; go install -tags plot $module/cmd/perceptron@$version makes one that can" cat "$tmp/error"
	go install -tags plot "$module/cmd/perceptron@$version"
	"$GOBIN/perceptron" plot bound "$tmp/renamed/examples/iris/iris.csv" --positive setosa -o "$tmp/bound.svg"
	go mod download "$module/examples/beam@$version"

	# A checkout of the tag knows its revision.
	GOFLAGS="$GOFLAGS -buildvcs=true" go -C "$tmp/renamed/cmd/perceptron" build -o "$tmp/checkout" .
	expect "perceptron $version, revision $revision, go1\.[0-9.]+" "$tmp/checkout" --version
done
