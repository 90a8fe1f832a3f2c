//! The one door into a caller's buffer: measure, claim that room or nothing, fill it whole.

use crate::error::Error;
use crate::kind::Kind;
use crate::kind::MAX_DEPTH;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::long;
use crate::raw::short;
use crate::raw::short::SHORT;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Room;
use crate::raw::sink::Sink;
use crate::raw::sink::Tally;
use crate::raw::sink::escape_in_place;
use crate::raw::sink::escaped_size;
use crate::raw::view::ByteView;

/// A buffer, how far it is written, and the first error.
///
/// Invariant: `pos <= buf.len()`, and `buf[..pos]` is whole parts.
pub(crate) struct Door<'b> {
    buf: &'b mut [u8],
    pos: usize,
    failed: Option<Failed>,
    /// Composites that are open, and where the outermost began: errors name that place.
    depth: usize,
    field: usize,
    /// How often the door went back, and where to; nothing until it does.
    times: u64,
    backs: Option<Backs>,
}

/// The first error, and after a short buffer what the parts since then would have taken, counted
/// within the innermost nested key that is open.
#[derive(Clone, Copy)]
struct Failed {
    error: Error,
    unwritten: Tally,
}

/// Where a door stood, to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pos: usize,
    failed: Option<Failed>,
    times: u64,
}

/// Goings back that make older places stale: when, and to where, both rising. A going back to or
/// below an earlier one takes its place.
#[derive(Clone, Copy)]
struct Backs {
    last: [(u64, usize); Backs::MOST],
    len: usize,
}

impl Backs {
    /// More at once, which takes as many marks inside each other, forget the difference between
    /// the two oldest, and so may take a place that is good for stale; never the other way round.
    const MOST: usize = 6;

    fn push(&mut self, time: u64, low: usize) {
        while self.len > 0 && self.last.get(self.len.wrapping_sub(1)).is_some_and(|(_, l)| *l >= low) {
            self.len = self.len.wrapping_sub(1);
        }
        if self.len == Backs::MOST {
            let oldest = self.last.first().map_or(0, |(_, low)| *low);
            self.last.copy_within(1.., 0);
            self.len = self.len.wrapping_sub(1);
            if let Some((_, low)) = self.last.first_mut() {
                *low = oldest;
            }
        }
        if let Some(slot) = self.last.get_mut(self.len) {
            *slot = (time, low);
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Whether the door went below `pos` after `time`.
    fn went_below(&self, pos: usize, time: u64) -> bool {
        let since = self.last.iter().take(self.len).find(|(at, _)| *at > time);
        // The first since then went lowest.
        since.is_some_and(|(_, low)| *low < pos)
    }
}

/// A payload behind its field's tag.
struct Tagged<P> {
    tag: Option<u8>,
    outer: Flip,
    payload: P,
}

impl<P: Payload> Payload for Tagged<P> {
    #[inline(always)]
    fn put<S: Sink>(&self, sink: &mut S, flip: Flip) -> Result<(), Invalid> {
        if let Some(tag) = self.tag {
            sink.put([tag], self.outer);
        }
        self.payload.put(sink, flip)
    }

    #[inline(always)]
    fn size(&self) -> Result<usize, Invalid> {
        Ok(self.payload.size()?.saturating_add(usize::from(self.tag.is_some())))
    }
}

impl<'b> Door<'b> {
    #[inline(always)]
    pub(crate) fn new(buf: &'b mut [u8]) -> Self {
        Door { buf, pos: 0, failed: None, depth: 0, field: 0, times: 0, backs: None }
    }

    /// Writes behind what lies in the first `pos` bytes.
    pub(crate) fn behind(buf: &'b mut [u8], pos: usize) -> Self {
        let pos = pos.min(buf.len());
        Door { pos, ..Door::new(buf) }
    }

    /// Takes back the last `n` bytes of the part just written.
    pub(crate) fn drop_last(&mut self, n: usize) {
        if self.failed.is_none() {
            self.pos = self.pos.saturating_sub(n);
        }
    }

    /// Gives the field's index to a type mismatch.
    #[cold]
    pub(crate) fn name_field(&mut self, index: usize) {
        if let Some(Failed { error: Error::TypeMismatch { field }, .. }) = &mut self.failed {
            *field = index;
        }
    }

    /// The room that is left; none after a failure. What is written to its front is told by
    /// [`wrote`](Self::wrote).
    #[inline(always)]
    pub(crate) fn spare(&mut self) -> &mut [u8] {
        if self.failed.is_some() { &mut [] } else { self.buf.get_mut(self.pos..).unwrap_or(&mut []) }
    }

    /// Says that whole parts of `n` bytes were written to the front of the free room.
    #[inline(always)]
    pub(crate) fn wrote(&mut self, n: usize) {
        // In range: within the buffer.
        self.pos = self.pos.wrapping_add(n);
    }

    #[inline(always)]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    pub(crate) fn capacity(&self) -> usize {
        self.buf.len()
    }

    /// What has been written; whole parts only.
    #[inline(always)]
    pub(crate) fn written(&self) -> &[u8] {
        self.buf.get(..self.pos).unwrap_or(&[])
    }

    #[inline(always)]
    pub(crate) fn into_written(self) -> &'b [u8] {
        self.buf.get(..self.pos).unwrap_or(&[])
    }

