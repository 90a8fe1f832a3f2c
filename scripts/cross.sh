#!/usr/bin/env bash
# Proves that keys do not depend on the machine: runs the crate's tests on a big-endian machine (s390x) and on
# a 32-bit one (i686), both emulated, and builds the library for a target without an operating system
# (thumbv7em). The tests compare with fixed bytes, so other bytes anywhere fail.
#
#     scripts/cross.sh [s390x|i686|thumbv7em...]
#
# Installs: from Debian 12, rustc 1.96 beside the machine's own, its std source, qemu-user and two cross C
# compilers (240 MB to download). Takes: 5 minutes to build std for each target, and a few for its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(thumbv7em s390x i686)

packages=(rustc-web cargo-web rust-web-src qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross
    gcc-i686-linux-gnu libc6-dev-i386-cross)
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
    apt-get update
    apt-get install -y --no-remove --no-install-recommends "${packages[@]}"
fi

# Debian's cargo and rustc, which come with the source of std; unstable flags are needed to build it.
RUSTC=$(dpkg -L rustc-web | grep '/bin/rustc$')
RUSTDOC=$(dpkg -L rustc-web | grep '/bin/rustdoc$')
cargo=$(dpkg -L cargo-web | grep -m1 '/bin/cargo$')
export RUSTC RUSTDOC RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=target/cross

emulated() { # Rust's name, the C compiler's, qemu's
    local libc system name
    libc=$("$2-linux-gnu-gcc" -print-file-name=libc.so.6)
    system=$(dirname "$(dirname "$(realpath "$libc")")")
    name=$(tr a-z A-Z <<<"$1")
    export "CARGO_TARGET_${name}_UNKNOWN_LINUX_GNU_LINKER=$2-linux-gnu-gcc"
    export "CARGO_TARGET_${name}_UNKNOWN_LINUX_GNU_RUNNER=qemu-$3 -L $system"
    "$cargo" test -p isotone --all-features --locked --no-fail-fast \
        -Zbuild-std --target "$1-unknown-linux-gnu" --lib --tests
}

for target in "${targets[@]}"; do
    echo "== $target"
    case $target in
        s390x) emulated s390x s390x s390x ;;
        i686) emulated i686 i686 i386 ;;
        thumbv7em)
            "$cargo" build -p isotone --locked --release --features cursor -Zbuild-std=core --target thumbv7em-none-eabi ;;
        *) echo "unknown target $target"; exit 2 ;;
    esac
done
