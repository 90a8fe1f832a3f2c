//! Questions to the write-hot index: time and number, spread over shards and merged again.

use std::ops::Bound::Excluded;
use std::ops::Bound::Included;

use isotone::Op;
use isotone::Predicate as P;
use isotone::Value::I64;
use isotone::Value::U64;

use crate::hand;
use crate::queries::ALL;
use crate::queries::Condition;
use crate::queries::Query;

pub(super) const QUERIES: [Query; 3] = [
    Query {
        name: "sharded: one second",
        index: "arrivals",
        prefix: &[I64(20)],
        condition: Condition::Any,
        wanted: P::eq(0, I64(20)),
        residual: ALL,
        keep: |key| matches!(key, [I64(20), _]),
        hand: hand::last_arrivals,
        sql: "at = 20",
    },
    Query {
        name: "sharded: time interval [-2, 4)",
        index: "arrivals",
        prefix: &[],
        condition: Condition::Between(Included(I64(-2)), Excluded(I64(4))),
        wanted: P::And(&[P::ge(0, I64(-2)), P::lt(0, I64(4))]),
        residual: ALL,
        keep: |key| matches!(key, [I64(at), _] if (-2..4).contains(at)),
        hand: hand::few_arrivals,
        sql: "at >= -2 AND at < 4",
    },
    Query {
        name: "sharded: tuple bounds that split timestamps",
        index: "arrivals",
        prefix: &[],
        condition: Condition::Tuples(Included(&[I64(-1), U64(6939)]), Excluded(&[I64(0), U64(4050)])),
        wanted: P::And(&[
            P::row(&[0, 1], Op::Ge, &[I64(-1), U64(6939)]),
            P::row(&[0, 1], Op::Lt, &[I64(0), U64(4050)]),
        ]),
        residual: ALL,
        keep: |key| matches!(key, [I64(at), U64(seq)] if (*at, *seq) >= (-1, 6939) && (*at, *seq) < (0, 4050)),
        hand: hand::split_arrivals,
        sql: "(at, seq) >= (-1, 6939) AND (at, seq) < (0, 4050)",
    },
];
