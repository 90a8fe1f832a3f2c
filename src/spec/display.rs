//! Prints keys, prefixes and range ends under a spec, for logs and debuggers. Never fails.

use core::fmt;

use crate::order::Flip;
use crate::raw::view::ByteView;
use crate::spec::KeySpec;
use crate::value::Value;
use crate::value::collated;
use crate::value::take::take_field;

/// Prints bytes under a spec; see [`KeySpec::display`].
#[derive(Clone, Copy)]
pub struct DisplayKey<'a> {
    spec: KeySpec<'a>,
    bytes: &'a [u8],
}

impl<'s> KeySpec<'s> {
    /// Something that prints `bytes`: a key of this spec, a prefix of one, the end of a range, or
    /// anything else. What can be read is printed as values, and what follows as hex, with the
    /// offset and the reason.
    ///
    /// ```
    /// use isotone::{AscNullsLast, Desc, Type, key_spec};
    /// let spec = key_spec![Type::Str => AscNullsLast, Type::I32 => Desc];
    /// let key = [0, 0x61, 0, 0, 0x7f, 0xff, 0xff, 0xfe];
    /// assert_eq!(spec.display(&key).to_string(), r#"("a", 1)"#);
    /// assert_eq!(spec.display(&key[..4]).to_string(), r#"("a", …)"#);
    /// assert_eq!(
    ///     spec.display(&key[..6]).to_string(),
    ///     r#"("a", …) + 7fff (key ends inside a field, at byte 6)"#
    /// );
    /// ```
    pub fn display<'a>(&self, bytes: &'a [u8]) -> DisplayKey<'a>
    where
        's: 'a,
    {
        DisplayKey { spec: *self, bytes }
    }
}

impl fmt::Display for DisplayKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut input = match self.spec.input(self.bytes) {
            Ok(input) => input,
            Err(error) => return write!(f, "{} ({error})", Hex(self.bytes)),
        };
        f.write_str("(")?;
        let mut fault = None;
        let mut fields = 0usize;
        for (kind, order) in self.spec.kinds() {
            if input.rest().is_empty() {
                break;
            }
            let mut ahead = input;
            ahead.begin_field();
            match take_field(&mut ahead, kind, order, Flip::No) {
                Ok(value) => {
                    if fields > 0 {
                        f.write_str(", ")?;
                    }
                    match &value {
                        Value::Collated(image) => match collated::text(kind, *image) {
                            Some(text) => write!(f, "{text:?}")?,
                            None => write!(f, "{value}")?,
                        },
                        value => write!(f, "{value}")?,
                    }
                    input = ahead;
                    fields = fields.saturating_add(1);
                }
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        if fields < self.spec.arity() {
            f.write_str(if fields > 0 { ", …" } else { "…" })?;
        }
        f.write_str(")")?;
        match fault {
            Some(error) => write!(f, " + {} ({error})", Hex(input.rest())),
            None if input.rest().is_empty() => Ok(()),
            None => write!(f, " + {} (trailing bytes from byte {} on)", Hex(input.rest()), input.pos()),
        }
    }
}

impl fmt::Debug for DisplayKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ByteView::new(self.0).iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Display for Value<'_> {
    /// Numbers and times in their usual notation, text quoted and escaped, bytes as `x'6162'`,
    /// composites in brackets: `[1, NULL]` a list, `("a", 2)` a record, `{1, 2}` an array (with
    /// dimensions before it unless there is one that begins at 1), `[1, 4)` a range, `{[1, 4)}` a
    /// multirange, `b'101'` a bit string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("NULL"),
            Value::Bool(v) => write!(f, "{v}"),
            Value::I8(v) => write!(f, "{v}"),
            Value::I16(v) => write!(f, "{v}"),
            Value::I32(v) => write!(f, "{v}"),
            Value::I64(v) => write!(f, "{v}"),
            Value::I128(v) => write!(f, "{v}"),
            Value::U8(v) => write!(f, "{v}"),
            Value::U16(v) => write!(f, "{v}"),
            Value::U32(v) => write!(f, "{v}"),
            Value::U64(v) => write!(f, "{v}"),
            Value::U128(v) => write!(f, "{v}"),
            Value::F32(v) => write!(f, "{v:?}"),
            Value::F64(v) => write!(f, "{v:?}"),
            Value::Str(v) => write!(f, "{v:?}"),
            Value::Bytes(v) | Value::Opaque(v) | Value::Collated(v) | Value::Fixed(v) | Value::Nested(v) => {
                f.write_str("x'")?;
                v.iter().try_for_each(|b| write!(f, "{b:02x}"))?;
                f.write_str("'")
            }
            Value::Decimal(v) => write!(f, "{v}"),
            Value::Date(v) => write!(f, "{v}"),
            Value::Time(v) => write!(f, "{v}"),
            Value::TimeTz(v) => write!(f, "{v}"),
            Value::Timestamp(v) => write!(f, "{v}"),
            Value::Duration(v) => write!(f, "{v}"),
            Value::Interval(v) => write!(f, "{v}"),
            Value::Uuid(v) => write!(f, "{v}"),
            Value::Mac48(v) => write!(f, "{v}"),
            Value::Mac64(v) => write!(f, "{v}"),
            Value::Lsn(v) => write!(f, "{v}"),
            Value::Enum(v) => write!(f, "{v}"),
            Value::Ip(v) => write!(f, "{v}"),
            Value::IpPrefix(v) => write!(f, "{v}"),
            Value::Network(v) => write!(f, "{v}"),
            Value::Record(v) => parts(f, "(", v.iter(), ")"),
            Value::List(v) => parts(f, "[", v.iter(), "]"),
            Value::Array(v) => {
                let plain = v.dimensions().len() <= 1 && v.dimensions().all(|d| d.lower == 1);
                if !plain {
                    for d in v.dimensions() {
                        write!(f, "[{}:+{}]", d.lower, d.len)?;
                    }
                    f.write_str("=")?;
                }
                parts(f, "{", v.iter(), "}")
            }
            Value::Range(v) => write!(f, "{v}"),
            Value::Multirange(v) => parts(f, "{", v.iter(), "}"),
            Value::Bits(v) => {
                f.write_str("b'")?;
                v.iter().try_for_each(|bit| f.write_str(if bit { "1" } else { "0" }))?;
                f.write_str("'")
            }
        }
    }
}

fn parts<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    parts: impl Iterator<Item = T>,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, part) in parts.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{part}")?;
    }
    f.write_str(close)
}
