#!/usr/bin/env bash
# Tells how strong the tests are: changes the library in one place at a time and lists every change that no
# test notices. Arguments go to cargo-mutants.
#
#     scripts/mutants.sh                          # all of it: hours
#     scripts/mutants.sh --file src/raw/view.rs   # one file
#     scripts/mutants.sh --in-diff CHANGE.diff    # what a change touches
#
# A change that no caller could ever see is excluded in `.cargo/mutants.toml`, with the reason.
#
# Installs: cargo-mutants,. Takes: 3 minutes once, then half a minute a change.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || cargo install --locked --debug cargo-mutants
cargo mutants --package isotone --output target -j1 --minimum-test-timeout 60 "$@" \
    -- --all-features --lib --tests
