//! What must hold for every value in every order, whichever set it comes from.

use std::cmp::Ordering;

use isotone::Builder;
use isotone::Decoder;
use isotone::Error;
use isotone::Field;
use isotone::FieldOrder;
use isotone::KeySpec;
use isotone::Kind;
use isotone::Type;
use isotone::Value;
use isotone::size;

use crate::vectors_support::names::ORDERS;
use crate::vectors_support::report::Sheet;
use crate::vectors_support::text::hex;
use crate::vectors_support::text::same;
use crate::vectors_support::text::same_bytes;
use crate::vectors_support::typed;

/// What lies in a buffer before anything is written.
const JUNK: u8 = 0xa5;

/// A kind, and the specs of one field of it in all six orders.
pub(crate) struct Column {
    pub(crate) kind: Kind<'static>,
    specs: Vec<(FieldOrder, KeySpec<'static>)>,
}

impl Column {
    /// A column of this type.
    pub(crate) fn new(ty: Type<'static>) -> Result<Column, String> {
        let wrong = |error: Error| format!("{ty:?}: {error:?}");
        let len = Kind::described_len(&ty).map_err(wrong)?;
        let kind = Kind::describe(&ty, vec![0; len].leak()).map_err(wrong)?;
        let spec = |order| Ok((order, spec(&[(ty, order)])?));
        Ok(Column { kind, specs: ORDERS.into_iter().map(spec).collect::<Result<_, String>>()? })
    }

    /// The specs in all six orders.
    pub(crate) fn specs(&self) -> impl Iterator<Item = (FieldOrder, &KeySpec<'static>)> {
        self.specs.iter().map(|(order, spec)| (*order, spec))
    }

    /// The spec in one order.
    pub(crate) fn spec(&self, order: FieldOrder) -> Result<&KeySpec<'static>, String> {
        self.specs().find(|(o, _)| *o == order).map(|(_, spec)| spec).ok_or_else(|| format!("no spec in {order:?}"))
    }
}

