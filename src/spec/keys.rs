//! Whole keys, prefixes and single fields under a spec.

use core::cmp::Ordering;

use crate::builder::Builder;
use crate::builder::common::common_fields;
use crate::builder::common::rarer_fields;
use crate::error::Error;
use crate::kind::FieldKinds;
use crate::kind::Kind;
use crate::kind::code;
use crate::kind::front::Ahead;
use crate::kind::front::Front;
use crate::kind::front::Shape;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::input::Input;
use crate::raw::input::Take;
use crate::raw::sink::Compare;
use crate::raw::sink::Count;
use crate::raw::sink::Sink;
use crate::room::Lend;
use crate::room::append;
use crate::spec::KeySpec;
use crate::value::Value;
use crate::value::collated;
use crate::value::put::put_field;
use crate::value::take::is_null;
use crate::value::take::take_field;
use crate::value::take::walk_field;

/// Writes values as the fields that follow; `first` is the index of the first of them.
#[inline(never)]
pub(super) fn put_values(key: &mut Builder<'_>, ahead: &mut Ahead<'_>, first: usize, values: &[Value<'_>]) {
    let (mut left, mut field) = (values, first);
    loop {
        ahead.fill(field);
        let (done, front) = key.common_fields(ahead.front, left);
        // In range: counts values.
        (ahead.front, field) = (front, field.wrapping_add(done));
        left = left.get(done..).unwrap_or(&[]);
        let Some((value, more)) = left.split_first() else { return };
        if front.is_empty() && done > 0 {
            continue;
        }
        let Some(next) = ahead.next(field) else { return };
        put_value(key, next, field, value);
        left = more;
        field = field.wrapping_add(1);
    }
}

/// Writes any value as field `index`, or latches why not.
#[inline(never)]
fn put_value(key: &mut Builder<'_>, (kind, order): (Kind<'_>, FieldOrder), index: usize, value: &Value<'_>) {
    let was_ok = key.is_ok();
    key.spec_field(kind, order, value);
    if was_ok {
        key.name_field(index);
    }
}

