//! Collated fields made again by the offline engine: every kill survived, every difference found.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests")]

mod index_support;

use std::collections::BTreeMap;
use std::convert::Infallible;

use isotone::Asc;
use isotone::AscNullsFirst;
use isotone::AscNullsLast;
use isotone::Desc;
use isotone::DescNullsFirst;
use isotone::DescNullsLast;
use isotone::Error;
use isotone::Field;
use isotone::IndexContract;
use isotone::KeyMap;
use isotone::KeySpec;
use isotone::Order;
use isotone::Recollation;
use isotone::Rekey;
use isotone::RekeyError;
use isotone::Tallies;
use isotone::Type;
use isotone::Value;
use isotone::Verified;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Producer;
use isotone::key_spec;

use crate::index_support::Rows;
use crate::index_support::Store;
use crate::index_support::copy_through_deaths;
use crate::index_support::feed;

const ROOT: &str = "uca14;14.0.0;server;root_pad_as_cs";
const SWEDISH: &str = "uca14;14.0.0;server;swedish_pad_as_cs";
const LOOSE: &str = "uca14;14.0.0;server;root_pad_ai_ci";

const TEXTS: [&str; 9] = ["", "a", "A ", "ärlig", "Ärlig", "zebra", "\0", "ch\u{301}", "Å "];

const fn total(producer: &'static str) -> Type<'static> {
    Type::Collated { deterministic: true, producer }
}

const fn image(producer: &'static str) -> Type<'static> {
    Type::Collated { deterministic: false, producer }
}

fn collator(producer: &str) -> Collator {
    Collator::new(CollationProfile::from_producer(producer).unwrap())
}

fn contract(generation: u64, spec: &KeySpec<'_>, ids: &[&[u8]]) -> Vec<u8> {
    let mut room = vec![0; IndexContract::size(b"people", spec, ids)];
    IndexContract::new(b"people", generation, spec, ids, &mut room).unwrap();
    room
}

/// Name, nickname (may be null), number.
const OLD: KeySpec<'static> = key_spec![total(ROOT) => Asc, total(ROOT) => DescNullsFirst, Type::U16 => AscNullsLast];
/// Number, nickname, name: moved, in other directions, of other collations.
const NEW: KeySpec<'static> =
    key_spec![Type::U16 => DescNullsLast, image(LOOSE) => AscNullsFirst, total(SWEDISH) => Desc];

/// Each row with the key that it has, and with the one that it should get.
fn rows() -> (Rows, Rows) {
    let (root, swedish, loose) = (collator(ROOT), collator(SWEDISH), collator(LOOSE));
    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
    for (n, name) in TEXTS.into_iter().enumerate() {
        for nick in [None, Some(TEXTS[(n + 4) % TEXTS.len()])] {
            let number = (n > 2).then_some(u16::try_from(n).unwrap());
            let value = format!("{name}/{nick:?}").into_bytes();
            let mut room = [0; 256];
            let mut key = OLD.writer(&mut room);
            key.collate(&root, name).collate(&root, nick).u16(number);
            old.insert(key.finish().unwrap().to_vec(), value.clone());
            let mut room = [0; 256];
            let mut key = NEW.writer(&mut room);
            key.u16(number).collate(&loose, nick).collate(&swedish, name);
            new.insert(key.finish().unwrap().to_vec(), value);
        }
    }
    assert_eq!((old.len(), new.len()), (18, 18));
    (old, new)
}

struct Contracts {
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Contracts {
    fn new() -> Self {
        let old = contract(1, &OLD, &[b"name", b"nick", b"n"]);
        Contracts { old, new: contract(2, &NEW, &[b"n", b"nick", b"name"]) }
    }

    fn plan<'c>(&'c self, producers: &'c [&'c dyn Producer]) -> Result<Recollation<'c>, Error> {
        let (old, new) = (IndexContract::from_bytes(&self.old)?, IndexContract::from_bytes(&self.new)?);
        Recollation::new(old, new, producers)
    }
}

/// The producers of the new layout.
struct NewOnes([Collator; 2]);

impl NewOnes {
    fn new() -> Self {
        NewOnes([SWEDISH, LOOSE].map(collator))
    }

