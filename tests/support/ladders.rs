//! The ladders of types without parts: hand-picked values, strictly ascending, on both sides of every
//! boundary. A rung is one value in all its spellings.

use crate::support::model::Net;
use crate::support::model::V;

/// Rungs from the least to the greatest.
pub(crate) type Rungs = Vec<Vec<V>>;

/// One spelling a rung.
pub(crate) fn each(values: impl IntoIterator<Item = V>) -> Rungs {
    values.into_iter().map(|v| vec![v]).collect()
}

pub(crate) fn signed(min: i128, max: i128) -> Rungs {
    let around = [0, 127, 128, 255, 256, 32_767, 65_535, 65_536, 1 << 24, 1 << 31, 1 << 32, 1 << 63, 1 << 64, 1 << 72];
    let mut all: Vec<i128> = around.iter().flat_map(|v| [-v - 1, -v, 1 - v, v - 1, *v, v + 1]).collect();
    all.retain(|v| (min..=max).contains(v));
    all.extend([min, min + 1, max - 1, max]);
    all.sort_unstable();
    all.dedup();
    each(all.into_iter().map(V::Int))
}

pub(crate) fn unsigned(max: u128) -> Rungs {
    let around = [1, 127, 128, 255, 256, 32_768, 65_535, 1 << 24, 1 << 31, 1 << 32, 1 << 63, 1 << 64, 1 << 127];
    let mut all: Vec<u128> = around.iter().flat_map(|v| [v - 1, *v, v + 1]).collect();
    all.retain(|v| *v <= max);
    all.extend([max - 1, max]);
    all.sort_unstable();
    all.dedup();
    each(all.into_iter().map(V::Uint))
}

/// Which way to the next float.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Up,
    Down,
}

macro_rules! steps {
    ($($name:ident $float:ident;)*) => {$(
        /// The next float that way; infinities and NaN stay.
        pub(crate) fn $name(v: $float, step: Step) -> $float {
            let away = (v > 0.0) == (step == Step::Up);
            match v {
                v if !v.is_finite() => v,
                0.0 if step == Step::Up => $float::from_bits(1),
                0.0 => -$float::from_bits(1),
                v if away => $float::from_bits(v.to_bits() + 1),
                v => $float::from_bits(v.to_bits() - 1),
            }
        }
    )*};
}

steps! { step32 f32; step64 f64; }

pub(crate) fn f32s() -> Rungs {
    let below = [
        f32::NEG_INFINITY,
        f32::MIN,
        -1.5,
        step32(-1.0, Step::Down),
        -1.0,
        step32(-1.0, Step::Up),
        -f32::MIN_POSITIVE,
        -f32::from_bits(1),
    ];
    let above = [
        f32::from_bits(1),
        f32::from_bits(2),
        f32::MIN_POSITIVE,
        step32(1.0, Step::Down),
        1.0,
        step32(1.0, Step::Up),
        1.5,
        f32::MAX,
        f32::INFINITY,
    ];
    let nans = [0x7fc0_0000, 0x7f80_0001, 0xff80_0001, 0xffc0_0000, 0xffff_ffff, 0x7fff_ffff]
        .map(|b| V::F32(f32::from_bits(b)));
    let mut rungs = each(below.map(V::F32));
    rungs.push(vec![V::F32(0.0), V::F32(-0.0)]);
    rungs.extend(each(above.map(V::F32)));
    rungs.push(nans.to_vec());
    rungs
}

pub(crate) fn f64s() -> Rungs {
    let below = [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.5,
        step64(-1.0, Step::Down),
        -1.0,
        step64(-1.0, Step::Up),
        -f64::MIN_POSITIVE,
        -5e-324,
    ];
    let above = [
        5e-324,
        1e-323,
        f64::MIN_POSITIVE,
        step64(1.0, Step::Down),
        1.0,
        step64(1.0, Step::Up),
        1.0 + 2f64.powi(-30),
        1.5,
    ];
    let great = [9_007_199_254_740_992.0, 9_007_199_254_740_994.0, f64::MAX, f64::INFINITY];
    let nans = [0x7ff8 << 48, 0x7ff0 << 48 | 1, 0xfff0 << 48 | 1, 0xfff8 << 48 | 1, u64::MAX, u64::MAX >> 1]
        .map(|b| V::F64(f64::from_bits(b)));
    let mut rungs = each(below.map(V::F64));
    rungs.push(vec![V::F64(0.0), V::F64(-0.0)]);
    rungs.extend(each(above.into_iter().chain(great).map(V::F64)));
    rungs.push(nans.to_vec());
    rungs
}

