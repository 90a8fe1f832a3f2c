//! The kernel and the schema never allocate: an allocator counts while they run, errors and
//! formatting included. What they work on is made before.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails may panic"
)]

mod alloc_support;
mod support;

use std::fmt;
use std::fmt::Write;
use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::ops::Bound;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::BitsView;
use isotone::Builder;
use isotone::ByteRange;
use isotone::ByteView;
use isotone::Date;
use isotone::Decimal;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Dimension;
use isotone::EnumRank;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::Interval;
use isotone::IpPrefix;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Lsn;
use isotone::Mac48;
use isotone::Mac64;
use isotone::MicroDuration;
use isotone::Network;
use isotone::Time;
use isotone::Timestamp;
use isotone::Type;
use isotone::Uuid;
use isotone::Value;
use isotone::ZonedTime;
use isotone::append;
use isotone::key_spec;
use isotone::prefix_upper_bound;
use isotone::size;

use crate::alloc_support::quiet;
use crate::support::edges;
use crate::support::generate::scalars;
use crate::support::laws::Laws;
use crate::support::laws::orders;
use crate::support::model::Held;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::kind;

/// A buffer to print into.
struct Page {
    text: [u8; 8192],
    len: usize,
}

impl Page {
    const fn new() -> Self {
        Page { text: [0; 8192], len: 0 }
    }

    /// Prints over what was there; too long a text is cut.
    fn print(&mut self, shown: impl fmt::Display) {
        self.len = 0;
        let _ = write!(self, "{shown}");
    }
}

