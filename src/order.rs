//! Direction and null placement of a field: `FORMAT.md` §1.
//!
//! Orders are two types, so that a null in a NOT NULL field does not compile: [`Order`], whose four
//! values put a one-byte presence tag before the payload, and [`NotNull`], which puts none.
//! [`FieldOrder`] is any of the six, and a stored code (`u8`) can stand wherever an order can.

use crate::error::Error;

/// Order of a nullable field. The tag says whether a value is there; direction never touches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Order {
    /// Ascending; tag `00` for null, `01` for a value. Code 0.
    AscNullsFirst = 0,
    /// Ascending; tag `00` for a value, `01` for null. Code 1. PostgreSQL's default for `ASC`.
    AscNullsLast = 1,
    /// Descending; tag `00` for null, `01` for a value. Code 2. PostgreSQL's default for `DESC`.
    DescNullsFirst = 2,
    /// Descending; tag `00` for a value, `01` for null. Code 3.
    DescNullsLast = 3,
}

/// Order of a NOT NULL field: no tag, no null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum NotNull {
    /// Ascending. Code 4.
    Asc = 4,
    /// Descending: every payload byte is complemented. Code 5.
    Desc = 5,
}

/// Any of the six orders, as a schema holds them.
///
/// ```
/// use isotone::{AscNullsLast, Desc, FieldOrder};
/// assert_eq!(FieldOrder::from_code(5), Some(Desc.into()));
/// assert_eq!(FieldOrder::from(AscNullsLast).code(), 1);
/// assert_eq!(FieldOrder::from_code(6), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldOrder(u8);

/// What is asked of an order for every field is a bit of it. The lowest says descending, the next is a
/// present value's tag, and the third says NOT NULL, which has no tag.
impl FieldOrder {
    /// How many there are, from zero on.
    pub(crate) const COUNT: u8 = 6;

    /// From what [`index`](Self::index) gave.
    #[inline(always)]
    pub(crate) const fn from_index(index: u8) -> Option<FieldOrder> {
        if index < FieldOrder::COUNT { Some(FieldOrder(index)) } else { None }
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// By a code of `FORMAT.md` §1 that is known to be one.
    #[inline(always)]
    const fn of_code(code: u8) -> FieldOrder {
        // One hexadecimal digit for each code.
        let [index, ..] = (0x54_1302u32.wrapping_shr((code as u32).wrapping_mul(4)) & 7).to_le_bytes();
        FieldOrder(index)
    }
}

/// Whether a payload is complemented. Applied at each store, so two descending levels cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Flip {
    No = 0x00,
    Yes = 0xff,
}

impl Flip {
    /// The byte to XOR with.
    #[inline(always)]
    pub(crate) const fn mask(self) -> u8 {
        self as u8
    }

    /// This flip inside an outer one.
    #[inline(always)]
    pub(crate) const fn then(self, outer: Flip) -> Flip {
        match (self, outer) {
            (Flip::No, Flip::No) | (Flip::Yes, Flip::Yes) => Flip::No,
            _ => Flip::Yes,
        }
    }
}

impl FieldOrder {
    /// The order with this code of `FORMAT.md` §1; `None` above 5.
    #[inline]
    pub const fn from_code(code: u8) -> Option<FieldOrder> {
        if code <= 5 { Some(FieldOrder::of_code(code)) } else { None }
    }

    /// Wraps a nullable order, in a `const` too.
    #[inline]
    pub const fn nullable(order: Order) -> FieldOrder {
        FieldOrder::of_code(order as u8)
    }

    /// Wraps a NOT NULL order, in a `const` too.
    #[inline]
    pub const fn not_null(order: NotNull) -> FieldOrder {
        FieldOrder::of_code(order as u8)
    }

    /// The stored code, 0 to 5.
    #[inline]
    pub const fn code(self) -> u8 {
        // The other way round.
        let [code, ..] = (0x54_2031u32.wrapping_shr((self.0 as u32).wrapping_mul(4)) & 7).to_le_bytes();
        code
    }

    /// Whether the payload is complemented.
    #[inline]
    pub const fn is_descending(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether the field has a presence tag and so can hold a null.
    #[inline]
    pub const fn is_nullable(self) -> bool {
        self.0 < 4
    }

    /// Whether nulls come before all values; `None` where there is no null.
    #[inline]
    pub const fn nulls_first(self) -> Option<bool> {
        if self.0 < 4 { Some(self.tag_or_any() == 1) } else { None }
    }

    /// Tag of a present value: `01` with nulls first, `00` with nulls last.
    #[inline(always)]
    pub(crate) const fn present_tag(self) -> Option<u8> {
        if self.0 < 4 { Some(self.tag_or_any()) } else { None }
    }

    /// How many bytes the tag takes, one or none, without a branch.
    #[inline(always)]
    pub(crate) const fn tag_len(self) -> usize {
        (self.0 < 4) as usize
    }

    /// The present tag where there is one, and any byte where there is none.
    #[inline(always)]
    pub(crate) const fn tag_or_any(self) -> u8 {
        self.0 >> 1 & 1
    }

    /// Tag of a null.
    #[inline(always)]
    pub(crate) const fn null_tag(self) -> Option<u8> {
        if self.0 < 4 { Some(self.tag_or_any() ^ 1) } else { None }
    }

    #[inline(always)]
    pub(crate) const fn flip(self) -> Flip {
        if self.is_descending() { Flip::Yes } else { Flip::No }
    }
}

impl core::fmt::Debug for FieldOrder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self.code() {
            0 => "AscNullsFirst",
            1 => "AscNullsLast",
            2 => "DescNullsFirst",
            3 => "DescNullsLast",
            4 => "Asc",
            _ => "Desc",
        })
    }
}

