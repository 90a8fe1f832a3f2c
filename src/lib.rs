//! Order-preserving compound keys: bytes that sort as their values do, written into the caller's
//! buffer and read where they lie, without allocating.
//!
//! # The promise
//! For keys `k(a)`, `k(b)` of values `a`, `b` under one schema,
//!
//! ```text
//! k(a) < k(b)  ⇔  a comes before b        k(a) = k(b)  ⇔  a equals b
//! ```
//!
//! where the left sides compare unsigned bytes, shorter first (`memcmp`, then length; Rust's
//! `[u8]: Ord`), and the right sides are the schema's order: field after field, each ascending or
//! descending, nulls first or last, values as PostgreSQL 18's B-trees sort them. No key is a prefix
//! of another key of its schema, and the fields of a key are a byte prefix of every key that begins
//! with them. The bytes never change: what one version stores, every later one reads and sorts.
//!
//! # A key, field by field
//! [`Builder`] writes, [`Decoder`] reads. An order is given with each field: [`AscNullsFirst`],
//! [`AscNullsLast`], [`DescNullsFirst`] and [`DescNullsLast`] have a place for nulls, [`Asc`] and
//! [`Desc`] are NOT NULL and cost no tag byte.
//!
//! ```
//! use isotone::{Asc, AscNullsLast, Builder, Decoder, DescNullsFirst};
//!
//! let mut room = [0u8; 64];
//! let mut key = Builder::new(&mut room);
//! key.i64(42, AscNullsLast).str("Ada", DescNullsFirst).u64(7, Asc);
//! let key = key.finish()?; // a slice of `room`, or the first error
//!
//! let mut other = [0u8; 64];
//! let mut later = Builder::new(&mut other);
//! later.i64(42, AscNullsLast).str("Ada", DescNullsFirst).u64(8, Asc);
//! assert!(key < later.finish()?);
//!
//! let mut fields = Decoder::new(key);
//! assert_eq!(fields.i64(AscNullsLast)?, Some(42));
//! assert_eq!(fields.str(DescNullsFirst)?.unwrap(), "Ada");
//! assert_eq!(fields.u64(Asc)?, 7);
//! fields.finish()?;
//! # Ok::<(), isotone::Error>(())
//! ```
//!
//! # A schema
//! [`KeySpec`] holds kinds and orders once, so that no call can get them wrong. It encodes and
//! decodes whole keys, finds single fields, compares without encoding, and turns conditions into
//! [`ByteRange`]s for any ordered store. Its layout descriptor is stored beside the index and
//! checked when it is opened.
//!
//! ```
//! use core::ops::Bound;
//! use std::collections::BTreeMap;
//! use isotone::{AscNullsLast, Desc, KeySpec, Type, Value, key_spec};
//!
//! const READINGS: KeySpec<'static> = key_spec![
//!     Type::Str => AscNullsLast, // device
//!     Type::I64 => Desc,         // microseconds since 1970, newest first
//! ];
//!
//! let mut index = BTreeMap::new();
//! let mut room = [0u8; 64];
//! for (device, at) in [("pump", -5), ("pump", 3), ("pump", 9), ("valve", 4)] {
//!     index.insert(READINGS.encode(&[device.into(), Value::I64(at)], &mut room)?.to_vec(), at);
//! }
//! let from = Bound::Included(Value::I64(-5));
//! let to = Bound::Excluded(Value::I64(9));
//! let range = READINGS.field_range(&["pump".into()], from, to, &mut room)?;
//! let found: Vec<i64> = index.range::<[u8], _>(range).map(|(_, at)| *at).collect();
//! assert_eq!(found, [3, -5]);
//! # Ok::<(), isotone::Error>(())
//! ```
//!
//! # Above keys
//! [`IndexContract`] says which index an engine's keys belong to; [`ReindexPlan`] turns keys of one
//! layout into keys of another. With feature `cursor`, `PageScope` issues and resumes page cursors;
//! with feature `rekey`, `Rekey` copies an index to another layout so that it can be killed and
//! resumed, and verifies the outcome.
//!
//! # Guarantees
//! - **Nothing is allocated** by the kernel, the schema or the index layer; the crate is `no_std`.
//! - **Nothing panics**, whatever the bytes, values, buffers or codes. No `unsafe`.
//! - **A field is written whole or not at all**; the first error is kept. After a short buffer the
//!   error says what the whole key needs.
//! - **Reading accepts exactly what writing emits**: what decodes re-encodes to the same bytes.
//! - **Work on bytes is linear** in them, for composites in each of at most 16 levels; so is the
//!   stack in the levels.
//!
//! # Limits
//! - Values of different kinds don't compare: a field has one kind. There is no dynamic type.
//! - A decimal's scale, an interval's parts and a float's NaN payload are not kept: keys hold what
//!   sorts. Store the original beside the key where it matters.
//! - Text sorts by its scalar values (PostgreSQL's `C`). In the order of a collation it is a field of
//!   its own kind, of comparison images, which have no fronts to search by: see `collation`.
//!
//! # Features
//! None is on by default. `alloc`: room lent by `Vec<u8>`, owned ranges and copies. `bytes`: the
//! same for `bytes::BytesMut` and `bytes::Bytes`. `cursor`: page cursors. `rekey`: the offline engine.
//! `uca14`: text in the order of MariaDB's collations, frozen, 200 kB of tables. `icu`: text in the
//! order of every locale, on the ICU4X engine, which allocates. `simd`: on x86-64, texts and byte
//! strings of 128 bytes and more are moved and searched by AVX2, and those with zeros by AVX-512,
//! where the machine is found to have them; the same bytes come out. It links std and changes nothing
//! elsewhere. `icu` needs Rust 1.88 and `simd` 1.89, the rest 1.85.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod builder;
mod codec;
#[cfg(any(feature = "uca14", feature = "icu"))]
mod collated;
#[cfg(any(feature = "uca14", feature = "icu"))]
pub mod collation;
mod decoder;
mod error;
mod index;
mod kind;
mod order;
mod range;
mod raw;
mod room;
mod scan;
pub mod size;
mod spec;
mod table;
mod value;

