//! Questions that only a predicate says: lists, OR, NOT, rows compared over fields that run both ways,
//! nulls, and constants that no value of the field equals.

use isotone::Op;
use isotone::Predicate as P;
use isotone::Value;
use isotone::Value::F64;
use isotone::Value::I64;
use isotone::Value::Null;
use isotone::Value::Str;
use isotone::Value::U8;

use crate::queries::ALL;
use crate::queries::Question;
use crate::queries::weather::MARCH_1;
use crate::queries::weather::MARCH_8;
use crate::queries::weather::tenths;

const JFK: Value<'static> = Value::str("JFK");
const EWR: Value<'static> = Value::str("EWR");

pub(super) const QUESTIONS: [Question; 14] = [
    Question {
        name: "IN lists",
        index: "readings",
        wanted: P::And(&[
            P::is_in(0, &[Value::str("t1"), Value::str("t10")]),
            P::is_in(1, &[Value::str("pump\0spare"), Value::str("fan"), Value::str("none")]),
            P::eq(2, U8(3)),
            P::between(3, I64(-1), I64(1)),
        ]),
        keep: |key| {
            let [Str(tenant), Str(device), U8(3), I64(-1..=1), _] = key else { return false };
            (*tenant == "t1" || *tenant == "t10") && (*device == "fan" || *device == "pump\0spare")
        },
        sql: "tenant IN ('t1', 't10') AND device IN ('pump' || char(0) || 'spare', 'fan', 'none') \
              AND severity = 3 AND at BETWEEN -1 AND 1",
    },
    Question {
        name: "OR of two devices, each with its own severities",
        index: "readings",
        wanted: P::Or(&[
            P::And(&[P::eq(0, Value::str("t3")), P::eq(1, Value::str("pump")), P::ge(2, U8(2))]),
            P::And(&[P::eq(0, Value::str("t2")), P::eq(1, Value::str("fan")), P::ne(2, U8(1))]),
        ]),
        keep: |key| {
            let [Str(tenant), Str(device), U8(severity), ..] = key else { return false };
            *tenant == "t3" && *device == "pump" && *severity >= 2
                || *tenant == "t2" && *device == "fan" && *severity != 1
        },
        sql: "tenant = 't3' AND device = 'pump' AND severity >= 2 OR tenant = 't2' AND device = 'fan' AND severity <> 1",
    },
    Question {
        name: "NOT of an OR",
        index: "readings",
        wanted: P::Not(&P::Or(&[
            P::lt(0, Value::str("t3")),
            P::is_in(1, &[Value::str("fan"), Value::str("pump")]),
            P::Not(&P::eq(3, I64(7))),
        ])),
        keep: |key| {
            let [Str(tenant), Str(device), _, I64(7), _] = key else { return false };
            *tenant == "t3" && *device != "fan" && *device != "pump"
        },
        sql: "NOT (tenant < 't3' OR device IN ('fan', 'pump') OR NOT at = 7)",
    },
    Question {
        name: "row comparison over a field that descends and one that ascends",
        index: "readings",
        wanted: P::And(&[
            P::eq(0, Value::str("t1")),
            P::eq(1, Value::str("pump")),
            P::row(&[2, 3], Op::Gt, &[U8(1), I64(18)]),
        ]),
        keep: |key| {
            matches!(key, [Str(tenant), Str(device), U8(severity), I64(at), _]
                if *tenant == "t1" && *device == "pump" && (*severity, *at) > (1, 18))
        },
        sql: "tenant = 't1' AND device = 'pump' AND (severity, at) > (1, 18)",
    },
    Question {
        name: "constants that no severity is: -1, 1.5 and 2^40",
        index: "readings",
        wanted: P::And(&[
            P::eq(0, Value::str("t3")),
            P::eq(1, Value::str("pümp")),
            P::gt(2, I64(-1)),
            P::gt(2, F64(1.5)),
            P::lt(2, I64(1 << 40)),
            P::eq(3, I64(-20)),
        ]),
        keep: |key| matches!(key, [Str(tenant), Str(device), U8(2..), I64(-20), _] if *tenant == "t3" && *device == "pümp"),
        sql: "tenant = 't3' AND device = 'pümp' AND severity > -1 AND severity > 1.5 AND severity < 1099511627776 \
              AND at = -20",
    },
    Question {
        name: "a second of one device, whatever the tenant: a filter is left",
        index: "readings",
        wanted: P::And(&[P::eq(1, Value::str("fan")), P::eq(3, I64(0))]),
        keep: |key| matches!(key, [_, Str(device), _, I64(0), _] if *device == "fan"),
        sql: "device = 'fan' AND at = 0",
    },
    Question {
        name: "IS NULL or strong, of two stations",
        index: "gusts",
        wanted: P::And(&[
            P::is_in(0, &[EWR, JFK]),
            P::Or(&[P::is_null(1), P::ge(1, F64(40.2773))]),
            P::between(2, Value::Timestamp(MARCH_1), Value::Timestamp(MARCH_8)),
        ]),
        keep: |key| {
            let [Str(station), gust, Value::Timestamp(hour)] = key else { return false };
            (*station == "EWR" || *station == "JFK")
                && (gust.is_null() || matches!(gust, F64(gust) if *gust >= 40.2773))
                && (MARCH_1..=MARCH_8).contains(hour)
        },
        sql: "station IN ('EWR', 'JFK') AND (gust IS NULL OR gust >= 40.2773) \
              AND hour BETWEEN '2013-03-01T00:00:00Z' AND '2013-03-08T00:00:00Z'",
    },
    Question {
        name: "NOT of a condition that nulls leave unknown",
        index: "gusts",
        wanted: P::Not(&P::Or(&[P::eq(0, JFK), P::lt(1, F64(40.2773))])),
        keep: |key| matches!(key, [Str(station), F64(gust), _] if *station != "JFK" && *gust >= 40.2773),
        sql: "NOT (station = 'JFK' OR gust < 40.2773)",
    },
    Question {
        name: "NOT IN a list with a null, which nothing is",
        index: "gusts",
        wanted: P::Not(&P::is_in(1, &[F64(23.0156), Null])),
        keep: |_| false,
        sql: "gust NOT IN (23.0156, NULL)",
    },
    Question {
        name: "row comparison over mixed directions and nulls",
        index: "gusts",
        wanted: P::row(&[0, 1, 2], Op::Ge, &[JFK, F64(57.5388), Value::Timestamp(MARCH_8)]),
        keep: |key| match key {
            [Str(station), F64(gust), Value::Timestamp(hour)] if *station == "JFK" => {
                *gust > 57.5388 || *gust == 57.5388 && *hour >= MARCH_8
            }
            [Str(station), ..] => station.chars().gt("JFK".chars()),
            _ => false,
        },
        sql: "(station, gust, hour) >= ('JFK', 57.5388, '2013-03-08T00:00:00Z')",
    },
    Question {
        name: "no pressure, or one of a list",
        index: "pressures",
        wanted: P::And(&[
            P::ne(0, EWR),
            P::Or(&[
                P::And(&[P::is_null(1), P::lt(2, Value::Timestamp(MARCH_1))]),
                P::is_in(1, &[Value::Decimal(tenths(9_999)), I64(1030), U8(0)]),
            ]),
        ]),
        keep: |key| match key {
            [Str(station), Null, Value::Timestamp(hour)] => *station != "EWR" && *hour < MARCH_1,
            [Str(station), Value::Decimal(pressure), _] => {
                *station != "EWR" && (*pressure == tenths(9_999) || *pressure == tenths(10_300))
            }
            _ => false,
        },
        sql: "station <> 'EWR' AND (pressure IS NULL AND hour < '2013-03-01T00:00:00Z' \
              OR pressure IN (999.9, 1030, 0))",
    },
    Question {
        name: "all names as a server sorts them: utf8mb4_uca1400_swedish_as_cs",
        index: "swedish",
        wanted: P::True,
        keep: ALL,
        sql: "TRUE",
    },
    Question {
        name: "all names as a server sorts them, backward: utf8mb4_uca1400_ai_ci",
        index: "loose",
        wanted: P::True,
        keep: ALL,
        sql: "TRUE",
    },
    Question {
        name: "sharded: two intervals",
        index: "arrivals",
        wanted: P::Or(&[P::between(0, I64(-20), I64(-19)), P::gt(0, I64(18))]),
        keep: |key| matches!(key, [I64(-20..=-19 | 19..), _]),
        sql: "at BETWEEN -20 AND -19 OR at > 18",
    },
];
