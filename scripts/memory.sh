#!/usr/bin/env bash
# Looks for memory errors under the crate's tests: AddressSanitizer over the unit and integration tests, then
# valgrind (uninitialised reads and leaks too) over the unit tests. The crate has no unsafe code; what it builds on
# has. The integration tests keep what they read from vectors for good, so leaks are not looked for in them.
#
# Installs: valgrind, from Debian. Takes: 10 minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || apt-get install -y --no-install-recommends valgrind

# The sanitizer is behind an unstable flag, which RUSTC_BOOTSTRAP opens on a stable compiler.
ASAN_OPTIONS=detect_leaks=0 RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test -p isotone --all-features --locked \
    --target "$(rustc -vV | sed -n 's/^host: //p')" --target-dir target/asan --lib --tests

# Debian's valgrind does not know the newest DWARF.
CARGO_PROFILE_TEST_DEBUG=0 cargo test -p isotone --all-features --locked --lib --no-run --target-dir target/valgrind
tests=$(find target/valgrind/debug/deps -maxdepth 1 -name 'isotone-*' -type f -executable)
for test in $tests; do
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite "$test" --test-threads=1
done