/// Byte strings around the escape, the word widths of the copying loops, and each other.
pub(crate) fn strings() -> Rungs {
    let mut all: Vec<Vec<u8>> = [
        "", "00", "0000", "0000ff", "000000", "0001", "00fe", "00ff", "00ff00", "01", "0100", "0101", "61", "6100",
        "610000", "6100ff", "61006200", "6101", "6161", "61ff", "62", "7f", "80", "fe", "feff", "ff", "ff00", "ff01",
        "fffe", "ffff",
    ]
    .iter()
    .map(|hex| unhex(hex))
    .collect();
    for len in [7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 129] {
        all.push(vec![0x41; len]);
        for (at, byte) in [(0, 0), (len / 2, 0), (len - 1, 0), (len - 1, 0xff)] {
            let mut one = vec![0x41; len];
            one[at] = byte;
            all.push(one);
        }
    }
    all.push(vec![0; 33]);
    all.push(vec![0xff; 33]);
    all.sort_unstable();
    all.dedup();
    each(all.into_iter().map(V::Bytes))
}

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

pub(crate) fn fixed(width: usize) -> Rungs {
    let mut all = vec![vec![0; width], vec![0x7f; width], vec![0x80; width], vec![0xff; width]];
    for at in 0..width {
        for (rest, byte) in [(0, 1), (0, 0xff), (0xff, 0), (0xff, 0xfe), (0x41, 0), (0x41, 0x40), (0x41, 0x42)] {
            let mut one = vec![rest; width];
            one[at] = byte;
            all.push(one);
        }
    }
    all.sort_unstable();
    all.dedup();
    each(all.into_iter().map(V::Bytes))
}

pub(crate) fn texts() -> Rungs {
    let long = "\u{e9}".repeat(32);
    let all = [
        "",
        "\0",
        "\0\0",
        "\0\u{1}",
        "\0a",
        "\u{1}",
        "a",
        "a\0",
        "a\0\0",
        "a\0b",
        "a\u{1}",
        "aa",
        "ab",
        "b",
        "\u{7f}",
        "\u{80}",
        "\u{e9}",
        &long,
        "\u{7ff}",
        "\u{800}",
        "\u{d7ff}",
        "\u{e000}",
        "\u{ffff}",
        "\u{10000}",
        "\u{10ffff}",
        "\u{10ffff}\0",
        "\u{10ffff}\u{10ffff}",
    ];
    each(all.map(|text| V::Str(text.into())))
}

pub(crate) fn decimals() -> Rungs {
    let rungs: [&[&str]; 42] = [
        &["-Infinity"],
        &["-9.9e2147483647", "-99e2147483646"],
        &["-1e2147483647"],
        &["-1819487610"],
        &["-256"],
        &["-255"],
        &["-100.5"],
        &["-100", "-1e2", "-0100.00", "-1000e-1"],
        &["-12"],
        &["-1.5"],
        &["-1.01"],
        &["-1.001"],
        &["-1", "-1.", "-1.0e0"],
        &["-.99"],
        &["-0.1", "-1E-1"],
        &["-0.09"],
        &["-1e-2147483648"],
        &["0", "-0", "+0.000", ".0", "0.", "0e999999999999", "-0E-9999999999"],
        &["1e-2147483648", "10e-2147483649", "0.1e-2147483647", "+.01e-2147483646"],
        &["1.5e-2147483648"],
        &["0.01"],
        &["0.01111"],
        &["0.02"],
        &["0.1"],
        &["0.9"],
        &["0.99"],
        &["1", "1.", "01.0", "1e0", "1E+0", "10e-1"],
        &["1.0000000000000000000000000000000000000000000001"],
        &["1.1"],
        &["9"],
        &["10"],
        &["99", "9.9e1"],
        &["100", "1e2", "+0100.00", "1000e-1"],
        &["255"],
        &["256"],
        &["1819487610", "1.81948761E9"],
        &["170141183460469231731687303715884105727"],
        &["170141183460469231731687303715884105728"],
        &["1e2147483647", "0.1e2147483648", "10e2147483646"],
        &["9.99e2147483647"],
        &["Infinity", "+Infinity"],
        &["NaN", "-NaN", "+NaN"],
    ];
    rungs.iter().map(|rung| rung.iter().map(|text| V::Dec((*text).into())).collect()).collect()
}

pub(crate) fn timestamps() -> Rungs {
    let (min, max) = (-211_813_488_000_000_000, 9_223_371_331_199_999_999);
    each(
        [i64::MIN, min, min + 1, -946_684_800_000_000, -1, 0, 1, 255, 256, 1_000_000, max - 1, max, i64::MAX]
            .map(|v| V::Int(v.into())),
    )
}

pub(crate) fn timetzs() -> Rungs {
    let (hour, noon, day) = (3_600_000_000, 43_200_000_000, 86_400_000_000);
    // At noon in UTC the zone further east comes first.
    let all = [
        (0, 57_599),
        (1, 57_599),
        (0, 3600),
        (0, 1),
        (0, 0),
        (1, 0),
        (noon + hour, 3601),
        (noon + hour, 3600),
        (noon, 0),
        (noon - hour, -3600),
        (noon, -1),
        (day, 1),
        (day, 0),
        (day, -1),
        (day - 1, -57_599),
        (day, -57_599),
    ];
    each(all.map(|(local, east)| V::TimeTz(local, east)))
}

