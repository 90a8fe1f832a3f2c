//! Questions to the weather: days by date and by rain, hours by gust and by pressure.

use std::ops::Bound::Excluded;
use std::ops::Bound::Included;
use std::ops::Bound::Unbounded;

use isotone::Date;
use isotone::Decimal;
use isotone::Predicate as P;
use isotone::Timestamp;
use isotone::Value;
use isotone::Value::F64;
use isotone::Value::Null;
use isotone::Value::Str;

use crate::hand;
use crate::queries::ALL;
use crate::queries::Condition;
use crate::queries::Query;

pub(super) const JULY_2013: Date = Date::from_ymd(2013, 7, 1).unwrap();
pub(super) const AUGUST_2013: Date = Date::from_ymd(2013, 8, 1).unwrap();
/// 2013-03-01 00:00:00 UTC and 2013-03-08 00:00:00 UTC.
pub(super) const MARCH_1: Timestamp = Timestamp::from_unix_secs(1_362_096_000).unwrap();
pub(super) const MARCH_8: Timestamp = Timestamp::from_unix_secs(1_362_700_800).unwrap();

pub(super) const fn tenths(n: i128) -> Decimal<'static> {
    Decimal::from_parts(n, -1)
}

pub(super) const QUERIES: [Query; 12] = [
    Query {
        name: "descending date range",
        index: "days",
        prefix: &[Value::str("Seattle")],
        condition: Condition::Between(Included(Value::Date(JULY_2013)), Excluded(Value::Date(AUGUST_2013))),
        wanted: P::And(&[
            P::eq(0, Value::str("Seattle")),
            P::ge(1, Value::Date(JULY_2013)),
            P::lt(1, Value::Date(AUGUST_2013)),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(location), Value::Date(date)]
                if *location == "Seattle" && (JULY_2013..AUGUST_2013).contains(date))
        },
        hand: hand::one_month,
        sql: "location = 'Seattle' AND date >= '2013-07-01' AND date < '2013-08-01'",
    },
    Query {
        name: "string prefix, first field",
        index: "days",
        prefix: &[],
        condition: Condition::StartsWith("New"),
        wanted: P::starts_with(0, Value::str("New")),
        residual: ALL,
        keep: |key| matches!(key, [Str(location), _] if location.chars().take(3).eq("New".chars())),
        hand: hand::new_places,
        sql: "location GLOB 'New*'",
    },
    Query {
        name: "string prefix, later field",
        index: "rain",
        prefix: &[Value::str("New York")],
        condition: Condition::StartsWith("s"),
        wanted: P::And(&[P::eq(0, Value::str("New York")), P::starts_with(1, Value::str("s"))]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(location), Str(weather), ..]
                if *location == "New York" && weather.chars().next() == Some('s'))
        },
        hand: hand::sun_and_snow,
        sql: "location = 'New York' AND weather GLOB 's*'",
    },
    Query {
        name: "decimal interval (20.3, 32], descending",
        index: "rain",
        prefix: &[Value::str("Seattle"), Value::str("rain")],
        condition: Condition::Between(Excluded(Value::Decimal(tenths(203))), Included(Value::Decimal(tenths(320)))),
        wanted: P::And(&[
            P::eq(0, Value::str("Seattle")),
            P::eq(1, Value::str("rain")),
            P::gt(2, Value::Decimal(tenths(203))),
            P::le(2, Value::Decimal(tenths(320))),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(location), Str(weather), Value::Decimal(rain), _]
                if *location == "Seattle" && *weather == "rain" && *rain > tenths(203) && *rain <= tenths(320))
        },
        hand: hand::wet_days,
        sql: "location = 'Seattle' AND weather = 'rain' AND precipitation > 20.3 AND precipitation <= 32",
    },
    Query {
        name: "a nullable measurement, descending, nulls last",
        index: "gusts",
        prefix: &[Value::str("LGA")],
        condition: Condition::Any,
        wanted: P::eq(0, Value::str("LGA")),
        residual: ALL,
        keep: |key| matches!(key, [Str(station), ..] if *station == "LGA"),
        hand: hand::one_station,
        sql: "station = 'LGA'",
    },
    Query {
        name: "IS NULL",
        index: "gusts",
        prefix: &[Value::str("JFK"), Null],
        condition: Condition::Any,
        wanted: P::And(&[P::eq(0, Value::str("JFK")), P::is_null(1)]),
        residual: ALL,
        keep: |key| matches!(key, [Str(station), Null, _] if *station == "JFK"),
        hand: hand::no_gust,
        sql: "station = 'JFK' AND gust IS NULL",
    },
    Query {
        name: "IS NOT NULL",
        index: "gusts",
        prefix: &[Value::str("JFK")],
        condition: Condition::Between(Unbounded, Unbounded),
        wanted: P::And(&[P::eq(0, Value::str("JFK")), P::is_not_null(1)]),
        residual: ALL,
        keep: |key| matches!(key, [Str(station), F64(_), _] if *station == "JFK"),
        hand: hand::any_gust,
        sql: "station = 'JFK' AND gust IS NOT NULL",
    },
    Query {
        name: "at least 40.2773 mph, which no null is",
        index: "gusts",
        prefix: &[Value::str("JFK")],
        condition: Condition::Between(Included(F64(40.2773)), Unbounded),
        wanted: P::And(&[P::eq(0, Value::str("JFK")), P::ge(1, F64(40.2773))]),
        residual: ALL,
        keep: |key| matches!(key, [Str(station), F64(gust), _] if *station == "JFK" && *gust >= 40.2773),
        hand: hand::strong_gust,
        sql: "station = 'JFK' AND gust >= 40.2773",
    },
    Query {
        name: "below 23.0156 mph and then the nulls: tuple bounds, from behind a value to the end",
        index: "gusts",
        prefix: &[Value::str("EWR")],
        condition: Condition::Tuples(Excluded(&[F64(23.0156)]), Unbounded),
        wanted: P::And(&[P::eq(0, Value::str("EWR")), P::Or(&[P::lt(1, F64(23.0156)), P::is_null(1)])]),
        residual: ALL,
        keep: |key| match key {
            [Str(station), F64(gust), _] => *station == "EWR" && *gust < 23.0156,
            [Str(station), Null, _] => *station == "EWR",
            _ => false,
        },
        hand: hand::weak_gust,
        sql: "station = 'EWR' AND (gust < 23.0156 OR gust IS NULL)",
    },
    Query {
        name: "NULL in the prefix, a week behind it",
        index: "gusts",
        prefix: &[Value::str("JFK"), Null],
        condition: Condition::Between(Included(Value::Timestamp(MARCH_1)), Excluded(Value::Timestamp(MARCH_8))),
        wanted: P::And(&[
            P::eq(0, Value::str("JFK")),
            P::is_null(1),
            P::ge(2, Value::Timestamp(MARCH_1)),
            P::lt(2, Value::Timestamp(MARCH_8)),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(station), Null, Value::Timestamp(hour)]
                if *station == "JFK" && (MARCH_1..MARCH_8).contains(hour))
        },
        hand: hand::calm_week,
        sql: "station = 'JFK' AND gust IS NULL \
              AND hour >= '2013-03-01T00:00:00Z' AND hour < '2013-03-08T00:00:00Z'",
    },
    Query {
        name: "decimal interval [985, 1000.1) of a nullable field, nulls first",
        index: "pressures",
        prefix: &[Value::str("LGA")],
        condition: Condition::Between(
            Included(Value::Decimal(tenths(9_850))),
            Excluded(Value::Decimal(tenths(10_001))),
        ),
        wanted: P::And(&[
            P::eq(0, Value::str("LGA")),
            P::ge(1, Value::Decimal(tenths(9_850))),
            P::lt(1, Value::Decimal(tenths(10_001))),
        ]),
        residual: ALL,
        keep: |key| {
            matches!(key, [Str(station), Value::Decimal(pressure), _]
                if *station == "LGA" && *pressure >= tenths(9_850) && *pressure < tenths(10_001))
        },
        hand: hand::low_pressure,
        sql: "station = 'LGA' AND pressure >= 985 AND pressure < 1000.1",
    },
    Query {
        name: "row filter: a week, whatever the pressure",
        index: "pressures",
        prefix: &[Value::str("EWR")],
        condition: Condition::Between(Unbounded, Unbounded),
        wanted: P::And(&[
            P::eq(0, Value::str("EWR")),
            P::is_not_null(1),
            P::ge(2, Value::Timestamp(MARCH_1)),
            P::lt(2, Value::Timestamp(MARCH_8)),
        ]),
        residual: |key| matches!(key, [.., Value::Timestamp(hour)] if (MARCH_1..MARCH_8).contains(hour)),
        keep: |key| {
            matches!(key, [Str(station), Value::Decimal(_), Value::Timestamp(hour)]
                if *station == "EWR" && (MARCH_1..MARCH_8).contains(hour))
        },
        hand: hand::any_pressure,
        sql: "station = 'EWR' AND pressure IS NOT NULL \
              AND hour >= '2013-03-01T00:00:00Z' AND hour < '2013-03-08T00:00:00Z'",
    },
];
