//! The one door into a caller's buffer: measure, claim that room or nothing, fill it whole.

use crate::error::Error;
use crate::kind::Kind;
use crate::kind::MAX_DEPTH;
use crate::order::FieldOrder;
use crate::order::Flip;
use crate::raw::free::put_scalar;
use crate::raw::free::put_view;
use crate::raw::short;
use crate::raw::sink::Invalid;
use crate::raw::sink::Payload;
use crate::raw::sink::Room;
use crate::raw::sink::Sink;
use crate::raw::sink::Tally;
use crate::raw::sink::escape_in_place;
use crate::raw::view::ByteView;

/// A buffer, how far it is written, and the first error.
///
/// Invariant: `buf[..pos()]` is whole parts. `next` lies in the buffer until something fails, and
/// beyond it from then on: one comparison asks for room and for no failure. It saturates, as no
/// buffer is as long as `usize::MAX`.
pub(crate) struct Door<'b> {
    buf: &'b mut [u8],
    /// Where the next part goes. After a short buffer, where it would go if all had fitted.
    next: usize,
    /// Where writing stopped; says nothing until something failed.
    stop: usize,
    /// What failed where `next` alone can't tell it: then that is as far as it can be.
    failed: Option<Failed>,
    /// Composites that are open, and where the outermost began: errors name that place.
    depth: usize,
    field: usize,
    /// How often the door went back, and where to; nothing until it does.
    times: u64,
    backs: Option<Backs>,
}

/// What failed.
#[derive(Clone, Copy)]
enum Failed {
    /// The buffer was too short; and what the parts since then would have taken, counted within the
    /// innermost nested key that is open.
    Short(Tally),
    /// Any other error, the first.
    Told(Error),
}

