//! A whole re-keying, with faults on the way, and what came of it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Tallies;
use isotone::Verified;
use serde_json::Value as Json;
use serde_json::json;
use sha2::Digest;
use sha2::Sha256;

use crate::rekey;
use crate::rekey::Injected;
use crate::rekey::Stop;
use crate::report::contract_json;
use crate::report::hex;
use crate::store;
use crate::store::Store;
use crate::table::Index;
use crate::table::Table;

/// What a re-keying came to.
pub(crate) struct Rekeyed {
    source: Index,
    target: Index,
    /// How each run ended but the last, and how many rows were safe then.
    stopped: Vec<(String, u64)>,
    tallies: Tallies,
    verified: Verified,
    /// The digests that the rows themselves say there must be, source and target.
    expected: [[u8; 32]; 2],
    switched: bool,
}

/// Re-keys an index, is stopped on the way and goes on each time, verifies, switches.
pub(crate) fn rekey(path: &Path, source: &Index, target: &Index, table: &Table, stops: &[Stop]) -> Result<Rekeyed> {
    let mut stopped = Vec::new();
    for stop in stops {
        let error = rekey::copy(path, source, target, *stop).err().context("a run was to stop and did not")?;
        let injected = error.downcast_ref::<Injected>().map(ToString::to_string);
        let Some(injected) = injected else { return Err(error) };
        stopped.push((injected, rekey::progress(path, source, target)?));
    }
    let tallies = rekey::copy(path, source, target, Stop::Never)?;
    let verified = rekey::verify(path, source, target)?;
    let mut switched = false;
    if verified.ready {
        rekey::switch(path, source, target, &verified)?;
        let store = Store::open(path, &[*target]).context("opening the new generation")?;
        ensure!(store.require(source).is_err(), "{} can be opened as the old generation still", source.name);
        switched = true;
    }
    let expected = [digest(source, table)?, digest(target, table)?];
    Ok(Rekeyed { source: *source, target: *target, stopped, tallies, verified, expected, switched })
}

/// The digest of an index's rows, from the original rows, in the order that their keys give. Each row
/// makes it the SHA-256 of itself, and of the key and the value, each behind its length, 4 bytes.
fn digest(index: &Index, table: &Table) -> Result<[u8; 32]> {
    let mut rows = BTreeMap::new();
    for (row, id) in table.rows.iter().zip(0u32..) {
        rows.insert(index.key(row, &mut Vec::new())?.to_vec(), store::value(id, &row.payload));
    }
    let mut digest = [0; 32];
    for (key, value) in rows {
        let mut next = Sha256::new().chain_update(digest);
        for blob in [key, value] {
            next.update(u32::try_from(blob.len())?.to_be_bytes());
            next.update(blob);
        }
        digest = next.finalize().into();
    }
    Ok(digest)
}

impl Rekeyed {
    /// Whether all went as it must.
    pub(crate) fn agrees(&self) -> bool {
        let Rekeyed { tallies, verified, expected, switched, .. } = self;
        let digests = [verified.source_digest, verified.target_digest];
        tallies.is_clean() && verified.ready && verified.rows == tallies.rows && digests == *expected && *switched
    }

    pub(crate) fn to_json(&self) -> Result<Json> {
        let Rekeyed { source, target, stopped, tallies, verified, expected, switched } = self;
        let [expected_source, expected_target] = expected;
        let stopped = stopped.iter().map(|(why, rows)| json!({ "why": why, "rows_committed": rows }));
        Ok(json!({
            "index": source.name,
            "source": contract_json(source)?,
            "target": contract_json(target)?,
            "stopped": stopped.collect::<Vec<_>>(),
            "rows": tallies.rows,
            "written": tallies.written,
            "duplicates": tallies.duplicates,
            "undecodable": tallies.undecodable,
            "refused": tallies.refused,
            "conflicts": tallies.conflicts,
            "first_fault": tallies.first_fault,
            "target_rows": verified.rows,
            "source_sha256": hex(&verified.source_digest),
            "source_sha256_expected": hex(expected_source),
            "target_sha256": hex(&verified.target_digest),
            "target_sha256_expected": hex(expected_target),
            "first_difference": verified.first_difference,
            "ready": verified.ready,
            "switched": switched,
        }))
    }
}

impl fmt::Display for Rekeyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rekeyed { source, target, stopped, tallies, verified, expected, switched } = self;
        let [expected_source, expected_target] = expected;
        writeln!(f, "{}: generation {} re-keyed to {}", source.name, source.generation, target.generation)?;
        writeln!(f, "  {}\n  {}", source.order_by, target.order_by)?;
        for (why, rows) in stopped {
            writeln!(f, "  {why}: all dropped, {rows} rows in the target when it was opened again")?;
        }
        let Tallies { rows, written, duplicates, undecodable, refused, conflicts, .. } = tallies;
        writeln!(
            f,
            "  {rows} rows read, {written} written, {duplicates} duplicates, {undecodable} undecodable, {refused} \
             refused, {conflicts} conflicts"
        )?;
        let of = |name, digest: &[u8; 32], expected: &[u8; 32]| {
            let verdict = if digest == expected { "as the original rows say" } else { "NO: the rows say otherwise" };
            format!("  {name} {}, {verdict}", hex(digest))
        };
        writeln!(f, "{}", of("source", &verified.source_digest, expected_source))?;
        writeln!(f, "{}", of("target", &verified.target_digest, expected_target))?;
        writeln!(
            f,
            "  {} target rows verified, first difference {}, ready: {}, switched: {switched}",
            verified.rows, verified.first_difference, verified.ready
        )
    }
}

#[cfg(test)]
mod tests {
    use isotone::Asc;
    use isotone::Desc;
    use isotone::Type;
    use isotone::key_spec;

    use super::*;
    use crate::noaa;

    #[test]
    fn what_the_rows_do_not_say_does_not_agree() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("store");
        let tables = [noaa::daily().unwrap()];
        store::write(&path, &[noaa::RAIN], &tables).unwrap();
        let target = Index {
            generation: 2,
            spec: key_spec![Type::Decimal => Asc, Type::Str => Desc, Type::Date => Asc, Type::Str => Asc],
            fields: &["precipitation", "weather", "date", "location"],
            cells: &[3, 2, 1, 0],
            order_by: "",
            ..noaa::RAIN
        };
        let rekeyed = rekey(&path, &noaa::RAIN, &target, &tables[0], &[Stop::Killed(2000)]).unwrap();
        assert!(rekeyed.agrees(), "{rekeyed}");
        assert_eq!(rekeyed.stopped, [("killed at row 2000 of this run".to_owned(), 1000)]);

        let mut changed = noaa::daily().unwrap();
        changed.rows[7].payload[0] ^= 1;
        let expected = [digest(&noaa::RAIN, &changed).unwrap(), digest(&target, &changed).unwrap()];
        assert!(!Rekeyed { expected, ..rekeyed }.agrees());
    }
}