    fn all(&self) -> [&dyn Producer; 2] {
        self.0.each_ref().map(|collator| collator as &dyn Producer)
    }
}

fn copy(plan: &Recollation<'_>, source: &Rows, store: &mut Store) -> Tallies {
    Rekey::start(plan, &mut [0; 512]).copy(feed(source, None), store, 4, &mut [0; 256]).unwrap()
}

fn verify(plan: &Recollation<'_>, store: &Store, source: &Rows) -> Verified {
    let checkpoint = store.checkpoint.as_ref().unwrap();
    plan.verify_forward(checkpoint, feed(source, None), feed(&store.durable, None), &mut [0; 256]).unwrap()
}

#[test]
fn a_copy_killed_at_any_call_resumes_to_the_same_bytes() {
    let (source, due) = rows();
    let (swedish, loose, root) = (collator(SWEDISH), collator(LOOSE), collator(ROOT));
    let contracts = Contracts::new();
    // With the old producer and without it.
    let all: [&dyn Producer; 3] = [&swedish, &loose, &root];
    for producers in [&all[..2], &all] {
        let plan = contracts.plan(producers).unwrap();
        let mut whole = Store::default();
        let tallies = copy(&plan, &source, &mut whole);
        assert!(tallies.is_clean() && tallies.rows == 18, "{tallies:?}");
        assert_eq!(whole.durable, due);
        let verified = verify(&plan, &whole, &source);
        assert_eq!((verified.ready, verified.rows, verified.first_difference), (true, 18, 0));

        for first in 0..26 {
            let mut store = Store { calls_left: Some(first), ..Store::default() };
            assert_eq!(copy_through_deaths(&plan, &source, &mut store, 4, &[]), tallies);
            assert_eq!((&store.durable, &store.checkpoint), (&due, &whole.checkpoint));
        }
    }
}

#[test]
fn a_verification_finds_every_difference() {
    let (source, due) = rows();
    let new = NewOnes::new();
    let (contracts, producers) = (Contracts::new(), new.all());
    let plan = contracts.plan(&producers).unwrap();
    let mut good = Store::default();
    copy(&plan, &source, &mut good);
    let ready = |change: &dyn Fn(&mut Store, &mut Rows)| {
        let (mut store, mut source) = (good.clone(), source.clone());
        change(&mut store, &mut source);
        verify(&plan, &store, &source).ready
    };
    assert!(ready(&|_, _| {}));
    for key in due.keys() {
        assert!(!ready(&|store, _| drop(store.durable.remove(key))));
        assert!(!ready(&|store, _| drop(store.durable.insert(key.clone(), b"other".to_vec()))));
        // One too many, and one for another.
        let mut near = key.clone();
        let last = near.len() - 3;
        near[last] ^= 1;
        assert!(!ready(&|store, _| drop(store.durable.insert(near.clone(), due[key].clone()))));
        assert!(!ready(&|store, _| {
            let value = store.durable.remove(key).unwrap();
            store.durable.insert(near.clone(), value);
        }));
    }
    for key in source.keys() {
        assert!(!ready(&|_, source| drop(source.remove(key))));
        assert!(!ready(&|_, source| drop(source.insert(key.clone(), vec![]))));
    }
    // A key that is none of the target's is named.
    let mut store = good.clone();
    store.durable.insert(vec![0xff; 3], vec![]);
    assert_eq!(verify(&plan, &store, &source).first_difference, 19);
    // Out of order, and a room that holds no key.
    let checkpoint = good.checkpoint.as_ref().unwrap();
    let mut swapped: Vec<_> = due.iter().collect();
    swapped.swap(3, 4);
    let target = swapped.into_iter().map(Ok::<_, Infallible>);
    let found = plan.verify_forward(checkpoint, feed(&source, None), target, &mut [0; 256]).unwrap();
    assert_eq!((found.ready, found.first_difference), (false, 5));
    let found = plan.verify_forward(checkpoint, feed(&source, None), feed(&due, None), &mut []);
    assert!(matches!(found, Err(RekeyError::Room(Error::ShortBuffer { .. }))), "{found:?}");
    // The rows of a copy that died, and just those in the target.
    let mut dead = Store { calls_left: Some(11), ..Store::default() };
    Rekey::start(&plan, &mut [0; 512]).copy(feed(&source, None), &mut dead, 4, &mut [0; 256]).unwrap_err();
    let seen = source.iter().take(dead.durable.len()).map(|(key, value)| (key.clone(), value.clone())).collect();
    assert!(!dead.durable.is_empty() && !verify(&plan, &dead, &seen).ready);
    // A checkpoint of other contracts is refused.
    let newer = contract(3, &NEW, &[b"n", b"nick", b"name"]);
    let other = Recollation::new(plan.source(), IndexContract::from_bytes(&newer).unwrap(), &producers).unwrap();
    let (none, checkpoint) = (Rows::new(), good.checkpoint.as_ref().unwrap());
    let found = other.verify_forward(checkpoint, feed(&none, None), feed(&none, None), &mut []);
    assert_eq!(found, Err(RekeyError::InvalidCheckpoint));
}

