//! Re-keyings that can't be whole: of damaged sources, into targets that are taken, through a store
//! that fails. None becomes the current generation; what failed only for a while goes on.

use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Asc;
use isotone::Desc;
use isotone::DescNullsLast;
use isotone::KeySpec;
use isotone::Type;
use isotone::key_spec;

use crate::noaa;
use crate::refusals::Refusals;
use crate::rekey;
use crate::rekey::Contracts;
use crate::rekey::Stop;
use crate::store;
use crate::store::Store;
use crate::table::Index;
use crate::table::Table;
use crate::telemetry;

const DAYS_BY_DATE: Index = Index {
    generation: 2,
    spec: key_spec![Type::Date => Asc, Type::Str => Desc],
    fields: &["date", "location"],
    cells: &[1, 0],
    order_by: "date, location DESC",
    ..noaa::DAYS
};

/// Hours by pressure, and none without one.
const PRESSURES_NOT_NULL: Index = Index {
    generation: 2,
    spec: key_spec![Type::Decimal => Desc, Type::Str => Asc, Type::Timestamp => Asc],
    fields: &["pressure", "station", "hour"],
    cells: &[3, 0, 1],
    order_by: "pressure DESC, station, hour",
    ..noaa::PRESSURES
};

const INDEXES: [Index; 2] = [noaa::DAYS, noaa::PRESSURES];

/// Tries all of it in a store of its own at `path`.
pub(crate) fn rekeys(path: &Path, tables: &[Table], refusals: &mut Refusals) -> Result<()> {
    store::write(path, &INDEXES, tables)?;
    plans(refusals)?;
    failing(path, refusals)?;
    damaged(path, refusals)?;
    taken(path, refusals)?;
    nulls(path, refusals)
}

/// Plans between what are not two generations of one index with the same fields.
fn plans(refusals: &mut Refusals) -> Result<()> {
    const KIND: KeySpec<'static> = key_spec![Type::Date => Asc, Type::Bytes => Desc];
    const NULLABLE: KeySpec<'static> = key_spec![Type::Date => Asc, Type::Str => DescNullsLast];
    let days = noaa::DAYS;
    for (what, why, target) in [
        ("a plan from days to readings", "different indexes", telemetry::READINGS_BY_TIME),
        ("a plan to the same generation", "not later", Index { generation: 1, ..DAYS_BY_DATE }),
        ("a plan that changes a kind", "target field 1", Index { spec: KIND, ..DAYS_BY_DATE }),
        ("a plan that renames a field", "target field 1", Index { fields: &["date", "place"], ..DAYS_BY_DATE }),
    ] {
        refusals.expect(what, why, Contracts::new(&days, &target)?.plan().map(|_| ()));
    }
    Contracts::new(&days, &Index { spec: NULLABLE, ..DAYS_BY_DATE })?.plan().context("nulls may be let in")?;
    Ok(())
}

