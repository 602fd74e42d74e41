#!/bin/sh
# Ingest the samples, ask two questions, prove the index. Run through `make demo`.
# usage: demo.sh MICROTOME SAMPLES STORE
set -eu
microtome=$1 samples=$2 store=$3

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }

rm -rf "$store"
step "1. Ingest: parse, slice at four aligned sizes, fingerprint, embed, store"
"$microtome" ingest "$samples" --store "$store"
step "2. Again: nothing changed, so nothing is computed"
"$microtome" ingest "$samples" --store "$store"
step "3. Search, in English and in Portuguese, under a budget of 200 tokens"
"$microtome" search "My bike was taken away as abandoned, how long do they keep it?" --store "$store" --budget 200
"$microtome" search "Levaram a minha bicicleta abandonada, quanto tempo a guardam?" --store "$store" --budget 200
step "4. Verify: every chunk re-read, re-hashed and proven to lie inside its parents"
"$microtome" verify --store "$store"
printf '\nThe index is in %s. Try:  %s search "your question" --store %s\n' "$store" "$microtome" "$store"
