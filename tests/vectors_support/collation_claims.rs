//! What a row says about collation, held against the library: by itself and in keys.

use isotone::Asc;
use isotone::AscNullsLast;
use isotone::Builder;
use isotone::Decoder;
use isotone::Desc;
use isotone::Error;
use isotone::collation::Accent;
use isotone::collation::Case;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;
use isotone::collation::Padding;
use isotone::collation::Tailoring;
use sha2::Digest as _;

use crate::vectors_support::collation::Claim;
use crate::vectors_support::report::Outcome;
use crate::vectors_support::report::Verdict;
use crate::vectors_support::text::same;
use crate::vectors_support::text::same_bytes;

pub(super) fn check(claim: &Claim<'_>) -> Outcome {
    match claim {
        Claim::Key { profile, text, key, total } => keys(&schottky(profile)?, text, key.as_deref(), total.as_deref()),
        Claim::Sum { profile, sha256 } => sum(&schottky(profile)?, sha256, true),
        Claim::Text { text } => round_trip(&streams("root")?, text),
        Claim::Weights { tailoring, text, levels } => weights(&streams(tailoring)?, text, levels),
        Claim::Order { collation, texts, ranks } => order(collation, texts, ranks),
        Claim::Scalars { tailoring, sha256 } => sum(&streams(tailoring)?, sha256, false),
    }?;
    Ok(Verdict::Checked)
}

fn schottky(name: &str) -> Result<Collator, String> {
    let profile = CollationProfile::from_schottky_name(name).ok_or_else(|| format!("unknown profile {name:?}"))?;
    Ok(Collator::new(profile))
}

/// All three levels, nothing cut: the level streams as they are.
fn streams(tailoring: &str) -> Result<Collator, String> {
    let tailoring = Tailoring::from_name(tailoring).ok_or_else(|| format!("unknown tailoring {tailoring:?}"))?;
    let all = CollationProfile::uca(tailoring, Padding::None, Accent::Sensitive, Case::Sensitive, Comparison::Schottky);
    Ok(Collator::new(all))
}

fn fails(error: Error) -> String {
    error.to_string()
}

/// The Go library's `Key` and `TotalKey`, or its refusal.
fn keys(collator: &Collator, text: &[u8], key: Option<&[u8]>, total: Option<&[u8]>) -> Result<(), String> {
    let mut room = vec![0xaa; collator.max_total_key_size(text.len())];
    let (Some(key), Some(total)) = (key, total) else {
        let refused = Err(Error::InvalidValue { at: 0 });
        same("key of a text that is refused", &collator.key(text, &mut room).map(<[u8]>::to_vec), &refused)?;
        same("total key", &collator.total_key(text, &mut room).map(<[u8]>::to_vec), &refused)?;
        return same("bytes written", &room.iter().filter(|byte| **byte != 0xaa).count(), &0);
    };
    same_bytes("key", collator.key(text, &mut room).map_err(fails)?, key)?;
    same_bytes("total key", collator.total_key(text, &mut room).map_err(fails)?, total)?;
    same("size", &collator.key_size(text), &Ok(key.len()))?;
    same("size of the total key", &collator.total_key_size(text), &Ok(total.len()))?;
    same("end of the image", &collator.image_end(total), &Some(key.len()))?;
    round_trip(collator, text)
}

/// A text into fields of both kinds, and back.
fn round_trip(collator: &Collator, text: &[u8]) -> Result<(), String> {
    let plain = std::str::from_utf8(text).map_err(|why| why.to_string())?;
    let mut room = vec![0; collator.max_total_key_size(text.len())];
    let key = collator.key(text, &mut room).map_err(fails)?.to_vec();
    let total = collator.total_key(text, &mut room).map_err(fails)?.to_vec();
    let mut room = vec![0; 8 * total.len() + 16];
    let mut fields = Builder::new(&mut room);
    fields.collate(collator, plain, Asc).collate(collator, plain, Desc);
    fields.collate_total(collator, plain, AscNullsLast).collate_total(collator, plain, Desc);
    let mut fields = Decoder::new(fields.finish().map_err(fails)?);
    same("field", &(fields.collated(Asc).map_err(fails)? == *key), &true)?;
    same("field, descending", &(fields.collated(Desc).map_err(fails)? == *key), &true)?;
    same(
        "field of the total key",
        &fields.clone().collated(AscNullsLast).map(|f| f.is_some_and(|f| f == *total)),
        &Ok(true),
    )?;
    let read = fields.collated_text(collator, AscNullsLast).map_err(fails)?;
    same("text read back", &read.map(|text| text.to_string()), &Some(plain.to_owned()))?;
    let read = fields.collated_text(collator, Desc).map_err(fails)?;
    same("text read back, descending", &read.to_string(), &plain.to_owned())?;
    fields.finish().map_err(fails)
}

/// The server's level streams.
fn weights(collator: &Collator, text: &[u8], levels: &[Vec<u8>; 3]) -> Result<(), String> {
    let mut room = vec![0; collator.max_key_size(text.len())];
    let due = levels.iter().fold(Vec::new(), |all, level| [&all[..], level, &[0, 0]].concat());
    same_bytes("levels", collator.key(text, &mut room).map_err(fails)?, &due)
}

/// SHA-256 over the keys of all scalars, ascending, each behind its length where `counted` says so.
fn sum(collator: &Collator, sha256: &[u8; 32], counted: bool) -> Result<(), String> {
    let mut hash = sha2::Sha256::new();
    let (mut scalar, mut room) = ([0; 4], [0; 256]);
    for c in '\0'..=char::MAX {
        let key = collator.key(&*c.encode_utf8(&mut scalar), &mut room).map_err(fails)?;
        if counted {
            hash.update(u32::try_from(key.len()).unwrap_or(u32::MAX).to_be_bytes());
        }
        hash.update(key);
    }
    same_bytes("SHA-256", &hash.finalize(), sha256)
}

/// Every rank of a server's collation.
fn order(name: &str, texts: &[Vec<u8>], ranks: &[usize]) -> Result<(), String> {
    let profile = CollationProfile::from_server_name(name).map_err(|why| why.to_string())?;
    let collator = Collator::new(profile);
    let mut keys = Vec::new();
    for text in texts {
        let mut room = vec![0; collator.max_key_size(text.len())];
        keys.push(collator.key(&text[..], &mut room).map_err(fails)?.to_vec());
        round_trip(&collator, text)?;
    }
    let mut sorted = keys.clone();
    sorted.sort();
    sorted.dedup();
    // Dense, from one.
    let rank = |key: &Vec<u8>| sorted.binary_search(key).map_or(0, |at| at + 1);
    for (id, (key, due)) in keys.iter().zip(ranks).enumerate() {
        same(&format!("rank of text {id}"), &rank(key), due)?;
    }
    Ok(())
}
