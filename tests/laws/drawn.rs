//! The laws over drawn types and values.

use isotone::Asc;
use isotone::Builder;
use isotone::Error;
use isotone::FieldOrder;
use isotone::size;
use proptest::prelude::*;

use crate::support::bytes;
use crate::support::generate;
use crate::support::laws::JUNK;
use crate::support::laws::Laws;
use crate::support::laws::orders;
use crate::support::model::Held;
use crate::support::model::Ty;
use crate::support::model::V;
use crate::support::model::kind;
use crate::support::order;
use crate::support::paths;
use crate::support::read;

/// The laws of two values, and the mutations of the first under one order.
fn hold(ty: &Ty, a: &V, b: &V, code: u8) {
    let description = ty.describe();
    let laws = Laws::new(kind(&description));
    let (held_a, held_b) = (Held::new(ty, a), Held::new(ty, b));
    let (value_a, value_b) = (held_a.value(), held_b.value());
    laws.value(&value_a);
    laws.pair(&value_a, &value_b, order::values(ty, a, b));
    paths::agree(&laws, &value_a);
    for order in orders() {
        for (v, value) in [(a, &value_a), (b, &value_b)] {
            let field = laws.field(order, value);
            assert_eq!(
                Some(&field),
                bytes::field(&(ty.clone(), order.code()), v).as_ref(),
                "the model's bytes of {v:?}"
            );
            let (back, _) = laws.read(order, &field).expect("what was written reads");
            assert!(read::is(ty, v, &back), "{v:?} read back as {back:?}");
        }
        if order.code() == code {
            laws.hostile(order, &value_a);
        }
    }
}

fn wild() -> impl Strategy<Value = (Ty, V)> {
    generate::ty(2).prop_flat_map(|ty| {
        let value = prop_oneof![15 => generate::wild(&ty), 1 => Just(V::Null)];
        (Just(ty), value)
    })
}

fn typed_pair(depth: u32) -> impl Strategy<Value = (Ty, (V, V))> {
    generate::ty(depth).prop_flat_map(|ty| {
        let pair = generate::pair(&ty);
        (Just(ty), pair)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn values_without_parts((ty, (a, b)) in typed_pair(0), code in 0..6u8) {
        hold(&ty, &a, &b, code);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn composites((ty, (a, b)) in typed_pair(2), code in 0..6u8) {
        hold(&ty, &a, &b, code);
    }

    /// What can't be written is refused in every way, and what can is not.
    #[test]
    fn values_out_of_their_domain((ty, v) in wild(), code in 0..6u8) {
        let description = ty.describe();
        let laws = Laws::new(kind(&description));
        let held = Held::new(&ty, &v);
        let value = held.value();
        let order = FieldOrder::from_code(code).expect("an order");
        let expected = bytes::field(&(ty.clone(), code), &v).ok_or(Error::InvalidValue { at: 2 });
        let mut room = vec![JUNK; 65_536];
        let mut key = Builder::new(&mut room);
        key.u16(1, Asc).value(laws.kind, &value, order);
        prop_assert_eq!(key.finish().map(|key| key[2..].to_vec()), expected.clone());
        prop_assert_eq!(expected.is_err(), room[2..].iter().all(|b| *b == JUNK));
        let at_0 = expected.clone().map_err(|_| Error::InvalidValue { at: 0 });
        let size = at_0.clone().map(|field| field.len());
        prop_assert_eq!(laws.spec(order).encode(&[value], &mut room).map(<[u8]>::to_vec), at_0);
        prop_assert_eq!(laws.spec(order).size(&[value]), size);
        let mut key = laws.spec(order).writer(&mut room);
        key.value(&value);
        prop_assert_eq!(key.finish().map(<[u8]>::len), size);
        if value.is_null() {
            prop_assert_eq!(size::value(laws.kind, &value), Err(Error::InvalidValue { at: 0 }));
        } else {
            prop_assert_eq!(size::value(laws.kind, &value).map(|n| n + usize::from(code < 4)), size);
        }
    }

    /// Any bytes under any type: canonical, and all ways of reading agree.
    #[test]
    fn any_bytes(ty in generate::ty(2), key in proptest::collection::vec(prop_oneof![0..7u8, 0xf9..=0xffu8, any::<u8>()], 0..24)) {
        let description = ty.describe();
        let laws = Laws::new(kind(&description));
        for order in orders() {
            let _ = laws.read(order, &key);
        }
    }
}
