//! Conditions as ranges of keys: `FORMAT.md` §3.

use core::ops::Bound;

use crate::builder::Builder;
use crate::builder::common::rarer_fields;
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::front::Ahead;
use crate::order::FieldOrder;
use crate::range::ByteRange;
use crate::range::succ_in_place;
use crate::spec::KeySpec;
use crate::spec::ends::common_ends;
use crate::spec::ends::is_less;
use crate::spec::ends::parted;
use crate::spec::ends::put_one;
use crate::spec::ends::settled;
use crate::spec::keys::put_values;
use crate::spec::keys::values_size;
use crate::value::Value;

/// One end of a range before it is written: what follows the prefix fields, and whether the end is
/// the least key above everything that begins so.
#[derive(Clone, Copy)]
struct Edge<'a, 'v> {
    tail: Tail<'a, 'v>,
    succ: bool,
}

#[derive(Clone, Copy)]
enum Tail<'a, 'v> {
    /// Nothing: the end is the prefix's.
    Prefix,
    /// The bounding field's present tag: the end of its values, nulls apart.
    Present(FieldOrder),
    /// Whole fields.
    Values(&'a [Value<'v>]),
    /// The front of a text or byte string, without its end.
    Front(&'a Value<'v>),
    /// No bound at all, unless the spec has a scope.
    Unbounded,
}

impl<'a, 'v> Edge<'a, 'v> {
    const fn at(tail: Tail<'a, 'v>) -> Self {
        Edge { tail, succ: false }
    }

    const fn above(tail: Tail<'a, 'v>) -> Self {
        Edge { tail, succ: true }
    }

    /// Where keys begin that a bound lets in; `open` where there is none.
    const fn first(bound: Bound<&'a [Value<'v>]>, open: Edge<'a, 'v>) -> Self {
        match bound {
            Bound::Included(values) => Edge::at(Tail::Values(values)),
            Bound::Excluded(values) => Edge::above(Tail::Values(values)),
            Bound::Unbounded => open,
        }
    }

    /// Where they end.
    const fn last(bound: Bound<&'a [Value<'v>]>, open: Edge<'a, 'v>) -> Self {
        match bound {
            Bound::Included(values) => Edge::above(Tail::Values(values)),
            Bound::Excluded(values) => Edge::at(Tail::Values(values)),
            Bound::Unbounded => open,
        }
    }
}