pub use builder::Builder;
pub use builder::Fields;
pub use builder::Mark;
pub use builder::elements::Elements;
pub use codec::bits::BitIter;
pub use codec::bits::BitsView;
pub use codec::decimal::Decimal;
pub use codec::decimal::DigitIter;
pub use codec::decimal::ParseDecimalError;
pub use codec::ident::EnumRank;
pub use codec::ident::Lsn;
pub use codec::ident::Mac48;
pub use codec::ident::Mac64;
pub use codec::ident::Uuid;
pub use codec::net::IpPrefix;
pub use codec::net::Network;
pub use codec::net::ParseIpError;
pub use codec::temporal::Date;
pub use codec::temporal::Interval;
pub use codec::temporal::IntervalScalar;
pub use codec::temporal::MicroDuration;
pub use codec::temporal::OutOfDomain;
pub use codec::temporal::Time;
pub use codec::temporal::Timestamp;
pub use codec::temporal::ZonedTime;
pub use codec::text::ByteSource;
pub use codec::text::TextChars;
pub use codec::text::TextSource;
pub use codec::text::TextView;
#[cfg(feature = "uca14")]
pub use collation::CollationProfile;
#[cfg(feature = "uca14")]
pub use collation::Collator;
pub use decoder::Decoder;
pub use error::Difference;
pub use error::Error;
#[cfg(feature = "rekey")]
pub use index::checkpoint::Checkpoint;
#[cfg(feature = "rekey")]
pub use index::checkpoint::Tallies;
pub use index::contract::Compatibility;
pub use index::contract::FieldIds;
pub use index::contract::IndexContract;
#[cfg(feature = "cursor")]
pub use index::cursor::Direction;
#[cfg(feature = "cursor")]
pub use index::cursor::Page;
#[cfg(feature = "cursor")]
pub use index::cursor::PageScope;
#[cfg(feature = "rekey")]
pub use index::map::KeyMap;
pub use index::plan::ReindexPlan;
#[cfg(all(feature = "rekey", any(feature = "uca14", feature = "icu")))]
pub use index::recollate::Recollation;
#[cfg(feature = "rekey")]
pub use index::rekey::Inserted;
#[cfg(feature = "rekey")]
pub use index::rekey::Rekey;
#[cfg(feature = "rekey")]
pub use index::rekey::RekeyError;
#[cfg(feature = "rekey")]
pub use index::rekey::RekeySink;
#[cfg(feature = "rekey")]
pub use index::rekey::Verified;
pub use kind::FieldKinds;
pub use kind::Kind;
pub use kind::MAX_DEPTH;
pub use kind::types::Field;
pub use kind::types::Type;
pub use order::AnyOrder;
pub use order::FieldOrder;
pub use order::NotNull;
pub use order::NotNull::Asc;
pub use order::NotNull::Desc;
pub use order::NullOrder;
pub use order::Nullable;
pub use order::Order;
pub use order::Order::AscNullsFirst;
pub use order::Order::AscNullsLast;
pub use order::Order::DescNullsFirst;
pub use order::Order::DescNullsLast;
pub use range::ByteRange;
pub use range::SliceRange;
pub use range::list::RangeIter;
pub use range::list::RangeList;
pub use range::prefix_upper_bound;
pub use range::separator::short_successor;
pub use range::separator::shortest_separator;
pub use range::separator::truncate_lower;
pub use range::separator::truncate_lower_str;
pub use range::separator::truncate_upper;
pub use range::separator::truncate_upper_str;
pub use range::storage::RangeBuffer;
pub use range::storage::RangeRoom;
pub use range::storage::RangeSlot;
pub use range::storage::ShortStorage;
pub use raw::view::ByteIter;
pub use raw::view::ByteView;
pub use room::Lend;
pub use room::append;
pub use scan::FanOut;
pub use scan::Keyed;
pub use scan::Lane;
pub use scan::LooseScan;
pub use scan::Merge;
pub use scan::ScanError;
pub use scan::Seek;
pub use scan::ShardRow;
pub use scan::Shards;
pub use spec::DisplayKey;
pub use spec::KeySpec;
pub use spec::SpecMark;
pub use spec::SpecReader;
pub use spec::SpecWriter;
pub use spec::predicate::Limits;
pub use spec::predicate::MAX_PREDICATE_DEPTH;
pub use spec::predicate::MAX_PREDICATE_FIELDS;
pub use spec::predicate::Op;
pub use spec::predicate::Predicate;
pub use spec::predicate::PredicateError;
pub use spec::predicate::PredicateRanges;
pub use value::Value;
pub use value::array::ArrayView;
pub use value::array::Dimension;
pub use value::array::Dimensions;
pub use value::array::MAX_RANK;
pub use value::range::MultirangeIter;
pub use value::range::MultirangeView;
pub use value::range::RangeView;
pub use value::range::SqlRange;
pub use value::seq::ListIter;
pub use value::seq::ListView;
pub use value::seq::RecordIter;
pub use value::seq::RecordView;

/// The front page's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
