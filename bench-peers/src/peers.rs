//! The peers, each as its own documentation would have it, into a buffer that is used again where
//! it offers that.

use std::hint::black_box;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::BinaryArray;
use arrow_array::Float64Array;
use arrow_array::Int32Array;
use arrow_array::Int64Array;
use arrow_array::StringArray;
use arrow_array::UInt16Array;
use arrow_array::UInt64Array;
use arrow_row::RowConverter;
use arrow_row::SortField;
use arrow_schema::DataType;
use arrow_schema::SortOptions;
use serde::Deserialize;
use serde::Serialize;
use serde::Serializer;

use crate::inputs::FIXED;
use crate::inputs::ID;
use crate::inputs::NAME;
use crate::inputs::SEQ;
use crate::inputs::blobs;
use crate::report::Work;
use crate::timing::Subject;

/// Rows of a batch for arrow-row, which converts columns.
const BATCH: usize = 1024;

pub(crate) type Row<'v> = (i64, &'v str, u64);

/// One way to make a W1 key and one to make a key of bytes, for the checks and the works alike.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) row: fn(Row<'_>, &mut Vec<u8>),
    /// Whether the last field is descending.
    pub(crate) descends: bool,
    pub(crate) bytes: fn(&[u8], bool, &mut Vec<u8>),
    /// Whether `bytes` can be descending.
    pub(crate) both_ways: bool,
    pub(crate) note: &'static str,
}

/// Bytes to serde as bytes, not as a sequence of numbers.
#[derive(Clone, Copy)]
struct Blob<'v>(&'v [u8]);

impl Serialize for Blob<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

const ASCENDING: &str = "the last field ascending too";

pub(crate) const PEERS: [Peer; 6] = [
    Peer {
        name: "storekey",
        row: |row, out| storekey::encode(out, &row).unwrap(),
        descends: false,
        bytes: |bytes, _, out| storekey::encode(out, bytes).unwrap(),
        both_ways: false,
        note: ASCENDING,
    },
    Peer {
        name: "bytekey2",
        row: |row, out| bytekey2::serialize_into(out, &row).unwrap(),
        descends: false,
        bytes: |bytes, _, out| bytekey2::serialize_into(out, &Blob(bytes)).unwrap(),
        both_ways: false,
        note: ASCENDING,
    },
    Peer {
        name: "memcomparable",
        row: |(id, name, seq), out| {
            let mut to = memcomparable::Serializer::new(out);
            (id, name).serialize(&mut to).unwrap();
            to.set_reverse(true);
            seq.serialize(&mut to).unwrap();
        },
        descends: true,
        bytes: |bytes, descending, out| {
            let mut to = memcomparable::Serializer::new(out);
            to.set_reverse(descending);
            Blob(bytes).serialize(&mut to).unwrap();
        },
        both_ways: true,
        note: "",
    },
    Peer {
        name: "ordcode",
        row: |row, out| {
            out.resize(64 + row.1.len(), 0);
            let len = ordcode::ser_to_buf_ordered(out, &row, ordcode::Order::Ascending).unwrap();
            out.truncate(len);
        },
        descends: false,
        bytes: |bytes, descending, out| {
            let order = if descending { ordcode::Order::Descending } else { ordcode::Order::Ascending };
            let size = ordcode::calc_size_asc(&Blob(bytes)).unwrap();
            out.resize(size, 0);
            ordcode::ser_to_buf_ordered(out, &Blob(bytes), order).unwrap();
        },
        both_ways: true,
        note: ASCENDING,
    },
    Peer {
        name: "foundationdb-tuple",
        row: |row, out| {
            foundationdb_tuple::pack_into(&row, out);
        },
        descends: false,
        bytes: |bytes, _, out| {
            foundationdb_tuple::pack_into(&foundationdb_tuple::Bytes::from(bytes), out);
        },
        both_ways: false,
        note: ASCENDING,
    },
    Peer {
        name: "tuple_key2",
        row: |(id, name, seq), out| {
            *out = tuple_key2::TupleKey::builder_with_capacity(64).i64(id).string(name).u64(seq).build().into_bytes();
        },
        descends: false,
        bytes: |bytes, _, out| {
            *out = tuple_key2::TupleKey::builder_with_capacity(2 * bytes.len() + 2).bytes(bytes).build().into_bytes();
        },
        both_ways: false,
        note: "the last field ascending too; a buffer for every key",
    },
];

/// arrow-row by columns: one row of W1 for each given one.
pub(crate) fn arrow_rows(rows: &[Row<'_>]) -> (RowConverter, Vec<ArrayRef>) {
    let options = SortOptions { descending: true, nulls_first: false };
    let fields = vec![
        SortField::new(DataType::Int64),
        SortField::new(DataType::Utf8),
        SortField::new_with_options(DataType::UInt64, options),
    ];
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.0))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.1))),
        Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.2))),
    ];
    (RowConverter::new(fields).unwrap(), columns)
}

pub(crate) fn arrow_bytes(values: &[&[u8]], descending: bool) -> (RowConverter, Vec<ArrayRef>) {
    let field = SortField::new_with_options(DataType::Binary, SortOptions { descending, nulls_first: true });
    (RowConverter::new(vec![field]).unwrap(), vec![Arc::new(BinaryArray::from_iter_values(values))])
}

