//! A plain model of predicates: values as exact thousandths or bytes, rows as lists of them, and
//! SQL's three-valued logic written down once more.

use isotone::Decimal;
use isotone::Op;
use isotone::Predicate;
use isotone::Type;
use isotone::Value;

/// A value of the model. Orders as the natural order does within one field; null is not compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum M {
    Null,
    NegInf,
    /// Thousandths.
    Num(i128),
    Inf,
    Nan,
    Text(Vec<u8>),
}

/// A value, and what it is in the model.
#[derive(Clone, Debug)]
pub(crate) struct K {
    pub(crate) value: Value<'static>,
    pub(crate) model: M,
}

/// A kind under test.
#[derive(Clone, Debug)]
pub(crate) struct Under {
    pub(crate) ty: Type<'static>,
    /// Constants to compare with.
    pub(crate) pool: Vec<K>,
    /// Least and greatest where the kind is one of whole numbers.
    pub(crate) whole: Option<(i128, i128)>,
}

pub(crate) const NULL: K = K { value: Value::Null, model: M::Null };

fn whole(ty: Type<'static>, v: i128) -> Value<'static> {
    match ty {
        Type::Bool => Value::Bool(v == 1),
        Type::I8 => Value::I8(v.try_into().unwrap()),
        Type::U8 => Value::U8(v.try_into().unwrap()),
        Type::I32 => Value::I32(v.try_into().unwrap()),
        Type::I64 => Value::I64(v.try_into().unwrap()),
        Type::U64 => Value::U64(v.try_into().unwrap()),
        other => panic!("{other:?}"),
    }
}

fn int(value: Value<'static>, v: i128) -> K {
    K { value, model: M::Num(v.saturating_mul(1000)) }
}

/// A decimal of so many thousandths.
fn dec(v: i128) -> K {
    K { value: Value::Decimal(Decimal::from_parts(v, -3)), model: M::Num(v) }
}

/// A float of so many thousandths, which it must hold exactly.
fn float(v: f64) -> K {
    K { value: Value::F64(v), model: M::Num((v * 1000.0) as i128) }
}

fn special(value: Value<'static>, model: M) -> K {
    K { value, model }
}

fn leak(bytes: &[u8]) -> &'static [u8] {
    Box::leak(bytes.to_vec().into_boxed_slice())
}

pub(crate) fn text(ty: Type<'static>, bytes: &[u8]) -> K {
    let bytes = leak(bytes);
    let value = match ty {
        Type::Str => Value::str(std::str::from_utf8(bytes).unwrap()),
        _ => Value::bytes(bytes),
    };
    K { value, model: M::Text(bytes.to_vec()) }
}

pub(crate) const KINDS: usize = 9;

pub(crate) fn under(i: usize) -> Under {
    let far = [
        int(Value::I128(1 << 40), 1 << 40),
        int(Value::I128(-(1 << 70)), -(1 << 70)),
        special(Value::F64(f64::INFINITY), M::Inf),
        special(Value::F32(f32::NEG_INFINITY), M::NegInf),
        special(Value::Decimal(Decimal::NAN), M::Nan),
        special(Value::F64(f64::NAN), M::Nan),
        K { value: Value::Decimal(Decimal::from_parts(1, 40)), model: M::Num(i128::MAX) },
        K { value: Value::U128(u128::MAX), model: M::Num(i128::MAX) },
    ];
    let ints = |ty, values: &[i128]| values.iter().map(move |v| int(whole(ty, *v), *v)).collect::<Vec<_>>();
    let texts = |ty, values: &[&[u8]]| values.iter().map(|v| text(ty, v)).collect::<Vec<_>>();
    let max = u64::MAX as i128;
    let (ty, mut pool, whole) = match i {
        0 => (Type::Bool, ints(Type::Bool, &[0, 1]), Some((0, 1))),
        1 => {
            let mut pool = ints(Type::I8, &[-128, -127, 3, 4, 6, 127]);
            pool.extend([float(2.5), float(-0.5), dec(3_999), dec(-128_001), int(Value::U16(200), 200)]);
            (Type::I8, pool, Some((-128, 127)))
        }
        2 => {
            let mut pool = ints(Type::U8, &[0, 1, 5, 8, 255]);
            pool.extend([int(Value::I64(-1), -1), float(-0.5), float(254.5), int(Value::I32(256), 256), dec(5_000)]);
            (Type::U8, pool, Some((0, 255)))
        }
        3 => {
            let mut pool = ints(Type::I64, &[i64::MIN.into(), -1, 0, 1, i64::MAX.into()]);
            pool.extend([int(Value::U64(u64::MAX), max), float(0.5), int(Value::I8(2), 2)]);
            (Type::I64, pool, Some((i64::MIN.into(), i64::MAX.into())))
        }
        4 => {
            let mut pool = ints(Type::U64, &[0, 1, 1 << 63, max]);
            pool.extend([int(Value::I8(-1), -1), float(-1.5), float(2.0)]);
            (Type::U64, pool, Some((0, max)))
        }
        5 => {
            let pool: [&[u8]; 9] = [
                b"",
                b"a",
                b"a\0",
                b"ab",
                b"b",
                "a\u{10ffff}".as_bytes(),
                "\u{10ffff}".as_bytes(),
                "\u{d7ff}".as_bytes(),
                "\u{e000}".as_bytes(),
            ];
            (Type::Str, texts(Type::Str, &pool), None)
        }
        6 => {
            let pool: [&[u8]; 9] = [b"", b"\0", b"a", b"a\0", b"a\xff", b"a\xff\xff", b"b", b"\xff", b"\xff\xff"];
            (Type::Bytes, texts(Type::Bytes, &pool), None)
        }
        7 => {
            let mut pool: Vec<_> = [-2_500, 0, 1_000, 2_500].into_iter().map(dec).collect();
            pool.extend([int(Value::I32(3), 3), int(Value::U8(1), 1)]);
            let specials = [(Decimal::NEG_INFINITY, M::NegInf), (Decimal::INFINITY, M::Inf), (Decimal::NAN, M::Nan)];
            pool.extend(specials.map(|(v, m)| special(Value::Decimal(v), m)));
            (Type::Decimal, pool, None)
        }
        _ => {
            let mut pool = ints(Type::I32, &[i32::MIN.into(), -1, 0, 2, 4, i32::MAX.into()]);
            pool.extend([int(Value::U32(1 << 31), 1 << 31), int(Value::I128(3), 3)]);
            (Type::I32, pool, Some((i32::MIN.into(), i32::MAX.into())))
        }
    };
    if matches!(i, 1..=4) {
        pool.extend(far);
    }
    Under { ty, pool, whole }
}

