//! Questions to the telemetry: tenant, device, severity descending, time, sequence number.

use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Op;
use isotone::Predicate as P;
use isotone::Value;
use isotone::Value::I64;
use isotone::Value::Str;
use isotone::Value::U8;
use isotone::Value::U64;

use crate::hand;
use crate::queries::ALL;
use crate::queries::Condition;
use crate::queries::Query;

/// The worst readings of tenant t2's pump.
const ALARMS: &[Value<'static>] = &[Value::str("t2"), Value::str("pump"), U8(3)];

pub(super) const QUERIES: [Query; 10] = [
    Query {
        name: "every reading",
        index: "readings",
        prefix: &[],
        condition: Condition::Any,
        wanted: P::True,
        residual: ALL,
        keep: ALL,
        hand: hand::every_reading,
        sql: "TRUE",
    },
    Query {
        name: "equality prefix: one device",
        index: "readings",
        prefix: &[Value::str("t2"), Value::str("pump")],
        condition: Condition::Any,
        wanted: P::And(&[P::eq(0, Value::str("t2")), P::eq(1, Value::str("pump"))]),
        residual: ALL,
        keep: |key| matches!(key, [Str(tenant), Str(device), ..] if *tenant == "t2" && *device == "pump"),
        hand: hand::one_device,
        sql: "tenant = 't2' AND device = 'pump'",
    },
    Query {
        name: "time interval [-2, 4)",
        index: "readings",
        prefix: ALARMS,
        condition: Condition::Between(Included(I64(-2)), Excluded(I64(4))),
        wanted: P::And(&[
            P::eq(0, Value::str("t2")),
            P::eq(1, Value::str("pump")),
            P::eq(2, U8(3)),
            P::ge(3, I64(-2)),
            P::lt(3, I64(4)),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(3), I64(at), _]
                if *tenant == "t2" && *device == "pump" && (-2..4).contains(at))
        },
        hand: hand::six_seconds,
        sql: "tenant = 't2' AND device = 'pump' AND severity = 3 AND at >= -2 AND at < 4",
    },
    Query {
        name: "interval (4, -2], which holds nothing",
        index: "readings",
        prefix: ALARMS,
        condition: Condition::Between(Excluded(I64(4)), Included(I64(-2))),
        wanted: P::And(&[
            P::eq(0, Value::str("t2")),
            P::eq(1, Value::str("pump")),
            P::eq(2, U8(3)),
            P::gt(3, I64(4)),
            P::le(3, I64(-2)),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(3), I64(at), _]
                if *tenant == "t2" && *device == "pump" && *at > 4 && *at <= -2)
        },
        hand: hand::nothing,
        sql: "tenant = 't2' AND device = 'pump' AND severity = 3 AND at > 4 AND at <= -2",
    },
    Query {
        name: "interval of a descending field, open above",
        index: "readings",
        prefix: &[Value::str("t10"), Value::str("pump\0spare")],
        condition: Condition::Between(Excluded(U8(1)), Unbounded),
        wanted: P::And(&[P::eq(0, Value::str("t10")), P::eq(1, Value::str("pump\0spare")), P::gt(2, U8(1))]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(2..), ..]
                if *tenant == "t10" && *device == "pump\0spare")
        },
        hand: hand::severe,
        sql: "tenant = 't10' AND device = 'pump' || char(0) || 'spare' AND severity > 1",
    },
    Query {
        name: "tuple bounds that split one timestamp",
        index: "readings",
        prefix: ALARMS,
        condition: Condition::Tuples(Included(&[I64(0), U64(6939)]), Excluded(&[I64(3), U64(4050)])),
        wanted: P::And(&[
            P::eq(0, Value::str("t2")),
            P::eq(1, Value::str("pump")),
            P::eq(2, U8(3)),
            P::row(&[3, 4], Op::Ge, &[I64(0), U64(6939)]),
            P::row(&[3, 4], Op::Lt, &[I64(3), U64(4050)]),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(3), I64(at), U64(seq)]
                if *tenant == "t2" && *device == "pump" && (*at, *seq) >= (0, 6939) && (*at, *seq) < (3, 4050))
        },
        hand: hand::split_seconds,
        sql: "tenant = 't2' AND device = 'pump' AND severity = 3 AND (at, seq) >= (0, 6939) AND (at, seq) < (3, 4050)",
    },
    Query {
        name: "partial tuple bounds: whole timestamps out and in",
        index: "readings",
        prefix: ALARMS,
        condition: Condition::Tuples(Excluded(&[I64(-2)]), Included(&[I64(1)])),
        wanted: P::And(&[
            P::eq(0, Value::str("t2")),
            P::eq(1, Value::str("pump")),
            P::eq(2, U8(3)),
            P::gt(3, I64(-2)),
            P::le(3, I64(1)),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(3), I64(at), _]
                if *tenant == "t2" && *device == "pump" && (-1..=1).contains(at))
        },
        hand: hand::whole_seconds,
        sql: "tenant = 't2' AND device = 'pump' AND severity = 3 AND at > -2 AND at <= 1",
    },
    Query {
        name: "tuple bounds over text and a descending field",
        index: "readings",
        prefix: &[Value::str("t1")],
        condition: Condition::Tuples(Excluded(&[Value::str("pump"), U8(3)]), Included(&[Value::str("pump-2"), U8(2)])),
        wanted: P::And(&[
            P::eq(0, Value::str("t1")),
            P::Or(&[P::gt(1, Value::str("pump")), P::And(&[P::eq(1, Value::str("pump")), P::lt(2, U8(3))])]),
            P::Or(&[P::lt(1, Value::str("pump-2")), P::And(&[P::eq(1, Value::str("pump-2")), P::ge(2, U8(2))])]),
        ]),
        residual: ALL,
        keep: |key| {
            let [Str(tenant), Str(device), U8(severity), ..] = key else { return false };
            let after = *device == "pump" && *severity < 3 || device.chars().gt("pump".chars());
            let before = *device == "pump-2" && *severity >= 2 || device.chars().lt("pump-2".chars());
            *tenant == "t1" && after && before
        },
        hand: hand::between_devices,
        sql: "tenant = 't1' AND (device > 'pump' OR device = 'pump' AND severity < 3) \
              AND (device < 'pump-2' OR device = 'pump-2' AND severity >= 2)",
    },
    Query {
        name: "string prefix",
        index: "readings",
        prefix: &[Value::str("t3")],
        condition: Condition::StartsWith("pump"),
        wanted: P::And(&[P::eq(0, Value::str("t3")), P::starts_with(1, Value::str("pump"))]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), ..]
                if *tenant == "t3" && device.chars().take(4).eq("pump".chars()))
        },
        hand: hand::pumps,
        sql: "tenant = 't3' AND device GLOB 'pump*'",
    },
    Query {
        name: "row filter: an interval behind fields that are not bound",
        index: "readings",
        prefix: &[Value::str("t1")],
        condition: Condition::Any,
        wanted: P::And(&[P::eq(0, Value::str("t1")), P::ge(3, I64(-2)), P::lt(3, I64(4))]),
        residual: |key| matches!(key, [.., I64(at), _] if (-2..4).contains(at)),
        keep: |key| matches!(key, [Str(tenant), .., I64(at), _] if *tenant == "t1" && (-2..4).contains(at)),
        hand: hand::one_tenant,
        sql: "tenant = 't1' AND at >= -2 AND at < 4",
    },
];
