//! The eight laws of a family (`DESIGN.md`), in one shared implementation over any kind and values:
//! **size**, **inverse**, **order**, **neighbours**, **no prefix**, **canonical**, **hostile** and
//! **full buffer**, under all six orders.
//!
//! Depends on nothing but the crate and `std`, so that unit tests and fuzz targets can include this
//! file by its path. A law that is broken panics and says which one.

use std::cmp::Ordering;

use isotone::Asc;
use isotone::Builder;
use isotone::Decoder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Value;
use isotone::size;

/// What buffers hold before they are written to.
pub(crate) const JUNK: u8 = 0xa5;

/// The six orders, at the index of their code.
pub(crate) fn orders() -> impl Iterator<Item = FieldOrder> {
    (0..6).filter_map(FieldOrder::from_code)
}

/// A descriptor of one field; `FORMAT.md` §6.
pub(crate) fn layout(kind: Kind<'_>, order: FieldOrder) -> Vec<u8> {
    if let (0x10 | 0x20, 4 | 5) = (kind.code(), order.code()) {
        return vec![b'O', b'K', 1, kind.code() | order.code() & 1];
    }
    [b"OK\x02", &[kind.code(), order.code()][..], kind.params()].concat()
}

/// Whether reading a field of this kind checks UTF-8, which skipping it does not.
fn has_text(kind: Kind<'_>) -> bool {
    let inside = match kind.code() {
        0x71 => kind.attributes().any(|(kind, _)| has_text(kind)),
        _ => kind.element().is_some_and(has_text),
    };
    inside || kind == Kind::STR
}

/// The laws of one kind.
pub(crate) struct Laws<'k> {
    pub(crate) kind: Kind<'k>,
    layouts: Vec<Vec<u8>>,
    text: bool,
}

impl<'k> Laws<'k> {
    pub(crate) fn new(kind: Kind<'k>) -> Self {
        Laws { kind, layouts: orders().map(|order| layout(kind, order)).collect(), text: has_text(kind) }
    }

