//! A decimal's canonical text.

use core::fmt;
use core::fmt::Write;

use crate::codec::decimal::Class;
use crate::codec::decimal::Decimal;
use crate::error::Error;

impl Decimal<'_> {
    /// Number of bytes of the canonical text.
    pub fn text_len(&self) -> usize {
        let sign = usize::from(self.is_negative());
        match self.word() {
            Some(word) => word.len(),
            None => {
                let exponent = self.exponent();
                let power = exponent.unsigned_abs().checked_ilog10().unwrap_or(0) as usize;
                let minus = usize::from(exponent < 0);
                // Sign and digits, `e`, the exponent's sign and digits.
                let exponent = minus.saturating_add(power).saturating_add(2);
                sign.saturating_add(self.digit_count()).saturating_add(exponent)
            }
        }
    }

    /// Writes the canonical text to the front of `out` and returns it: the shortest coefficient and
    /// its exponent, as in `-12e2`, `12e-4`, `5e0`; or `0`, `Infinity`, `-Infinity`, `NaN`. It
    /// [parses](Self::parse) back to the same number.
    ///
    /// # Errors
    /// [`Error::ShortBuffer`] when `out` is shorter than [`text_len`](Self::text_len); nothing is
    /// written then.
    pub fn write_to<'o>(&self, out: &'o mut [u8]) -> Result<&'o str, Error> {
        let needed = self.text_len();
        let short = Error::ShortBuffer { needed, available: out.len() };
        let out = out.get_mut(..needed).ok_or(short)?;
        // In range: the text is exactly as long as was told.
        let _ = self.write_text(&mut Front(&mut *out));
        // Valid: the text is ASCII.
        Ok(core::str::from_utf8(out).unwrap_or_default())
    }

    /// The text of what has no digits.
    const fn word(&self) -> Option<&'static str> {
        match self.class {
            Class::NegInfinity => Some("-Infinity"),
            Class::Zero => Some("0"),
            Class::Infinity => Some("Infinity"),
            Class::Nan => Some("NaN"),
            Class::Negative | Class::Positive => None,
        }
    }

    /// The canonical text.
    fn write_text<W: Write>(&self, out: &mut W) -> fmt::Result {
        if let Some(word) = self.word() {
            return out.write_str(word);
        }
        if self.is_negative() {
            out.write_str("-")?;
        }
        let mut digits = self.digits();
        let mut chunk = [0u8; 64];
        while digits.len() > 0 {
            let mut len = 0usize;
            for (slot, digit) in chunk.iter_mut().zip(&mut digits) {
                *slot = digit.wrapping_add(b'0');
                len = len.wrapping_add(1);
            }
            let ascii = chunk.get(..len).unwrap_or(&[]);
            // Valid: digits are ASCII.
            out.write_str(core::str::from_utf8(ascii).unwrap_or_default())?;
        }
        write!(out, "e{}", self.exponent())
    }
}

/// Writes to the front of a slice.
struct Front<'o>(&'o mut [u8]);

impl Write for Front<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (head, rest) = core::mem::take(&mut self.0).split_at_mut_checked(text.len()).ok_or(fmt::Error)?;
        head.copy_from_slice(text.as_bytes());
        self.0 = rest;
        Ok(())
    }
}

impl fmt::Display for Decimal<'_> {
    /// The canonical text; see [`write_to`](Decimal::write_to).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_text(f)
    }
}

impl fmt::Debug for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decimal({self})")
    }
}
