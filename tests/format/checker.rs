//! §6 read a second time: what a descriptor says, or the first byte of it that is wrong.

use isotone::Error;

use crate::support::model::Attr;
use crate::support::model::Ty;

/// The fields of a descriptor.
pub(crate) fn check(bytes: &[u8]) -> Result<Vec<Attr>, Error> {
    let byte = |at: usize| bytes.get(at).copied().ok_or(Error::InvalidLayout { at: bytes.len() });
    if byte(0)? != b'O' || byte(1)? != b'K' {
        return Err(Error::InvalidLayout { at: 0 });
    }
    let version = byte(2)?;
    let fields = match version {
        1 => v1(bytes)?,
        2 => {
            let mut at = Place { bytes, at: 3, end: bytes.len() };
            let fields = at.fields(0)?;
            let sayable = |(ty, order): &Attr| matches!((ty, order), (Ty::Bytes | Ty::I64, 4 | 5));
            if !fields.is_empty() && fields.iter().all(sayable) {
                return Err(Error::InvalidLayout { at: 2 });
            }
            fields
        }
        byte => return Err(Error::UnsupportedKeyFormat { byte }),
    };
    if fields.is_empty() { Err(Error::EmptySpec) } else { Ok(fields) }
}

fn v1(bytes: &[u8]) -> Result<Vec<Attr>, Error> {
    let field = |(n, byte): (usize, &u8)| match byte {
        0x10 => Ok((Ty::Bytes, 4)),
        0x11 => Ok((Ty::Bytes, 5)),
        0x20 => Ok((Ty::I64, 4)),
        0x21 => Ok((Ty::I64, 5)),
        _ => Err(Error::InvalidLayout { at: 3 + n }),
    };
    bytes[3..].iter().enumerate().map(field).collect()
}

/// A place in a layout that ends at `end`.
struct Place<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
}

impl Place<'_> {
    fn wrong<T>(&self, at: usize) -> Result<T, Error> {
        Err(Error::InvalidLayout { at })
    }

    fn byte(&mut self) -> Result<u8, Error> {
        if self.at >= self.end {
            return self.wrong(self.end);
        }
        self.at += 1;
        Ok(self.bytes[self.at - 1])
    }

    fn number(&mut self, bytes: usize) -> Result<usize, Error> {
        (0..bytes).try_fold(0, |n, _| Ok(n << 8 | usize::from(self.byte()?)))
    }

    fn fields(&mut self, depth: usize) -> Result<Vec<Attr>, Error> {
        let mut fields = Vec::new();
        while self.at < self.end {
            let (code, start) = (self.byte()?, self.at - 1);
            if !known(code) || depth > 16 {
                return self.wrong(start);
            }
            let order = self.byte()?;
            if order > 5 {
                return self.wrong(self.at - 1);
            }
            fields.push((self.parameters(code, depth)?, order));
        }
        Ok(fields)
    }

    fn element(&mut self, depth: usize) -> Result<Box<Ty>, Error> {
        let (code, start) = (self.byte()?, self.at - 1);
        if !known(code) || depth > 16 {
            return self.wrong(start);
        }
        Ok(Box::new(self.parameters(code, depth)?))
    }

    /// A length that what encloses it has room for, and where its bytes end.
    fn blob(&mut self) -> Result<usize, Error> {
        let start = self.at;
        let len = self.number(4)?;
        if len > self.end - self.at { self.wrong(start) } else { Ok(self.at + len) }
    }

    fn inner(&mut self, depth: usize) -> Result<Vec<Attr>, Error> {
        let start = self.at;
        let end = self.blob()?;
        if end == self.at {
            return self.wrong(start);
        }
        let mut inner = Place { bytes: self.bytes, at: self.at, end };
        self.at = end;
        inner.fields(depth + 1)
    }

    fn parameters(&mut self, code: u8, depth: usize) -> Result<Ty, Error> {
        Ok(match code {
            0x12 => {
                let end = self.blob()?;
                let producer = self.bytes[self.at..end].to_vec();
                self.at = end;
                Ty::Opaque(producer)
            }
            0x13 => {
                let start = self.at;
                match self.number(2)? {
                    0 => return self.wrong(start),
                    width => Ty::Fixed(width as u16),
                }
            }
            0x14 => {
                let flag = self.byte()?;
                if flag > 1 {
                    return self.wrong(self.at - 1);
                }
                let end = self.blob()?;
                let producer = self.bytes[self.at..end].to_vec();
                let start = self.at;
                self.at = end;
                match String::from_utf8(producer) {
                    Ok(producer) => Ty::Collated(flag == 1, producer),
                    Err(e) => return self.wrong(start + e.utf8_error().valid_up_to()),
                }
            }
            0x70 => Ty::Nested(self.inner(depth)?),
            0x71 => Ty::Record(self.inner(depth)?),
            0x72 => Ty::List(self.element(depth + 1)?),
            0x73 => Ty::Array(self.element(depth + 1)?),
            0x74 => Ty::Range(self.element(depth + 1)?),
            0x75 => Ty::Multirange(self.element(depth + 1)?),
            code => simple(code).expect("a known code"),
        })
    }
}

fn known(code: u8) -> bool {
    matches!(code, 0x12..=0x14 | 0x70..=0x75) || simple(code).is_some()
}

fn simple(code: u8) -> Option<Ty> {
    Some(match code {
        0x01 => Ty::Bool,
        0x10 => Ty::Bytes,
        0x11 => Ty::Str,
        0x20 => Ty::I64,
        0x21 => Ty::I8,
        0x22 => Ty::I16,
        0x23 => Ty::I32,
        0x24 => Ty::I128,
        0x28 => Ty::U64,
        0x29 => Ty::U8,
        0x2a => Ty::U16,
        0x2b => Ty::U32,
        0x2c => Ty::U128,
        0x30 => Ty::F32,
        0x31 => Ty::F64,
        0x38 => Ty::Decimal,
        0x40 => Ty::Date,
        0x41 => Ty::Time,
        0x42 => Ty::TimeTz,
        0x43 => Ty::Timestamp,
        0x44 => Ty::Duration,
        0x45 => Ty::Interval,
        0x50 => Ty::Uuid,
        0x51 => Ty::Mac48,
        0x52 => Ty::Mac64,
        0x53 => Ty::Lsn,
        0x54 => Ty::Enum,
        0x60 => Ty::Ip,
        0x61 => Ty::IpPrefix,
        0x62 => Ty::Network,
        0x76 => Ty::Bits,
        _ => return None,
    })
}