    /// Splits the buffer behind what was written.
    pub(crate) fn into_parts(self) -> (&'b mut [u8], &'b mut [u8]) {
        let at = self.pos.min(self.buf.len());
        self.buf.split_at_mut(at)
    }

    #[inline(always)]
    pub(crate) fn is_ok(&self) -> bool {
        self.failed.is_none()
    }

    /// The first error; a short buffer's `needed` is enough for all that was asked for so far.
    #[inline(always)]
    pub(crate) fn error(&self) -> Option<Error> {
        self.failed.map(|failed| reported(failed, self.pos, self.buf.len()))
    }

    /// Writes one part whole, or nothing of it.
    #[inline(always)]
    pub(crate) fn put<P: Payload>(&mut self, payload: P, flip: Flip) {
        if self.failed.is_some() {
            self.failed = measure(self.failed, payload, flip);
            return;
        }
        let Ok(n) = payload.size() else {
            self.failed = refused(payload, self.at());
            return;
        };
        // A sum that wraps round lies before `pos`, which is no range.
        let end = self.pos.wrapping_add(n);
        match self.buf.get_mut(self.pos..end) {
            Some(room) => {
                // Valid: its size was told.
                let _ = payload.put(&mut Room::new(room), flip);
                self.pos = end;
            }
            None => self.failed = short(payload, flip),
        }
    }

    /// Writes one part where no schema names fields: a value of another kind is an invalid value.
    /// One whose kind would nest too deep here is one too.
    pub(crate) fn put_untyped<P: Payload>(&mut self, payload: P, kind: Kind<'_>, flip: Flip) {
        let at = self.at();
        if self.depth > 0 && self.depth.saturating_add(kind.depth()) > MAX_DEPTH {
            self.fail(Error::InvalidValue { at });
            return;
        }
        let was_ok = self.is_ok();
        self.put(payload, flip);
        if let (true, Some(Failed { error: error @ Error::TypeMismatch { .. }, .. })) = (was_ok, &mut self.failed) {
            *error = Error::InvalidValue { at };
        }
    }