/// The least text behind all that begin with this one.
fn raised(ty: Type<'static>, front: &[u8]) -> Option<Vec<u8>> {
    if ty == Type::Bytes {
        let last = front.iter().rposition(|b| *b != 0xff)?;
        let mut out = front[..=last].to_vec();
        out[last] += 1;
        return Some(out);
    }
    let mut chars: Vec<char> = std::str::from_utf8(front).unwrap().chars().collect();
    while chars.last() == Some(&char::MAX) {
        chars.pop();
    }
    let last = chars.pop()?;
    // Steps over the surrogates.
    chars.push((last..=char::MAX).nth(1).unwrap());
    Some(chars.into_iter().collect::<String>().into_bytes())
}

/// Values of a kind, such that whatever lies between two of the constants is among them, if
/// anything is.
pub(crate) fn universe(kind: &Under, constants: &[M]) -> Vec<K> {
    let mut values = Vec::new();
    match (kind.whole, kind.ty) {
        (Some((min, max)), ty) => {
            let mut all = vec![min, min + 1, max - 1, max];
            for constant in constants {
                if let M::Num(n) = constant {
                    let (floor, ceil) = (n.div_euclid(1000), (n - 1).div_euclid(1000) + 1);
                    all.extend([floor - 1, floor, floor + 1, ceil - 1, ceil, ceil + 1]);
                }
            }
            all.retain(|v| *v >= min && *v <= max);
            values.extend(all.into_iter().map(|v| int(whole(ty, v), v)));
        }
        (None, Type::Decimal) => {
            let specials = [(Decimal::NEG_INFINITY, M::NegInf), (Decimal::INFINITY, M::Inf), (Decimal::NAN, M::Nan)];
            values.extend(specials.map(|(v, m)| special(Value::Decimal(v), m)));
            values.push(dec(0));
            for constant in constants {
                if let M::Num(n) = constant {
                    values.extend([n - 1, *n, n + 1].map(dec));
                }
            }
        }
        (None, ty) => {
            values.push(text(ty, b""));
            values.push(text(ty, b"zz"));
            for constant in constants {
                if let M::Text(bytes) = constant {
                    values.push(text(ty, bytes));
                    values.push(text(ty, &[bytes, &b"\0"[..]].concat()));
                    values.extend(raised(ty, bytes).map(|bytes| text(ty, &bytes)));
                }
            }
        }
    }
    values.sort_by(|a, b| a.model.cmp(&b.model));
    values.dedup_by(|a, b| a.model == b.model);
    values
}

/// A predicate of the model.
#[derive(Clone, Debug)]
pub(crate) enum P {
    True,
    False,
    Unknown,
    Cmp(usize, Op, K),
    In(usize, Vec<K>),
    Between(usize, K, K),
    IsNull(usize),
    IsNotNull(usize),
    Starts(usize, K),
    Row(Vec<usize>, Op, Vec<K>),
    And(Vec<P>),
    Or(Vec<P>),
    Not(Box<P>),
}

fn compare(op: Op, a: &M, b: &M) -> Option<bool> {
    if *a == M::Null || *b == M::Null {
        return None;
    }
    Some(match op {
        Op::Eq => a == b,
        Op::Ne => a != b,
        Op::Lt => a < b,
        Op::Le => a <= b,
        Op::Gt => a > b,
        Op::Ge => a >= b,
    })
}

fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let parts: Vec<_> = parts.into_iter().collect();
    match (parts.contains(&Some(false)), parts.contains(&None)) {
        (true, _) => Some(false),
        (false, true) => None,
        (false, false) => Some(true),
    }
}

fn any(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.into_iter().map(|part| part.map(|part| !part))).map(|all| !all)
}

impl P {
    /// What the predicate comes to for a row.
    pub(crate) fn eval(&self, row: &[M]) -> Option<bool> {
        match self {
            P::True => Some(true),
            P::False => Some(false),
            P::Unknown => None,
            P::Cmp(f, op, k) => compare(*op, &row[*f], &k.model),
            P::In(f, ks) => any(ks.iter().map(|k| compare(Op::Eq, &row[*f], &k.model))),
            P::Between(f, low, high) => {
                all([compare(Op::Ge, &row[*f], &low.model), compare(Op::Le, &row[*f], &high.model)])
            }
            P::IsNull(f) => Some(row[*f] == M::Null),
            P::IsNotNull(f) => Some(row[*f] != M::Null),
            P::Starts(f, k) => match (&row[*f], &k.model) {
                (M::Text(text), M::Text(front)) => Some(text.starts_with(front)),
                _ => None,
            },
            P::Row(fields, Op::Eq, ks) => all(fields.iter().zip(ks).map(|(f, k)| compare(Op::Eq, &row[*f], &k.model))),
            P::Row(fields, Op::Ne, ks) => any(fields.iter().zip(ks).map(|(f, k)| compare(Op::Ne, &row[*f], &k.model))),
            P::Row(fields, op, ks) => {
                let unequal = |(f, k): &(&usize, &K)| compare(Op::Eq, &row[**f], &k.model) != Some(true);
                match fields.iter().zip(ks).find(unequal) {
                    Some((f, k)) => compare(*op, &row[*f], &k.model),
                    None => Some(matches!(op, Op::Le | Op::Ge)),
                }
            }
            P::And(parts) => all(parts.iter().map(|part| part.eval(row))),
            P::Or(parts) => any(parts.iter().map(|part| part.eval(row))),
            P::Not(part) => part.eval(row).map(|truth| !truth),
        }
    }

    /// The same for the crate. Leaks its parts.
    pub(crate) fn real(&self) -> Predicate<'static> {
        fn values(ks: &[K]) -> &'static [Value<'static>] {
            Vec::leak(ks.iter().map(|k| k.value).collect())
        }
        fn parts(ps: &[P]) -> &'static [Predicate<'static>] {
            Vec::leak(ps.iter().map(P::real).collect())
        }
        match self {
            P::True => Predicate::True,
            P::False => Predicate::False,
            P::Unknown => Predicate::Unknown,
            P::Cmp(f, Op::Eq, k) => Predicate::eq(*f, k.value),
            P::Cmp(f, Op::Ne, k) => Predicate::ne(*f, k.value),
            P::Cmp(f, Op::Lt, k) => Predicate::lt(*f, k.value),
            P::Cmp(f, Op::Le, k) => Predicate::le(*f, k.value),
            P::Cmp(f, Op::Gt, k) => Predicate::gt(*f, k.value),
            P::Cmp(f, Op::Ge, k) => Predicate::ge(*f, k.value),
            P::In(f, ks) => Predicate::is_in(*f, values(ks)),
            P::Between(f, low, high) => Predicate::between(*f, low.value, high.value),
            P::IsNull(f) => Predicate::is_null(*f),
            P::IsNotNull(f) => Predicate::is_not_null(*f),
            P::Starts(f, k) => Predicate::starts_with(*f, k.value),
            P::Row(fields, op, ks) => Predicate::row(Vec::leak(fields.clone()), *op, values(ks)),
            P::And(ps) => Predicate::And(parts(ps)),
            P::Or(ps) => Predicate::Or(parts(ps)),
            P::Not(p) => Predicate::Not(Box::leak(Box::new(p.real()))),
        }
    }

    /// Every constant on a field, and whether it is the front of a text.
    pub(crate) fn constants(&self, field: usize) -> Vec<(M, bool)> {
        let mut found = Vec::new();
        self.collect(field, &mut found);
        found.retain(|(constant, _)| *constant != M::Null);
        found
    }

    fn collect(&self, field: usize, found: &mut Vec<(M, bool)>) {
        match self {
            P::Cmp(f, _, k) if *f == field => found.push((k.model.clone(), false)),
            P::Starts(f, k) if *f == field => found.push((k.model.clone(), true)),
            P::In(f, ks) if *f == field => found.extend(ks.iter().map(|k| (k.model.clone(), false))),
            P::Between(f, low, high) if *f == field => found.extend([low, high].map(|k| (k.model.clone(), false))),
            P::Row(fields, _, ks) => {
                let own = fields.iter().zip(ks).filter(|(f, _)| **f == field);
                found.extend(own.map(|(_, k)| (k.model.clone(), false)));
            }
            P::And(parts) | P::Or(parts) => parts.iter().for_each(|part| part.collect(field, found)),
            P::Not(part) => part.collect(field, found),
            _ => {}
        }
    }
}
