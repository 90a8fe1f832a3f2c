//! Shards' scans put back together, against the rows as they were before they were sharded.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::convert::Infallible;

use arrayvec::ArrayVec;
use isotone::ByteRange;
use isotone::Error;
use isotone::Keyed;
use isotone::Lane;
use isotone::Merge;
use isotone::ScanError;
use isotone::Shards;
use isotone::Type;
use isotone::key_spec;

use crate::model::Broken;
use crate::model::Draw;

type Rows = BTreeMap<Vec<u8>, u64>;

/// The same rows as stored behind their shards.
fn sharded(shards: Shards<'_>, rows: &Rows) -> Rows {
    let store = |(key, value): (&Vec<u8>, &u64)| {
        (shards.write_key(key, &mut vec![0; key.len() + shards.prefix_len()]).unwrap().to_vec(), *value)
    };
    rows.iter().map(store).collect()
}

/// The rows of a range, put together from a scan of each shard.
fn scan(shards: Shards<'_>, stored: &Rows, range: ByteRange<&[u8]>, back: bool) -> Vec<(Vec<u8>, u64)> {
    let mut room = vec![0xaa; shards.fan_out_size(range)];
    let fan = shards.fan_out(range, &mut room).unwrap();
    let row = |row: (&Vec<u8>, &u64)| Ok::<_, Infallible>((row.0.clone(), *row.1));
    let take = |row: Result<isotone::ShardRow<(Vec<u8>, u64)>, ScanError<Infallible>>| {
        let row = row.unwrap();
        assert_eq!(shards.check(row.stored_key()), Ok((row.shard(), row.key())));
        (row.key().to_vec(), row.into_row().1)
    };
    if back {
        let lanes: Vec<_> = fan.map(|range| Lane::new(stored.range::<[u8], _>(range).rev().map(row))).collect();
        Merge::descending(shards, lanes).map(take).collect()
    } else {
        let lanes: Vec<_> = fan.map(|range| Lane::new(stored.range::<[u8], _>(range).map(row))).collect();
        Merge::ascending(shards, lanes).map(take).collect()
    }
}

#[test]
fn every_row_once_in_order_both_ways() {
    let mut draw = Draw(17);
    let spec = key_spec![Type::U8 => isotone::Desc, Type::Bytes => isotone::Asc];
    for count in [1, 2, 3, 5, 16, 256, 300] {
        for scope in [&[][..], b"t", &[0xff]] {
            let mut rows = Rows::new();
            for n in 0..[0, 1, 10, 300][draw.below(4)] {
                let text: Vec<u8> = (0..draw.below(4)).map(|_| [0, 1, 0x61, 0xff][draw.below(4)]).collect();
                let group = isotone::Value::U8([0, 7, 255][draw.below(3)]);
                let key = spec.encode(&[group, isotone::Value::from(&text[..])], &mut [0; 16]).unwrap().to_vec();
                rows.insert(key, n);
            }
            for shards in [Shards::new(count).unwrap(), Shards::new(count).unwrap().by_fields(spec, 1)] {
                let shards = shards.under(scope);
                let mut stored = sharded(shards, &rows);
                assert_eq!(stored.len(), rows.len());
                if !scope.is_empty() {
                    stored.insert(vec![scope[0] - 1, 0xff], 0);
                }
                let keys: Vec<_> = rows.keys().cloned().collect();
                for i in 0..8 {
                    let range = if i == 0 { ByteRange::new(vec![], None) } else { draw.range(&keys) };
                    let mut expected: Vec<_> =
                        rows.iter().filter(|row| range.contains(row.0)).map(|(k, v)| (k.clone(), *v)).collect();
                    assert_eq!(scan(shards, &stored, range.as_ref(), false), expected, "{count} {range:?}");
                    expected.reverse();
                    assert_eq!(scan(shards, &stored, range.as_ref(), true), expected, "{count} {range:?}");
                }
            }
        }
    }
}

#[test]
fn pages_go_on_behind_the_last_key() {
    let shards = Shards::new(7).unwrap();
    let rows: Rows = (0..100u64).map(|n| ((n * n).to_be_bytes().to_vec(), n)).collect();
    let stored = sharded(shards, &rows);
    for back in [false, true] {
        let mut pages = vec![];
        loop {
            let last: Option<(Vec<u8>, u64)> = pages.last().cloned();
            let range = match &last {
                None => ByteRange::new(&[][..], None),
                Some((key, _)) if back => ByteRange::new(&[][..], Some(&key[..])),
                Some((key, _)) => ByteRange::after(&key[..], None),
            };
            let page = scan(shards, &stored, range, back);
            if page.is_empty() {
                break;
            }
            pages.extend(page.into_iter().take(9));
        }
        if back {
            pages.reverse();
        }
        assert!(pages.into_iter().eq(rows.clone()));
    }
}

/// A row that counts how often its key is asked for.
struct Counted<'c>(Vec<u8>, usize, &'c Cell<usize>);

impl Keyed for Counted<'_> {
    fn key(&self) -> &[u8] {
        self.2.set(self.2.get() + 1);
        &self.0
    }
}