    /// Starts again.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.went_back(0);
        self.failed = None;
    }

    /// Bytes written or, after a short buffer, counted: grows with every part.
    pub(crate) fn progress(&self) -> usize {
        self.pos.saturating_add(self.failed.map_or(0, |f| f.unwritten.bytes))
    }

    /// Writes a whole field: its tag under the flip around it, its payload under `flip`.
    #[inline(always)]
    pub(crate) fn field<P: Payload>(&mut self, tag: Option<u8>, payload: P, outer: Flip, flip: Flip) {
        match tag {
            None => self.put(payload, flip),
            Some(_) => self.put(Tagged { tag, outer, payload }, flip),
        }
    }

    /// Writes a field of escaped bytes: as [`field`](Self::field), with shorter ways for bytes that
    /// lie plain.
    #[inline(always)]
    pub(crate) fn view_field(&mut self, tag: Option<u8>, view: ByteView<'_>, outer: Flip, flip: Flip) {
        if self.failed.is_some() {
            self.failed = measure(self.failed, Tagged { tag, outer, payload: view }, flip);
            return;
        }
        let free = self.buf.get_mut(self.pos..).unwrap_or(&mut []);
        let lying_tag = tag.map(|tag| tag ^ outer.mask());
        let put = match view.unescaped() {
            Some((raw, inner)) if raw.len() <= SHORT => {
                let mask = flip.then(inner).mask();
                short::put(free, lying_tag, raw, inner.mask(), mask, flip.mask())
            }
            Some((raw, inner)) => put_long(free, lying_tag, raw, inner, flip),
            None => None,
        };
        // In range: these bytes were free.
        match put.or_else(|| put_view(free, lying_tag, view, flip)) {
            Some(n) => self.pos = self.pos.wrapping_add(n),
            None => self.failed = short(Tagged { tag, outer, payload: view }, flip),
        }
    }

    /// Bytes that are free; none after a failure.
    #[cfg(feature = "uca14")]
    #[inline(always)]
    pub(crate) fn free(&self) -> usize {
        if self.failed.is_none() { self.buf.len().saturating_sub(self.pos) } else { 0 }
    }

    /// Writes a whole field in one pass of its own: its tag under `outer`, then what `fill` writes
    /// at the front of at least `most` bytes, which it says the number of. Does nothing, and says
    /// so, where tag and `most` bytes are not free.
    #[cfg(feature = "uca14")]
    #[inline(always)]
    pub(crate) fn direct(
        &mut self,
        tag: Option<u8>,
        outer: Flip,
        most: usize,
        fill: impl FnOnce(&mut [u8]) -> usize,
    ) -> bool {
        let before = usize::from(tag.is_some());
        if self.free() < most.saturating_add(before) {
            return false;
        }
        let free = self.buf.get_mut(self.pos..).unwrap_or(&mut []);
        let (head, body) = free.split_at_mut_checked(before).unwrap_or((&mut [], &mut []));
        if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
            *slot = tag ^ outer.mask();
        }
        let n = fill(body);
        // In range: at most what was free.
        self.pos = self.pos.wrapping_add(before).wrapping_add(n);
        true
    }

    /// Latches an error that is found outside the door.
    #[inline(always)]
    pub(crate) fn fail(&mut self, error: Error) {
        if self.failed.is_none() {
            self.failed = latched(error);
        }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> Place {
        Place { pos: self.pos, failed: self.failed, times: self.times }
    }

    /// Goes back to a place that was taken earlier: the bytes and any error since are dropped. A
    /// place that the door has been below since, or that another door took, may be inside a field
    /// now: that is an error, and nothing is dropped. Says whether it went back.
    pub(crate) fn back_to(&mut self, place: Place) -> bool {
        let stale = self.backs.is_some_and(|backs| backs.went_below(place.pos, place.times));
        if stale || place.pos > self.pos || place.times > self.times {
            self.fail(Error::InvalidValue { at: self.pos });
            return false;
        }
        self.went_back(place.pos);
        self.failed = place.failed;
        true
    }

    fn went_back(&mut self, pos: usize) {
        self.pos = pos;
        self.times = self.times.saturating_add(1);
        let backs = self.backs.get_or_insert(Backs { last: [(0, 0); Backs::MOST], len: 0 });
        backs.push(self.times, pos);
    }

    /// Where the top-level field begins that is being written, or would be.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        if self.depth == 0 { self.pos } else { self.field }
    }

    /// Writes a composite: `tag` under `outer`, then what `fill` writes. When something in it
    /// fails, or `fill` unwinds, all of it is taken back; after a short buffer it is still counted.
    pub(crate) fn composite(&mut self, tag: Option<u8>, outer: Flip, fill: impl FnOnce(&mut Door<'b>)) {
        let open = Open::new(self);
        if let Some(tag) = tag {
            open.door.put([tag], outer);
        }
        fill(open.door);
        open.close();
    }

    /// Writes a nested key: `tag` under `outer`, then what `fill` writes, which lies plain until it
    /// is escaped where it is, complemented if `flip` says so.
    pub(crate) fn nested(&mut self, tag: Option<u8>, outer: Flip, flip: Flip, fill: impl FnOnce(&mut Door<'b>)) {
        self.composite(tag, outer, |door| {
            let start = door.pos;
            let before = door.failed.map_or(Tally::default(), |f| f.unwritten);
            if let Some(failed) = &mut door.failed {
                // What is counted from here on is the inner key alone.
                failed.unwritten = Tally::default();
            }
            fill(door);
            door.escape_since(start, before, flip);
        });
    }

    /// Escapes all since `start`. `before` is what was counted outside before this key began.
    fn escape_since(&mut self, start: usize, before: Tally, flip: Flip) {
        let tally = Tally::of(self.buf.get(start..self.pos).unwrap_or(&[]));
        match &mut self.failed {
            None => {
                let escaped = tally.escaped(flip);
                let room = self.buf.get_mut(start..).and_then(|r| r.get_mut(..escaped.bytes));
                match room {
                    Some(room) => {
                        escape_in_place(room, tally.bytes, flip);
                        self.pos = start.saturating_add(escaped.bytes);
                    }
                    None => {
                        self.pos = start;
                        let error = Error::ShortBuffer { needed: 0, available: 0 };
                        self.failed = Some(Failed { error, unwritten: escaped });
                    }
                }
            }
            Some(failed) => {
                failed.unwritten = before.add(tally.add(failed.unwritten).escaped(flip));
                self.pos = start;
            }
        }
    }
}

/// A composite that is being written. Dropped before it is closed, by a panic in a caller's
/// closure, it takes all of it back.
struct Open<'d, 'b> {
    door: &'d mut Door<'b>,
    start: usize,
    closed: bool,
}

impl<'d, 'b> Open<'d, 'b> {
    fn new(door: &'d mut Door<'b>) -> Self {
        let start = door.pos;
        if door.depth == 0 {
            door.field = start;
        }
        if door.depth >= MAX_DEPTH {
            door.fail(Error::InvalidValue { at: door.at() });
        }
        door.depth = door.depth.saturating_add(1);
        Open { door, start, closed: false }
    }

    fn close(mut self) {
        self.closed = true;
    }
}

impl Drop for Open<'_, '_> {
    fn drop(&mut self) {
        let door = &mut *self.door;
        if !self.closed {
            door.fail(Error::InvalidValue { at: door.at() });
        }
        door.depth = door.depth.saturating_sub(1);
        if let Some(failed) = &mut door.failed {
            let lost = door.buf.get(self.start..door.pos).unwrap_or(&[]);
            if matches!(failed.error, Error::ShortBuffer { .. }) {
                failed.unwritten = failed.unwritten.add(Tally::of(lost));
            }
            door.pos = self.start;
        }
    }
}

/// A number of `N` bytes as a field at the front of `free`, which then is what is left; or nothing,
/// and `false`, where it does not fit.
#[inline(always)]
pub(crate) fn put_number<const N: usize>(free: &mut &mut [u8], order: FieldOrder, number: impl Payload) -> bool {
    let tag = order.present_tag();
    // In range: a few bytes.
    let Some((field, rest)) = split(free, usize::from(tag.is_some()).wrapping_add(N)) else { return false };
    if let (Some(tag), Some(slot)) = (tag, field.first_mut()) {
        *slot = tag;
    }
    if let Some(slot) = field.last_chunk_mut::<N>() {
        // Valid, as every number is.
        let _ = number.put(&mut Room::new(slot), order.flip());
    }
    *free = rest;
    true
}

/// A field of short bytes without a zero, as [`put_number`]; `false` for others too.
#[inline(always)]
pub(crate) fn put_short(free: &mut &mut [u8], order: FieldOrder, view: ByteView<'_>) -> bool {
    let mask = order.flip().mask();
    let put = view.as_slice().and_then(|raw| short::put(free, order.present_tag(), raw, 0, mask, mask));
    match put.and_then(|len| split(free, len)) {
        Some((_, rest)) => {
            *free = rest;
            true
        }
        None => false,
    }
}

/// The first `n` bytes and the rest, when there are so many.
#[inline(always)]
fn split<'b>(free: &mut &'b mut [u8], n: usize) -> Option<(&'b mut [u8], &'b mut [u8])> {
    if free.len() < n {
        return None;
    }
    core::mem::take(free).split_at_mut_checked(n)
}

