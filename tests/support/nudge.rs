//! Neighbours: a value one step from another. Uniform draws hardly ever meet them.

use std::ops::Bound;

use crate::support::bytes::payload;
use crate::support::edges;
use crate::support::ladders::Step;
use crate::support::ladders::step32;
use crate::support::ladders::step64;
use crate::support::model::Ends;
use crate::support::model::Net;
use crate::support::model::Ty;
use crate::support::model::V;

/// A value one step from `v`, or `v` where that step leaves the type.
pub(crate) fn nudge(ty: &Ty, v: &V, seed: u64) -> V {
    let next = step(ty, v, seed);
    if fits(ty, &next) && payload(ty, &next).is_some() { next } else { v.clone() }
}

/// Whether the crate's own type of a number can hold it.
fn fits(ty: &Ty, v: &V) -> bool {
    match (ty, v) {
        (Ty::Network, V::Net(net)) => net.masked() == net.addr,
        (Ty::Ip, V::Net(net)) => net.len == net.width(),
        _ => true,
    }
}

fn step(ty: &Ty, v: &V, seed: u64) -> V {
    let (how, more) = (seed % 8, seed / 8);
    match v {
        V::Null => V::Null,
        V::Bool(v) => V::Bool(!v),
        V::Int(v) => V::Int(match how {
            0 => v.wrapping_add(1),
            1 => v.wrapping_sub(1),
            2 => !*v,
            _ => v ^ 1 << (more % 32),
        }),
        V::Uint(v) => V::Uint(match how {
            0 => v.wrapping_add(1),
            1 => v.wrapping_sub(1),
            _ => v ^ 1 << (more % 32),
        }),
        V::F32(v) => V::F32(match how {
            0 | 1 => step32(*v, Step::Up),
            2 | 3 => step32(*v, Step::Down),
            _ => f32::from_bits(v.to_bits() ^ 1 << (more % 32)),
        }),
        V::F64(v) => V::F64(match how {
            0 | 1 => step64(*v, Step::Up),
            2 | 3 => step64(*v, Step::Down),
            _ => f64::from_bits(v.to_bits() ^ 1 << (more % 64)),
        }),
        V::Bytes(v) if matches!(ty, Ty::Fixed(_) | Ty::Uuid | Ty::Mac48 | Ty::Mac64) => {
            V::Bytes(bytes(v, 4 + 2 * (how % 2), more))
        }
        V::Bytes(v) => V::Bytes(bytes(v, how, more)),
        V::Str(v) => V::Str(text(v, how, more)),
        V::Dec(v) => V::Dec(decimal(v, how)),
        V::TimeTz(local, east) => match how {
            0 => V::TimeTz(local + 1, *east),
            1 => V::TimeTz(*local, east + 1),
            // The same instant in another zone.
            2 => V::TimeTz(local + 1_000_000, east + 1),
            3 => V::TimeTz(local - 3_600_000_000, east - 3600),
            _ => V::TimeTz(local - 1, *east),
        },
        V::Span(months, days, micros) => match how {
            0 => V::Span(months.wrapping_add(1), *days, *micros),
            1 => V::Span(*months, days.wrapping_add(1), *micros),
            2 => V::Span(months.wrapping_add(1), days.wrapping_sub(30), *micros),
            3 => V::Span(*months, days.wrapping_sub(1), micros.wrapping_add(86_400_000_000)),
            4 => V::Span(*months, *days, micros.wrapping_sub(1)),
            _ => V::Span(*months, *days, micros.wrapping_add(1)),
        },
        V::Net(net) => V::Net(network(ty, *net, how, more)),
        V::Bits(v) => {
            let mut v = v.clone();
            match how {
                0 | 1 => v.push(how == 0),
                2 => drop(v.pop()),
                _ if v.is_empty() => v.push(false),
                _ => {
                    let at = more as usize % v.len();
                    v[at] = !v[at];
                }
            }
            V::Bits(v)
        }
        V::Many(values) => match ty {
            Ty::Record(fields) => {
                let mut values = values.clone();
                let at = more as usize % fields.len();
                values[at] = part(&fields[at].0, fields[at].1, &values[at], how, more / 8);
                V::Many(values)
            }
            _ => V::Many(sequence(ty.element(), values, how, more)),
        },
        V::Array(values, dims) => {
            let mut dims = dims.clone();
            match (how, dims.first_mut()) {
                (0, Some((_, lower))) => *lower = lower.wrapping_add(1),
                (1, _) => return shaped(values.clone(), more),
                (2, _) => return shaped(sequence(ty.element(), values, more % 8, more / 8), more),
                _ => return V::Array(sequence(ty.element(), values, 7, more), dims),
            }
            V::Array(values.clone(), dims)
        }
        V::Range(ends) => V::Range(Box::new(end(ty.element(), ends, how, more))),
        V::Multi(ranges) => {
            let mut ranges = ranges.clone();
            if how == 0 || ranges.is_empty() {
                ranges.pop();
            } else {
                let at = more as usize % ranges.len();
                ranges[at] = end(ty.element(), &ranges[at], how, more / 8);
            }
            V::Multi(ranges)
        }
    }
}

