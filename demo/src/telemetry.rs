//! Synthetic telemetry: 9,840 readings, the same on every run.

use anyhow::Result;
use isotone::Asc;
use isotone::Desc;
use isotone::Shards;
use isotone::Type;
use isotone::key_spec;

use crate::table::Cell;
use crate::table::Index;
use crate::table::Row;
use crate::table::Table;

/// `t10` sorts between `t1` and `t2`: it is longer than the one and less than the other.
const TENANTS: [&str; 4] = ["t1", "t2", "t3", "t10"];
/// One holds a zero byte, which a key escapes, and one is not ASCII.
const DEVICES: [&str; 5] = ["fan", "pump", "pump-2", "pump\0spare", "pümp"];
/// 3 is the worst.
const SEVERITIES: std::ops::RangeInclusive<u8> = 0..=3;
/// Seconds before and after the start of the trial.
const SECONDS: std::ops::RangeInclusive<i64> = -20..=20;
const READINGS_PER_SECOND: usize = 3;
/// Readings arrive out of order: every so manieth of the ordered ones, round and round. It has no
/// divisor in common with their number, so each comes once.
const STRIDE: usize = 7919;

/// Tenant, device, the worst severity first, time, and the number by which readings arrived.
pub(crate) const READINGS: Index = Index {
    name: "readings",
    generation: 1,
    table: "readings",
    spec: key_spec![
        Type::Str => Asc,
        Type::Str => Asc,
        Type::U8 => Desc,
        Type::I64 => Asc,
        Type::U64 => Asc,
    ],
    fields: &["tenant", "device", "severity", "at", "seq"],
    cells: &[0, 1, 2, 3, 4],
    order_by: "tenant, device, severity DESC, at, seq",
    shards: None,
};

/// The same readings, the latest first: time and device descend now, severity ascends, and the tenant comes
/// late.
pub(crate) const READINGS_BY_TIME: Index = Index {
    generation: 2,
    spec: key_spec![
        Type::I64 => Desc,
        Type::U8 => Asc,
        Type::Str => Desc,
        Type::Str => Asc,
        Type::U64 => Desc,
    ],
    fields: &["at", "severity", "device", "tenant", "seq"],
    cells: &[3, 2, 1, 0, 4],
    order_by: "at DESC, severity, device DESC, tenant, seq DESC",
    ..READINGS
};

/// Time and number: keys that grow in one place, so they are spread over 16.
pub(crate) const ARRIVALS: Index = Index {
    name: "arrivals",
    generation: 1,
    table: "readings",
    spec: key_spec![Type::I64 => Asc, Type::U64 => Asc],
    fields: &["at", "seq"],
    cells: &[3, 4],
    order_by: "at, seq",
    shards: Some(Shards::new(16).unwrap()),
};

pub(crate) fn readings() -> Result<Table> {
    let mut ordered = Vec::new();
    for tenant in TENANTS {
        for device in DEVICES {
            for severity in SEVERITIES {
                for at in SECONDS {
                    ordered.extend([(tenant, device, severity, at); READINGS_PER_SECOND]);
                }
            }
        }
    }
    let arriving = ordered.iter().cycle().step_by(STRIDE).take(ordered.len());
    let rows = arriving.zip(0u32..).map(|(&(tenant, device, severity, at), seq)| {
        let cells =
            vec![Cell::text(tenant), Cell::text(device), Cell::u8(severity), Cell::i64(at), Cell::u64(seq.into())?];
        // What was measured: a number below 4096 that looks like noise.
        let measured = seq.wrapping_mul(2_654_435_761) >> 20;
        Ok(Row { cells, payload: measured.to_string().into_bytes() })
    });
    Ok(Table {
        name: "readings",
        columns: "tenant TEXT NOT NULL, device TEXT NOT NULL, severity INTEGER NOT NULL, at INTEGER NOT NULL, \
                  seq INTEGER NOT NULL",
        rows: rows.collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::table::Plain;

    #[test]
    fn three_readings_a_second_and_each_number_once() {
        let table = readings().unwrap();
        assert_eq!(table.rows.len(), 9840);
        let mut seconds = BTreeMap::new();
        for (id, row) in table.rows.iter().enumerate() {
            let [tenant, device, severity, at, seq] = row.cells[..] else { panic!("{} cells", row.cells.len()) };
            assert!(matches!(seq.plain, Plain::Int(n) if n == i64::try_from(id).unwrap()));
            let (Plain::Text(tenant), Plain::Text(device)) = (tenant.plain, device.plain) else { panic!("no text") };
            let (Plain::Int(severity), Plain::Int(at)) = (severity.plain, at.plain) else { panic!("no number") };
            *seconds.entry((tenant, device, severity, at)).or_insert(0) += 1;
        }
        assert_eq!(seconds.len(), 3280);
        assert!(seconds.values().all(|n| *n == 3));
        assert!(seconds.contains_key(&("t2", "pump", 3, -20)) && seconds.contains_key(&("t2", "pump", 3, 20)));
    }
}
