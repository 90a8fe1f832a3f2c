//! Writes layout descriptors from declared fields.

use crate::error::Error;
use crate::kind::MAX_DEPTH;
use crate::kind::check::check_descriptor;
use crate::kind::check::check_kind;
use crate::kind::types::Field;
use crate::kind::types::Type;

/// Writes descriptors from declared fields; counts what does not fit.
pub(crate) struct Describe<'b> {
    buf: &'b mut [u8],
    len: usize,
    /// Where a kind stands too deep.
    too_deep: Option<usize>,
}

impl<'b> Describe<'b> {
    /// Writes the whole descriptor of `fields` and says how long it is, whether or not it fitted.
    pub(crate) const fn layout(fields: &[Field<'_>], buf: &'b mut [u8]) -> Result<usize, Error> {
        let mut out = Describe { buf, len: 0, too_deep: None };
        out.slice(b"OK");
        if is_v1(fields) {
            out.byte(1);
            let mut rest = fields;
            while let Some((field, more)) = rest.split_first() {
                let kind = if matches!(field.ty, Type::Bytes) { 0x10 } else { 0x20 };
                out.byte(kind | (field.order & 1));
                rest = more;
            }
        } else {
            out.byte(2);
            out.fields(fields, 0);
        }
        out.end(true)
    }

    /// Writes the kind of `ty`, code and parameters.
    pub(crate) const fn kind(ty: &Type<'_>, buf: &'b mut [u8]) -> Result<usize, Error> {
        let mut out = Describe { buf, len: 0, too_deep: None };
        out.byte(ty.code());
        out.params(ty, 0);
        out.end(false)
    }

    /// The length, or the first byte that is wrong: what was written before a kind too deep may be.
    const fn end(self, whole: bool) -> Result<usize, Error> {
        let Some(deep) = self.too_deep else { return Ok(self.len) };
        if let Some((written, _)) = self.buf.split_at_checked(self.len) {
            let earlier = if whole { check_descriptor(written) } else { check_kind(written) };
            if let Err(Error::InvalidLayout { at }) = earlier {
                if at < deep {
                    return Err(Error::InvalidLayout { at });
                }
            }
        }
        Err(Error::InvalidLayout { at: deep })
    }

    const fn byte(&mut self, byte: u8) {
        if let Some((_, room)) = self.buf.split_at_mut_checked(self.len) {
            if let Some((slot, _)) = room.split_first_mut() {
                *slot = byte;
            }
        }
        self.len = self.len.saturating_add(1);
    }

    const fn slice(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((byte, more)) = rest.split_first() {
            self.byte(*byte);
            rest = more;
        }
    }

    const fn blob(&mut self, bytes: &[u8]) {
        self.slice(&length(bytes.len()));
        self.slice(bytes);
    }

    const fn fields(&mut self, fields: &[Field<'_>], depth: usize) {
        let mut rest = fields;
        while let Some((field, more)) = rest.split_first() {
            if depth > MAX_DEPTH && self.too_deep.is_none() {
                self.too_deep = Some(self.len);
            }
            self.byte(field.ty.code());
            self.byte(field.order);
            self.params(&field.ty, depth);
            rest = more;
        }
    }

    const fn params(&mut self, ty: &Type<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match ty {
            Type::Opaque(producer) => self.blob(producer),
            Type::Fixed(width) => self.slice(&width.to_be_bytes()),
            Type::Collated { deterministic, producer } => {
                self.byte(*deterministic as u8);
                self.blob(producer.as_bytes());
            }
            Type::Nested(fields) | Type::Record(fields) => {
                let at = self.len;
                self.slice(&[0; 4]);
                self.fields(fields, depth.saturating_add(1));
                let len = self.len.saturating_sub(at).saturating_sub(4);
                if let Some((_, room)) = self.buf.split_at_mut_checked(at) {
                    if let Some(slot) = room.first_chunk_mut::<4>() {
                        *slot = length(len);
                    }
                }
            }
            Type::List(element) | Type::Array(element) | Type::Range(element) | Type::Multirange(element) => {
                let depth = depth.saturating_add(1);
                if depth > MAX_DEPTH && self.too_deep.is_none() {
                    self.too_deep = Some(self.len);
                }
                self.byte(element.code());
                self.params(element, depth);
            }
            _ => {}
        }
    }
}

/// A length as it is stored. Saturates: a descriptor over 4 GiB is then refused when it is checked.
#[expect(clippy::cast_possible_truncation, reason = "guarded by the comparison")]
const fn length(len: usize) -> [u8; 4] {
    if len > u32::MAX as usize { [0xff; 4] } else { (len as u32).to_be_bytes() }
}

/// Whether descriptor v1 can say these fields.
const fn is_v1(fields: &[Field<'_>]) -> bool {
    let mut rest = fields;
    while let Some((field, more)) = rest.split_first() {
        if !(matches!(field.ty, Type::Bytes | Type::I64) && matches!(field.order, 4 | 5)) {
            return false;
        }
        rest = more;
    }
    true
}
