//! Predicates over rows of values, how they are judged without keys, and the ends that `FORMAT.md`
//! §3 gives them, from the model's bytes.

use std::cmp::Ordering;
use std::ops::Bound;

use isotone::ByteRange;
use isotone::Error;
use isotone::KeySpec;
use isotone::Value;

use crate::support::bytes;
use crate::support::model::Attr;
use crate::support::model::Held;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::hold;
use crate::support::order;

/// What rows are asked for; `prefix` are values of the first fields.
#[derive(Clone, Debug)]
pub(crate) enum Pred {
    Prefix(Vec<V>),
    Field(Vec<V>, Bound<V>, Bound<V>),
    Tuple(Vec<V>, Bound<Vec<V>>, Bound<Vec<V>>),
    StartsWith(Vec<V>, V),
    /// Behind all rows that share so many fields with a row.
    After(Vec<V>, usize),
}

impl Pred {
    /// Whether a row satisfies it, judged on values alone.
    pub(crate) fn holds(&self, fields: &[Attr], row: &[V]) -> bool {
        let begins = |prefix: &[V]| order::rows(fields, row, prefix).is_eq();
        match self {
            Pred::Prefix(prefix) => begins(prefix),
            Pred::Field(prefix, lower, upper) => {
                let (v, ty) = (&row[prefix.len()], &fields[prefix.len()].0);
                begins(prefix)
                    && *v != V::Null
                    && above(lower, |l| order::values(ty, v, l))
                    && below(upper, |u| order::values(ty, v, u))
            }
            Pred::Tuple(prefix, first, last) => {
                let n = prefix.len();
                let stands = |end: &Vec<V>| order::rows(&fields[n..], &row[n..], end);
                begins(prefix) && above(first, stands) && below(last, stands)
            }
            Pred::StartsWith(prefix, front) => begins(prefix) && starts_with(&row[prefix.len()], front),
            Pred::After(other, n) => order::rows(&fields[..*n], row, other).is_gt(),
        }
    }

    /// The byte range by the table of §3 under a scope; `None` for the empty one.
    pub(crate) fn ends(&self, fields: &[Attr], scope: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let key = |values: &[V]| [scope, &bytes::key(fields, values).expect("values that can be written")].concat();
        let longer = |prefix: &[V], more: &[V]| key(&[prefix, more].concat());
        let (start, end) = match self {
            Pred::Prefix(prefix) => (Some(key(prefix)), succ(key(prefix))),
            Pred::Field(prefix, lower, upper) => {
                let order = fields[prefix.len()].1;
                let (first, last) = if matches!(order, 2 | 3 | 5) { (upper, lower) } else { (lower, upper) };
                let tag: &[u8] = match order {
                    0 | 2 => &[1],
                    1 | 3 => &[0],
                    _ => &[],
                };
                let present = [&key(prefix), tag].concat();
                let e = |v: &V| longer(prefix, std::slice::from_ref(v));
                let start = match first {
                    Bound::Included(v) => Some(e(v)),
                    Bound::Excluded(v) => succ(e(v)),
                    Bound::Unbounded => Some(present.clone()),
                };
                let end = match last {
                    Bound::Included(v) => succ(e(v)),
                    Bound::Excluded(v) => Some(e(v)),
                    Bound::Unbounded => succ(present),
                };
                (start, end)
            }
            Pred::Tuple(prefix, first, last) => {
                let start = match first {
                    Bound::Included(vs) => Some(longer(prefix, vs)),
                    Bound::Excluded(vs) => succ(longer(prefix, vs)),
                    Bound::Unbounded => Some(key(prefix)),
                };
                let end = match last {
                    Bound::Included(vs) => succ(longer(prefix, vs)),
                    Bound::Excluded(vs) => Some(longer(prefix, vs)),
                    Bound::Unbounded => succ(key(prefix)),
                };
                (start, end)
            }
            Pred::StartsWith(prefix, front) => {
                let mut s = longer(prefix, std::slice::from_ref(front));
                s.truncate(s.len() - 2);
                (Some(s.clone()), succ(s))
            }
            Pred::After(row, n) => (succ(key(&row[..*n])), succ(scope.to_vec())),
        };
        start.filter(|start| end.as_ref().is_none_or(|end| start < end)).map(|start| (start, end))
    }