impl Write for Page {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.text[self.len..].get_mut(..text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

fn types() -> Vec<Ty> {
    let pair = vec![(Ty::Str, 2), (Ty::Decimal, 5)];
    let mut all = scalars();
    all.extend([
        Ty::Record(pair.clone()),
        Ty::Nested(pair.clone()),
        Ty::List(Ty::Record(pair).into()),
        Ty::Array(Ty::Str.into()),
        Ty::Range(Ty::Decimal.into()),
        Ty::Multirange(Ty::Date.into()),
        Ty::List(Ty::Range(Ty::I32.into()).into()),
    ]);
    all
}

/// Every kind by value, under every order: written, measured, read, compared, printed; and all of it
/// failing, in every smaller room and on damaged bytes.
#[test]
fn every_kind_as_a_value() {
    let mut page = Page::new();
    let (mut room, mut keys) = (vec![0u8; 2048], vec![0u8; 2048]);
    for ty in types() {
        let description = ty.describe();
        let laws = Laws::new(kind(&description));
        let values: Vec<V> = edges::few(&ty, 5).into_iter().chain([V::Null]).collect();
        let held: Vec<Held<'_>> = values.iter().map(|v| Held::new(&ty, v)).collect();
        let values: Vec<Value<'_>> = held.iter().map(Held::value).collect();
        for order in orders() {
            let spec = laws.spec(order);
            for value in &values {
                quiet(|| by_value(laws.kind, order, &spec, value, &values, &mut room, &mut keys, &mut page));
            }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "all of it is made outside")]
fn by_value(
    kind: Kind<'_>,
    order: FieldOrder,
    spec: &KeySpec<'_>,
    value: &Value<'_>,
    others: &[Value<'_>],
    room: &mut [u8],
    other_room: &mut [u8],
    page: &mut Page,
) {
    let _ = size::value(kind, value);
    page.print(value);
    let mut key = Builder::new(room);
    key.value(kind, value, order);
    let Ok(key) = key.finish() else {
        assert!(value.is_null() && !order.is_nullable());
        page.print(spec.encode(&[*value], other_room).expect_err("a null"));
        return;
    };
    let mut d = Decoder::new(key);
    let read = d.value(kind, order).expect("reads").unwrap_or(Value::Null);
    assert!(read == *value);
    page.print(read);
    assert!(d.finish().is_ok() && Decoder::new(key).skip(kind, order).is_ok());
    assert_eq!(spec.encode(&[read], other_room), Ok(key));
    assert_eq!(spec.compare(key, &[*value]), Ok(std::cmp::Ordering::Equal));
    for other in others {
        let _ = spec.compare(key, &[*other]);
        let _ = read == *other;
    }
    assert_eq!(spec.check(key), Ok(()));
    assert_eq!(spec.field(key, 0), Ok(*value));
    let mut w = spec.writer(other_room);
    w.value(value);
    assert_eq!(w.finish(), Ok(key));
    let mut r = spec.reader(key).expect("no scope");
    assert_eq!(r.value(), Ok(*value));
    page.print(spec.display(key));
    for n in 0..key.len() {
        let mut short = Builder::new(&mut other_room[..n]);
        short.value(kind, value, order);
        page.print(short.finish().expect_err("short"));
        page.print(spec.decode(&key[..n], &mut [Value::Null]).expect_err("cut"));
        page.print(spec.display(&key[..n]));
    }
    other_room[..key.len()].copy_from_slice(key);
    let damaged = &mut other_room[..key.len()];
    for n in 0..key.len() {
        damaged[n] ^= 0x15;
        match spec.decode(damaged, &mut [Value::Null]) {
            Ok(values) => page.print(values[0]),
            Err(error) => page.print(error),
        }
        page.print(spec.display(damaged));
        damaged[n] ^= 0x15;
    }
}

/// The kernel by its own methods, through closures, with every error.
#[test]
fn the_kernel() {
    let (mut room, mut out) = ([0u8; 1024], [0u8; 256]);
    let mut page = Page::new();
    let packed = [0b1010_0000];
    quiet(|| {
        let mut key = Builder::new(&mut room);
        key.bool(true, Asc).u8(1, Desc).u16(2, Asc).u32(3, Desc).u64(4, Asc).u128(5, Desc);
        key.i8(-1, Asc).i16(-2, Desc).i32(-3, Asc).i64(-4, Desc).i128(-5, Asc).f32(-0.5, Desc).f64(f64::NAN, Asc);
        key.bytes(b"a\0b", Desc).str("Ada", AscNullsLast).opaque(b"o", Asc).collated(b"c", Desc).fixed([1, 2, 3], Asc);
        key.decimal(Decimal::parse("123.450e7").expect("a decimal"), Desc).decimal(Decimal::from_parts(-12, 300), Asc);
        key.date(Date::MAX, Asc)
            .time(Time::MAX, Desc)
            .timetz(ZonedTime::new(1, 2), Asc)
            .timestamp(Timestamp::MIN, Desc);
        key.duration(MicroDuration::ZERO, Asc).interval(Interval::new(1, 2, 3).scalar(), Desc);
        key.uuid(Uuid::new([7; 16]), Asc).mac48(Mac48::new([7; 6]), Desc).mac64(Mac64::new([7; 8]), Asc);
        key.lsn(Lsn::new(7), Asc).enum_rank(EnumRank::new(7), Desc).ip(IpAddr::from(Ipv4Addr::LOCALHOST), Asc);
        key.ip_prefix("10.0.0.1/8".parse::<IpPrefix>().expect("a prefix"), Desc);
        key.network("10.0.0.0/8".parse::<Network>().expect("a network"), Asc);
        key.bits(BitsView::new(&packed, 3).expect("bits"), Desc).null(AscNullsLast).i64(None, DescNullsFirst);
        let mark = key.mark();
        key.record(Desc, |f| {
            f.str("in a record", Desc).list(Asc, |e| {
                e.u8(1).null().u8(2);
            });
        });
        key.nested(Desc, |f| {
            f.bytes(b"\0\0", Asc).nested(Asc, |f| {
                f.array(&[Dimension::new(1), Dimension::new(1)], Desc, |e| {
                    e.decimal(Decimal::NAN);
                });
            });
        });
        page.print(format_args!("{key:?}"));
        assert!(key.key().is_ok());
        key.truncate(mark);
        key.fixed([0; 1000], Asc);
        page.print(key.err().expect("short"));
        key.reset();
        key.str("a\0b", Desc).bytes(b"plain", Asc).decimal(Decimal::from(1200), Desc);
        let key = key.finish().expect("room");

        let mut d = Decoder::new(key);
        let text = d.str(Desc).expect("text");
        page.print(text);
        assert_eq!(text.copy_to(&mut out), Ok("a\0b"));
        assert_eq!(text.copy_to(&mut out[..2]), Err(Error::ShortBuffer { needed: 3, available: 2 }));
        let bytes: ByteView<'_> = d.bytes(Asc).expect("bytes");
        assert_eq!(bytes.iter().count(), 5);
        let decimal = d.decimal(Desc).expect("a decimal");
        assert_eq!(decimal.write_to(&mut out), Ok("12e2"));
        assert!(d.clone().u8(Asc).is_err() && d.finish().is_ok());

        let mut row: arrayvec::ArrayVec<u8, 64> = arrayvec::ArrayVec::new();
        assert!(
            append(&mut row, 8, |key| {
                key.u64(1, Asc);
            })
            .is_ok()
        );
        assert!(
            append(&mut row, 80, |key| {
                key.fixed([0; 99], Asc);
            })
            .is_err()
        );
    });
}

/// The schema: described, checked, encoded, ranged, compared, printed, and all its errors.
#[test]
fn the_schema() {
    const POINT: [Field<'static>; 2] = [Field::new(Type::F64, AscNullsLast), Field::not_null(Type::I16, Desc)];
    const SPEC: KeySpec<'static> = key_spec![
        Type::Str => AscNullsLast, Type::Record(&POINT) => DescNullsFirst, Type::List(&Type::Decimal) => Asc, Type::U64 => Desc
    ];
    let mut page = Page::new();
    let (mut room, mut ends, mut spare) = ([0u8; 512], [0u8; 512], [0u8; 512]);
    quiet(|| {
        let point = [Value::F64(1.5), Value::I16(-3)];
        let list = [Value::Decimal(Decimal::from(7)), Value::Null];
        let row = [
            Value::str("pump\0"),
            isotone::RecordView::new(&point).into(),
            isotone::ListView::new(&list).into(),
            Value::U64(9),
        ];

        let fields = [Field::new(Type::Record(&POINT), AscNullsLast), Field::not_null(Type::Range(&Type::Date), Desc)];
        let described = KeySpec::describe(&fields, &mut spare).expect("room");
        page.print(format_args!("{described:?} {:?}", SPEC.kinds()));
        assert!(KeySpec::describe(&fields, &mut [0; 3]).is_err());
        let stored = SPEC.layout();
        for n in 0..stored.len() {
            if let Err(error) = SPEC.require_layout(&stored[..n]) {
                page.print(error);
            }
        }

        let key = SPEC.encode(&row, &mut room).expect("room");
        page.print(SPEC.display(key));
        let mut values = [Value::Null; 4];
        assert!(SPEC.decode(key, &mut values).is_ok_and(|values| values == row));
        assert!(SPEC.offsets(key, &mut [0; 4]).is_ok() && SPEC.split_tail(key, 1).is_ok());
        assert!(SPEC.prefix_len(key, 3).is_some() && SPEC.size(&row).is_ok() && SPEC.fixed_size().is_none());
        let mut writer = SPEC.writer(&mut spare);
        writer.str("pump\0").value(&row[1]).value(&row[2]);
        writer.u64(9);
        assert_eq!(writer.finish(), Ok(key));
        let mut writer = SPEC.writer(&mut spare);
        writer.u64(1);
        page.print(writer.finish().expect_err("another kind"));
        let mut reader = SPEC.reader(key).expect("no scope");
        assert!(reader.str().is_ok() && reader.skip().is_ok() && reader.value().is_ok() && reader.u64().is_ok());

        let name = &row[..1];
        for spec in [SPEC, SPEC.under(b"tenant")] {
            for room in [0, 5, 20, 512] {
                let range = spec.prefix_range(name, &mut ends[..room]).map(|range| range.contains(key));
                page.print(range.err().unwrap_or(Error::EmptySpec));
                let bounds = (Bound::Included(row[1]), Bound::Excluded(row[1]));
                let range = spec.field_range(name, bounds.0, bounds.1, &mut ends[..room]);
                page.print(range.err().unwrap_or(Error::EmptySpec));
                let range = spec.tuple_range(name, Bound::Excluded(&row[1..3]), Bound::Unbounded, &mut ends[..room]);
                page.print(range.err().unwrap_or(Error::EmptySpec));
                let range = spec.starts_with_range(&[], Value::str("p"), &mut ends[..room]);
                page.print(range.err().unwrap_or(Error::EmptySpec));
                let range = spec.after_prefix(key, 2, &mut ends[..room]);
                page.print(range.err().unwrap_or(Error::EmptySpec));
            }
            assert!(spec.range_size(name, &row[1..2], &[]).is_ok());
        }
        let range = SPEC.prefix_range(name, &mut ends).expect("room");
        let rest = SPEC.resume_after(&range, key).expect("inside");
        page.print(format_args!("{rest:?}"));
        assert!(rest.intersect(&range) == rest && !rest.contains(key) && SPEC.resume_before(&rest, key).is_err());
        assert!(rest.write_start(&mut spare).is_ok() && rest.to_inline::<64>().is_ok());
        let _ = (rest.slices(), ByteRange::<&[u8]>::EMPTY == rest, prefix_upper_bound(key, &mut spare));
    });
}
