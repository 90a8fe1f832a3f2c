#!/usr/bin/env bash
# Proves that `rust-version` in Cargo.toml is true: checks the library, bare and with every feature
# but `icu` and `simd`, with the real rustc of that version.
#
# Installs: nothing; unpacks Debian 12's packages of rustc 1.85 under `target` (120 MB to download, once).
# Takes: half a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
unpacked=$PWD/target/msrv-rustc
rustc=$unpacked/usr/bin/rustc
if [ ! -x "$rustc" ]; then
    rm -rf "$unpacked"
    mkdir -p "$unpacked/deb"
    (
        cd "$unpacked/deb"
        apt-get -o APT::Sandbox::User=root download "rustc-web=$wanted*" "libstd-rust-web-$wanted" "libstd-rust-web-dev=$wanted*" libllvm19
        for package in *.deb; do dpkg -x "$package" ..; done
    )
    rm -rf "$unpacked/deb"
fi
export LD_LIBRARY_PATH=$unpacked/usr/lib/$(uname -m)-linux-gnu:$unpacked/usr/lib
found=$("$rustc" --version)
echo "$found"
case $found in
    "rustc $wanted."*) ;;
    *) echo "not rustc $wanted"; exit 1 ;;
esac
export RUSTC=$rustc
# Every feature but `icu`, whose engine asks for Rust 1.88, and `simd`, whose vectors ask for 1.89.
rest=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c '
import json, sys
package = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "isotone")
print(",".join(sorted(f for f in package["features"] if f not in ("default", "icu", "simd"))))
')
for features in "" "$rest"; do
    echo "--features '$features'"
    cargo check -p isotone --lib --locked --target-dir target/msrv --features "$features"
done