/// A field of plain bytes where even the most that they can take is free, else nothing.
#[inline(always)]
fn put_long(free: &mut [u8], tag: Option<u8>, raw: &[u8], inner: Flip, flip: Flip) -> Option<usize> {
    let before = usize::from(tag.is_some());
    let (head, body) = free.split_at_mut_checked(before)?;
    let n = long::put(body, raw, inner, flip)?;
    if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
        *slot = tag;
    }
    // In range: within the room.
    Some(n.wrapping_add(before))
}

/// A field of any bytes, all of it or nothing: in one pass over them where even the most that they
/// can take is free, else they are measured first.
#[inline(never)]
fn put_view(free: &mut [u8], tag: Option<u8>, view: ByteView<'_>, flip: Flip) -> Option<usize> {
    let before = usize::from(tag.is_some());
    let (head, body) = free.split_at_mut_checked(before)?;
    // Twice the longest slice and two is more than an address can say.
    let most = view.len().saturating_mul(2).saturating_add(2);
    let body = if most <= body.len() { body } else { body.get_mut(..escaped_size(view))? };
    if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
        *slot = tag;
    }
    let mut room = Room::new(body);
    room.put_escaped(view, flip);
    Some(room.pos().wrapping_add(before))
}

#[cold]
#[inline(never)]
fn latched(error: Error) -> Option<Failed> {
    Some(Failed { error, unwritten: Tally::default() })
}

