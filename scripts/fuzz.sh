#!/usr/bin/env bash
# Looks for inputs that break a promise: runs each fuzz target for so many seconds (300 unless said
# otherwise), from the committed corpus and whatever earlier runs here have found.
#
#     scripts/fuzz.sh [seconds [target...]]
#
# Ends with an error when something was found; the input is then under `fuzz/artifacts/TARGET`. Mend the
# fault and add the input to `fuzz/corpus/TARGET`. There is no unsafe code, so no sanitizer slows this down.
#
# Installs: cargo-fuzz; unpacks Debian's prebuilt libFuzzer where there is one, which saves
# building it. Takes: 3 minutes once, then the seconds given for each target.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-300}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(collation decode_any family_laws spec)

command -v cargo-fuzz >/dev/null || cargo install --locked --debug cargo-fuzz
if [ -z "${CUSTOM_LIBFUZZER_PATH:-}" ] && command -v apt-get >/dev/null; then
    unpacked=$PWD/target/libfuzzer
    if [ ! -d "$unpacked" ]; then
        mkdir -p "$unpacked.new"
        (cd "$unpacked.new" && apt-get -o APT::Sandbox::User=root download libclang-rt-22-dev && dpkg -x libclang-rt-22-dev*.deb .)
        mv "$unpacked.new" "$unpacked"
    fi
    CUSTOM_LIBFUZZER_PATH=$(find "$unpacked" -name "libclang_rt.fuzzer-$(uname -m).a")
    export CUSTOM_LIBFUZZER_PATH
fi

for target in "${targets[@]}"; do
    found=$PWD/target/fuzz-corpus/$target
    mkdir -p "$found"
    cargo fuzz run -s none "$target" "$found" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -max_len=512 -len_control=0 -print_final_stats=1 -verbosity=0
done