#[test]
fn whole_or_nothing() {
    let (source, due) = rows();
    let new = NewOnes::new();
    let (contracts, producers) = (Contracts::new(), new.all());
    let plan = contracts.plan(&producers).unwrap();
    for (key, value) in &source {
        let mut room = [0xaa; 256];
        let needed = plan.rekey(key, value, &mut room).unwrap().len();
        assert_eq!(due.get(&room[..needed]), Some(value));
        assert!(room[needed..].iter().all(|byte| *byte == 0xaa));
        for available in 0..needed {
            let mut room = vec![0xaa; available];
            assert_eq!(plan.rekey(key, value, &mut room), Err(Error::ShortBuffer { needed, available }));
            assert!(room.iter().all(|byte| *byte == 0xaa));
        }
        for cut in 0..key.len() {
            let mut room = [0xaa; 256];
            assert!(plan.rekey(&key[..cut], value, &mut room).is_err());
            assert!(room.iter().all(|byte| *byte == 0xaa));
        }
        // Another image before the same text.
        let mut other = key.clone();
        other[0] ^= 1;
        let mut store = Store::default();
        let tallies = copy(&plan, &BTreeMap::from([(other.clone(), value.clone())]), &mut store);
        assert_eq!((tallies.undecodable, tallies.written, tallies.first_fault), (1, 0, 1));
        assert_eq!(plan.rekey(&other, value, &mut room), Err(Error::MalformedKey { at: 0 }));
    }
}

#[test]
fn what_can_not_be_made_again_is_refused() {
    let (root, swedish) = (collator(ROOT), collator(SWEDISH));
    let both: [&dyn Producer; 2] = [&root, &swedish];
    let plan = |from: Type<'static>, to: Type<'static>, producers: &[&dyn Producer]| {
        let (mut a, mut b) = ([0; 128], [0; 128]);
        let old = contract(1, &KeySpec::describe(&[Field::not_null(from, Asc)], &mut a).unwrap(), &[b"name"]);
        let new = contract(2, &KeySpec::describe(&[Field::not_null(to, Asc)], &mut b).unwrap(), &[b"name"]);
        let (old, new) = (IndexContract::from_bytes(&old).unwrap(), IndexContract::from_bytes(&new).unwrap());
        Recollation::new(old, new, producers).map(|_| ())
    };
    let refused = Err(Error::IncompatibleFields { field: 0 });
    assert_eq!(plan(total(ROOT), total(SWEDISH), &both), Ok(()));
    assert_eq!(plan(total(ROOT), image(ROOT), &both), Ok(()));
    assert_eq!(plan(image(ROOT), image(ROOT), &[]), Ok(())); // moved
    assert_eq!(plan(image(ROOT), total(ROOT), &both), refused); // no text to make it of
    assert_eq!(plan(image(ROOT), image(SWEDISH), &both), refused);
    assert_eq!(plan(total(ROOT), total(SWEDISH), &[&root]), refused); // the new one is not given
    assert_eq!(plan(total("unheard of"), total(SWEDISH), &both), refused); // where does its image end?
    assert_eq!(plan(total("icu;1.0.0;40;15;sv;1;00"), total(SWEDISH), &both), Ok(()));
    for junk in ["icu;", "icu;junk", "icu;1.0.0;40;15;sv;1", "icu;1.0.0;40;15;sv;1;00;0", "icv;1.0.0;40;15;sv;1;00"] {
        assert_eq!(plan(total(junk), total(SWEDISH), &both), refused, "{junk}");
    }
    assert_eq!(plan(Type::Str, total(SWEDISH), &both), refused);
    assert_eq!(plan(total(ROOT), Type::Str, &both), refused);
}

