//! Drawn specs, rows with few distinct values, and predicates over them: membership, ends, room, and
//! walks.

use std::collections::BTreeMap;
use std::ops::Bound;

use isotone::ByteRange;
use isotone::Error;
use isotone::KeySpec;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::predicate::Pred;
use crate::predicate::has_fronts;
use crate::support::bytes;
use crate::support::edges;
use crate::support::generate;
use crate::support::model::Attr;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::layout;

/// Fields, a pool of values for each, rows drawn from the pools, and predicates.
#[derive(Clone, Debug)]
struct Case {
    fields: Vec<Attr>,
    rows: Vec<Vec<V>>,
    preds: Vec<Pred>,
}

fn palette() -> Vec<Ty> {
    let pair = vec![(Ty::U8, 5), (Ty::Str, 2)];
    vec![
        Ty::Bool,
        Ty::U8,
        Ty::I8,
        Ty::I64,
        Ty::F64,
        Ty::Decimal,
        Ty::Date,
        Ty::TimeTz,
        Ty::Interval,
        Ty::Enum,
        Ty::Fixed(1),
        Ty::Ip,
        Ty::IpPrefix,
        Ty::Bits,
        Ty::Bytes,
        Ty::Bytes,
        Ty::Bytes,
        Ty::Str,
        Ty::Str,
        Ty::Opaque(vec![7]),
        Ty::Collated(true, "x".into()),
        Ty::List(Ty::U8.into()),
        Ty::Array(Ty::I8.into()),
        Ty::Range(Ty::I8.into()),
        Ty::Multirange(Ty::U8.into()),
        Ty::Record(pair.clone()),
        Ty::Nested(pair),
    ]
}

/// Values of a field, a few; byte strings over the bytes that escaping and bounds turn on.
fn pool(ty: &Ty) -> BoxedStrategy<Vec<V>> {
    let one = match ty {
        Ty::Bytes => vec(select(vec![0x00, 0x01, 0xfe, 0xff]), 0..4).prop_map(V::Bytes).boxed(),
        Ty::Str => {
            let chars = select(vec!['\0', '\u{1}', 'a', '\u{e9}', '\u{10ffff}']);
            vec(chars, 0..4).prop_map(|chars| V::Str(chars.into_iter().collect())).boxed()
        }
        ty => generate::value(ty),
    };
    vec(one, 2..5).boxed()
}

fn cases() -> impl Strategy<Value = Case> {
    let fields = vec((select(palette()), 0..6u8), 1..=4);
    let pools = fields.prop_flat_map(|fields| {
        let pools: Vec<BoxedStrategy<Vec<V>>> = fields.iter().map(|(ty, _)| pool(ty)).collect();
        (Just(fields), pools)
    });
    let picks = (vec(vec(any::<u8>(), 4), 1..40), vec(vec(any::<u8>(), 14), 6));
    (pools, picks).prop_map(|((fields, pools), (rows, preds))| {
        let pick = |n: usize, seed: u8, null: bool| {
            let pool = &pools[n];
            let nulls = null && fields[n].1 < 4;
            let at = usize::from(seed) % (pool.len() + usize::from(nulls));
            pool.get(at).cloned().unwrap_or(V::Null)
        };
        let rows: Vec<Vec<V>> =
            rows.iter().map(|row| (0..fields.len()).map(|n| pick(n, row[n], true)).collect()).collect();
        let preds = preds.iter().map(|seeds| predicate(&fields, &rows, seeds, &pick)).collect();
        Case { fields, rows, preds }
    })
}

/// A predicate from drawn bytes; prefixes mostly of a row that is there.
fn predicate(fields: &[Attr], rows: &[Vec<V>], seeds: &[u8], pick: &dyn Fn(usize, u8, bool) -> V) -> Pred {
    let row = &rows[usize::from(seeds[1]) % rows.len()];
    let n = usize::from(seeds[2]) % fields.len();
    let prefix: Vec<V> =
        (0..n).map(|i| if seeds[3] < 200 { row[i].clone() } else { pick(i, seeds[4 + i], true) }).collect();
    let bound = |seed: u8, v: V| match seed % 5 {
        0 | 1 => Bound::Included(v),
        2 | 3 => Bound::Excluded(v),
        _ => Bound::Unbounded,
    };
    match seeds[0] % 8 {
        0 if seeds[3] % 2 == 0 => Pred::Prefix(prefix),
        0 => Pred::Prefix([prefix, vec![pick(n, seeds[8], true)]].concat()),
        1 | 2 => {
            Pred::Field(prefix, bound(seeds[8], pick(n, seeds[9], false)), bound(seeds[10], pick(n, seeds[11], false)))
        }
        3 | 4 => {
            let tuple = |seed: u8, more: u8| {
                let len = 1 + usize::from(seed) % (fields.len() - n);
                (n..n + len).map(|i| pick(i, more.rotate_left(i as u32), true)).collect::<Vec<V>>()
            };
            let (first, last) = (tuple(seeds[8], seeds[9]), tuple(seeds[10], seeds[11]));
            let unbounded = |seed: u8, values: Vec<V>| bound(seed, V::Null).map(|_| values);
            Pred::Tuple(prefix, unbounded(seeds[12], first), unbounded(seeds[13], last))
        }
        5 | 6 if has_fronts(&fields[n].0) => {
            let front = match pick(n, seeds[8], false) {
                V::Bytes(v) => V::Bytes(v[..usize::from(seeds[9]) % (v.len() + 1)].to_vec()),
                V::Str(v) => V::Str(v.chars().take(usize::from(seeds[9]) % (v.chars().count() + 1)).collect()),
                v => v,
            };
            Pred::StartsWith(prefix, front)
        }
        _ => Pred::After(row.clone(), usize::from(seeds[8]) % (fields.len() + 1)),
    }
}