/// The spec of some fields, described when running, checked, and kept.
pub(crate) fn spec(fields: &[(Type<'static>, FieldOrder)]) -> Result<KeySpec<'static>, String> {
    let fields: Vec<Field<'static>> = fields.iter().map(|(ty, order)| Field::from_code(*ty, order.code())).collect();
    let len = KeySpec::layout_len(&fields).map_err(|error| format!("{fields:?}: {error:?}"))?;
    KeySpec::describe(&fields, vec![0; len].leak()).map_err(|error| format!("{fields:?}: {error:?}"))
}

/// What a builder writes into exactly so much room.
pub(crate) fn built(size: usize, write: impl FnOnce(&mut Builder<'_>)) -> Result<Vec<u8>, Error> {
    let mut room = vec![JUNK; size];
    let mut key = Builder::new(&mut room);
    write(&mut key);
    key.finish().map(<[u8]>::to_vec)
}

/// A key under a spec, of exactly the size that the spec says.
pub(crate) fn encoded(spec: &KeySpec<'_>, values: &[Value<'_>]) -> Result<Vec<u8>, String> {
    let size = spec.size(values).map_err(|error| format!("size: {error:?}"))?;
    let mut room = vec![JUNK; size + 3];
    let key = spec.encode(values, &mut room).map_err(|error| format!("encode: {error:?}"))?.to_vec();
    same("size beside what was written", &size, &key.len())?;
    same_bytes("room behind the key", &room[size..], &[JUNK; 3])?;
    Ok(key)
}

/// The key of one field: written in every way there is, read in every way there is.
pub(crate) fn key_of(column: &Column, order: FieldOrder, value: &Value<'static>) -> Result<Vec<u8>, String> {
    checked(column, order, value).map_err(|fault| format!("{order:?}: {fault}"))
}

fn checked(column: &Column, order: FieldOrder, value: &Value<'static>) -> Result<Vec<u8>, String> {
    let (kind, spec) = (column.kind, column.spec(order)?);
    let key = encoded(spec, &[*value])?;

    let payload = size::value(kind, value).map_err(|error| format!("size::value: {error:?}"))?;
    same("payload's size and the tag's", &(payload + usize::from(order.is_nullable())), &key.len())?;
    let write = |what: &str, write: &dyn Fn(&mut Builder<'_>)| {
        let bytes = built(key.len(), write).map_err(|error| format!("{what}: {error:?}"))?;
        same_bytes(what, &bytes, &key)
    };
    write("Builder::value beside KeySpec::encode", &|b| {
        b.value(kind, value, order);
    })?;
    write("Builder's own methods beside KeySpec::encode", &|b| typed::write(b, kind, value, order))?;
    let mut room = vec![JUNK; key.len()];
    let mut writer = spec.writer(&mut room);
    writer.value(value);
    same_bytes("SpecWriter", writer.finish().map_err(|error| format!("SpecWriter: {error:?}"))?, &key)?;

    let mut read = [Value::Null];
    spec.decode(&key, &mut read).map_err(|error| format!("decode: {error:?}"))?;
    let [read] = read;
    same("value read back", &read, value)?;
    same_bytes("what was read, encoded again", &encoded(spec, &[read])?, &key)?;
    write("what was read, built again", &|b| typed::write(b, kind, &read, order))?;
    same("check", &spec.check(&key), &Ok(()))?;
    same("compare", &spec.compare(&key, &[*value]), &Ok(Ordering::Equal))?;
    for tail in [&[][..], &[0x00], &[0xff, 0xff, 0xff]] {
        let bytes = [&key, tail].concat();
        same("field", &spec.field(&bytes, 0), &Ok(*value))?;
        same("skip under the spec", &spec.skip(&bytes, 1), &Ok(key.len()))?;
        let mut d = Decoder::new(&bytes);
        same("Decoder::value", &d.value(kind, order), &Ok(Some(*value)))?;
        same("where Decoder::value ends", &d.offset(), &key.len())?;
        let mut d = Decoder::new(&bytes);
        same("Decoder's own method", &typed::read(&mut d, kind, order), &Ok(*value))?;
        same("where Decoder's own method ends", &d.offset(), &key.len())?;
        let mut d = Decoder::new(&bytes);
        same("skip", &d.skip(kind, order), &Ok(()))?;
        same("where skip ends", &d.offset(), &key.len())?;
    }
    Ok(key)
}

/// A value with its place in the order that it came with.
pub(crate) struct Ranked {
    pub(crate) line: usize,
    pub(crate) rank: usize,
    pub(crate) value: Value<'static>,
}

/// Same rank ⇔ same key, smaller rank ⇔ smaller key, under a spec of one field; nulls where the
/// order has them. `keys` goes with `rows`.
pub(crate) fn sorted(sheet: &mut Sheet, column: &Column, order: FieldOrder, rows: &[(&Ranked, &[u8])]) {
    let spec = match column.spec(order) {
        Ok(spec) => spec,
        Err(fault) => return sheet.fault(0, &fault),
    };
    let mut rows = rows.to_vec();
    rows.sort_by_key(|(row, _)| row.rank);
    for pair in rows.windows(2) {
        let [(a, a_key), (b, b_key)] = pair else { continue };
        // All pairs follow from the neighbours.
        let due = if order.is_descending() { b.rank.cmp(&a.rank) } else { a.rank.cmp(&b.rank) };
        if let Err(fault) = ordered(spec, due, (a_key, &[a.value]), (b_key, &[b.value])) {
            let ranks = format!("rank {} at line {} beside rank {}", a.rank, a.line, b.rank);
            sheet.fault(b.line, &format!("{order:?}: {ranks}: {fault}"));
        }
    }
    if let Err(fault) = nulls(spec, order, &rows) {
        sheet.fault(0, &format!("{order:?}: nulls: {fault}"));
    }
}

/// Says that two keys compare as is due, as bytes and through the spec.
pub(crate) fn ordered(
    spec: &KeySpec<'_>,
    due: Ordering,
    (a_key, a): (&[u8], &[Value<'_>]),
    (b_key, b): (&[u8], &[Value<'_>]),
) -> Result<(), String> {
    let told = |fault: String| format!("{fault}, of {} and {}", hex(a_key), hex(b_key));
    same("keys compare", &a_key.cmp(b_key), &due).map_err(told)?;
    same("key beside value", &spec.compare(a_key, b), &Ok(due)).map_err(told)?;
    same("key beside value, the other way round", &spec.compare(b_key, a), &Ok(due.reverse())).map_err(told)
}

/// Nulls come first or last as the order says, and are refused where there is no place for them.
fn nulls(spec: &KeySpec<'_>, order: FieldOrder, rows: &[(&Ranked, &[u8])]) -> Result<(), String> {
    let null = [Value::Null];
    let Some(first) = order.nulls_first() else {
        let refused = spec.encode(&null, &mut [0; 1]).map(<[u8]>::to_vec);
        return same("null in a NOT NULL field", &refused, &Err(Error::InvalidValue { at: 0 }));
    };
    let key = encoded(spec, &null)?;
    same_bytes("key of null", &key, &[u8::from(!first)])?;
    let due = if first { Ordering::Less } else { Ordering::Greater };
    for (row, row_key) in rows {
        ordered(spec, due, (&key, &null), (row_key, &[row.value])).map_err(|f| format!("line {}: {f}", row.line))?;
    }
    Ok(())
}