/// Exact size of values as the fields that follow.
pub(super) fn values_size(
    kinds: &mut FieldKinds<'_>,
    first: usize,
    start: usize,
    values: &[Value<'_>],
) -> Result<usize, Error> {
    let mut count = Count(0);
    for (i, value) in values.iter().enumerate() {
        let Some((kind, order)) = kinds.next() else { break };
        let at = start.saturating_add(count.0);
        let field = first.saturating_add(i);
        put_field(&mut count, kind, order, value, Flip::No).map_err(|e| e.told(field, at))?;
    }
    Ok(count.0)
}

impl<'s> KeySpec<'s> {
    pub(super) fn check_arity(&self, got: usize) -> Result<(), Error> {
        if got == self.arity() { Ok(()) } else { Err(Error::WrongArity { expected: self.arity(), got }) }
    }

    pub(super) fn check_prefix(&self, got: usize, most: usize) -> Result<(), Error> {
        if got <= most { Ok(()) } else { Err(Error::InvalidPrefixLength { most, got }) }
    }

    /// Behind the scope of a key.
    #[inline]
    pub(super) fn input<'k>(&self, key: &'k [u8]) -> Result<Input<'k>, Error> {
        if self.scope().is_empty() || key.starts_with(self.scope()) {
            Ok(Input::new(key, self.scope().len()))
        } else if self.scope().starts_with(key) {
            Err(Error::TruncatedKey { at: key.len() })
        } else {
            Err(Error::MalformedKey { at: 0 })
        }
    }

    /// Writes a whole key: one value for each field.
    ///
    /// # Errors
    /// [`Error::WrongArity`], [`Error::TypeMismatch`] with the field's index,
    /// [`Error::InvalidValue`] for a value out of its domain or a null where none may stand,
    /// [`Error::ShortBuffer`] with what the whole key needs. The buffer is unchanged past the last
    /// whole field.
    pub fn encode<'b>(&self, values: &[Value<'_>], room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        self.check_arity(values.len())?;
        self.put_fields(values, room)
    }

    /// Writes the first fields of a key: one value for each, at most as many as there are fields.
    ///
    /// # Errors
    /// As [`encode`](Self::encode); [`Error::InvalidPrefixLength`] for too many values.
    pub fn encode_prefix<'b>(&self, values: &[Value<'_>], room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        self.check_prefix(values.len(), self.arity())?;
        self.put_fields(values, room)
    }

    /// Writes at most as many values as there are fields.
    #[inline(always)]
    fn put_fields<'b>(&self, values: &[Value<'_>], room: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let (mut written, mut done, mut front) = (0, 0, self.front);
        if self.scope().is_empty() {
            // Mostly this is all: no builder is needed.
            (written, done, front) = common_fields(room, front, values);
            if done == values.len() {
                return Ok(room.get(..written).unwrap_or(&[]));
            }
        }
        self.encode_rest(room, written, front, done, values)
    }

    /// Goes on behind `done` values, in the first `written` bytes of `room`; behind the scope, when
    /// there are none.
    #[inline(never)]
    fn encode_rest<'b>(
        &self,
        room: &'b mut [u8],
        written: usize,
        front: Front,
        done: usize,
        values: &[Value<'_>],
    ) -> Result<&'b [u8], Error> {
        let (mut done, mut front) = (done, front);
        let mut key = if self.scope().is_empty() {
            let (free, left) = (room.get_mut(written..), values.get(done..));
            let (more, also, rest) = rarer_fields(free.unwrap_or(&mut []), front, left.unwrap_or(&[]));
            // In range: within the room, and counts values.
            let written = written.wrapping_add(more);
            (done, front) = (done.wrapping_add(also), rest);
            if done == values.len() {
                return Ok(room.get(..written).unwrap_or(&[]));
            }
            Builder::behind(room, written)
        } else {
            Builder::under(room, self.scope())
        };
        let mut ahead = Ahead::new(front, self.layout());
        put_values(&mut key, &mut ahead, done, values.get(done..).unwrap_or(&[]));
        key.finish()
    }

    /// Writes the rest of a key behind the first `fields` fields, which already lie in the first
    /// `written` bytes of `room`: one value for each field that is left. Gives the whole key.
    ///
    /// # Errors
    /// What [`skip`](Self::skip) finds wrong with the prefix, [`Error::TrailingBytes`] when
    /// `written` bytes are more than `fields` fields; else as [`encode`](Self::encode).
    ///
    /// ```
    /// use isotone::{Asc, Type, Value, key_spec};
    /// let spec = key_spec![Type::Str => Asc, Type::U8 => Asc];
    /// let mut room = [0u8; 16];
    /// let n = spec.encode_prefix(&["pump".into()], &mut room)?.len();
    /// for i in 0..3 {
    ///     let key = spec.encode_from(1, n, &[Value::U8(i)], &mut room)?;
    ///     assert_eq!(key, [0x70, 0x75, 0x6d, 0x70, 0, 0, i]);
    /// }
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn encode_from<'b>(
        &self,
        fields: usize,
        written: usize,
        values: &[Value<'_>],
        room: &'b mut [u8],
    ) -> Result<&'b [u8], Error> {
        self.check_prefix(fields, self.arity())?;
        let expected = self.arity().saturating_sub(fields);
        if values.len() != expected {
            return Err(Error::WrongArity { expected, got: values.len() });
        }
        let available = room.len();
        let prefix = room.get(..written).ok_or(Error::TruncatedKey { at: available })?;
        let end = self.skip(prefix, fields)?;
        if end != written {
            return Err(Error::TrailingBytes { at: end });
        }
        let mut ahead = Ahead::new(self.front.behind(fields), self.layout());
        let mut key = Builder::behind(room, written);
        put_values(&mut key, &mut ahead, fields, values);
        key.finish()
    }

    /// Appends a whole key to a buffer that lends its spare capacity: all of it, or nothing. Gives
    /// the appended bytes. The buffer is never grown: reserve [`size`](Self::size) first.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    ///
    /// ```
    /// use arrayvec::ArrayVec;
    /// use isotone::{Asc, Type, Value, key_spec};
    /// let spec = key_spec![Type::U8 => Asc, Type::U8 => Asc];
    /// let mut row: ArrayVec<u8, 8> = ArrayVec::new();
    /// let values = [Value::U8(1), Value::U8(2)];
    /// assert_eq!(spec.append(&values, &mut row)?, [1, 2]);
    /// assert_eq!(spec.append(&values, &mut row)?, [1, 2]);
    /// assert_eq!(row[..], [1, 2, 1, 2]);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn append<'v, V: Lend>(&self, values: &[Value<'_>], buffer: &'v mut V) -> Result<&'v [u8], Error> {
        self.check_arity(values.len())?;
        let room = self.size(values)?;
        append(buffer, room, |key| {
            key.raw(self.scope());
            put_values(key, &mut self.ahead(), 0, values);
        })
    }

    /// Exact size of the first fields of a key, in bytes, its scope included.
    ///
    /// # Errors
    /// As [`encode_prefix`](Self::encode_prefix), buffers apart.
    pub fn size(&self, values: &[Value<'_>]) -> Result<usize, Error> {
        self.check_prefix(values.len(), self.arity())?;
        let scope = self.scope().len();
        Ok(scope.saturating_add(values_size(&mut self.kinds(), 0, scope, values)?))
    }

    /// Size of every key, where it is the same for all of them: only fixed kinds, NOT NULL.
    pub fn fixed_size(&self) -> Option<usize> {
        self.kinds().try_fold(self.scope().len(), |sum, (kind, order)| {
            if order.is_nullable() { None } else { sum.checked_add(kind.fixed_size()?) }
        })
    }

    /// Reads a whole key into `values`, which must have a slot for each field. Gives the slots that
    /// were filled. Text is checked to be UTF-8, and deterministic collated text of a known producer
    /// to have the image of its text.
    ///
    /// # Errors
    /// [`Error::WrongArity`] when slots are missing; [`Error::MalformedKey`],
    /// [`Error::InvalidEscape`] and [`Error::TruncatedKey`] where the key is no key of this spec;
    /// [`Error::TrailingBytes`] behind the last field. Slots then hold whatever was read before.
    pub fn decode<'k, 'o>(&self, key: &'k [u8], values: &'o mut [Value<'k>]) -> Result<&'o [Value<'k>], Error>
    where
        's: 'k,
    {
        let wrong = Error::WrongArity { expected: self.arity(), got: values.len() };
        let values = values.get_mut(..self.arity()).ok_or(wrong)?;
        let mut input = self.input(key)?;
        for ((kind, order), slot) in self.kinds().zip(values.iter_mut()) {
            read_field(&mut input, kind, order, slot)?;
            if let Value::Collated(value) = slot {
                if !collated::is_written(kind, *value) {
                    return Err(input.malformed());
                }
            }
        }
        end(input)?;
        Ok(values)
    }

    /// Checks a whole key, as [`decode`](Self::decode) does, without reading it out.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn check(&self, key: &[u8]) -> Result<(), Error> {
        let mut input = self.input(key)?;
        for (kind, order) in self.kinds() {
            input.begin_field();
            walk_field(&mut input, kind, order, Flip::No, true)?;
        }
        end(input)
    }

    /// Reads field `n`, from 0, of a key or of a prefix that has it.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] when there is no such field; else as
    /// [`decode`](Self::decode), for the fields up to this one.
    pub fn field<'k>(&self, key: &'k [u8], n: usize) -> Result<Value<'k>, Error>
    where
        's: 'k,
    {
        self.check_prefix(n, self.arity().saturating_sub(1))?;
        let mut input = Input::new(key, self.skip(key, n)?);
        match Ahead::new(self.front.behind(n), self.layout()).next(n) {
            Some((kind, order)) => take_field(&mut input, kind, order, Flip::No),
            None => Err(input.malformed()),
        }
    }

    /// Passes over the first `n` fields; gives the offset where they end. Accepts what reading
    /// accepts, UTF-8 of text apart.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for more fields than there are; else as
    /// [`decode`](Self::decode).
    pub fn skip(&self, key: &[u8], n: usize) -> Result<usize, Error> {
        self.check_prefix(n, self.arity())?;
        let (mut input, mut front) = (self.input(key)?, self.front);
        for field in 0..n {
            let (brief, rest) = front.split();
            match skip_common(input, brief.shape()) {
                Some(next) => (input, front) = (next, rest),
                None => return Ok(self.other_ends(input, field, n, &mut [])?.pos()),
            }
        }
        Ok(input.pos())
    }

    /// Passes over fields of any kinds, from `first` to before `n`; says their ends where there are slots
    /// for them. Takes and gives values, which so stay out of memory elsewhere.
    #[inline(never)]
    fn other_ends<'k>(
        &self,
        mut input: Input<'k>,
        first: usize,
        n: usize,
        ends: &mut [usize],
    ) -> Result<Input<'k>, Error> {
        let mut ahead = Ahead::new(self.front.behind(first), self.layout());
        for field in first..n {
            ahead.fill(field);
            let (brief, front) = ahead.front.split();
            match skip_common(input, brief.shape()) {
                Some(next) => (input, ahead.front) = (next, front),
                None => {
                    let Some((kind, order)) = ahead.next(field) else { break };
                    input.begin_field();
                    walk_field(&mut input, kind, order, Flip::No, false)?;
                }
            }
            if let Some(slot) = ends.get_mut(field) {
                *slot = input.pos();
            }
        }
        Ok(input)
    }

    /// Length of the first `n` fields in any bytes: a key, a bound, a seek key. `None` unless they
    /// hold `n` whole fields. Fit for an engine's prefix extractor: total, and the same for a prefix
    /// and all keys that extend it.
    #[inline]
    pub fn prefix_len(&self, bytes: &[u8], n: usize) -> Option<usize> {
        self.skip(bytes, n).ok()
    }

    /// The end of every field of a whole key, in one pass: with it residual filters become
    /// comparisons of slices. Gives the slots that were filled.
    ///
    /// # Errors
    /// [`Error::WrongArity`] when slots are missing; else as [`skip`](Self::skip), and
    /// [`Error::TrailingBytes`].
    ///
    /// ```
    /// use isotone::{Asc, Type, Value, key_spec};
    /// let spec = key_spec![Type::Str => Asc, Type::U8 => Asc];
    /// let mut ends = [0; 2];
    /// assert_eq!(spec.offsets(&[0x61, 0, 0, 9], &mut ends)?, [3, 4]);
    /// # Ok::<(), isotone::Error>(())
    /// ```
    pub fn offsets<'o>(&self, key: &[u8], ends: &'o mut [usize]) -> Result<&'o [usize], Error> {
        let wrong = Error::WrongArity { expected: self.arity(), got: ends.len() };
        let ends = ends.get_mut(..self.arity()).ok_or(wrong)?;
        self.all_ends(key, ends)?;
        Ok(ends)
    }

    /// The end of every field of a whole key, for which there are slots.
    #[inline(always)]
    pub(crate) fn all_ends(&self, key: &[u8], ends: &mut [usize]) -> Result<(), Error> {
        let (mut input, mut front) = (self.input(key)?, self.front);
        for (field, slot) in ends.iter_mut().enumerate() {
            let (brief, rest) = front.split();
            match skip_common(input, brief.shape()) {
                Some(next) => (input, front) = (next, rest),
                None => {
                    input = self.other_ends(input, field, self.arity(), ends)?;
                    break;
                }
            }
            *slot = input.pos();
        }
        end(input)
    }

    /// How `key` stands to the key that `values` would make, without making it. With fewer values
    /// than fields, keys that begin with them are equal.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for too many values, [`Error::TypeMismatch`] and
    /// [`Error::InvalidValue`] for values that can't be written. Nothing is asked of `key`: any
    /// bytes have a place in the order.
    pub fn compare(&self, key: &[u8], values: &[Value<'_>]) -> Result<Ordering, Error> {
        self.check_prefix(values.len(), self.arity())?;
        let mut told_key = Compare::new(key);
        told_key.put_slice(self.scope(), Flip::No);
        for (field, ((kind, order), value)) in self.kinds().zip(values).enumerate() {
            if let Err(refused) = put_field(&mut told_key, kind, order, value, Flip::No) {
                let before = values.get(..field).unwrap_or(&[]);
                return Err(refused.told(field, self.size(before)?));
            }
        }
        let longer = values.len() == self.arity() && !told_key.rest().is_empty();
        Ok(told_key.ordering.then(if longer { Ordering::Greater } else { Ordering::Equal }))
    }

    /// Splits a key before its last `n` fields, which must be of fixed width and NOT NULL, such as
    /// an MVCC timestamp: no field before them is looked at.
    ///
    /// # Errors
    /// [`Error::InvalidPrefixLength`] for more fields than there are, [`Error::TypeMismatch`] with
    /// the index of a field that is not fixed and NOT NULL, [`Error::TruncatedKey`] for a key
    /// shorter than the tail, [`Error::MalformedKey`] at 0 for one that is not in the spec's scope.
    pub fn split_tail<'k>(&self, key: &'k [u8], n: usize) -> Result<(&'k [u8], &'k [u8]), Error> {
        self.check_prefix(n, self.arity())?;
        self.input(key)?;
        let first = self.arity().saturating_sub(n);
        let mut size = 0usize;
        for (field, (kind, order)) in self.kinds().enumerate().skip(first) {
            match kind.fixed_size() {
                Some(width) if !order.is_nullable() => size = size.saturating_add(width),
                _ => return Err(Error::TypeMismatch { field }),
            }
        }
        let truncated = Error::TruncatedKey { at: key.len() };
        let head = key.len().checked_sub(size).filter(|head| *head >= self.scope().len());
        head.and_then(|head| key.split_at_checked(head)).ok_or(truncated)
    }
}

