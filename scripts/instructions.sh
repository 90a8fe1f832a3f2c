#!/bin/sh
# Counts the instructions of one act of each work under callgrind, and says what grew since
# `benches/instructions.txt` was stored. Fails when an act grew by more than 3 % (and by more than two
# instructions, so that the smallest acts may move by one).
#
#   scripts/instructions.sh           compare
#   scripts/instructions.sh --store   count and store
#
# Needs valgrind. The counts are those of one compiler, one C library, and a machine whose AVX2 valgrind
# shows to the program (feature `simd`; it shows no AVX-512): store them again when one of them changes.
# Acts are in the form that `bench-peers --acts` lists; memcpy depends on the machine and is shown, not
# judged.
set -eu
cd "$(dirname "$0")/.."
store=benches/instructions.txt
cargo build --quiet --release -p bench-peers
program=${CARGO_TARGET_DIR:-target}/release/bench-peers

# All that a run of so many turns executes; the difference of two runs leaves the turns alone.
run() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --act "$1" --times "$2" 2>&1 |
        sed -n 's/.*Collected : //p'
}
count() {
    few=$(run "$1" 100)
    many=$(run "$1" 1100)
    echo $(((many - few) / 1000))
}

acts() {
    "$program" --acts | grep -E '/(isotone|memcpy|by hand|byte loop|Builder|writer|encode|field_range|rekey|offsets)'
}

if [ "${1:-}" = --store ]; then
    acts | while read -r act; do
        printf '%s\t%s\n' "$(count "$act")" "$act"
    done >"$store.new"
    mv "$store.new" "$store"
    cat "$store"
    exit 0
fi

grown=0
while IFS='	' read -r before act; do
    now=$(count "$act")
    change=$(((now - before) * 1000 / (before > 0 ? before : 1)))
    word=
    if [ $((now - before)) -gt 2 ] && [ "$change" -gt 30 ]; then
        case $act in
        */memcpy) word='  (the machine'"'"'s)' ;;
        *)
            word='  GREW'
            grown=1
            ;;
        esac
    fi
    printf '%8d -> %8d  %s%s\n' "$before" "$now" "$act" "$word"
done <"$store"
exit "$grown"