    /// A spec of one field of this kind.
    pub(crate) fn spec(&self, order: FieldOrder) -> KeySpec<'_> {
        KeySpec::from_layout(&self.layouts[usize::from(order.code())]).expect("a layout of a checked kind")
    }

    /// The orders that a value can be written under: a null only where it has a tag.
    pub(crate) fn orders_of(value: &Value<'_>) -> impl Iterator<Item = FieldOrder> {
        let null = value.is_null();
        orders().filter(move |order| order.is_nullable() || !null)
    }

    /// The value's field. **Size**: it takes as many bytes as was said before, and no byte past it
    /// changes.
    pub(crate) fn field(&self, order: FieldOrder, value: &Value<'_>) -> Vec<u8> {
        let payload = if value.is_null() { 0 } else { size::value(self.kind, value).expect("size: of a valid value") };
        let size = usize::from(order.is_nullable()) * size::TAG + payload;
        if let Some(fixed) = self.kind.fixed_size().filter(|_| !value.is_null()) {
            assert_eq!(payload, fixed, "size: fixed for {:?}", self.kind);
        }
        assert_eq!(self.spec(order).size(&[*value]), Ok(size), "size: as the spec says it");
        let mut room = vec![JUNK; size + 3];
        let mut key = Builder::new(&mut room);
        key.value(self.kind, value, order);
        let written = key.finish().expect("size: room is enough").to_vec();
        assert_eq!(written.len(), size, "size: {value:?} under {order:?}");
        assert_eq!(room[size..], [JUNK; 3], "size: bytes past {value:?} under {order:?}");
        written
    }

    /// Size, inverse and full buffer of one value.
    pub(crate) fn value(&self, value: &Value<'_>) {
        for order in Self::orders_of(value) {
            let key = self.field(order, value);
            self.inverse(order, value, &key);
            self.full_buffer(order, value, &key);
        }
    }

    /// **Inverse**: the field reads back as the value, and what was read is written the same, under
    /// this order and every other.
    fn inverse(&self, order: FieldOrder, value: &Value<'_>, key: &[u8]) {
        let (read, end) = self.read(order, key).expect("inverse: what was written reads");
        assert_eq!(end, key.len(), "inverse: all of {value:?} under {order:?}");
        assert_eq!(read, *value, "inverse: under {order:?}");
        for other in Self::orders_of(value) {
            assert_eq!(self.field(other, &read), self.field(other, value), "inverse: {order:?} to {other:?}");
        }
    }

    /// **Full buffer**: in every smaller room the field fails with the size it needs, that error
    /// stays, and no byte changes.
    fn full_buffer(&self, order: FieldOrder, value: &Value<'_>, key: &[u8]) {
        let size = key.len();
        // Of a long field both ends are enough.
        for room in (0..size).filter(|n| *n < 40 || size - n < 40) {
            let mut buffer = vec![JUNK; size + 2];
            let lent = &mut buffer[..room + 2];
            let mut builder = Builder::new(lent);
            builder.u16(0x0102, Asc);
            builder.value(self.kind, value, order);
            let short = |more| Some(Error::ShortBuffer { needed: 2 + size + more, available: 2 + room });
            assert_eq!(builder.err(), short(0), "full buffer: {value:?} under {order:?} in {room}");
            assert_eq!(builder.len(), 2, "full buffer: length stays");
            builder.null(9u8).u8(1, Asc);
            assert_eq!(builder.err(), short(1), "full buffer: first error stays, later fields are counted");
            assert_eq!(builder.finish().err(), short(1));
            assert_eq!(buffer[..2], [1, 2]);
            assert!(buffer[2..].iter().all(|b| *b == JUNK), "full buffer: no byte of {value:?} is written");
        }
    }

    /// **Hostile**: every truncation is found to be one, and every change of a byte is an error or
    /// another value.
    pub(crate) fn hostile(&self, order: FieldOrder, value: &Value<'_>) {
        let key = self.field(order, value);
        for n in 0..key.len() {
            let cut = self.read(order, &key[..n]).map(|(value, _)| format!("{value:?}"));
            assert_eq!(cut, Err(Error::TruncatedKey { at: n }), "hostile: {value:?} under {order:?} cut");
        }
        let mut changed = key.clone();
        for at in 0..key.len() {
            let bits = (0..8).map(|bit| key[at] ^ 1 << bit);
            let marks = [0x00, 0x01, 0x02, 0x04, 0x06, 0x0b, 0xfd, 0xfe, 0xff].into_iter();
            let all = (0..=255).filter(|_| key.len() <= 3);
            for byte in bits.chain(marks).chain(all).filter(|b| *b != key[at]) {
                changed[at] = byte;
                if let Ok((read, end)) = self.read(order, &changed) {
                    let same = end == key.len() && read == *value;
                    assert!(!same, "hostile: {value:?} under {order:?} is also {changed:02x?}");
                }
            }
            changed[at] = key[at];
        }
    }

    /// **Canonical**, of any bytes: what is accepted is written back to the same bytes, and all ways
    /// of reading agree. Gives the field at the front, and where it ends.
    pub(crate) fn read<'b>(&'b self, order: FieldOrder, bytes: &'b [u8]) -> Result<(Value<'b>, usize), Error> {
        let mut decoder = Decoder::new(bytes);
        let read = decoder.value(self.kind, order).map(|value| value.unwrap_or(Value::Null));
        let mut skipper = Decoder::new(bytes);
        let skipped = skipper.skip(self.kind, order);
        let spec = self.spec(order);
        match &read {
            Ok(value) => {
                let end = decoder.offset();
                let written = &bytes[..end];
                let mut room = vec![JUNK; end];
                let mut again = Builder::new(&mut room);
                again.value(self.kind, value, order);
                assert_eq!(again.finish(), Ok(written), "canonical: {value:?} under {order:?}");
                assert_eq!((skipped, skipper.offset()), (Ok(()), end), "canonical: skip agrees");
                assert_eq!(spec.prefix_len(bytes, 1), Some(end));
                assert_eq!(spec.field(bytes, 0), Ok(*value));
                let whole = if end == bytes.len() { Ok(()) } else { Err(Error::TrailingBytes { at: end }) };
                assert_eq!(spec.check(bytes), whole);
                assert_eq!(spec.decode(bytes, &mut [Value::Null]).map(|_| ()), whole);
            }
            Err(error) => {
                assert_eq!((decoder.offset(), decoder.remaining()), (0, bytes.len()), "a failed read does not move");
                assert_eq!(decoder.value(self.kind, order).map(|_| ()), Err(*error), "and fails the same again");
                self.sound(bytes, *error);
                assert_eq!(spec.check(bytes), Err(*error));
                assert_eq!(spec.decode(bytes, &mut [Value::Null]), Err(*error));
                match skipped {
                    Err(skipped) if !self.text => assert_eq!(skipped, *error, "skip fails where reading does"),
                    Err(skipped) => self.sound(bytes, skipped),
                    Ok(()) => {
                        assert!(self.text, "skip takes what reading does not");
                        assert_eq!(*error, Error::MalformedKey { at: 0 }, "only text is not checked");
                    }
                }
            }
        }
        self.copied(order, bytes, read, decoder.offset());
        read.map(|value| (value, decoder.offset()))
    }

    /// What is read into a buffer is what is read where it lies.
    fn copied(&self, order: FieldOrder, bytes: &[u8], read: Result<Value<'_>, Error>, end: usize) {
        let (mut decoder, mut out) = (Decoder::new(bytes), vec![JUNK; bytes.len()]);
        let copied = match self.kind {
            Kind::BYTES => decoder.bytes_to(order, &mut out).map(|value| value.map_or(Value::Null, Value::from)),
            Kind::STR => decoder.str_to(order, &mut out).map(|value| value.map_or(Value::Null, Value::from)),
            _ => return,
        };
        assert_eq!((copied, decoder.offset()), (read, end), "copying reads the same under {order:?}");
    }

    /// An error of reading is one of three, and names the place that `FORMAT.md` §1 says.
    fn sound(&self, bytes: &[u8], error: Error) {
        let escape = |at: usize, mask: u8| bytes[at - 1] == mask && bytes[at] != mask && bytes[at] != !mask;
        let right = match error {
            Error::MalformedKey { at } => at == 0,
            Error::TruncatedKey { at } => at == bytes.len(),
            Error::InvalidEscape { at } => escape(at, 0x00) || escape(at, 0xff),
            _ => false,
        };
        assert!(right, "{error:?} of {bytes:02x?}");
    }

    /// **Order**, **neighbours** and **no prefix** of two values: `expected` is how `a` stands to `b`.
    pub(crate) fn pair(&self, a: &Value<'_>, b: &Value<'_>, expected: Ordering) {
        assert_eq!(a == b, expected.is_eq(), "order: {a:?} and {b:?} as values");
        for order in orders().filter(|o| o.is_nullable() || !a.is_null() && !b.is_null()) {
            let (key_a, key_b) = (self.field(order, a), self.field(order, b));
            let turned = order.is_descending() && !a.is_null() && !b.is_null();
            let nulls =
                |ordering: Ordering| if order.nulls_first() == Some(true) { ordering.reverse() } else { ordering };
            let expected = match (a.is_null(), b.is_null()) {
                (true, false) => nulls(Ordering::Greater),
                (false, true) => nulls(Ordering::Less),
                _ if turned => expected.reverse(),
                _ => expected,
            };
            self.apart((a, &key_a), (b, &key_b), expected, order);
            let spec = self.spec(order);
            assert_eq!(spec.compare(&key_a, &[*b]), Ok(expected), "order: compare {a:?} with {b:?} under {order:?}");
            assert_eq!(spec.compare(&key_b, &[*a]), Ok(expected.reverse()));
        }
    }

    fn apart(&self, a: (&Value<'_>, &[u8]), b: (&Value<'_>, &[u8]), expected: Ordering, order: FieldOrder) {
        let ((a, key_a), (b, key_b)) = (a, b);
        assert_eq!(key_a.cmp(key_b), expected, "order: {a:?} and {b:?} under {order:?}");
        if expected.is_eq() {
            return;
        }
        assert!(!key_a.starts_with(key_b) && !key_b.starts_with(key_a), "no prefix: {a:?} and {b:?} under {order:?}");
        for (after_a, after_b) in [([0x00; 9], [0xff; 9]), ([0xff; 9], [0x00; 9])] {
            for (a_len, b_len) in [(9, 9), (0, 9), (9, 0)] {
                let long_a = [key_a, &after_a[..a_len]].concat();
                let long_b = [key_b, &after_b[..b_len]].concat();
                assert_eq!(long_a.cmp(&long_b), expected, "neighbours: {a:?} and {b:?} under {order:?}");
            }
        }
    }

    /// Order, neighbours and no prefix of many values, strictly ascending: each with the next one.
    /// That covers all pairs: orders are transitive, and of bytes in order, whatever begins with
    /// another comes right behind it or behind others that do.
    pub(crate) fn ladder(&self, values: &[Value<'_>]) {
        for order in orders() {
            let keys: Vec<Vec<u8>> = values.iter().map(|value| self.field(order, value)).collect();
            let expected = if order.is_descending() { Ordering::Greater } else { Ordering::Less };
            for (pair, keys) in values.windows(2).zip(keys.windows(2)) {
                self.apart((&pair[0], &keys[0]), (&pair[1], &keys[1]), expected, order);
            }
        }
    }
}