#[test]
fn any_number_of_lanes_stable_and_in_few_comparisons() {
    let (mut draw, shards) = (Draw(19), Shards::new(1).unwrap());
    for count in 0..=40 {
        for back in [false, true] {
            // Few distinct keys: ties in a lane and between lanes.
            let mut lanes = vec![vec![]; count];
            for _ in 0..count * draw.below(20) {
                let lane = draw.below(count);
                lanes[lane].push(vec![0, [1, 2, 3, 200, 255][draw.below(5)]]);
            }
            let mut expected = vec![];
            for (number, lane) in lanes.iter_mut().enumerate() {
                lane.sort();
                if back {
                    lane.reverse();
                }
                expected.extend(lane.iter().cloned().map(|key| (key, number)));
            }
            // Stable both ways: equal keys in the lanes' order, or in its reverse.
            if back {
                expected.sort_by(|a, b| b.cmp(a));
            } else {
                expected.sort();
            }
            let asked = Cell::new(0);
            let rows = |(number, lane): (usize, &Vec<Vec<u8>>)| {
                let row = |key: Vec<u8>| Ok::<_, Infallible>(Counted(key, number, &asked));
                Lane::new(lane.clone().into_iter().map(row).collect::<Vec<_>>().into_iter())
            };
            let mut lanes: Vec<_> = lanes.iter().enumerate().map(rows).collect();
            let make = if back { Merge::descending } else { Merge::ascending };
            let mut merged = make(shards, &mut lanes[..]);
            let mut found = vec![];
            for row in merged.by_ref() {
                let row = row.unwrap().into_row();
                found.push((row.0, row.1));
            }
            assert_eq!(found, expected, "{count} lanes");
            assert!(merged.next().is_none());
            // Each asks two keys: a comparison on each level, that the lane goes on in order, and
            // one more for what a row's own prefix is. The tree is built with one on each node.
            let levels = usize::try_from(count.next_power_of_two().ilog2()).unwrap();
            let most = found.len() * (2 * levels + 3) + 2 * count;
            assert!(asked.get() <= most, "{} keys asked for, {most} at most, {count} lanes", asked.get());
        }
    }
}

type Found = Vec<Result<Vec<u8>, ScanError<Broken>>>;

/// Merges three lanes, in reverse where `back` says so, and says what came.
fn three(lanes: [Vec<Result<&'static [u8], Broken>>; 3], back: bool) -> Found {
    let turned = |mut lane: Vec<Result<&'static [u8], Broken>>| {
        if back {
            lane.reverse();
        }
        Lane::new(lane.into_iter())
    };
    let lanes: ArrayVec<_, 3> = lanes.into_iter().map(turned).collect();
    let shards = Shards::new(3).unwrap();
    let mut merged = if back { Merge::descending(shards, lanes) } else { Merge::ascending(shards, lanes) };
    let found = merged.by_ref().map(|row| row.map(|row| row.key().to_vec())).collect();
    assert!(merged.next().is_none(), "nothing comes after the end");
    found
}

#[test]
fn a_lane_that_fails_ends_the_merge() {
    let ok = |key: &'static [u8]| Ok(key);
    let good = [vec![ok(b"\0a"), ok(b"\0d")], vec![ok(b"\x01b"), ok(b"\x01e")], vec![ok(b"\x02c")]];
    let keys: Found = b"abcde".iter().map(|key| Ok(vec![*key])).collect();
    assert_eq!(three(good.clone(), false), keys);
    // Each fault before each row, and behind the last: what comes first, and the error.
    let faults = [
        (Err(Broken(3)), ScanError::Engine(Broken(3))),
        (ok(b"\x03x"), ScanError::Key(Error::MalformedKey { at: 0 })),
        (ok(b""), ScanError::Key(Error::TruncatedKey { at: 0 })),
        (ok(b"\0\0"), ScanError::OutOfOrder),
    ];
    let places = [(0, 0, ""), (0, 1, "a"), (0, 2, "abcd"), (1, 1, "ab"), (1, 2, "abcde"), (2, 1, "abc")];
    for (fault, error) in faults {
        for (lane, at, before) in places {
            if error == ScanError::OutOfOrder && at == 0 {
                continue;
            }
            let mut lanes = good.clone();
            lanes[lane].insert(at, fault);
            let expected: Found = before.bytes().map(|key| Ok(vec![key])).chain([Err(error)]).collect();
            assert_eq!(three(lanes, false), expected, "{error:?} in lane {lane} at {at}");
        }
    }
    // The same from behind.
    let mut lanes = good.clone();
    lanes[1].insert(1, Err(Broken(5)));
    let expected: Found = vec![Ok(b"e".to_vec()), Err(ScanError::Engine(Broken(5)))];
    assert_eq!(three(lanes, true), expected);
}

#[test]
fn a_lane_in_the_wrong_direction_is_found() {
    let rows = |keys: [&'static [u8]; 2]| Lane::new(keys.into_iter().map(Ok::<_, Infallible>));
    let shards = Shards::new(1).unwrap();
    let up = Merge::ascending(shards, vec![rows([b"\0b", b"\0a"])]);
    assert_eq!(up.map(|row| row.is_ok()).collect::<Vec<_>>(), [true, false]);
    let down = Merge::descending(shards, vec![rows([b"\0a", b"\0b"])]);
    assert_eq!(down.map(|row| row.is_ok()).collect::<Vec<_>>(), [true, false]);
}