fn arrow(converter: RowConverter, columns: Vec<ArrayRef>) -> Subject {
    let mut rows = converter.convert_columns(&columns).unwrap();
    let subject = Subject::new("arrow-row", move || {
        rows.clear();
        converter.append(&mut rows, black_box(&columns)).unwrap();
        black_box(&rows);
    });
    subject.batch(u32::try_from(BATCH).unwrap()).note("columns of 1,024 rows, in blocks of 32 bytes")
}

pub(crate) fn add_to(works: &mut [Work]) {
    for work in works {
        match work.id {
            "W1" => {
                for peer in PEERS {
                    let mut out = Vec::with_capacity(128);
                    let subject = Subject::new(peer.name, move || {
                        out.clear();
                        (peer.row)((black_box(ID), black_box(NAME), black_box(SEQ)), &mut out);
                        black_box(&out);
                    });
                    work.add_peer(subject.note(peer.note));
                }
                let (converter, columns) = arrow_rows(&[(ID, NAME, SEQ); BATCH]);
                work.add_peer(arrow(converter, columns));
            }
            "W2" | "W3" | "W4" | "W5" | "W5b" => {
                let descending = work.id == "W3";
                let of = if descending { "W2" } else { work.id };
                let bytes = blobs().into_iter().find(|blob| blob.work == of).unwrap().bytes;
                for peer in PEERS.into_iter().filter(|peer| peer.both_ways || !descending) {
                    let mut out = Vec::with_capacity(2 * bytes.len() + 64);
                    work.add_peer(Subject::new(peer.name, move || {
                        out.clear();
                        (peer.bytes)(black_box(bytes), descending, &mut out);
                        black_box(&out);
                    }));
                }
                let (converter, columns) = arrow_bytes(&[bytes; BATCH], descending);
                work.add_peer(arrow(converter, columns));
            }
            "W6" => {
                let key = encoded(0);
                work.add_peer(Subject::new("storekey", move || {
                    let row: Row2 = storekey::decode_borrow(black_box(key)).unwrap();
                    black_box(row);
                }));
                let key = encoded(2);
                work.add_peer(Subject::new("memcomparable", move || {
                    let mut fields = memcomparable::Deserializer::new(black_box(key));
                    let (id, name) = <(i64, String)>::deserialize(&mut fields).unwrap();
                    fields.set_reverse(true);
                    black_box((id, name, u64::deserialize(&mut fields).unwrap()));
                }));
                let key = encoded(4);
                work.add_peer(Subject::new("foundationdb-tuple", move || {
                    black_box(
                        foundationdb_tuple::unpack::<(i64, std::borrow::Cow<'_, str>, u64)>(black_box(key)).unwrap(),
                    );
                }));
                let key = encoded(5);
                work.add_peer(Subject::new("tuple_key2", move || {
                    let mut fields = tuple_key2::TupleKeyParser::new(black_box(key));
                    black_box((fields.i64().unwrap(), fields.string().unwrap(), fields.u64().unwrap()));
                }));
            }
            "W7" => {
                let mut out = Vec::with_capacity(64);
                work.add_peer(Subject::new("storekey", move || {
                    out.clear();
                    storekey::encode(&mut out, &black_box(FIXED)).unwrap();
                    black_box(&out);
                }));
                let mut out = [0; 64];
                work.add_peer(Subject::new("ordcode", move || {
                    let order = ordcode::Order::Ascending;
                    black_box(ordcode::ser_to_buf_ordered(&mut out, &black_box(FIXED), order).unwrap());
                    black_box(&out);
                }));
                let mut out = Vec::with_capacity(64);
                work.add_peer(Subject::new("memcomparable", move || {
                    out.clear();
                    black_box(FIXED).serialize(&mut memcomparable::Serializer::new(&mut out)).unwrap();
                    black_box(&out);
                }));
                work.add_peer(arrow_fixed());
            }
            "W8" => {
                let key: &[u8] = storekey::encode_vec(&FIXED).unwrap().leak();
                work.add_peer(Subject::new("storekey", move || {
                    let row: (u64, i32, f64, u16) = storekey::decode_borrow(black_box(key)).unwrap();
                    black_box(row);
                }));
                let key: &[u8] = ordcode::ser_to_vec_ordered(&FIXED, ordcode::Order::Ascending).unwrap().leak();
                work.add_peer(Subject::new("ordcode", move || {
                    black_box(ordcode::de_from_bytes_asc::<_, (u64, i32, f64, u16)>(black_box(key)).unwrap());
                }));
                let key: &[u8] = memcomparable::to_vec(&FIXED).unwrap().leak();
                work.add_peer(Subject::new("memcomparable", move || {
                    black_box(memcomparable::from_slice::<(u64, i32, f64, u16)>(black_box(key)).unwrap());
                }));
            }
            _ => {}
        }
    }
}

type Row2 = (i64, std::borrow::Cow<'static, str>, u64);

/// The W1 key of a peer.
fn encoded(peer: usize) -> &'static [u8] {
    let mut out = Vec::new();
    (PEERS[peer].row)((ID, NAME, SEQ), &mut out);
    out.leak()
}

fn arrow_fixed() -> Subject {
    let fields = [DataType::UInt64, DataType::Int32, DataType::Float64, DataType::UInt16];
    let converter = RowConverter::new(fields.map(SortField::new).to_vec()).unwrap();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt64Array::from_iter_values([FIXED.0; BATCH])),
        Arc::new(Int32Array::from_iter_values([FIXED.1; BATCH])),
        Arc::new(Float64Array::from_iter_values([FIXED.2; BATCH])),
        Arc::new(UInt16Array::from_iter_values([FIXED.3; BATCH])),
    ];
    arrow(converter, columns)
}