    /// Asks a spec for the range.
    pub(crate) fn range<'r>(
        &self,
        fields: &[Attr],
        spec: &KeySpec<'_>,
        room: &'r mut [u8],
    ) -> Result<ByteRange<&'r [u8]>, Error> {
        match self {
            Pred::Prefix(prefix) => with(fields, prefix, |prefix| spec.prefix_range(prefix, room)),
            Pred::Field(prefix, lower, upper) => with(fields, prefix, |prefix| {
                let ty = &fields[prefix.len()].0;
                let (lower, upper) =
                    (lower.as_ref().map(|v| Held::new(ty, v)), upper.as_ref().map(|v| Held::new(ty, v)));
                spec.field_range(prefix, lower.as_ref().map(Held::value), upper.as_ref().map(Held::value), room)
            }),
            Pred::Tuple(prefix, first, last) => with(fields, prefix, |prefix| {
                let rest = &fields[prefix.len()..];
                with_bound(rest, first, |first| {
                    with_bound(rest, last, |last| spec.tuple_range(prefix, first, last, room))
                })
            }),
            Pred::StartsWith(prefix, front) => with(fields, prefix, |prefix| {
                let held = Held::new(&fields[prefix.len()].0, front);
                spec.starts_with_range(prefix, held.value(), room)
            }),
            Pred::After(row, n) => {
                let key = [spec.scope(), &bytes::key(fields, row).expect("a row that can be written")].concat();
                spec.after_prefix(&key, *n, room)
            }
        }
    }

    /// Room that is said to be enough, where the spec says it.
    pub(crate) fn size(&self, fields: &[Attr], spec: &KeySpec<'_>) -> Option<usize> {
        let (prefix, first, last): (&[V], &[V], &[V]) = match self {
            Pred::Prefix(prefix) => (prefix, &[], &[]),
            Pred::Field(prefix, lower, upper) => (prefix, one(lower), one(upper)),
            Pred::Tuple(prefix, first, last) => (prefix, many(first), many(last)),
            Pred::StartsWith(prefix, front) => (prefix, std::slice::from_ref(front), std::slice::from_ref(front)),
            Pred::After(..) => return None,
        };
        let rest = &fields[prefix.len()..];
        let size = with(fields, prefix, |prefix| {
            with(rest, first, |first| with(rest, last, |last| spec.range_size(prefix, first, last)))
        });
        Some(size.expect("values that can be written"))
    }
}

fn one(bound: &Bound<V>) -> &[V] {
    bytes::at(bound).map_or(&[], std::slice::from_ref)
}

fn many(bound: &Bound<Vec<V>>) -> &[V] {
    match bound {
        Bound::Included(values) | Bound::Excluded(values) => values,
        Bound::Unbounded => &[],
    }
}

/// Lends model values as the crate's.
fn with<T>(fields: &[Attr], row: &[V], then: impl FnOnce(&[Value<'_>]) -> T) -> T {
    let held = hold(fields, row);
    let values: Vec<Value<'_>> = held.iter().map(Held::value).collect();
    then(&values)
}

fn with_bound<T>(fields: &[Attr], bound: &Bound<Vec<V>>, then: impl FnOnce(Bound<&[Value<'_>]>) -> T) -> T {
    with(fields, many(bound), |values| then(bound.as_ref().map(|_| values)))
}

fn above<T>(bound: &Bound<T>, stands: impl Fn(&T) -> Ordering) -> bool {
    match bound {
        Bound::Included(v) => stands(v).is_ge(),
        Bound::Excluded(v) => stands(v).is_gt(),
        Bound::Unbounded => true,
    }
}

fn below<T>(bound: &Bound<T>, stands: impl Fn(&T) -> Ordering) -> bool {
    match bound {
        Bound::Included(v) => stands(v).is_le(),
        Bound::Excluded(v) => stands(v).is_lt(),
        Bound::Unbounded => true,
    }
}

fn starts_with(v: &V, front: &V) -> bool {
    match (v, front) {
        (V::Bytes(v), V::Bytes(front)) => v.starts_with(front),
        (V::Str(v), V::Str(front)) => v.starts_with(&front[..]),
        _ => false,
    }
}

/// The least bytes above whatever begins with these.
fn succ(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    while bytes.last() == Some(&0xff) {
        bytes.pop();
    }
    *bytes.last_mut()? += 1;
    Some(bytes)
}

/// Whether a type has fronts to search for.
pub(crate) fn has_fronts(ty: &Ty) -> bool {
    matches!(ty, Ty::Bytes | Ty::Str)
}
