#!/usr/bin/env bash
# Under another module path everything builds, and the README's first program runs. What
# cannot be published is refused. publish.sh tests rename.sh with a version.
source "$(dirname "$0")/../lib.sh"

mapfile -t modules < <(git ls-files '*/go.mod')
for wrong in "$tmp/renamed owner/perceptron v0.1.0" "$tmp/renamed example.com/owner/perceptron v2.0.0" "$tmp/renamed example.com/owner/perceptron 0.1.0" "$tmp example.com/owner/perceptron"; do
	status=0
	# shellcheck disable=SC2086 # two or three arguments
	./rename.sh $wrong || status=$?
	[ "$status" = 2 ]
	[ ! -e "$tmp/renamed" ]
done
before=$(git ls-files -z | xargs -0 sha256sum | sha256sum)
./rename.sh "$tmp/renamed" example.com/owner/perceptron
[ "$(git ls-files -z | xargs -0 sha256sum | sha256sum)" = "$before" ] # the checkout stays as it is
cd "$tmp/renamed"
go vet ./... # compiles everything, with the tests
# shellcheck disable=SC2046 # several packages
tests -run '^(Example|TestAPI|TestPrograms|TestSealed|TestLayers)' $(library) # the others read no path
tests ./docs
for module in "${modules[@]}"; do
	go -C "${module%/go.mod}" vet ./...
done
program "$tmp/program" "$tmp/renamed"
expect versicolor go -C "$tmp/program" run .
