#!/usr/bin/env bash
# Proves that the crate builds without a warning under every combination of up to two of its features, and
# under all of them. The features are read from Cargo.toml, so a new one is covered when it is there.
#
# Installs: nothing. Takes: some seconds for each combination.
set -euo pipefail
cd "$(dirname "$0")/.."

combinations=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c '
import itertools, json, sys
package = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "isotone")
names = sorted(f for f in package["features"] if f != "default")
chosen = {c for n in (0, 1, 2, len(names)) for c in itertools.combinations(names, n)}
print("\n".join(sorted((",".join(c) for c in chosen), key=lambda c: (c.count(","), c))))
')
while read -r features; do
    echo "--features '$features'"
    cargo clippy --quiet -p isotone --lib --locked --no-default-features --features "$features" -- -D warnings
done <<<"$combinations"
