//! Predicates whose fields lie elsewhere: the questions to an index's first generation, asked of a
//! later one.

use std::cell::Cell;
use std::cell::OnceCell;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use isotone::Predicate;

/// No question has more parts.
const MOST_PARTS: usize = 64;

/// Keeps the parts of moved predicates, which borrow each other.
pub(crate) struct Arena<'p> {
    parts: [OnceCell<Vec<Predicate<'p>>>; MOST_PARTS],
    fields: [OnceCell<Vec<usize>>; MOST_PARTS],
    used: Cell<usize>,
}

impl<'p> Arena<'p> {
    pub(crate) fn new() -> Self {
        Arena {
            parts: [const { OnceCell::new() }; MOST_PARTS],
            fields: [const { OnceCell::new() }; MOST_PARTS],
            used: Cell::new(0),
        }
    }

    /// The same predicate where field `n` lies at `places[n]`.
    pub(crate) fn moved(&'p self, predicate: &Predicate<'p>, places: &[usize]) -> Result<Predicate<'p>> {
        let place = |field: usize| places.get(field).copied().context("a predicate names a field that is not there");
        Ok(match *predicate {
            Predicate::True | Predicate::False | Predicate::Unknown => *predicate,
            Predicate::Compare { field, op, value } => Predicate::Compare { field: place(field)?, op, value },
            Predicate::In { field, values } => Predicate::In { field: place(field)?, values },
            Predicate::Between { field, lower, upper } => Predicate::between(place(field)?, lower, upper),
            Predicate::IsNull { field } => Predicate::is_null(place(field)?),
            Predicate::IsNotNull { field } => Predicate::is_not_null(place(field)?),
            Predicate::StartsWith { field, front } => Predicate::starts_with(place(field)?, front),
            Predicate::Row { fields, op, values } => {
                let fields = fields.iter().map(|field| place(*field)).collect::<Result<_>>()?;
                Predicate::row(keep(&self.fields, self.next(), fields)?, op, values)
            }
            Predicate::And(parts) => Predicate::And(self.all(parts, places)?),
            Predicate::Or(parts) => Predicate::Or(self.all(parts, places)?),
            Predicate::Not(part) => {
                let part = self.all(std::slice::from_ref(part), places)?;
                Predicate::Not(part.first().context("a part is lost")?)
            }
            _ => bail!("a predicate that the demo does not know"),
        })
    }

    fn all(&'p self, parts: &[Predicate<'p>], places: &[usize]) -> Result<&'p [Predicate<'p>]> {
        let parts = parts.iter().map(|part| self.moved(part, places)).collect::<Result<_>>()?;
        keep(&self.parts, self.next(), parts)
    }

    fn next(&self) -> usize {
        self.used.replace(self.used.get().saturating_add(1))
    }
}

fn keep<T>(cells: &[OnceCell<Vec<T>>], next: usize, items: Vec<T>) -> Result<&[T]> {
    Ok(cells.get(next).context("a predicate has too many parts")?.get_or_init(|| items))
}

#[cfg(test)]
mod tests {
    use isotone::Asc;
    use isotone::Op;
    use isotone::Type;
    use isotone::Value::U8;
    use isotone::key_spec;

    use super::*;

    #[test]
    fn every_part_moves() {
        let spec = key_spec![Type::U8 => Asc, Type::U8 => Asc, Type::U8 => Asc];
        let predicate = Predicate::And(&[
            Predicate::Not(&Predicate::is_in(0, &[U8(1), U8(2)])),
            Predicate::Or(&[Predicate::row(&[1, 0], Op::Gt, &[U8(1), U8(2)]), Predicate::between(2, U8(0), U8(1))]),
        ]);
        let places = [2, 0, 1];
        let arena = Arena::new();
        let moved = arena.moved(&predicate, &places).unwrap();
        let mut selected = Vec::new();
        for n in 0..64u8 {
            let row = [U8(n % 4), U8(n / 4 % 4), U8(n / 16)];
            let elsewhere = [row[1], row[2], row[0]];
            let outcome = spec.eval(&predicate, &row).unwrap();
            assert_eq!(spec.eval(&moved, &elsewhere).unwrap(), outcome, "{n}");
            selected.extend((outcome == Some(true)).then_some(n));
        }
        assert!((10..54).contains(&selected.len()), "{selected:?}");
    }
}