/// A store that fails now and then; a checkpoint of another plan; a target that is changed after.
fn failing(path: &Path, refusals: &mut Refusals) -> Result<()> {
    let (source, target) = (&noaa::DAYS, &DAYS_BY_DATE);
    let switch = |refusals: &mut Refusals, what, why| -> Result<()> {
        let verified = rekey::verify(path, source, target)?;
        refusals.expect(what, why, rekey::switch(path, source, target, &verified));
        Ok(())
    };
    let stopped = rekey::copy(path, source, target, Stop::Insert(1500));
    refusals.expect("re-keying through a store that fails at insert 1500", "failed at insert 1500", stopped);
    ensure!(rekey::progress(path, source, target)? == 1000, "the batch before the failure is not there");
    switch(refusals, "a re-keying of which a third is done", "1000 rows")?;
    let stopped = rekey::copy(path, source, target, Stop::Commit(1));
    refusals.expect("going on through a store that fails at commit 1", "failed at commit 1", stopped);
    ensure!(rekey::progress(path, source, target)? == 1000, "rows are there that were not committed");

    let other = Index { spec: key_spec![Type::Date => Desc, Type::Str => Desc], ..*target };
    let went_on = rekey::copy(path, source, &other, Stop::Never);
    refusals.expect("going on under another plan", "does not belong to this plan", went_on);

    let tallies = rekey::copy(path, source, target, Stop::Never).context("going on after a failure")?;
    ensure!(tallies.is_clean() && tallies.rows == 2922, "going on after a failure lost rows: {tallies:?}");
    ensure!(rekey::verify(path, source, target)?.ready, "a copy that went on after failures is not ready");

    let store = Store::open(path, &[*source])?;
    let stored = store.next_generation(target)?;
    let (key, value) = stored.keyspace().first_key_value().context("no rows")?.into_inner()?;
    stored.keyspace().insert(&*key, "changed")?;
    drop((stored, store));
    switch(refusals, "a target whose first row was changed after the copy", "first difference at row 1")?;
    let store = Store::open(path, &[*source])?;
    store.next_generation(target)?.keyspace().remove(&*key)?;
    drop(store);
    switch(refusals, "a target that lost a row after the copy", "2921 rows")?;
    let store = Store::open(path, &[*source])?;
    store.next_generation(target)?.keyspace().insert(&*key, value)?;
    drop(store);
    ensure!(rekey::verify(path, source, target)?.ready, "the target is not ready again");
    Ok(())
}

/// Re-keys `days` to a generation of its own, and says that it is not to become the current one.
fn not_switched(
    path: &Path,
    (source, target): (&Index, &Index),
    (what, why): (&str, &str),
    refusals: &mut Refusals,
) -> Result<isotone::Tallies> {
    let tallies = rekey::copy(path, source, target, Stop::Never).with_context(|| what.to_owned())?;
    let verified = rekey::verify(path, source, target)?;
    let counts = format!(
        "{} undecodable, {} refused, {} conflicts, the first at row {}",
        tallies.undecodable, tallies.refused, tallies.conflicts, tallies.first_fault
    );
    let switched = rekey::switch(path, source, target, &verified).context(counts);
    refusals.expect(what, why, switched);
    Store::open(path, &[*source]).context("the old generation is not the current one any more")?;
    Ok(tallies)
}

/// A key in the source that is none.
fn damaged(path: &Path, refusals: &mut Refusals) -> Result<()> {
    let (source, target) = (&noaa::DAYS, &Index { generation: 3, ..DAYS_BY_DATE });
    let store = Store::open(path, &[*source])?;
    store.index(source)?.keyspace().insert(b"Seattle\0\0\x80", "a date cut short")?;
    drop(store);
    let tried = ("days with a corrupt key", "1 undecodable");
    let tallies = not_switched(path, (source, target), tried, refusals)?;
    ensure!(tallies.rows == 2923 && tallies.written == 2922, "the other rows were not carried over");
    Store::open(path, &[*source])?.index(source)?.keyspace().remove(b"Seattle\0\0\x80")?;
    Ok(())
}

/// A target that has another row under a key already.
fn taken(path: &Path, refusals: &mut Refusals) -> Result<()> {
    let (source, target) = (&noaa::DAYS, &Index { generation: 4, ..DAYS_BY_DATE });
    let store = Store::open(path, &[*source])?;
    let (key, _) = store.index(source)?.keyspace().first_key_value().context("no rows")?.into_inner()?;
    let contracts = Contracts::new(source, target)?;
    let mut room = [0; 64];
    let key = contracts.plan()?.rekey(&key, &mut room)?.to_vec();
    store.next_generation(target)?.keyspace().insert(key, "another row")?;
    drop(store);
    let tallies =
        not_switched(path, (source, target), ("days into a target with a duplicate", "1 conflicts"), refusals)?;
    ensure!(tallies.first_fault == 1 && tallies.written == 2921, "the other rows were not carried over");
    Ok(())
}

/// Nulls, where the target takes none.
fn nulls(path: &Path, refusals: &mut Refusals) -> Result<()> {
    let tried = ("pressures into a field that takes no nulls", "2729 refused");
    not_switched(path, (&noaa::PRESSURES, &PRESSURES_NOT_NULL), tried, refusals)?;
    Ok(())
}
