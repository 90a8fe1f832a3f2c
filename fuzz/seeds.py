#!/usr/bin/env python3
"""Writes the seeds of `decode_any` from the vectors: a layout descriptor and a key of it for each kind,
in the form that the target reads. Run from anywhere; the other targets' seeds come from `cargo fuzz cmin`."""

import hashlib
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "tests" / "vectors"
OUT = HERE / "corpus" / "decode_any"

ORDERS = {"AscNullsFirst": 0, "AscNullsLast": 1, "DescNullsFirst": 2, "DescNullsLast": 3}
KINDS = {
    "bool": "01", "bytes": "10", "str": "11", "i64": "20", "i8": "21", "i16": "22", "i32": "23", "i128": "24",
    "u64": "28", "u8": "29", "u16": "2a", "u32": "2b", "u128": "2c", "f32": "30", "f64": "31", "decimal": "38",
    "date": "40", "time": "41", "timetz": "42", "timestamp": "43", "duration": "44", "interval": "45",
    "uuid": "50", "mac48": "51", "mac64": "52", "lsn": "53", "enum": "54", "ip": "60", "ip_prefix": "61", "network": "62",
}
# Composite: kind byte, parameters.
COMPOSITES = {
    "int4_array": "73 23", "text_array": "73 11", "numeric_array": "73 38", "float8_array": "73 31",
    "int4range": "74 23", "numrange": "74 38", "tsrange": "74 43",
    "int4multirange": "75 23", "nummultirange": "75 38", "bit13": "76", "varbit": "76", "bit": "76",
    "row_int4_text_numeric": "71 00000006 2301 1101 3801",
}
# FORMAT §5 and its neighbours: fields of a v2 descriptor, key.
EXAMPLES = [
    ("70 03 00000006 2300 1101 1101", "00 ff 00 7f ff 00 ff 00 fe fe ff 00 9e ff 00 ff 00 ff ff"),
    ("71 03 00000006 2301 1101 1101", "00 ff 7f ff ff fe fe ff 9e ff ff"),
    ("72 00 23", "01 01 80 00 00 07 02 00"),
    ("72 03 72 10", "00 fe fe ff ff ff ff ff"),
    ("73 04 23", "01 80 00 00 01 01 80 00 00 02 00 02 00 00 00 01 00 00 00 02 80 00 00 01 80 00 00 01"),
    ("74 03 23", "00 fd 7f ff ff fe ff fe"),
    ("75 00 29", "01 02 01 00 00 02 00 02 05 00 01 00"),
    ("76 00", "01 a0 00 00 03"),
    ("13 04 0003 14 05 01 00000001 78", "00 61 ff 9e ff ff"),
    ("12 02 00000000 2a 05", "01 9e ff ff fe fd"),
]


def rows(path):
    for line in (VECTORS / path).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def seed(fields, key):
    fields, key = bytes.fromhex(fields), bytes.fromhex(key)
    data = bytes([4, len(fields)]) + fields + key
    (OUT / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def layout(kind, order):
    return f"{KINDS[kind]}{ORDERS[order]:02x}"


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    seen = set()
    for kind, order, _, key in rows("schottky/fields.tsv"):
        if kind in KINDS and kind not in seen and 4 < len(key) < 80 and not key.startswith("!"):
            seen.add(kind)
            seed(layout(kind, order), key)
    refused = set()
    for kind, order, key, result, *_ in rows("schottky/decode.tsv"):
        if kind in KINDS and kind not in refused and result.startswith("!") and 4 < len(key) < 60:
            refused.add(kind)
            seed(layout(kind, order), key)
    types = set()
    for kind, _, payload in rows("format/composites.tsv"):
        if kind in COMPOSITES and kind not in types and 4 < len(payload) < 80:
            types.add(kind)
            head, _, tail = COMPOSITES[kind].partition(" ")
            seed(f"{head}04{tail}", payload)
    for fields, _, key, _ in list(rows("schottky/composite.tsv"))[:200:40]:
        parts = [f.partition("=")[0].split(":") for f in fields.split(" | ")]
        seed("".join(layout(kind, order) for kind, order in parts), key)
    for fields, key in EXAMPLES:
        seed(fields, key)


if __name__ == "__main__":
    main()