impl<'s> KeySpec<'s> {
    /// The keys whose first fields equal `prefix`; nulls equal nulls. With no values, all keys.
    ///
    /// Both ends are written into `room`; [`range_size`](Self::range_size) says how much is enough.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for more values than fields; [`Error::TypeMismatch`],
    /// [`Error::InvalidValue`], [`Error::ShortBuffer`] as [`encode`](Self::encode).
    pub fn prefix_range<'b>(&self, prefix: &[Value<'_>], room: &'b mut [u8]) -> Result<ByteRange<&'b [u8]>, Error> {
        self.check_prefix(prefix.len(), self.arity())?;
        self.bounds(prefix, Edge::at(Tail::Prefix), end_of(prefix), room)
    }

    /// The keys whose first fields equal `prefix` and whose next one lies between two bounds, in
    /// the value's natural order whatever the field's direction. Values only: a null lies in no
    /// interval, and with both ends unbounded the range is IS NOT NULL. A lower bound above the
    /// upper one gives the empty range.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] when no field is left to bound; [`Error::InvalidValue`] for a
    /// null bound; else as [`prefix_range`](Self::prefix_range).
    pub fn field_range<'b>(
        &self,
        prefix: &[Value<'_>],
        lower: Bound<Value<'_>>,
        upper: Bound<Value<'_>>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        use Bound::Excluded;
        use Bound::Included;
        if let (Included(low) | Excluded(low), Included(high) | Excluded(high), []) = (&lower, &upper, self.scope()) {
            // Mostly this is all.
            let excluded = (matches!(lower, Excluded(_)), matches!(upper, Excluded(_)));
            let (brief, _) = self.front.behind(prefix.len()).split();
            let down = brief.shape().is_descending();
            let (first, last) = if down { (high, low) } else { (low, high) };
            let ends = common_ends(
                self.front,
                prefix,
                room,
                |room, _| put_one(room, brief, first),
                |room, _| put_one(room, brief, last),
            );
            if let Some(ends) = ends {
                let (start_succ, end_succ) = if down { (excluded.1, !excluded.0) } else { (excluded.0, !excluded.1) };
                let in_order = is_less(low, high) && (!start_succ || end_succ);
                return Ok(parted(room, ends, start_succ, end_succ, in_order));
            }
        }
        self.field_bounds(prefix, &lower, &upper, room)
    }

    /// As [`field_range`](Self::field_range), of any kinds and bounds.
    #[inline(never)]
    fn field_bounds<'b>(
        &self,
        prefix: &[Value<'_>],
        lower: &Bound<Value<'_>>,
        upper: &Bound<Value<'_>>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        let (_, order) = self.bounded(prefix.len())?;
        for bound in [lower, upper] {
            if let Bound::Included(Value::Null) | Bound::Excluded(Value::Null) = bound {
                return Err(Error::InvalidValue { at: self.size(prefix)? });
            }
        }
        let (first, last) = if order.is_descending() { (upper, lower) } else { (lower, upper) };
        let start = Edge::first(first.as_ref().map(core::slice::from_ref), Edge::at(Tail::Present(order)));
        let end = Edge::last(last.as_ref().map(core::slice::from_ref), Edge::above(Tail::Present(order)));
        self.bounds(prefix, start, end, room)
    }

    /// The keys whose first fields equal `prefix` and whose following fields lie between two
    /// endpoints, in index order. An endpoint may be partial: it then includes, or excludes, every
    /// key that begins with it. A null is a position like any other. Endpoints in reverse give the
    /// empty range.
    ///
    /// # Errors
    /// [`Error::InvalidTupleLength`] for an endpoint of no values, or of more than there are fields
    /// left; else as [`prefix_range`](Self::prefix_range).
    pub fn tuple_range<'b>(
        &self,
        prefix: &[Value<'_>],
        first: Bound<&[Value<'_>]>,
        last: Bound<&[Value<'_>]>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        self.check_prefix(prefix.len(), self.arity())?;
        let most = self.arity().saturating_sub(prefix.len());
        for bound in [&first, &last] {
            if let Bound::Included(values) | Bound::Excluded(values) = bound {
                if values.is_empty() || values.len() > most {
                    return Err(Error::InvalidTupleLength { most, got: values.len() });
                }
            }
        }
        if let (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high), []) =
            (first, last, self.scope())
        {
            // Mostly this is all.
            let put = |room: &mut [u8], front, values: &[Value<'_>]| {
                let (n, done, _) = rarer_fields(room, front, values);
                (done == values.len()).then_some(n)
            };
            let ends = common_ends(
                self.front,
                prefix,
                room,
                |room, front| put(room, front, low),
                |room, front| put(room, front, high),
            );
            if let Some(ends) = ends {
                let succ = (matches!(first, Bound::Excluded(_)), matches!(last, Bound::Included(_)));
                return Ok(parted(room, ends, succ.0, succ.1, false));
            }
        }
        let start = Edge::first(first, Edge::at(Tail::Prefix));
        let end = Edge::last(last, end_of(prefix));
        self.bounds(prefix, start, end, room)
    }

    /// The keys whose first fields equal `prefix` and whose next one, of kind bytes or str, begins
    /// with `front`. A null begins with nothing.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] when the field is of another kind (collated text too: sort keys have
    /// no such prefixes) or `front` is not a value of its kind; else as
    /// [`field_range`](Self::field_range).
    ///
    /// ```
    /// use isotone::{Asc, Type, key_spec};
    /// let spec = key_spec![Type::Str => Asc];
    /// let mut room = [0u8; 16];
    /// let range = spec.starts_with_range(&[], "ab".into(), &mut room)?;
    /// assert_eq!((range.start(), range.end()), (&b"ab"[..], Some(&b"ac"[..])));
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn starts_with_range<'b>(
        &self,
        prefix: &[Value<'_>],
        front: Value<'_>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        let (kind, _) = self.bounded(prefix.len())?;
        if !matches!(kind.code(), code::BYTES | code::STR) || front.code() != Some(kind.code()) {
            return Err(Error::TypeMismatch { field: prefix.len() });
        }
        self.bounds(prefix, Edge::at(Tail::Front(&front)), Edge::above(Tail::Front(&front)), room)
    }

    /// The keys after all that share the first `n` fields of `key`: where a seek finds the next
    /// distinct prefix. Empty when there are none.
    ///
    /// # Errors
    /// As [`skip`](Self::skip), and [`Error::ShortBuffer`].
    pub fn after_prefix<'b>(&self, key: &[u8], n: usize, room: &'b mut [u8]) -> Result<ByteRange<&'b [u8]>, Error> {
        let end = self.skip(key, n)?;
        let prefix = key.get(..end).unwrap_or(&[]);
        let scope = self.scope();
        let needed = end.saturating_add(scope.len());
        let short = Error::ShortBuffer { needed, available: room.len() };
        let room = room.get_mut(..needed).ok_or(short)?;
        let (start, last) = room.split_at_mut_checked(end).ok_or(short)?;
        start.copy_from_slice(prefix);
        last.copy_from_slice(scope);
        let last = succ_in_place(last).and_then(|n| last.get(..n));
        Ok(match succ_in_place(start).and_then(|n| start.get(..n)) {
            Some(start) => ByteRange::new(start, last),
            None => ByteRange::EMPTY,
        })
    }

    /// The part of `range` that comes after `key`, for a page that follows it. Borrows `key`.
    ///
    /// # Errors
    /// What [`check`](Self::check) finds wrong with `key`; [`Error::CursorOutsideRange`] when it is
    /// a key but not in the range.
    pub fn resume_after<'a>(&self, range: &ByteRange<&'a [u8]>, key: &'a [u8]) -> Result<ByteRange<&'a [u8]>, Error> {
        self.check_cursor(range, key)?;
        Ok(range.resume_after(key))
    }

    /// The part of `range` that comes before `key`, for a page that precedes it. Borrows `key`.
    ///
    /// # Errors
    /// As [`resume_after`](Self::resume_after).
    pub fn resume_before<'a>(&self, range: &ByteRange<&'a [u8]>, key: &'a [u8]) -> Result<ByteRange<&'a [u8]>, Error> {
        self.check_cursor(range, key)?;
        Ok(range.resume_before(key))
    }

    fn check_cursor(&self, range: &ByteRange<&[u8]>, key: &[u8]) -> Result<(), Error> {
        self.check(key)?;
        if range.contains(key) { Ok(()) } else { Err(Error::CursorOutsideRange) }
    }

    /// Room that is enough for both ends of any range over these values: `prefix`, then `first` and
    /// `last`, which are the two bounds' values (one each for a field, none where unbounded).
    ///
    /// # Errors
    /// As [`encode_prefix`](Self::encode_prefix), buffers apart.
    pub fn range_size(&self, prefix: &[Value<'_>], first: &[Value<'_>], last: &[Value<'_>]) -> Result<usize, Error> {
        let both = [first, last];
        let most = both.iter().map(|v| v.len()).max().unwrap_or(0).saturating_add(prefix.len());
        self.check_prefix(most, self.arity())?;
        let start = self.size(prefix)?;
        let mut kinds = self.kinds();
        kinds.by_ref().take(prefix.len()).for_each(drop);
        both.iter().try_fold(0usize, |sum, values| {
            let size = values_size(&mut kinds.clone(), prefix.len(), start, values)?;
            // An end without values may still take the field's tag.
            Ok(sum.saturating_add(start).saturating_add(size.max(1)))
        })
    }

    /// The field that a range bounds, behind so many prefix values.
    fn bounded(&self, prefix: usize) -> Result<(Kind<'s>, FieldOrder), Error> {
        let most = self.arity().saturating_sub(1);
        self.kind(prefix).ok_or(Error::InvalidPrefixLength { most, got: prefix })
    }

    /// Writes both ends into `room`, the end's behind the start's.
    fn bounds<'b>(
        &self,
        prefix: &[Value<'_>],
        start: Edge<'_, '_>,
        end: Edge<'_, '_>,
        room: &'b mut [u8],
    ) -> Result<ByteRange<&'b [u8]>, Error> {
        let available = room.len();
        let mut ahead = self.ahead();
        let mut key = Builder::under(room, self.scope());
        put_values(&mut key, &mut ahead, 0, prefix);
        let fields = prefix.len();
        let prefix_len = key.len();
        put_tail(&mut key, ahead, fields, start.tail);
        let written = key.finish_parts().and_then(|(start_bytes, rest)| {
            let shared = match end.tail {
                Tail::Unbounded => self.scope().len(),
                _ => prefix_len,
            };
            // What both ends begin with is written once and copied.
            let short = Error::ShortBuffer { needed: 0, available };
            let (from, to) = (start_bytes.get(..shared), rest.get_mut(..shared));
            to.ok_or(short)?.copy_from_slice(from.ok_or(short)?);
            let mut key = Builder::behind(rest, shared);
            put_tail(&mut key, ahead, fields, end.tail);
            let (end_bytes, _) = key.finish_parts()?;
            Ok((start_bytes, end_bytes))
        });
        let (start_bytes, end_bytes) = match written {
            Ok(written) => written,
            Err(Error::ShortBuffer { .. }) => {
                let size = |tail| self.edge_size(prefix, tail);
                let needed = size(start.tail)?.saturating_add(size(end.tail)?);
                return Err(Error::ShortBuffer { needed, available });
            }
            Err(error) => return Err(error),
        };
        // Without a scope this is succ of nothing, which is no bound at all.
        let end_succ = end.succ || matches!(end.tail, Tail::Unbounded);
        Ok(settled(start_bytes, start.succ, end_bytes, end_succ, false))
    }

    /// Size of an end, its prefix included.
    fn edge_size(&self, prefix: &[Value<'_>], tail: Tail<'_, '_>) -> Result<usize, Error> {
        let start = self.size(prefix)?;
        let mut kinds = self.kinds();
        kinds.by_ref().take(prefix.len()).for_each(drop);
        let more = match tail {
            Tail::Prefix | Tail::Unbounded => 0,
            Tail::Present(order) => usize::from(order.is_nullable()),
            Tail::Values(values) => values_size(&mut kinds, prefix.len(), start, values)?,
            Tail::Front(front) => values_size(&mut kinds, prefix.len(), start, core::slice::from_ref(front))?,
        };
        Ok(start.saturating_add(more))
    }
}

/// Where the keys end that begin with a prefix.
const fn end_of<'a, 'v>(prefix: &[Value<'_>]) -> Edge<'a, 'v> {
    if prefix.is_empty() { Edge::at(Tail::Unbounded) } else { Edge::above(Tail::Prefix) }
}

fn put_tail(key: &mut Builder<'_>, mut ahead: Ahead<'_>, fields: usize, tail: Tail<'_, '_>) {
    match tail {
        Tail::Prefix | Tail::Unbounded => {}
        Tail::Present(order) => {
            if let Some(tag) = order.present_tag() {
                key.raw(&[tag]);
            }
        }
        Tail::Values(values) => put_values(key, &mut ahead, fields, values),
        Tail::Front(front) => {
            put_values(key, &mut ahead, fields, core::slice::from_ref(front));
            key.drop_last(2);
        }
    }
}