/// Fills in a short buffer's figures, which are known only when they are asked for.
#[cold]
fn reported(failed: Failed, pos: usize, available: usize) -> Error {
    match failed.error {
        Error::ShortBuffer { .. } => {
            Error::ShortBuffer { needed: pos.saturating_add(failed.unwritten.bytes), available }
        }
        error => error,
    }
}

/// After a failure: a short buffer goes on measuring, anything else stays as it is.
#[cold]
#[inline(never)]
fn measure<P: Payload>(failed: Option<Failed>, payload: P, flip: Flip) -> Option<Failed> {
    let mut failed = failed?;
    if matches!(failed.error, Error::ShortBuffer { .. }) {
        let mut more = Tally::default();
        if payload.put(&mut more, flip).is_ok() {
            failed.unwritten = failed.unwritten.add(more);
        }
    }
    Some(failed)
}

#[cold]
#[inline(never)]
fn short<P: Payload>(payload: P, flip: Flip) -> Option<Failed> {
    let error = Error::ShortBuffer { needed: 0, available: 0 };
    measure(Some(Failed { error, unwritten: Tally::default() }), payload, flip)
}

#[cold]
#[inline(never)]
fn refused<P: Payload>(payload: P, at: usize) -> Option<Failed> {
    // Only the schema names fields; it gives the field's index to a type mismatch.
    let error = payload.size().err().unwrap_or(Invalid::Value).told(at, at);
    Some(Failed { error, unwritten: Tally::default() })
}
