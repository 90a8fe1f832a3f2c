//! What the committed vectors say about the two comparisons beside each row, which `vectors.rs`
//! checks.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test that fails may panic")]

mod collation_support;

use isotone::collation::Accent;
use isotone::collation::Case;
use isotone::collation::CollationProfile;
use isotone::collation::Collator;
use isotone::collation::Comparison;
use isotone::collation::Padding;

use crate::collation_support::rows;
use crate::collation_support::unhex;
use crate::collation_support::vectors;

/// The Go library and this one have the same profiles, in one order.
#[test]
fn the_sums_name_every_profile_once() {
    let text = vectors("schottky/collation-sums.tsv");
    let there: Vec<&str> = rows(&text).filter_map(|row| row.first().copied()).collect();
    let ours: Vec<String> =
        CollationProfile::all(Comparison::Schottky).map(|p| p.schottky_name().as_str().to_string()).collect();
    assert_eq!(there, ours);
}

/// Dense ranks by key, from one.
fn ranks_of(profile: CollationProfile, texts: &[Vec<u8>]) -> Vec<usize> {
    let collator = Collator::new(profile);
    let mut out = [0; 4096];
    let keys: Vec<Vec<u8>> = texts.iter().map(|text| collator.key(&text[..], &mut out).unwrap().to_vec()).collect();
    let mut sorted: Vec<&Vec<u8>> = keys.iter().collect();
    sorted.sort();
    sorted.dedup();
    keys.iter().map(|key| sorted.binary_search(&key).unwrap() + 1).collect()
}

/// The server's ranks are those of its comparison; Schottky's agrees for the collations without
/// padding but `ai_cs`, and only there.
#[test]
fn where_the_two_comparisons_agree() {
    let (texts, order) = (vectors("mariadb/texts.tsv"), vectors("mariadb/order.tsv"));
    let texts: Vec<Vec<u8>> = rows(&texts).map(|row| unhex(row[1])).collect();
    let mut profiles = Vec::new();
    for row in rows(&order) {
        let [name, ranks] = row[..] else { panic!("{row:?}") };
        let profile = CollationProfile::from_server_name(name).unwrap();
        let ranks: Vec<usize> = ranks.split(',').map(|rank| rank.parse().unwrap()).collect();
        assert_eq!(ranks_of(profile, &texts), ranks, "{name}");
        let schottky = ranks_of(profile.with_comparison(Comparison::Schottky).unwrap(), &texts);
        let odd = (profile.accent(), profile.case()) == (Accent::Insensitive, Case::Sensitive);
        assert_eq!(schottky == ranks, profile.padding() == Padding::None && !odd, "{name}");
        profiles.push(profile);
    }
    assert!(CollationProfile::all(Comparison::Server).eq(profiles));
}
