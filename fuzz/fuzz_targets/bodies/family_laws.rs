//! Values of every kind under the eight laws, which are the ones that the test suites hold to.

use std::cmp::Ordering;

use arbitrary::Result;
use arbitrary::Unstructured;
use isotone::FieldOrder;
use isotone::Kind;
use isotone::Value;
use isotone::size;

use super::generate;
use super::laws::Laws;
use super::model::compare;
use super::store::Store;

/// Longest field that is changed byte by byte: the work grows with the square of its length.
const HOSTILE: usize = 40;

pub(crate) fn run(data: &[u8]) {
    let store = Store::new();
    let mut u = Unstructured::new(data);
    // Out of bytes is no error: whatever was built by then was checked.
    let _ = check(&mut u, &store);
}

fn check<'v>(u: &mut Unstructured<'_>, store: &'v Store<'v>) -> Result<()> {
    let depth = u.int_in_range(0..=3)?;
    let ty = generate::ty(u, store, depth)?;
    let mut room = vec![0; Kind::described_len(&ty).expect("far from too deep")];
    let kind = Kind::describe(&ty, &mut room).expect("a type that keeps the rules");
    let description = store.bytes([&[kind.code()], kind.params()].concat());
    let kind = Kind::from_description(description).expect("it was described");
    let laws = Laws::new(kind);

    let mut values: Vec<Value<'v>> = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        values.push(generate::value(u, kind, store)?);
    }
    for (n, value) in values.iter().enumerate() {
        laws.value(value);
        laws.pair(value, &Value::Null, Ordering::Less);
        for other in &values[n..] {
            laws.pair(value, other, compare(kind, value, other));
        }
    }
    let order = FieldOrder::from_code(u.int_in_range(0..=5)?).expect("a code");
    if let Some(value) = values.first().filter(|v| size::value(kind, v).is_ok_and(|size| size <= HOSTILE)) {
        laws.hostile(order, value);
    }
    values.sort_by(|a, b| compare(kind, a, b));
    values.dedup_by(|a, b| compare(kind, a, b).is_eq());
    laws.ladder(&values);
    Ok(())
}
