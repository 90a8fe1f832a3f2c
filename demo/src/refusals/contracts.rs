//! Indexes that are opened as what they are not.

use anyhow::Result;
use isotone::Asc;
use isotone::Desc;
use isotone::KeySpec;
use isotone::Type;
use isotone::key_spec;

use crate::noaa;
use crate::refusals::Refusals;
use crate::store::Store;
use crate::table::Index;

const ORDER: KeySpec<'static> = key_spec![Type::Str => Asc, Type::Date => Asc];
const KIND: KeySpec<'static> = key_spec![Type::Bytes => Asc, Type::Date => Desc];
const MORE: KeySpec<'static> = key_spec![Type::Str => Asc, Type::Date => Desc, Type::U8 => Asc];

/// Tries `days` under other contracts, and then under its own where what is stored was damaged.
pub(crate) fn contracts(store: &Store, refusals: &mut Refusals) -> Result<()> {
    let days = noaa::DAYS;
    store.require(&days)?;
    let layout = |spec: KeySpec<'_>| spec.require_layout(days.spec.layout());
    refusals.expect("days under the layout of rain", "layout differs", layout(noaa::RAIN.spec));

    let place_first = Index { fields: &["place", "date"], ..days };
    for (what, why, other) in [
        ("days as rain", "another index", noaa::RAIN),
        ("days as a later generation", "generation 1, expected 2", Index { generation: 2, ..days }),
        ("days with a field of another id", "id of field 0", place_first),
        ("days with the earliest day first", "order of field 1", Index { spec: ORDER, ..days }),
        ("days by the bytes of the place", "kind of field 0", Index { spec: KIND, ..days }),
        (
            "days with a field more",
            "2 fields, expected 3",
            Index { spec: MORE, fields: &["location", "date", "n"], ..days },
        ),
    ] {
        // The contract that is stored for days, held against another one.
        let stored = days.contract()?;
        let expected = other.contract()?;
        let stored = isotone::IndexContract::from_bytes(&stored)?;
        refusals.expect(what, why, stored.require_same(&isotone::IndexContract::from_bytes(&expected)?));
        if other.name == days.name {
            refusals.expect(format!("{what}, in the store"), why, store.require(&other));
        }
    }
    let other = key_spec![
        Type::Collated { deterministic: false, producer: "uca14;14.0.0;server;german2_pad_as_cs" } => Asc,
        Type::U64 => Asc,
    ];
    let german = Index { spec: other, ..crate::names::IN_SWEDISH };
    refusals.expect("names in Swedish order as if in German", "collation of field 0", store.require(&german));
    let arrivals = Index { shards: None, ..crate::telemetry::ARRIVALS };
    refusals.expect("arrivals as if they were not sharded", "another number of shards", store.require(&arrivals));

    let contract = days.contract()?;
    for (what, damaged) in [
        ("days behind a contract cut short", contract.get(..20).unwrap_or(&[]).to_vec()),
        ("days behind a contract with a byte too many", [&contract[..], &[0]].concat()),
        ("days behind a contract of another version", [b"OKC\x02", contract.get(4..).unwrap_or(&[])].concat()),
    ] {
        store.set_contract(&days, &damaged)?;
        refusals.expect(what, "invalid index contract", store.require(&days));
    }
    store.set_contract(&days, &contract)?;
    store.require(&days)
}
