#!/usr/bin/env bash
# Coq checks with Flocq that float64 and the 200 bits of Unscale are as the theorems about rounding, logs
# and raw rows assume.
source "$(dirname "$0")/../lib.sh"

need coqc coq
if [ ! -e "$(coqc -where)/user-contrib/Flocq/Core/Core.vo" ]; then need '' libcoq-flocq; fi
newest=$(ls -t proofs/*.v proofs/*.vo | head -1)
if [ ! -e proofs/Log.vo ] || [ "${newest%.v}" != "$newest" ]; then timeout 900 proofs/check; fi

cd proofs/flocq
for file in *.v; do timeout 300 coqc -R .. Perceptron "$file"; done >"$tmp/out"
allowed='ClassicalDedekindReals.sig_(not|forall)_dec|FunctionalExtensionality.functional_extensionality_dep|Classical_Prop.classic'
[ "$(grep -cx 'Axioms:' "$tmp/out")" = "$(cat ./*.v | grep -c '^Print Assumptions')" ]
if grep -nwE 'Admitted|admit|Axioms?|Parameters?' ./*.v || grep -vE "^(Axioms:|  .*|($allowed)( .*)?)$" "$tmp/out"; then
	echo "the proof assumes this" >&2
	exit 1
fi
echo 'Flocq: the arithmetic is as assumed. The axioms are:'
grep -oE "^($allowed)" "$tmp/out" | sort -u