/// Passes over a field of the kinds whose payloads are escaped, or any bytes of one width.
#[inline(always)]
fn skip_common<'k>(mut input: Input<'k>, shape: Shape) -> Option<Input<'k>> {
    if let Some(null) = shape.null_tag() {
        match input.byte(Flip::No) {
            Ok(tag) if tag == null => return Some(input),
            Ok(0 | 1) => {}
            _ => return None,
        }
    }
    if shape.is_escaped() {
        input.escaped(if shape.is_descending() { Flip::Yes } else { Flip::No }).ok()?;
        return Some(input);
    }
    match shape.width() {
        0 => None,
        width => {
            input.slice(width).ok()?;
            Some(input)
        }
    }
}

/// Reads a field into its slot; the commonest kinds are told apart here.
#[inline(always)]
fn read_field<'k>(input: &mut Input<'k>, kind: Kind<'k>, order: FieldOrder, slot: &mut Value<'k>) -> Result<(), Error> {
    let mut at = *input;
    at.begin_field();
    let flip = order.flip();
    *slot = match kind.code() {
        code::STR | code::BYTES | code::I64 | code::U64 | code::I32 | code::U32 => {
            if is_null(&mut at, order, Flip::No)? {
                Value::Null
            } else {
                match kind.code() {
                    code::STR => Value::Str(Take::take(&mut at, flip)?),
                    code::BYTES => Value::Bytes(at.escaped(flip)?),
                    code::I64 => Value::I64(Take::take(&mut at, flip)?),
                    code::U64 => Value::U64(Take::take(&mut at, flip)?),
                    code::I32 => Value::I32(Take::take(&mut at, flip)?),
                    _ => Value::U32(Take::take(&mut at, flip)?),
                }
            }
        }
        _ => {
            let mut other = at;
            let value = take_field(&mut other, kind, order, Flip::No)?;
            at = other;
            value
        }
    };
    *input = at;
    Ok(())
}

fn end(input: Input<'_>) -> Result<(), Error> {
    if input.rest().is_empty() { Ok(()) } else { Err(Error::TrailingBytes { at: input.pos() }) }
}
