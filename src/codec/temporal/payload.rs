//! The bytes of them all: put and take.

use crate::codec::temporal::SECOND;
use crate::codec::temporal::date::Date;
use crate::codec::temporal::duration::MicroDuration;
use crate::codec::temporal::interval::Interval;
use crate::codec::temporal::interval::IntervalScalar;
use crate::codec::temporal::time::Time;
use crate::codec::temporal::time::ZonedTime;
use crate::codec::temporal::timestamp::Timestamp;
use crate::error::Error;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Sink;

macro_rules! scalars {
    ($($kind:ident($int:ty);)*) => {$(
        impl Payload for $kind {
            #[inline(always)]
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                if self.is_valid() { self.0.put(sink, flip) } else { Err(Invalid::Value) }
            }
        }

        impl Take<'_> for $kind {
            #[inline(always)]
            fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
                let read = $kind(<$int>::take(input, flip)?);
                if read.is_valid() { Ok(read) } else { Err(input.malformed()) }
            }
        }
    )*};
}

scalars! { Date(i32); Time(i64); Timestamp(i64); IntervalScalar(i128); }

impl Payload for MicroDuration {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        self.0.put(sink, flip)
    }
}

impl Take<'_> for MicroDuration {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        i64::take(input, flip).map(MicroDuration)
    }
}

impl Payload for Interval {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        // Valid: the finite bounds are what the parts can reach.
        self.scalar().0.put(sink, flip)
    }
}

impl Payload for ZonedTime {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        if !self.is_valid() {
            return Err(Invalid::Value);
        }
        // In range: the local time is within a day and the offset within 16 hours.
        let utc = self.micros.wrapping_sub(i64::from(self.east).wrapping_mul(SECOND));
        let [a, b, c, d, e, f, g, h] = (utc ^ i64::MIN).to_be_bytes();
        let [i, j, k, l] = (self.east.wrapping_neg() ^ i32::MIN).to_be_bytes();
        sink.put([a, b, c, d, e, f, g, h, i, j, k, l], flip);
        Ok(())
    }
}

impl Take<'_> for ZonedTime {
    #[inline(always)]
    fn take(input: &mut Input<'_>, flip: Flip) -> Result<Self, Error> {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = input.array::<12>(flip)?;
        let utc = i64::from_be_bytes([a, b, c, d, e, f, g, h]) ^ i64::MIN;
        let west = i32::from_be_bytes([i, j, k, l]) ^ i32::MIN;
        // In range: an i32 of seconds is below 2^51 µs. What overflows here is far outside a day.
        let east = i64::from(west).wrapping_neg().wrapping_mul(SECOND);
        let local = utc.saturating_add(east);
        let read = ZonedTime { micros: local, east: west.wrapping_neg() };
        if read.is_valid() { Ok(read) } else { Err(input.malformed()) }
    }
}

#[cfg(test)]
mod tests {
    use std::prelude::v1::*;
    use std::vec;

    use super::*;
    use crate::codec::temporal::DAY;
    use crate::raw::sink::Room;
    use core::fmt::Debug;

    const MAX_EAST: i32 = ZonedTime::MAX_EAST_SECONDS;

    fn bytes<P: Payload>(value: P, flip: Flip) -> Vec<u8> {
        let mut room = vec![0xaa; value.size().unwrap()];
        value.put(&mut Room::new(&mut room), flip).unwrap();
        room
    }

    fn take<'k, T: Take<'k>>(key: &'k [u8], flip: Flip) -> Result<T, Error> {
        T::take(&mut Input::new(key, 0), flip)
    }

    /// The values are ascending and so are their keys; each reads back; cuts are truncated; a changed
    /// byte is malformed or another value.
    #[track_caller]
    fn check<T>(values: &[T])
    where
        T: Payload + for<'k> Take<'k> + Ord + Copy + Debug,
    {
        assert!(values.is_sorted_by(|a, b| a < b));
        for flip in [Flip::No, Flip::Yes] {
            for a in values {
                let key = bytes(a, flip);
                assert_eq!(take(&key, flip), Ok(*a));
                for cut in 0..key.len() {
                    assert_eq!(take::<T>(&key[..cut], flip), Err(Error::TruncatedKey { at: cut }));
                }
                for (at, byte) in (0..key.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
                    let mut bad = key.clone();
                    bad[at] = byte;
                    match take::<T>(&bad, flip) {
                        Ok(read) => assert_eq!(bytes(read, flip), bad),
                        Err(e) => assert_eq!(e, Error::MalformedKey { at: 0 }),
                    }
                }
                for b in values {
                    let order = key.cmp(&bytes(b, flip));
                    assert_eq!(if flip == Flip::No { order } else { order.reverse() }, a.cmp(b), "{a:?} {b:?}");
                }
            }
        }
    }