fn bytes(v: &[u8], how: u64, more: u64) -> Vec<u8> {
    let marks = [0x00, 0x01, 0xfe, 0xff];
    let mut v = v.to_vec();
    match how {
        0..=2 => v.push(marks[more as usize % 4]),
        3 => drop(v.pop()),
        _ if v.is_empty() => v.push(0),
        4 => {
            let at = more as usize % v.len();
            v[at] = marks[more as usize / 64 % 4];
        }
        5 => v.insert(more as usize % v.len(), 0),
        _ => {
            let at = more as usize % v.len();
            v[at] ^= 1 << (more / 64 % 8);
        }
    }
    v
}

fn text(v: &str, how: u64, more: u64) -> String {
    let marks = ['\0', '\u{1}', 'a', '\u{e9}', '\u{ffff}', '\u{10ffff}'];
    let mut v: Vec<char> = v.chars().collect();
    let mark = marks[more as usize % marks.len()];
    match how {
        0..=3 => v.push(mark),
        4 => drop(v.pop()),
        _ if v.is_empty() => v.push(mark),
        _ => {
            let at = more as usize / 8 % v.len();
            v[at] = mark;
        }
    }
    v.into_iter().collect()
}

/// Another spelling of a decimal, or one digit more.
fn decimal(v: &str, how: u64) -> String {
    if v.ends_with(['y', 'N']) {
        return v.trim_start_matches(['-', '+']).into();
    }
    let (coefficient, exponent) = v.split_once(['e', 'E']).unwrap_or((v, "0"));
    let point = if coefficient.contains('.') { "" } else { "." };
    match how {
        0 => format!("{coefficient}{point}0e{exponent}"),
        1 => format!("{coefficient}{point}01E{exponent}"),
        2 => format!("{coefficient}{point}9e{exponent}"),
        3 => format!("{coefficient}e{}", exponent.parse::<i64>().unwrap_or(0).wrapping_add(1)),
        4 if v.starts_with('-') => v[1..].into(),
        4 | 5 => format!("-{}", v.trim_start_matches(['-', '+'])),
        _ => format!("{coefficient}{point}000000000000000000000000000000000000000000001e{exponent}"),
    }
}

fn network(ty: &Ty, mut net: Net, how: u64, more: u64) -> Net {
    let width = u64::from(net.width());
    match how {
        0 | 1 if *ty != Ty::Ip => net.len = (more % (width + 1)) as u8,
        2 => net = Net { v6: true, addr: 0xffff_0000_0000 | net.addr & 0xffff_ffff, len: 128 },
        _ => net.addr ^= 1 << (more % width),
    }
    if *ty == Ty::Network {
        net.addr = net.masked();
    }
    net
}

fn part(ty: &Ty, order: u8, v: &V, how: u64, seed: u64) -> V {
    match v {
        V::Null => edges::few(ty, 3)[seed as usize % 2].clone(),
        _ if how == 0 && order < 4 => V::Null,
        v => nudge(ty, v, seed),
    }
}

fn sequence(element: &Ty, values: &[V], how: u64, more: u64) -> Vec<V> {
    let mut values = values.to_vec();
    match how {
        0 => values.push(V::Null),
        1 => drop(values.pop()),
        2 => values.extend(values.first().cloned()),
        _ if values.is_empty() => {}
        _ => {
            let at = more as usize % values.len();
            values[at] = part(element, 1, &values[at], more / 8 % 4, more / 64);
        }
    }
    values
}

/// Moves an end of a range, or turns it between included and excluded.
fn end(element: &Ty, ends: &Ends, how: u64, more: u64) -> Ends {
    let turned = |bound: &Bound<V>| match bound {
        Bound::Included(v) => Bound::Excluded(v.clone()),
        Bound::Excluded(v) => Bound::Included(v.clone()),
        Bound::Unbounded => Bound::Unbounded,
    };
    let moved = |bound: &Bound<V>| bound.as_ref().map(|v| nudge(element, v, more));
    let (lower, upper) = ends.as_ref()?;
    match how {
        0 => Some((Bound::Unbounded, upper.clone())),
        1 => Some((lower.clone(), Bound::Unbounded)),
        2 => Some((turned(lower), upper.clone())),
        3 => Some((lower.clone(), turned(upper))),
        4 => Some((moved(lower), upper.clone())),
        5 => Some((lower.clone(), moved(upper))),
        _ => Some((turned(lower), turned(upper))),
    }
}

/// Gives elements one or more dimensions.
pub(crate) fn shaped(values: Vec<V>, seed: u64) -> V {
    let n = values.len() as u32;
    let lower = [1, 0, -1, i32::MIN, i32::MAX - n as i32][(seed % 5) as usize];
    let dims = match (n, seed / 5 % 4) {
        (0, _) => vec![],
        (n, 0) => vec![(1, lower), (n, 1)],
        (4, 1) => vec![(2, lower), (2, 0)],
        (n, 2) => vec![(1, 1), (1, 0), (n, lower)],
        (n, _) => vec![(n, lower)],
    };
    V::Array(values, dims)
}