fn key(fields: &[Attr], row: &[V]) -> Vec<u8> {
    bytes::key(fields, row).expect("a row that can be written")
}

/// Ends are those of the table, keys are inside exactly when the predicate holds, and no key of
/// another scope is.
fn membership(case: &Case, scope: &[u8], others: &[&[u8]]) {
    let layout = layout(&case.fields);
    let bare = KeySpec::from_layout(&layout).expect("the model's layout");
    let spec = bare.under(scope);
    for pred in &case.preds {
        let mut room = vec![0xa5; 4096];
        let range = pred.range(&case.fields, &spec, &mut room).expect("a range");
        match pred.ends(&case.fields, scope) {
            None => assert!(range.is_empty(), "{pred:?} gives {range:?}"),
            Some((start, end)) => {
                assert!(!range.is_empty(), "{pred:?} gives nothing");
                assert_eq!((range.start(), range.end()), (&start[..], end.as_deref()), "{pred:?}");
            }
        }
        for row in &case.rows {
            let key = key(&case.fields, row);
            let inside = range.contains(&[scope, &key].concat());
            assert_eq!(inside, pred.holds(&case.fields, row), "{row:?} for {pred:?}");
            assert!(others.iter().all(|other| !range.contains(&[other, &key[..]].concat())), "another's row");
        }
        enough(case, &spec, pred);
    }
}

/// The room that is said to be enough is; in less, what is said to be needed is, and no less.
fn enough(case: &Case, spec: &KeySpec<'_>, pred: &Pred) {
    let mut room = vec![0xa5; 4096];
    let range = pred.range(&case.fields, spec, &mut room).expect("room").to_inline::<2048>().expect("room");
    let Err(Error::ShortBuffer { needed, available: 0 }) = pred.range(&case.fields, spec, &mut []) else {
        assert_eq!(pred.range(&case.fields, spec, &mut []), Ok(range.as_ref()), "needs no room");
        return;
    };
    if let Some(size) = pred.size(&case.fields, spec) {
        assert!(needed <= size, "{needed} of {size} for {pred:?}");
        let mut room = vec![0xa5; size];
        assert_eq!(pred.range(&case.fields, spec, &mut room), Ok(range.as_ref()), "in the size said");
    }
    for n in [1, needed / 2, needed - 1].into_iter().filter(|n| *n < needed) {
        let mut room = vec![0xa5; n];
        let short = pred.range(&case.fields, spec, &mut room);
        // A front is written with its end, which is taken back: a little less may be enough for it.
        let front = matches!(pred, Pred::StartsWith(..)) && short == Ok(range.as_ref());
        assert!(front || short == Err(Error::ShortBuffer { needed, available: n }), "{pred:?} in {n}: {short:?}");
    }
    let mut room = vec![0xa5; needed];
    assert_eq!(pred.range(&case.fields, spec, &mut room), Ok(range.as_ref()), "in what was needed");
}

/// Full, reversed and paged walks see every row of the predicate once, in index order.
fn walks(case: &Case) {
    let layout = layout(&case.fields);
    let spec = KeySpec::from_layout(&layout).expect("the model's layout");
    let map: BTreeMap<Vec<u8>, &[V]> = case.rows.iter().map(|row| (key(&case.fields, row), &row[..])).collect();
    for pred in &case.preds {
        let mut room = vec![0xa5; 4096];
        let range = pred.range(&case.fields, &spec, &mut room).expect("a range");
        let expected: Vec<&Vec<u8>> =
            map.iter().filter(|(_, row)| pred.holds(&case.fields, row)).map(|(key, _)| key).collect();
        let full: Vec<&Vec<u8>> = map.range::<[u8], _>(range).map(|(key, _)| key).collect();
        assert_eq!(full, expected, "{pred:?}");
        let slices: BTreeMap<&[u8], ()> = map.keys().map(|key| (&key[..], ())).collect();
        assert!(slices.range::<&[u8], _>(range.slices()).map(|(key, ())| *key).eq(expected.iter().map(|key| &key[..])));

        for size in [1, 5, 7, expected.len() + 1] {
            assert_eq!(pages(&spec, &map, range, size, false), expected, "pages of {size}");
            let back: Vec<&Vec<u8>> = expected.iter().rev().copied().collect();
            assert_eq!(pages(&spec, &map, range, size, true), back, "pages of {size} backwards");
        }
        // From one key to another: what lies between them.
        for (i, from) in expected.iter().enumerate().step_by(3) {
            let rest = spec.resume_after(&range, from).expect("a key of the range");
            for (j, to) in expected.iter().enumerate().skip(i + 1).step_by(2) {
                let between = spec.resume_before(&rest, to).expect("a key of the rest");
                assert!(map.range::<[u8], _>(between).map(|(key, _)| key).eq(expected[i + 1..j].iter().copied()));
            }
        }
    }
}