    /// The value is not written, and the bytes it would have are not read.
    #[track_caller]
    fn reject<T>(value: T, plain: impl Payload)
    where
        T: Payload + for<'k> Take<'k> + PartialEq + Debug,
    {
        let mut room = [0xaa; 16];
        assert_eq!(value.put(&mut Room::new(&mut room), Flip::No), Err(Invalid::Value));
        assert_eq!(room, [0xaa; 16]);
        assert_eq!(value.size(), Err(Invalid::Value));
        for flip in [Flip::No, Flip::Yes] {
            assert_eq!(take::<T>(&bytes(&plain, flip), flip), Err(Error::MalformedKey { at: 0 }));
        }
    }

    #[test]
    fn vectors() {
        assert_eq!(bytes(Date::from_days(0), Flip::No), [0x80, 0, 0, 0]);
        assert_eq!(bytes(Date::from_days(-1), Flip::Yes), [0x80, 0, 0, 0]);
        assert_eq!(bytes(Time::MAX, Flip::No), [0x80, 0, 0, 0x14, 0x1d, 0xd7, 0x60, 0]);
        let ten = ZonedTime::new(36_000_000_000, 7200);
        assert_eq!(bytes(ten, Flip::No), [0x80, 0, 0, 6, 0xb4, 0x9d, 0x20, 0, 0x7f, 0xff, 0xe3, 0xe0]);
        let month = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x5b, 0x7f, 0x3d, 0x40, 0];
        assert_eq!(bytes(Interval::new(1, 0, 0), Flip::No), month);
        assert_eq!(bytes(Interval::new(0, 30, 0).scalar(), Flip::No), month);
        assert_eq!(bytes(Interval::NEG_INFINITY, Flip::No), [0; 16]);
        assert_eq!(bytes(Interval::INFINITY, Flip::No), [0xff; 16]);
        assert_eq!(bytes(Timestamp::NEG_INFINITY, Flip::No), [0; 8]);
        assert_eq!(bytes(Timestamp::INFINITY, Flip::Yes), [0; 8]);
    }

    #[test]
    fn edges_are_in_order_and_read_back() {
        use IntervalScalar as S;
        let (min, max) = (Date::MIN.0, Date::MAX.0);
        check(&[min, min + 1, Date::UNIX_EPOCH.0, -1, 0, 1, 255, 256, max - 1, max].map(Date));
        check(&[Date::NEG_INFINITY, Date::MIN, Date(0), Date::MAX, Date::INFINITY]);
        check(&[0, 1, 255, 256, 999_999, SECOND, DAY - 1, DAY].map(Time));
        let (min, max) = (Timestamp::MIN.0, Timestamp::MAX.0);
        check(&[min, min + 1, Timestamp::UNIX_EPOCH.0, -1, 0, 1, max - 1, max].map(Timestamp));
        check(&[Timestamp::NEG_INFINITY, Timestamp::MIN, Timestamp(0), Timestamp::MAX, Timestamp::INFINITY]);
        check(&[i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(MicroDuration));
        check(&[S::NEG_INFINITY, S::MIN, S(S::MIN.0 + 1), S(-1), S(0), S(1), S(S::MAX.0 - 1), S::MAX, S::INFINITY]);
        let zoned = |micros, east| ZonedTime::new(micros, east);
        check(&[
            zoned(0, MAX_EAST),
            zoned(1, MAX_EAST),
            zoned(3600 * SECOND, MAX_EAST),
            zoned(13 * 3600 * SECOND, 3600),
            zoned(12 * 3600 * SECOND, 0),
            zoned(11 * 3600 * SECOND, -3600),
            zoned(12 * 3600 * SECOND + 1, 0),
            zoned(DAY, 0),
        ]);
        check(&[zoned(0, 1), zoned(0, 0), zoned(0, -1), zoned(0, -MAX_EAST), zoned(DAY, -MAX_EAST)]);
    }

    #[test]
    fn reject_one_past_every_edge() {
        for days in [i32::MIN + 1, Date::MIN.0 - 1, Date::MAX.0 + 1, i32::MAX - 1] {
            reject(Date(days), days);
        }
        for micros in [i64::MIN, -1, DAY + 1, i64::MAX] {
            reject(Time(micros), micros);
        }
        for micros in [i64::MIN + 1, Timestamp::MIN.0 - 1, Timestamp::MAX.0 + 1, i64::MAX - 1] {
            reject(Timestamp(micros), micros);
        }
        for micros in [i128::MIN + 1, IntervalScalar::MIN.0 - 1, IntervalScalar::MAX.0 + 1, i128::MAX - 1] {
            reject(IntervalScalar(micros), micros);
        }
        // Each half as its own payload gives the bytes that are not to be read.
        struct Raw(i64, i32);
        impl Payload for Raw {
            fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
                self.0.put(sink, flip)?;
                self.1.put(sink, flip)
            }
        }
        for (micros, east) in [(-1, 0), (DAY + 1, 0), (0, MAX_EAST + 1), (0, -MAX_EAST - 1), (DAY + 1, -1), (-1, 1)] {
            reject(ZonedTime::new(micros, east), Raw(micros - i64::from(east) * SECOND, -east));
        }
        for (utc, west) in [(i64::MIN, i32::MIN), (i64::MIN, i32::MAX), (i64::MAX, i32::MIN), (i64::MAX, i32::MAX)] {
            for flip in [Flip::No, Flip::Yes] {
                let read = take::<ZonedTime>(&bytes(Raw(utc, west), flip), flip);
                assert_eq!(read, Err(Error::MalformedKey { at: 0 }));
            }
        }
        for (micros, east) in [(i64::MIN, i32::MIN), (i64::MAX, i32::MIN), (i64::MIN, i32::MAX), (0, i32::MIN)] {
            assert_eq!(ZonedTime::new(micros, east).size(), Err(Invalid::Value));
        }
    }

    #[test]
    fn zoned_times_sort_by_instant_then_east_first() {
        let mut all = Vec::new();
        for quarter in 0..=8 {
            for east in [-MAX_EAST, -7200, -3600, -1, 0, 1, 3600, 7200, MAX_EAST] {
                all.push(ZonedTime::new(quarter * 3600 * SECOND, east));
            }
        }
        for a in &all {
            for b in &all {
                let instant = |z: &ZonedTime| z.micros - i64::from(z.east) * SECOND;
                let want = instant(a).cmp(&instant(b)).then(b.east.cmp(&a.east));
                assert_eq!(a.cmp(b), want);
                assert_eq!(a == b, want.is_eq());
                assert_eq!(bytes(a, Flip::No).cmp(&bytes(b, Flip::No)), want);
            }
        }
    }

    #[test]
    fn intervals_equal_exactly_when_their_keys_do() {
        let parts = [
            (i32::MIN, i32::MIN, i64::MIN),
            (i32::MIN, i32::MIN, i64::MIN + 1),
            (i32::MIN, i32::MIN + 1, i64::MIN),
            (i32::MIN + 1, i32::MIN, i64::MIN),
            (i32::MIN, 0, 0),
            (-1, 31, 0),
            (0, 1, 0),
            (0, 0, DAY),
            (1, -30, 0),
            (0, 0, 0),
            (1, 0, 0),
            (0, 30, 0),
            (0, 0, 30 * DAY),
            (12 * 5000, 0, 0),
            (0, 0, i64::MAX),
            (12 * 178_000_000, 0, 0),
            (i32::MAX, i32::MAX, i64::MAX - 1),
            (i32::MAX, i32::MAX, i64::MAX),
        ];
        let all = parts.map(|(m, d, us)| Interval::new(m, d, us));
        for (i, a) in all.iter().enumerate() {
            assert!(a.scalar().is_valid());
            assert_eq!(a.is_finite(), i != 0 && i != all.len() - 1);
            assert_eq!(take(&bytes(a, Flip::Yes), Flip::Yes), Ok(a.scalar()));
            for b in &all {
                assert_eq!(bytes(a, Flip::No).cmp(&bytes(b, Flip::No)), a.cmp(b), "{a} {b}");
                assert_eq!(a == b, a.cmp(b).is_eq());
            }
        }
        assert_eq!(all[1].scalar(), IntervalScalar::MIN);
        assert_eq!(all[16].scalar(), IntervalScalar::MAX);
        assert!(all[5] == all[6] && all[6] == all[7] && all[8] == all[9] && all[10] == all[12]);
    }
}
