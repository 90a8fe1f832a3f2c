//! The algebra of ranges, held against sets of all short byte strings.

use isotone::ByteRange;
use isotone::Error;
use isotone::RangeList;
use isotone::RangeRoom;
use isotone::RangeSlot;
use isotone::ShortStorage;
use proptest::prelude::*;

/// All strings of up to `len` of these bytes.
fn strings(len: usize, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..len {
        let longer = |s: &Vec<u8>| bytes.iter().map(|b| [&s[..], &[*b]].concat()).collect::<Vec<_>>();
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all.sort();
    all
}

/// Every range between these strings, its start excluded or not; one that is empty too.
fn ranges(ends: &[Vec<u8>]) -> Vec<ByteRange<&[u8]>> {
    let lasts = ends.iter().map(|end| Some(&end[..])).chain([None]);
    lasts
        .flat_map(|last| ends.iter().flat_map(move |s| [ByteRange::new(&s[..], last), ByteRange::after(s, last)]))
        .collect()
}

#[test]
fn two_ranges_are_two_sets() {
    let (ends, keys) = (strings(2, &[0, 1, 0xff]), strings(4, &[0, 1, 0xff]));
    let all = ranges(&ends);
    assert_eq!(all.len(), 13 * 2 * 14);
    for a in &all {
        let mut room = [0u8; 8];
        let [before, after] = a.complement(&mut room).unwrap();
        for key in &keys {
            assert_eq!(before.contains(key) || after.contains(key), !a.contains(key), "{a:?} {key:?}");
            assert!(!(before.contains(key) && after.contains(key)));
        }
        // In turn, to keep it short: each meets one in seven of the others.
        for b in all.iter().step_by(7) {
            let mut room = [0u8; 8];
            let both = a.union(b);
            let less = a.subtract(b, &mut room).unwrap();
            for key in &keys {
                let (in_a, in_b) = (a.contains(key), b.contains(key));
                let count = |ranges: &[ByteRange<&[u8]>]| ranges.iter().filter(|range| range.contains(key)).count();
                assert_eq!(count(&both), usize::from(in_a || in_b), "{a:?} {b:?} {key:?}");
                assert_eq!(count(&less), usize::from(in_a && !in_b), "{a:?} {b:?} {key:?}");
                assert_eq!(a.intersect(b).contains(key), in_a && in_b);
            }
            // One range where they touch, and in order where they don't.
            let mut start = [0u8; 8];
            let start = both[1].write_start(&mut start).unwrap();
            assert!(both[1].is_empty() || both[0].end().unwrap() < start, "{both:?}");
            assert!(!both[0].is_empty() || a.is_empty() && b.is_empty());
        }
    }
}

#[test]
fn room_for_an_excluded_start_is_asked_for() {
    let (all, rest) = (ByteRange::new(&b"a"[..], None), ByteRange::after(&b"kk"[..], None));
    let mut room = [0xaa; 2];
    let short = Error::ShortBuffer { needed: 3, available: 2 };
    assert_eq!(all.subtract(&rest, &mut room), Err(short));
    assert_eq!(room, [0xaa; 2]);
    let mut room = [0u8; 3];
    let [before, after] = all.subtract(&rest, &mut room).unwrap();
    assert_eq!((before.start(), before.end(), after.is_empty()), (&b"a"[..], Some(&b"kk\0"[..]), true));
}

/// Some ranges in any order.
fn some(ends: &[Vec<u8>], picks: &[(usize, usize, bool)]) -> Vec<ByteRange<Vec<u8>>> {
    let range = |(a, b, after): &(usize, usize, bool)| {
        let (start, end) = (ends[a % ends.len()].clone(), ends.get(b % (ends.len() + 2)).cloned());
        if *after { ByteRange::after(start, end) } else { ByteRange::new(start, end) }
    };
    picks.iter().map(range).collect()
}

struct Storage {
    slots: Vec<RangeSlot>,
    bytes: Vec<u8>,
}

impl Storage {
    fn new() -> Self {
        Storage { slots: vec![RangeSlot::NEW; 64], bytes: vec![0; 1024] }
    }

    fn room(&mut self) -> RangeRoom<'_> {
        RangeRoom::new(&mut self.slots, &mut self.bytes)
    }
}

