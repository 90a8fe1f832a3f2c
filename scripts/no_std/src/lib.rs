//! Calls the kernel, the schema and the index layer with neither std nor an allocator in the graph.
//!
//! Were std there, this panic handler would be a second one; were anything allocated, there would
//! be no global allocator to do it. Either way `scripts/no_std.sh` could not link it.
#![no_std]

use core::hint::black_box;
use core::ops::Bound;

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::Error;
use isotone::Field;
use isotone::KeySpec;
use isotone::Order;
use isotone::Type;
use isotone::Value;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::key_spec;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

const POINT: [Field<'static>; 2] =
    [Field::new(Type::I32, Order::AscNullsLast), Field::new(Type::Str, Order::AscNullsLast)];
const SPEC: KeySpec<'static> = key_spec![
    Type::Decimal => AscNullsLast,
    Type::Record(&POINT) => DescNullsFirst,
    Type::Range(&Type::Date) => AscNullsLast,
    Type::IpPrefix => AscNullsLast,
    Type::Timestamp => Desc,
];

/// Writes and reads a key by hand.
#[unsafe(no_mangle)]
pub extern "C" fn kernel(id: i64, size: usize) -> usize {
    let build = || -> Result<usize, Error> {
        let mut room = [0u8; 96];
        let room = room.get_mut(..black_box(size).min(96)).unwrap_or(&mut []);
        let mut key = Builder::new(room);
        key.i64(id, AscNullsLast).str("a\0b", DescNullsFirst).bytes(b"xyz", Asc).f64(0.5, Desc);
        key.nested(AscNullsLast, |inner| {
            inner.u8(1, Asc).bytes(b"\0", Desc);
        });
        key.list(Desc, |list| {
            list.u16(7).null();
        });
        let mut d = Decoder::new(key.finish()?);
        let id = d.i64(AscNullsLast)?;
        let text = d.str(DescNullsFirst)?.map_or(0, |text| text.len());
        Ok(id.is_some() as usize + text + d.remaining())
    };
    build().unwrap_or(0)
}

/// Asks a spec everything about whatever bytes there are.
#[unsafe(no_mangle)]
pub extern "C" fn schema(seed: u64) -> usize {
    let ask = || -> Result<usize, Error> {
        let bytes = black_box([seed.to_be_bytes(), seed.to_le_bytes()]);
        let bytes = bytes.as_flattened();
        let mut values = [Value::Null; 5];
        let mut ends = [0usize; 5];
        let mut room = [0u8; 256];
        let decoded = SPEC.decode(bytes, &mut values).map_or(0, <[_]>::len);
        let written = SPEC.encode(&values, &mut room).map_or(0, <[_]>::len);
        let offsets = SPEC.offsets(bytes, &mut ends).map_or(0, <[_]>::len);
        let order = SPEC.compare(bytes, &values)? as usize;
        let range = SPEC.field_range(&values[..1], Bound::Unbounded, Bound::Included(values[1]), &mut room)?;
        let spec = KeySpec::from_layout(bytes)?;
        Ok(decoded + written + offsets + order + usize::from(range.contains(bytes)) + spec.arity())
    };
    ask().unwrap_or(0)
}

/// Weighs whatever bytes there are, if they are text.
#[unsafe(no_mangle)]
pub extern "C" fn collation(seed: u64) -> usize {
    let weigh = || -> Result<usize, Error> {
        let bytes = black_box(seed.to_be_bytes());
        let profile = CollationProfile::from_server_name(black_box("utf8mb4_uca1400_czech_as_cs"));
        let collator = Collator::new(profile.map_err(|_| Error::InvalidValue { at: 0 })?);
        let mut room = [0u8; 256];
        let total = collator.total_key(&bytes[..], &mut room)?;
        let text = collator.text(total)?.len();
        let mut room = [0u8; 256];
        let mut key = Builder::new(&mut room);
        key.collate_total(&collator, "Příliš", Desc);
        Ok(text + key.finish()?.len())
    };
    weigh().unwrap_or(0)
}

/// Prints whatever bytes there are.
#[unsafe(no_mangle)]
pub extern "C" fn print(seed: u64) -> usize {
    struct Count(usize);
    impl core::fmt::Write for Count {
        fn write_str(&mut self, s: &str) -> core::fmt::Result {
            self.0 = self.0.saturating_add(s.len());
            Ok(())
        }
    }
    let mut count = Count(0);
    let bytes = black_box(seed.to_be_bytes());
    let _ = core::fmt::write(&mut count, format_args!("{}", SPEC.display(&bytes)));
    count.0
}
