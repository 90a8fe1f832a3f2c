//! Keeps generated values alive while others borrow them.

use std::cell::OnceCell;

use isotone::Dimension;
use isotone::Field;
use isotone::SqlRange;
use isotone::Type;
use isotone::Value;

/// A list that only grows, so that what it holds can be borrowed while more is added.
struct Chain<T>(OnceCell<Box<(T, Chain<T>)>>);

impl<T> Chain<T> {
    const fn new() -> Self {
        Chain(OnceCell::new())
    }

    fn keep(&self, value: T) -> &T {
        let mut at = self;
        while let Some(held) = at.0.get() {
            at = &held.1;
        }
        &at.0.get_or_init(|| Box::new((value, Chain::new()))).0
    }
}

/// Owns whatever values, types and fields borrow.
pub(crate) struct Store<'v> {
    values: Chain<Vec<Value<'v>>>,
    ranges: Chain<Vec<SqlRange<'v>>>,
    types: Chain<Type<'v>>,
    fields: Chain<Vec<Field<'v>>>,
    dimensions: Chain<Vec<Dimension>>,
    bytes: Chain<Vec<u8>>,
    texts: Chain<String>,
}

impl<'v> Store<'v> {
    pub(crate) const fn new() -> Self {
        Store {
            values: Chain::new(),
            ranges: Chain::new(),
            types: Chain::new(),
            fields: Chain::new(),
            dimensions: Chain::new(),
            bytes: Chain::new(),
            texts: Chain::new(),
        }
    }

    pub(crate) fn values(&'v self, values: Vec<Value<'v>>) -> &'v [Value<'v>] {
        self.values.keep(values)
    }

    pub(crate) fn ranges(&'v self, ranges: Vec<SqlRange<'v>>) -> &'v [SqlRange<'v>] {
        self.ranges.keep(ranges)
    }

    pub(crate) fn range(&'v self, range: SqlRange<'v>) -> &'v SqlRange<'v> {
        &self.ranges(vec![range])[0]
    }

    pub(crate) fn ty(&'v self, ty: Type<'v>) -> &'v Type<'v> {
        self.types.keep(ty)
    }

    pub(crate) fn fields(&'v self, fields: Vec<Field<'v>>) -> &'v [Field<'v>] {
        self.fields.keep(fields)
    }

    pub(crate) fn dimensions(&'v self, dimensions: Vec<Dimension>) -> &'v [Dimension] {
        self.dimensions.keep(dimensions)
    }

    pub(crate) fn bytes(&'v self, bytes: Vec<u8>) -> &'v [u8] {
        self.bytes.keep(bytes)
    }

    pub(crate) fn text(&'v self, text: String) -> &'v str {
        self.texts.keep(text)
    }
}
