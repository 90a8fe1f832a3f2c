#!/usr/bin/env bash
# Proves that the crate needs neither std nor an allocator: links `scripts/no_std`, which uses the kernel, the
# schema, the index layer and the frozen collations, into a shared object with its own panic handler and
# without any library. Were std in the graph, the panic handler would be a duplicate; were anything allocated,
# no allocator would be found. What is left undefined may only be the memory routines that every target has.
#
# Installs: nothing (needs the C compiler's linker and nm). Takes: under a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}/no_std
cargo rustc --manifest-path scripts/no_std/Cargo.toml --target-dir "$target" --release --locked -- -Clink-arg=-nostdlib
object=$target/release/libisotone_no_std_probe.so

for symbol in kernel schema collation print; do
    nm -D --defined-only "$object" | grep -q " T $symbol\$" || { echo "$symbol is not in the object"; exit 1; }
done
undefined=$(nm -D --undefined-only "$object" | awk '{print $2}' | sed 's/@.*//' | sort)
foreign=$(comm -23 <(echo "$undefined") <(printf '%s\n' '' bcmp memcmp memcpy memmove memset | sort))
if [ -n "$foreign" ]; then
    echo "the crate needs from outside:"
    echo "$foreign"
    exit 1
fi
echo "no std, no allocator; from outside only:" $undefined