/// Where a door stood, to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pos: usize,
    next: usize,
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
        Door { buf, next: 0, stop: 0, failed: None, depth: 0, field: 0, times: 0, backs: None }
    }

    /// Writes behind what lies in the first `pos` bytes.
    pub(crate) fn behind(buf: &'b mut [u8], pos: usize) -> Self {
        let next = pos.min(buf.len());
        Door { next, ..Door::new(buf) }
    }

    /// Takes back the last `n` bytes of the part just written.
    pub(crate) fn drop_last(&mut self, n: usize) {
        if self.is_ok() {
            self.next = self.next.saturating_sub(n);
        }
    }

    /// Gives the field's index to a type mismatch.
    #[cold]
    pub(crate) fn name_field(&mut self, index: usize) {
        if let Some(Failed::Told(Error::TypeMismatch { field })) = &mut self.failed {
            *field = index;
        }
    }

    /// The room that is left; none after a failure. What is written to its front is told by
    /// [`wrote`](Self::wrote).
    #[inline(always)]
    pub(crate) fn spare(&mut self) -> &mut [u8] {
        self.buf.get_mut(self.next..).unwrap_or(&mut [])
    }

    /// Says that whole parts of `n` bytes were written to the front of the free room.
    #[inline(always)]
    pub(crate) fn wrote(&mut self, n: usize) {
        // In range: within the buffer, or no bytes.
        self.next = self.next.wrapping_add(n);
    }

    /// Writes a scalar as a field whose order is known only when running; or nothing, and `false`, where
    /// it is not valid, does not fit, or something has failed.
    #[inline(always)]
    pub(crate) fn scalar(&mut self, order: FieldOrder, scalar: impl Payload) -> bool {
        match put_scalar(self.buf, self.next, order, scalar) {
            Some(n) => {
                self.wrote(n);
                true
            }
            None => false,
        }
    }

    /// How far whole parts are written.
    #[inline(always)]
    pub(crate) fn pos(&self) -> usize {
        if self.is_ok() { self.next } else { self.stop }
    }

    #[inline(always)]
    pub(crate) fn capacity(&self) -> usize {
        self.buf.len()
    }

    /// What has been written; whole parts only.
    #[inline(always)]
    pub(crate) fn written(&self) -> &[u8] {
        self.buf.get(..self.pos()).unwrap_or(&[])
    }

    #[inline(always)]
    pub(crate) fn into_written(self) -> &'b [u8] {
        let pos = self.pos();
        self.buf.get(..pos).unwrap_or(&[])
    }

    /// Splits the buffer behind what was written.
    pub(crate) fn into_parts(self) -> (&'b mut [u8], &'b mut [u8]) {
        let at = self.pos().min(self.buf.len());
        self.buf.split_at_mut(at)
    }

    #[inline(always)]
    pub(crate) fn is_ok(&self) -> bool {
        self.next <= self.buf.len()
    }

    /// The first error; a short buffer's `needed` is enough for all that was asked for so far.
    #[inline(always)]
    pub(crate) fn error(&self) -> Option<Error> {
        if self.is_ok() { None } else { Some(self.reported()) }
    }

    /// The error of a door that failed; a short buffer's figures are known only when asked for.
    #[inline(always)]
    fn reported(&self) -> Error {
        let needed = match self.failed {
            Some(Failed::Told(error)) => return error,
            Some(Failed::Short(unwritten)) => self.stop.saturating_add(unwritten.bytes),
            None => self.next,
        };
        Error::ShortBuffer { needed, available: self.buf.len() }
    }

    /// Writes one part whole, or nothing of it.
    #[inline(always)]
    pub(crate) fn put<P: Payload>(&mut self, payload: P, flip: Flip) {
        let Ok(n) = payload.size() else {
            if self.is_ok() {
                self.fails(refused(payload, self.at()));
            }
            return;
        };
        // Said this way it is one comparison: a saturated sum is no room, and at least `n`.
        let end = self.next.saturating_add(n);
        match self.buf.get_mut(..end).and_then(|all| all.get_mut(end.wrapping_sub(n)..)) {
            Some(room) => {
                // Valid: its size was told.
                let _ = payload.put(&mut Room::new(room), flip);
                self.next = end;
            }
            None => self.count(n, payload, flip),
        }
    }

    /// Counts a part of `n` bytes that has no room. Outside composites that is a sum and no call:
    /// what a call needs kept in registers would have to be saved by those who succeed, too.
    #[inline(always)]
    fn count<P: Payload>(&mut self, n: usize, payload: P, flip: Flip) {
        if self.depth > 0 || self.failed.is_some() {
            let failed = measure(self.failed, payload, flip);
            self.fails(failed);
        } else {
            self.stop = self.pos();
            self.next = self.next.saturating_add(n);
        }
    }

    /// Says what failed; the first time, or as it was said before.
    #[inline(always)]
    fn fails(&mut self, failed: Failed) {
        self.stop = self.pos();
        self.next = usize::MAX;
        self.failed = Some(failed);
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
        if let (true, Some(Failed::Told(error @ Error::TypeMismatch { .. }))) = (was_ok, &mut self.failed) {
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
        self.pos().saturating_add(self.unwritten().bytes)
    }

    /// What was counted since the buffer was too short.
    fn unwritten(&self) -> Tally {
        match self.failed {
            Some(Failed::Short(unwritten)) => unwritten,
            // In range, and zero without a failure.
            None => Tally::sized(self.next.wrapping_sub(self.pos())),
            Some(Failed::Told(_)) => Tally::default(),
        }
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
        let lying_tag = tag.map(|tag| tag ^ outer.mask());
        if let (Some((raw, inner)), Some(free)) = (view.unescaped(), self.buf.get_mut(self.next..)) {
            let mask = flip.then(inner).mask();
            if let Some(n) = short::put(free, lying_tag, raw, inner.mask(), mask, flip.mask()) {
                // In range: these bytes were free.
                self.next = self.next.wrapping_add(n);
                return;
            }
        }
        // Nothing fits no room, so a failure needs no way of its own.
        let n = put_view(self.spare(), lying_tag, view, flip);
        let end = self.next.saturating_add(n);
        if end <= self.buf.len() {
            self.next = end;
        } else {
            self.count(n, Tagged { tag, outer, payload: view }, flip);
        }
    }

    /// Bytes that are free; none after a failure.
    #[cfg(feature = "uca14")]
    #[inline(always)]
    pub(crate) fn free(&self) -> usize {
        self.buf.len().saturating_sub(self.next)
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
        let free = self.spare();
        let (head, body) = free.split_at_mut_checked(before).unwrap_or((&mut [], &mut []));
        if let (Some(tag), Some(slot)) = (tag, head.first_mut()) {
            *slot = tag ^ outer.mask();
        }
        let n = fill(body);
        // In range: at most what was free.
        self.next = self.next.wrapping_add(before).wrapping_add(n);
        true
    }

    /// Latches an error that is found outside the door.
    #[inline(always)]
    pub(crate) fn fail(&mut self, error: Error) {
        if self.is_ok() {
            self.fails(Failed::Told(error));
        }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> Place {
        Place { pos: self.pos(), next: self.next, failed: self.failed, times: self.times }
    }

    /// Goes back to a place that was taken earlier: the bytes and any error since are dropped. A
    /// place that the door has been below since, or that another door took, may be inside a field
    /// now: that is an error, and nothing is dropped. Says whether it went back.
    pub(crate) fn back_to(&mut self, place: &Place) -> bool {
        let at = self.pos();
        let stale = self.backs.as_ref().is_some_and(|backs| backs.went_below(place.pos, place.times));
        if stale || place.pos > at || place.times > self.times {
            self.fail(Error::InvalidValue { at });
            return false;
        }
        self.went_back(place.pos);
        self.failed = None;
        if place.next > place.pos {
            // Something had failed then. Tallied, as another door's buffer may be longer.
            let more = Tally::sized(place.next.wrapping_sub(place.pos));
            self.fails(place.failed.unwrap_or(Failed::Short(more)));
        }
        true
    }

    fn went_back(&mut self, pos: usize) {
        self.next = pos;
        self.times = self.times.saturating_add(1);
        let backs = self.backs.get_or_insert(Backs { last: [(0, 0); Backs::MOST], len: 0 });
        backs.push(self.times, pos);
    }

    /// Where the top-level field begins that is being written, or would be.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        if self.depth == 0 { self.pos() } else { self.field }
    }

    /// From here on a short buffer's parts are tallied.
    fn tally(&mut self) {
        if !self.is_ok() && self.failed.is_none() {
            self.fails(Failed::Short(self.unwritten()));
        }
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
            let start = door.pos();
            let before = door.unwritten();
            if let Some(Failed::Short(unwritten)) = &mut door.failed {
                // What is counted from here on is the inner key alone.
                *unwritten = Tally::default();
            }
            fill(door);
            door.escape_since(start, before, flip);
        });
    }

    /// Escapes all since `start`. `before` is what was counted outside before this key began.
    fn escape_since(&mut self, start: usize, before: Tally, flip: Flip) {
        let tally = Tally::of(self.buf.get(start..self.pos()).unwrap_or(&[]));
        if self.is_ok() {
            let escaped = tally.escaped(flip);
            let room = self.buf.get_mut(start..).and_then(|r| r.get_mut(..escaped.bytes));
            match room {
                Some(room) => {
                    escape_in_place(room, tally.bytes, flip);
                    self.next = start.saturating_add(escaped.bytes);
                }
                None => {
                    self.fails(Failed::Short(escaped));
                    self.stop = start;
                }
            }
        } else {
            if let Some(Failed::Short(unwritten)) = &mut self.failed {
                *unwritten = before.add(tally.add(*unwritten).escaped(flip));
            }
            self.stop = start;
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
        door.tally();
        let start = door.pos();
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
        if !door.is_ok() {
            let lost = door.buf.get(self.start..door.stop).unwrap_or(&[]);
            if let Some(Failed::Short(unwritten)) = &mut door.failed {
                *unwritten = unwritten.add(Tally::of(lost));
            }
            door.stop = self.start;
        }
    }
}

/// Tallies a part that has no room: in a composite, what is counted may be escaped.
#[cold]
#[inline(never)]
fn measure<P: Payload>(failed: Option<Failed>, payload: P, flip: Flip) -> Failed {
    let before = match failed {
        None => Tally::default(),
        Some(Failed::Short(unwritten)) => unwritten,
        Some(told) => return told,
    };
    let mut more = Tally::default();
    // Valid: its size was told.
    let _ = payload.put(&mut more, flip);
    Failed::Short(before.add(more))
}

#[cold]
#[inline(never)]
fn refused<P: Payload>(payload: P, at: usize) -> Failed {
    // Only the schema names fields; it gives the field's index to a type mismatch.
    Failed::Told(payload.size().err().unwrap_or(Invalid::Value).told(at, at))
}
