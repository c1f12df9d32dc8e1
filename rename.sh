#!/usr/bin/env bash
# Writes the tree to a new folder under another module path, for an owner who publishes it
# under theirs. This checkout stays as it is:
#
#	./rename.sh ../published example.com/owner/perceptron
#
# It changes the imports in Go files, the module path in the documentation, and go.mod
# last. The package keeps its name. With a version the tree can be tagged:
#
#	./rename.sh ../published example.com/owner/perceptron v0.1.0
#
# The other modules then require that version instead of this folder, and README.md and
# doc.go say how to install it.
set -euo pipefail
if [ $# -lt 2 ] || [ $# -gt 3 ] || [ -z "$1" ] || [ -z "$2" ]; then
	echo "usage: $0 new-folder module/path [version]" >&2
	exit 2
fi
folder=$1
shift
if [ -e "$folder" ]; then
	echo "$0: $folder exists; name a new folder" >&2
	exit 2
fi
if [ $# -eq 2 ] && ! [[ ${1%%/*} == *.* && $2 =~ ^v[01]\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
	echo "$0: a published path begins with a host's name, and its version is such as v0.1.0" >&2
	exit 2
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")"
git ls-files -z | xargs -0 cp --parents -t "$folder"
cd "$folder"
export GOWORK=off
OLD=$(go list -m) NEW=$1 VERSION=${2:-}
export OLD NEW VERSION
mapfile -t modules < <(find . -mindepth 2 -name go.mod | sort)
# An import stands alone on its line, except for an alias.
# shellcheck disable=SC2016 # Perl expands the variables
import='s{^(import |\t)([\w.]+ )?"\Q$ENV{OLD}\E(/[^"]*)?"$}{$1.($2//"").qq("$ENV{NEW}).($3//"").qq(")}e'
find . -name '*.go' -exec perl -pi -e "$import" {} +
gofmt -w .
# In the documentation the path also follows require, replace and go doc.
find . -name '*.md' -exec perl -pi -e "$import;"'s{((?:require|replace|go doc(?: -\w+)*) )\Q$ENV{OLD}\E(?=[\s@=`]|$)}{$1$ENV{NEW}}g' {} +
# Nested modules name the old path in their own, which is below it, and as the first
# word of a require or replace.
perl -pi -e 's{^(module |require |replace |\t)\Q$ENV{OLD}\E(/\S*)?( |$)}{$1$ENV{NEW}@{[$2//""]}$3}' "${modules[@]}"

# edit applies a substitution to a file as one text, and fails if nothing matches.
edit() {
	perl -0777 -i -pe "$2"' or die "$ARGV: nothing to replace\n"' "$1"
}

# install writes how to get the published modules, with the prefix $1 before each line.
install() {
	printf '%s\n' "$1go get $NEW@$VERSION" "$1go install $NEW/cmd/perceptron@$VERSION"
}

if [ -n "$VERSION" ]; then
	for file in "${modules[@]}"; do
		go mod edit -require "$NEW@$VERSION" -dropreplace "$NEW" "$file"
	done
	LINES=$(install '    ') edit README.md 's{Clone this repository, and use Go 1\.24.*?from\s+your\s+module:\n\n +require \S+ v0\.0\.0\n +replace [^\n]+\n}{With Go 1.24 or later, import the package, or install its command:\n\n$ENV{LINES}\n}s'
	edit README.md 's{It is \[not released\]\(CHANGELOG\.md\): before 0\.1\.0 names}{Before 1.0, names}'
	LINES=$(install $'//\t') edit doc.go 's{(?=// # A first call\n)}{// To import it, or to install its command:\n//\n$ENV{LINES}\n//\n}'
	edit cmd/perceptron/README.md 's{In the root of the repository, this builds.*?`PATH`\.\s}{}s'
	edit cmd/perceptron/README.md 's{Name both\s+folders in your module.s go\.mod, and run `go mod tidy`\. The go line must be 1\.26\.0.*?:\n\n(?: {4}[^\n]*\n)+}{The go line of your go.mod must be 1.26.0 or later:\n\n    go get $ENV{NEW}/cmd/perceptron\@$ENV{VERSION}\n}s'
	find . \( -name '*.go' -o -name '*.md' \) -exec perl -pi -e 's{go build -C cmd/perceptron (-tags plot )?-o perceptron \.}{"go install ".($1//"")."$ENV{NEW}/cmd/perceptron\@$ENV{VERSION}"}e; s{go -C (examples/\w+) run \.}{go run $ENV{NEW}/$1\@$ENV{VERSION}}' {} +
fi
go mod edit -module "$NEW"
echo "$folder has the module $NEW, which is $OLD here"
if [ -n "$VERSION" ]; then
	nested=("${modules[@]%/go.mod}")
	echo "Make it a repository, commit, tag $VERSION, and push. Then run go get $NEW@$VERSION in ${nested[*]#./},"
	echo "which adds its sums; commit, tag each with its folder, such as ${nested[0]#./}/$VERSION, and push."
fi