/// A plan from one field to another, and a source key of it.
fn one_field(
    (from, from_order): (Type<'_>, Order),
    to: Field<'_>,
    producers: &[&dyn Producer],
    value: Value<'_>,
    run: impl FnOnce(Recollation<'_>, &[u8]),
) {
    let (mut a, mut b, mut room) = ([0; 256], [0; 256], [0; 16384]);
    let spec = KeySpec::describe(&[Field::new(from, from_order)], &mut a).unwrap();
    let old = contract(1, &spec, &[b"name"]);
    let new = contract(2, &KeySpec::describe(&[to], &mut b).unwrap(), &[b"name"]);
    let (old, new) = (IndexContract::from_bytes(&old).unwrap(), IndexContract::from_bytes(&new).unwrap());
    let key = spec.encode(&[value], &mut room).unwrap();
    run(Recollation::new(old, new, producers).unwrap(), key);
}

#[test]
fn nulls_stay_nulls_or_are_refused() {
    let swedish = collator(SWEDISH);
    let from = (total(ROOT), Order::DescNullsFirst);
    one_field(from, Field::new(image(SWEDISH), Order::AscNullsFirst), &[&swedish], Value::Null, |plan, key| {
        assert_eq!(plan.rekey(key, b"", &mut [0; 8]), Ok(&[0][..]));
    });
    one_field(from, Field::not_null(image(SWEDISH), Asc), &[&swedish], Value::Null, |plan, key| {
        assert_eq!(plan.rekey(key, b"", &mut [0; 8]), Err(Error::NullInNotNull { field: 0 }));
        let mut store = Store::default();
        let tallies = copy(&plan, &BTreeMap::from([(key.to_vec(), vec![])]), &mut store);
        assert_eq!((tallies.refused, tallies.undecodable, tallies.written), (1, 0, 0));
    });
}

#[test]
fn texts_that_become_equal_conflict() {
    let (root, loose) = (collator(ROOT), collator(LOOSE));
    let (old, new) = (key_spec![total(ROOT) => Asc], key_spec![image(LOOSE) => Asc]);
    let (old, new) = (contract(1, &old, &[b"name"]), contract(2, &new, &[b"name"]));
    let (old, new) = (IndexContract::from_bytes(&old).unwrap(), IndexContract::from_bytes(&new).unwrap());
    let producers: [&dyn Producer; 1] = [&loose];
    let plan = Recollation::new(old, new, &producers).unwrap();
    // The second row has the same value, the third another.
    for (values, conflicts) in [(["x", "x"], 0), (["x", "y"], 1)] {
        let mut source = BTreeMap::new();
        for (text, value) in ["ärlig", "ÄRLIG"].into_iter().zip(values) {
            let mut room = [0; 128];
            let mut key = old.key_spec().writer(&mut room);
            key.collate(&root, text);
            source.insert(key.finish().unwrap().to_vec(), value.as_bytes().to_vec());
        }
        let mut store = Store::default();
        assert_eq!(copy(&plan, &source, &mut store).conflicts, conflicts);
        assert_eq!(store.durable.len(), 1);
        assert!(!verify(&plan, &store, &source).ready);
        // Nor where only one of them was copied, and the other stands in its place now.
        let (first, second) = (source.first_key_value().unwrap(), source.last_key_value().unwrap());
        let one = |row: (&Vec<u8>, &Vec<u8>)| Rows::from([(row.0.clone(), b"x".to_vec())]);
        let mut single = Store::default();
        assert!(copy(&plan, &one(first), &mut single).is_clean());
        assert!(verify(&plan, &single, &one(first)).ready);
        assert!(!verify(&plan, &single, &one(second)).ready);
        // Nor is it ready with a row that makes up the number.
        store.durable.insert(vec![0x20, 0, 0], vec![]);
        assert!(!verify(&plan, &store, &source).ready);
    }
}

#[cfg(feature = "icu")]
mod icu {
    use super::*;
    use isotone::collation::icu::IcuCollator;

    /// Images are checked where the producer that made them is at hand, and pass where it is not; a
    /// text that the new producer refuses is refused where it lies.
    #[test]
    fn old_images_are_checked_where_they_can_be() {
        let (german, swedish) = (IcuCollator::new("de").unwrap(), IcuCollator::new("sv").unwrap());
        let from = Type::Collated { deterministic: true, producer: german.producer() };
        let to = Field::not_null(Type::Collated { deterministic: true, producer: swedish.producer() }, Desc);
        let wrong = Value::Collated(b"\x77\x00Adam\x00\x00"[..].into());
        one_field((from, Order::AscNullsLast), to, &[&swedish], wrong, |plan, key| {
            assert!(plan.rekey(key, b"", &mut [0; 64]).is_ok());
        });
        one_field((from, Order::AscNullsLast), to, &[&swedish, &german], wrong, |plan, key| {
            assert_eq!(plan.rekey(key, b"", &mut [0; 64]), Err(Error::MalformedKey { at: 0 }));
        });
        let long = [b"\x77\x00", "a".repeat(IcuCollator::MAX_TEXT + 1).as_bytes(), &[0, 0]].concat();
        one_field((from, Order::AscNullsLast), to, &[&swedish], Value::Collated(long[..].into()), |plan, key| {
            assert_eq!(plan.rekey(key, b"", &mut [0; 64]), Err(Error::InvalidValue { at: 0 }));
        });
    }

    /// What an index made with data that are gone looks like: another version, and images that no
    /// engine here makes.
    #[test]
    fn the_old_data_are_gone() {
        let swedish = IcuCollator::new("sv").unwrap();
        let old_name = "icu;1.5.0;44.0.0;15.1.0;sv;1;00112233445566778899aabbccddeeff";
        let old_type = Type::Collated { deterministic: true, producer: old_name };
        let new_type = Type::Collated { deterministic: true, producer: swedish.producer() };
        let old_layout = [(old_type, Desc)].map(|(kind, order)| Field::not_null(kind, order));
        let new_layout = [(new_type, Desc)].map(|(kind, order)| Field::not_null(kind, order));
        let (mut a, mut b) = ([0; 256], [0; 256]);
        let old_spec = KeySpec::describe(&old_layout, &mut a).unwrap();
        let new_spec = KeySpec::describe(&new_layout, &mut b).unwrap();
        let (old, new) = (contract(1, &old_spec, &[b"name"]), contract(2, &new_spec, &[b"name"]));
        let (old, new) = (IndexContract::from_bytes(&old).unwrap(), IndexContract::from_bytes(&new).unwrap());
        let producers: [&dyn Producer; 1] = [&swedish];
        let plan = Recollation::new(old, new, &producers).unwrap();

        let (mut source, mut due) = (Rows::new(), Rows::new());
        for text in TEXTS {
            let escaped: Vec<u8> = text.bytes().flat_map(|b| if b == 0 { vec![0, 0xff] } else { vec![b] }).collect();
            let total = [b"\x77\x01\x05\x00", &escaped[..], &[0, 0]].concat();
            let mut room = [0; 128];
            let key = old_spec.encode(&[Value::Collated(total[..].into())], &mut room).unwrap();
            source.insert(key.to_vec(), text.as_bytes().to_vec());
            let mut room = [0; 128];
            let mut key = new_spec.writer(&mut room);
            key.collate(&swedish, text);
            due.insert(key.finish().unwrap().to_vec(), text.as_bytes().to_vec());
        }
        let mut store = Store::default();
        assert!(copy(&plan, &source, &mut store).is_clean());
        assert_eq!(store.durable, due);
        assert!(verify(&plan, &store, &source).ready);
        // No end of an image, no end of a text, text that is not UTF-8.
        for bad in [&b"\x77\x01"[..], b"\x77\x00abc", b"\x77\x00\xff\x00\x00"] {
            let mut room = [0; 64];
            let key = old_spec.encode(&[Value::Collated(bad.into())], &mut room).unwrap();
            assert_eq!(plan.rekey(key, b"", &mut [0; 64]), Err(Error::MalformedKey { at: 0 }));
        }
    }
}