impl From<Order> for FieldOrder {
    #[inline(always)]
    fn from(order: Order) -> Self {
        FieldOrder::of_code(order as u8)
    }
}

impl From<NotNull> for FieldOrder {
    #[inline(always)]
    fn from(order: NotNull) -> Self {
        FieldOrder::of_code(order as u8)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Order {}
    impl Sealed for super::NotNull {}
    impl Sealed for super::FieldOrder {}
    impl Sealed for u8 {}
}

/// Whatever can say a field's order: [`Order`], [`NotNull`], [`FieldOrder`], or a stored code.
///
/// A code above 5 makes the call fail with [`Error::InvalidOrder`].
pub trait AnyOrder: Copy + sealed::Sealed {
    /// What reading a `T` under this order gives: `T` under [`NotNull`], else `Option<T>`.
    type Read<T>;
    #[doc(hidden)]
    fn check(self, at: usize) -> Result<FieldOrder, Error>;
    #[doc(hidden)]
    fn present<T>(value: T) -> Self::Read<T>;
    #[doc(hidden)]
    fn null<T>() -> Option<Self::Read<T>>;
}

/// An order that may have a place for nulls. A null under a stored code 4 or 5 is
/// [`Error::InvalidValue`].
pub trait NullOrder: AnyOrder {}

impl NullOrder for Order {}
impl NullOrder for FieldOrder {}
impl NullOrder for u8 {}

macro_rules! reads_option {
    () => {
        type Read<T> = Option<T>;
        #[inline(always)]
        fn present<T>(value: T) -> Option<T> {
            Some(value)
        }
        #[inline(always)]
        fn null<T>() -> Option<Option<T>> {
            Some(None)
        }
    };
}

impl AnyOrder for Order {
    reads_option!();
    #[inline(always)]
    fn check(self, _at: usize) -> Result<FieldOrder, Error> {
        Ok(FieldOrder::of_code(self as u8))
    }
}

impl AnyOrder for FieldOrder {
    reads_option!();
    #[inline(always)]
    fn check(self, _at: usize) -> Result<FieldOrder, Error> {
        Ok(self)
    }
}

impl AnyOrder for u8 {
    reads_option!();
    #[inline(always)]
    fn check(self, at: usize) -> Result<FieldOrder, Error> {
        FieldOrder::from_code(self).ok_or(Error::InvalidOrder { code: self, at })
    }
}

impl AnyOrder for NotNull {
    type Read<T> = T;
    #[inline(always)]
    fn check(self, _at: usize) -> Result<FieldOrder, Error> {
        Ok(FieldOrder::of_code(self as u8))
    }
    #[inline(always)]
    fn present<T>(value: T) -> T {
        value
    }
    #[inline(always)]
    fn null<T>() -> Option<T> {
        None
    }
}

/// A value to write, or an `Option` of one under an order that has a place for nulls.
///
/// Implemented for every `T` under any order, and for `Option<T>` under a [`NullOrder`]. It is what
/// lets `key.i64(42, Asc)` and `key.i64(Some(42), AscNullsLast)` both be said, and makes
/// `key.i64(None, Asc)` a compile error:
///
/// ```compile_fail
/// let mut room = [0u8; 16];
/// isotone::Builder::new(&mut room).i64(None::<i64>, isotone::Asc);
/// ```
pub trait Nullable<T, O> {
    #[doc(hidden)]
    fn into_option(self) -> Option<T>;
}

impl<T, O: AnyOrder> Nullable<T, O> for T {
    #[inline(always)]
    fn into_option(self) -> Option<T> {
        Some(self)
    }
}

impl<T, O: NullOrder> Nullable<T, O> for Option<T> {
    #[inline(always)]
    fn into_option(self) -> Option<T> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_codes() {
        for code in 0..=5u8 {
            let order = FieldOrder::from_code(code).unwrap();
            assert_eq!(order.code(), code);
            assert_eq!(order.is_nullable(), code < 4);
            assert_eq!(order.present_tag().is_some(), code < 4);
            if let (Some(present), Some(null)) = (order.present_tag(), order.null_tag()) {
                assert_eq!(present, 1 - null);
                assert_eq!(order.nulls_first(), Some(null == 0));
            }
        }
        assert!(FieldOrder::from_code(6).is_none());
        assert_eq!(200u8.check(7), Err(Error::InvalidOrder { code: 200, at: 7 }));
    }

    #[test]
    fn two_flips_cancel() {
        assert_eq!(Flip::Yes.then(Flip::Yes), Flip::No);
        assert_eq!(Flip::Yes.then(Flip::No), Flip::Yes);
        assert_eq!(Flip::No.then(Flip::Yes), Flip::Yes);
        assert_eq!(Flip::No.then(Flip::No), Flip::No);
    }
}
