//! Order-preserving compound keys for ordered byte stores.
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
mod decoder;
mod error;
mod index;
mod kind;
mod order;
mod range;
mod raw;
mod room;
pub mod size;
mod spec;
mod table;
mod value;

pub use builder::Builder;
pub use builder::Elements;
pub use builder::Fields;
pub use builder::Mark;
pub use codec::bits::BitsView;
pub use codec::decimal::Decimal;
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
pub use decoder::Decoder;
pub use error::Difference;
pub use error::Error;
pub use index::contract::Compatibility;
pub use index::contract::FieldIds;
pub use index::contract::IndexContract;
#[cfg(feature = "cursor")]
pub use index::cursor::Direction;
#[cfg(feature = "cursor")]
pub use index::cursor::Page;
#[cfg(feature = "cursor")]
pub use index::cursor::PageScope;
pub use index::plan::ReindexPlan;
#[cfg(feature = "rekey")]
pub use index::rekey::Checkpoint;
#[cfg(feature = "rekey")]
pub use index::rekey::Inserted;
#[cfg(feature = "rekey")]
pub use index::rekey::Rekey;
#[cfg(feature = "rekey")]
pub use index::rekey::RekeyError;
#[cfg(feature = "rekey")]
pub use index::rekey::RekeySink;
#[cfg(feature = "rekey")]
pub use index::rekey::Tallies;
#[cfg(feature = "rekey")]
pub use index::rekey::Verified;
pub use kind::Field;
pub use kind::FieldKinds;
pub use kind::Kind;
pub use kind::MAX_DEPTH;
pub use kind::Type;
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
pub use range::prefix_upper_bound;
pub use raw::view::ByteIter;
pub use raw::view::ByteView;
pub use room::Lend;
pub use room::append;
pub use spec::DisplayKey;
pub use spec::KeySpec;
pub use spec::SpecMark;
pub use spec::SpecReader;
pub use spec::SpecWriter;
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