fn pages<'m>(
    spec: &KeySpec<'_>,
    map: &'m BTreeMap<Vec<u8>, &[V]>,
    range: ByteRange<&[u8]>,
    size: usize,
    back: bool,
) -> Vec<&'m Vec<u8>> {
    let mut seen: Vec<&Vec<u8>> = Vec::new();
    let mut last: Option<&'m [u8]> = None;
    loop {
        let rest = match last {
            None => range,
            Some(key) if back => spec.resume_before(&range, key).expect("a key of the range"),
            Some(key) => spec.resume_after(&range, key).expect("a key of the range"),
        };
        let keys = map.range::<[u8], _>(rest).map(|(key, _)| key);
        let page: Vec<&Vec<u8>> = if back { keys.rev().take(size).collect() } else { keys.take(size).collect() };
        let Some(end) = page.last() else { return seen };
        last = Some(end);
        seen.extend(page);
        assert!(seen.len() <= map.len(), "a page repeats");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_key_is_inside_when_its_values_are(case in cases()) {
        membership(&case, &[], &[]);
        walks(&case);
    }

    #[test]
    fn no_range_leaves_its_scope(case in cases()) {
        for (scope, others) in [
            (&[7][..], [&[6][..], &[8][..]]),
            (&[0, 0], [&[0, 1], &[1, 0]]),
            (&[7, 0xff], [&[7, 0xfe], &[8, 0]]),
            (&[0xff, 0xff], [&[0xff, 0xfe], &[0xfe, 0xff]]),
        ] {
            membership(&case, scope, &others);
        }
    }
}

/// Values that lie side by side, of every kind and under every order, as both ends: those in order as
/// values may meet as bytes.
#[test]
fn neighbours_as_bounds() {
    let kinds = [Ty::I64, Ty::U64, Ty::I32, Ty::U32, Ty::Date, Ty::Timestamp, Ty::U8, Ty::F64, Ty::Str, Ty::Bytes];
    let ends = [Bound::Included(()), Bound::Excluded(())];
    for ty in kinds {
        let values = edges::ladder(&ty);
        // Of numbers their next ones, too.
        let next = |v: &V| match (&ty, v) {
            (Ty::I64 | Ty::I32, V::Int(v)) if *v < 100 => Some(V::Int(v + 1)),
            (Ty::Date | Ty::Timestamp, V::Int(0)) => Some(V::Int(1)),
            (Ty::U64 | Ty::U32, V::Uint(v)) if *v < 100 => Some(V::Uint(v + 1)),
            _ => None,
        };
        let values: Vec<V> = values.iter().flat_map(|v| [Some(v.clone()), next(v)]).flatten().collect();
        for order in 0..6u8 {
            // A prefix of a common kind, as only behind such ends are written without a builder.
            let fields = [(Ty::U64, 5), (ty.clone(), order), (Ty::U8, 4)];
            let layout = layout(&fields);
            let spec = KeySpec::from_layout(&layout).expect("the model's layout");
            for (i, a) in values.iter().enumerate() {
                for b in &values[i.saturating_sub(3)..values.len().min(i + 4)] {
                    for (low, high) in ends.iter().flat_map(|low| ends.iter().map(move |high| (low, high))) {
                        let pred = |n: usize| match n {
                            0 => Pred::Field(vec![V::Uint(7)], low.map(|()| a.clone()), high.map(|()| b.clone())),
                            _ => Pred::Tuple(
                                vec![V::Uint(7)],
                                low.map(|()| vec![a.clone()]),
                                high.map(|()| vec![b.clone(), V::Uint(255)]),
                            ),
                        };
                        for pred in [pred(0), pred(1)] {
                            let mut room = [0xa5; 1024];
                            let range = pred.range(&fields, &spec, &mut room).expect("a range");
                            let told =
                                (!range.is_empty()).then(|| (range.start().to_vec(), range.end().map(<[u8]>::to_vec)));
                            assert_eq!(told, pred.ends(&fields, &[]), "{pred:?}");
                        }
                    }
                }
            }
        }
    }
}