/// Sorted, disjoint, not touching, none empty.
fn assert_shortest(list: &RangeList<'_>) {
    assert!(list.iter().all(|range| !range.is_empty() && !range.excludes_start()));
    for (a, b) in list.iter().zip(list.iter().skip(1)) {
        assert!(a.end().unwrap() < b.start(), "{list:?}");
    }
    assert!(list.iter().rev().eq(list.iter().collect::<Vec<_>>().into_iter().rev()));
}

/// What a call asks for is what it takes, and less is refused with nothing written.
fn assert_exact_storage(list: &RangeList<'_>, call: impl Fn(RangeRoom<'_>) -> Result<usize, ShortStorage>) {
    let Err(needed) = call(RangeRoom::new(&mut [], &mut [])) else { return assert!(list.is_empty()) };
    assert_eq!(needed.slots, list.len());
    let (mut slots, mut bytes) = (vec![RangeSlot::NEW; needed.slots], vec![0xaa; needed.bytes]);
    assert_eq!(call(RangeRoom::new(&mut slots, &mut bytes)), Ok(list.len()));
    if needed.bytes > 0 {
        let (mut slots, mut bytes) = (vec![RangeSlot::NEW; needed.slots], vec![0xaa; needed.bytes - 1]);
        let short = ShortStorage { lent_slots: needed.slots, lent_bytes: needed.bytes - 1, ..needed };
        assert_eq!(call(RangeRoom::new(&mut slots, &mut bytes)), Err(short));
        assert!(bytes.iter().all(|b| *b == 0xaa));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn lists_are_sets(
        a in prop::collection::vec((0usize..64, 0usize..64, any::<bool>()), 0..7),
        b in prop::collection::vec((0usize..64, 0usize..64, any::<bool>()), 0..7),
        within in (0usize..64, 0usize..64, any::<bool>()),
    ) {
        let (ends, keys) = (strings(2, &[0, 1, 0xff]), strings(4, &[0, 1, 0xff]));
        let (a_ranges, b_ranges) = (some(&ends, &a), some(&ends, &b));
        let within = &some(&ends, &[within])[0];
        let (mut a, mut b) = (Storage::new(), Storage::new());
        let a = RangeList::collect(a_ranges.iter().map(ByteRange::as_ref), a.room()).unwrap();
        let b = RangeList::collect(b_ranges.iter().map(ByteRange::as_ref), b.room()).unwrap();
        let mut rooms = [const { None::<Storage> }; 4].map(|_| Storage::new());
        let [union, both, less, rest] = &mut rooms;
        let union = a.union(&b, union.room()).unwrap();
        let both = a.intersect(&b, both.room()).unwrap();
        let less = a.subtract(&b, less.room()).unwrap();
        let rest = a.complement(within, rest.room()).unwrap();
        for list in [a, b, union, both, less, rest] {
            assert_shortest(&list);
        }
        for key in &keys {
            let (in_a, in_b) = (a_ranges.iter().any(|r| r.contains(key)), b_ranges.iter().any(|r| r.contains(key)));
            prop_assert_eq!(a.contains(key), in_a);
            prop_assert_eq!(b.contains(key), in_b);
            prop_assert_eq!(union.contains(key), in_a || in_b);
            prop_assert_eq!(both.contains(key), in_a && in_b);
            prop_assert_eq!(less.contains(key), in_a && !in_b);
            prop_assert_eq!(rest.contains(key), within.contains(key) && !in_a);
        }
        assert_exact_storage(&union, |room| a.union(&b, room).map(|list| list.len()));
        assert_exact_storage(&both, |room| a.intersect(&b, room).map(|list| list.len()));
        assert_exact_storage(&less, |room| a.subtract(&b, room).map(|list| list.len()));
        assert_exact_storage(&rest, |room| a.complement(within, room).map(|list| list.len()));

        // Pages: what is before a key, the key, what is after it.
        for key in keys.iter().step_by(5) {
            let (before, after) = (a.before(key).collect::<Vec<_>>(), a.after(key).collect::<Vec<_>>());
            for other in &keys {
                let hits = |ranges: &[ByteRange<&[u8]>]| ranges.iter().filter(|r| r.contains(other)).count();
                prop_assert_eq!(hits(&before), usize::from(a.contains(other) && other < key));
                prop_assert_eq!(hits(&after), usize::from(a.contains(other) && other > key));
            }
            prop_assert!(before.iter().chain(&after).all(|range| !range.is_empty()));
        }
    }

    #[test]
    fn parts_hold_every_key_once(
        start in prop::collection::vec(prop::sample::select(vec![0u8, 1, 0x7f, 0xfe, 0xff]), 0..5),
        end in prop::option::of(prop::collection::vec(prop::sample::select(vec![0u8, 1, 0x7f, 0xfe, 0xff]), 0..5)),
        after in any::<bool>(),
        n in 1usize..9,
        probes in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0u8, 1, 0x3f, 0x7f, 0xfe, 0xff]), 0..6), 30),
    ) {
        let (start, end) = (&start[..], end.as_deref());
        let range = if after { ByteRange::after(start, end) } else { ByteRange::new(start, end) };
        let mut storage = Storage::new();
        let list = range.split(n, storage.room()).unwrap();
        prop_assert!(list.len() <= n);
        prop_assert_eq!(list.is_empty(), range.is_empty());
        let mut rooms = vec![[0u8; 64]; n];
        let parts: Vec<_> = rooms.iter_mut().enumerate().map(|(i, room)| range.part(i, n, room).unwrap()).collect();
        prop_assert!(parts.iter().copied().filter(|part| !part.is_empty()).eq(list.iter()));
        for key in probes.iter().map(|key| &key[..]).chain([start]).chain(end) {
            let found = parts.iter().filter(|part| part.contains(key)).count();
            prop_assert_eq!(found, usize::from(range.contains(key)), "{:?} {:?}", range, parts);
        }
        for (a, b) in list.iter().zip(list.iter().skip(1)) {
            prop_assert_eq!(a.end(), Some(b.start()));
        }
        for (i, part) in parts.iter().enumerate().skip(1) {
            let mut room = [0u8; 64];
            match range.split_point(i, n, &mut room).unwrap() {
                Some(point) => {
                    prop_assert!(range.contains(point) && point > range.start());
                    prop_assert_eq!(part.start(), point);
                }
                None => prop_assert!(parts[..i].iter().all(ByteRange::is_empty)),
            }
        }
        let mut room = [0u8; 64];
        prop_assert!(range.part(n, n, &mut room).unwrap().is_empty());
        prop_assert!(range.split_point(0, n, &mut room).unwrap().is_none());
        prop_assert!(range.split_point(n, n, &mut room).unwrap().is_none());
    }

    #[test]
    fn parts_of_a_list_hold_every_key_once(
        picks in prop::collection::vec((0usize..64, 0usize..64, any::<bool>()), 0..7),
        n in 1usize..9,
    ) {
        let (ends, keys) = (strings(2, &[0, 7, 0xff]), strings(4, &[0, 7, 0xff]));
        let mut storage = Storage::new();
        let list = RangeList::collect(some(&ends, &picks), storage.room()).unwrap();
        let mut rooms: Vec<_> = (0..n).map(|_| Storage::new()).collect();
        let parts: Vec<_> = rooms.iter_mut().enumerate().map(|(i, s)| list.part(i, n, s.room()).unwrap()).collect();
        for key in &keys {
            let found = parts.iter().filter(|part| part.contains(key)).count();
            prop_assert_eq!(found, usize::from(list.contains(key)), "{:?} {:?}", list, parts);
        }
        let mut all = Storage::new();
        let all = list.split(n, all.room()).unwrap();
        prop_assert!(all.iter().eq(parts.iter().flat_map(|part| part.iter())));
        for (a, b) in all.iter().zip(all.iter().skip(1)) {
            prop_assert!(a.end().unwrap() <= b.start());
        }
        // Touching ranges are one again after any of the set operations.
        let mut again = Storage::new();
        prop_assert_eq!(all.union(&RangeList::EMPTY, again.room()).unwrap(), list);
        let mut none = Storage::new();
        prop_assert!(list.part(n, n, none.room()).unwrap().is_empty());
    }
}