pub(crate) fn intervals() -> Rungs {
    let day = 86_400_000_000;
    vec![
        vec![V::Span(i32::MIN, i32::MIN, i64::MIN), V::Int(i128::MIN)],
        vec![V::Span(i32::MIN, i32::MIN, i64::MIN + 1)],
        vec![V::Span(i32::MIN, 0, 0)],
        vec![V::Span(-178_000_000 * 12, 0, 0)],
        vec![V::Span(-1, 0, 0), V::Span(0, -30, 0), V::Span(0, 0, -30 * day)],
        vec![V::Span(0, -1, 0), V::Span(0, 0, -day), V::Span(-1, 29, 0)],
        vec![V::Span(0, 0, -1)],
        vec![V::Span(0, 0, 0), V::Span(1, -30, 0), V::Span(-1, 30, 0), V::Int(0)],
        vec![V::Span(0, 0, 1)],
        vec![V::Span(0, 1, 0), V::Span(-1, 31, 0)],
        vec![V::Span(1, 0, 0), V::Span(0, 30, 0), V::Span(0, 0, 720 * 3_600_000_000), V::Int((30 * day).into())],
        vec![V::Span(1, 0, 1)],
        vec![V::Span(292 * 12, 0, 0)],
        vec![V::Span(5000 * 12, 0, 0)],
        vec![V::Span(178_000_000 * 12, 0, 0)],
        vec![V::Span(i32::MAX, i32::MAX, i64::MAX - 1)],
        vec![V::Span(i32::MAX, i32::MAX, i64::MAX), V::Int(i128::MAX)],
    ]
}

/// In PostgreSQL's order: family, common bits, shorter prefix first, address.
pub(crate) fn nets(keep: fn(&Net) -> bool) -> Rungs {
    let v4 = |a: [u8; 4], len| Net { v6: false, addr: u32::from_be_bytes(a).into(), len };
    let v6 = |addr: u128, len| Net { v6: true, addr, len };
    let mapped: u128 = 0xffff_0a00_0000;
    let doc: u128 = 0x2001_0db8 << 96;
    let all = [
        v4([0, 0, 0, 0], 0),
        v4([1, 0, 0, 0], 0),
        v4([255, 255, 255, 255], 0),
        v4([0, 0, 0, 0], 1),
        v4([127, 255, 255, 255], 1),
        v4([0, 0, 0, 0], 8),
        v4([0, 0, 0, 1], 8),
        v4([0, 0, 0, 0], 32),
        v4([0, 0, 0, 1], 32),
        v4([10, 0, 0, 0], 7),
        v4([10, 0, 0, 0], 8),
        v4([10, 0, 0, 1], 8),
        v4([10, 0, 0, 0], 16),
        v4([10, 0, 0, 1], 16),
        v4([10, 0, 0, 0], 24),
        v4([10, 0, 0, 0], 25),
        v4([10, 0, 0, 0], 32),
        v4([10, 1, 2, 128], 25),
        v4([10, 1, 3, 0], 24),
        v4([10, 220, 1, 20], 32),
        v4([10, 220, 1, 120], 32),
        v4([128, 0, 0, 0], 1),
        v4([192, 0, 2, 0], 24),
        v4([192, 0, 2, 1], 24),
        v4([192, 0, 2, 0], 28),
        v4([192, 0, 2, 0], 29),
        v4([192, 0, 2, 0], 30),
        v4([192, 0, 2, 0], 31),
        v4([192, 0, 2, 0], 32),
        v4([192, 0, 2, 1], 32),
        v4([192, 0, 2, 2], 31),
        v4([192, 168, 0, 1], 32),
        v4([255, 255, 255, 0], 24),
        v4([255, 255, 255, 0], 32),
        v4([255, 255, 255, 255], 32),
        v6(0, 0),
        v6(u128::MAX, 0),
        v6(0, 1),
        v6(0, 64),
        v6(1, 64),
        v6(0, 128),
        v6(1, 128),
        v6(mapped, 96),
        v6(mapped, 120),
        v6(mapped, 128),
        v6(mapped + 1, 128),
        v6(doc, 32),
        v6(doc + 1, 32),
        v6(doc, 33),
        v6(doc, 127),
        v6(doc, 128),
        v6(doc + 1, 128),
        v6(1 << 127, 1),
        v6(u128::MAX - 1, 127),
        v6(u128::MAX - 1, 128),
        v6(u128::MAX, 128),
    ];
    each(all.into_iter().filter(keep).map(V::Net))
}

pub(crate) fn bits() -> Rungs {
    let mut all: Vec<Vec<bool>> = Vec::new();
    for len in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 64, 65] {
        all.extend([vec![false; len], vec![true; len]]);
        for at in [0, len / 2, len.saturating_sub(1)].into_iter().filter(|at| *at < len) {
            let mut one = vec![false; len];
            one[at] = true;
            all.push(one.clone());
            all.push(one.into_iter().map(|bit| !bit).collect());
        }
    }
    all.sort_unstable();
    all.dedup();
    each(all.into_iter().map(V::Bits))
}