#[test]
fn parts_are_of_like_width() {
    // Places that are two bytes apart at least: widths as numbers of the first four bytes.
    let number = |bytes: &[u8]| {
        let mut four = [0u8; 4];
        four.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        u32::from_be_bytes(four)
    };
    for (start, end) in [(&b""[..], None), (b"\x10", Some(&b"\x10\xff"[..])), (b"ab\xff\x80", Some(b"ac\x40"))] {
        let range = ByteRange::new(start, end);
        for n in [2usize, 3, 5, 16, 100] {
            let mut slots = vec![RangeSlot::NEW; n];
            let mut bytes = vec![0u8; 64 * n];
            let list = range.split(n, RangeRoom::new(&mut slots, &mut bytes)).unwrap();
            assert_eq!(list.len(), n, "{range:?}");
            let widths: Vec<f64> = list
                .iter()
                .map(|part| {
                    part.end().map_or(4_294_967_296.0, |end| f64::from(number(end))) - f64::from(number(part.start()))
                })
                .collect();
            let (least, most) =
                (widths.iter().copied().fold(f64::MAX, f64::min), widths.iter().copied().fold(0.0, f64::max));
            assert!(most <= least * 1.02 + 1.0, "{range:?} {n} {widths:?}");
        }
    }
    // Places that are few: each is used once. And behind any number of ff there are others.
    let (start, end) = ([&[0][..], &[0xff; 14]].concat(), [&[1][..], &[0; 13], &[4]].concat());
    for (range, n, parts) in
        [(ByteRange::new(&start[..], Some(&end[..])), 10, 5), (ByteRange::new(&[0xff; 20][..], None), 4, 4)]
    {
        let (mut slots, mut bytes) = (vec![RangeSlot::NEW; n], vec![0u8; 512]);
        let list = range.split(n, RangeRoom::new(&mut slots, &mut bytes)).unwrap();
        assert_eq!(list.len(), parts, "{list:?}");
    }
    // Short places: what is needed to tell the parts apart, and no more.
    let mut room = [0u8; 8];
    assert_eq!(ByteRange::<&[u8]>::ALL.split_point(1, 2, &mut room).unwrap(), Some(&[0x80][..]));
    assert_eq!(ByteRange::<&[u8]>::ALL.split_point(1, 3, &mut room).unwrap().map(<[u8]>::len), Some(2));
    let error = ByteRange::new(&b"abc"[..], Some(&b"abd"[..])).split_point(1, 2, &mut room[..3]);
    assert_eq!(error, Err(Error::ShortBuffer { needed: 4, available: 3 }));
}

#[test]
fn what_has_nothing_between_is_one_part() {
    let mut storage = Storage::new();
    let one = ByteRange::new(&b"k"[..], Some(&b"k\0"[..]));
    assert!(one.split(4, storage.room()).unwrap().iter().eq([one]));
    let mut storage = Storage::new();
    assert!(ByteRange::<&[u8]>::EMPTY.split(4, storage.room()).unwrap().is_empty());
    let mut storage = Storage::new();
    assert!(one.split(0, storage.room()).unwrap().is_empty());
}
