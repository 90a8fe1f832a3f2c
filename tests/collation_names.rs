//! Names in and out: producer strings, Schottky's names, and the collation names of two servers.

use std::collections::BTreeSet;

use isotone::collation::Accent;
use isotone::collation::Algorithm;
use isotone::collation::Case;
use isotone::collation::CollationProfile;
use isotone::collation::Comparison;
use isotone::collation::InvalidProfile;
use isotone::collation::NameError;
use isotone::collation::Padding;
use isotone::collation::Tailoring;

fn every() -> impl Iterator<Item = CollationProfile> {
    CollationProfile::all(Comparison::Schottky).chain(CollationProfile::all(Comparison::Server))
}

#[test]
fn producer_strings_are_the_formats_own() {
    let mut seen = BTreeSet::new();
    for profile in every() {
        let name = profile.producer();
        assert!(name.as_str().len() < 48 && name.as_bytes() == name.as_str().as_bytes());
        assert_eq!(CollationProfile::from_producer(name.as_str()), Some(profile));
        assert_eq!(profile.to_string(), name.as_str());
        assert!(seen.insert(name.to_string()));
    }
    assert_eq!(seen.len(), 187 + 184);
    for name in [
        "uca14;14.0.0;schottky;root_pad_ai_ci",
        "uca14;14.0.0;schottky;vietnamese_nopad_as_cs",
        "uca14;14.0.0;server;swedish_pad_as_cs",
        "uca14;14.0.0;schottky;simple_case",
        "uca14;14.0.0;schottky;binary_pad",
        "uca14;14.0.0;schottky;binary_nopad",
    ] {
        assert!(seen.contains(name), "{name}");
    }
    for name in [
        "",
        "uca14",
        "uca14;14.0.0;",
        "uca14;14.0.0;server;simple_case",
        "uca14;14.0.0;server;binary_pad",
        "uca14;14.0.0;schottky;",
        "uca14;14.0.0;schottky;root_ai_ci",
        "uca14;14.0.0;schottky;Root_pad_ai_ci",
        "uca14;14.0.1;schottky;root_pad_ai_ci",
        "uca14;14.0.0;schottky;root_pad_ai_ci ",
        "uca14;14.0.0;schottky;root_pad__ai_ci",
        "uca14;14.0.0;schottky;norwegian_pad_ai_ci",
        "uca14;14.0.0;schottky;_pad_ai_ci",
        "uca14;14.0.0;server;root_nopad_nopad_ai_ci",
        "icu;2.4.0;48;17.0;sv;1;00",
    ] {
        assert_eq!(CollationProfile::from_producer(name), None, "{name}");
    }
}

#[test]
fn schottky_names() {
    for profile in CollationProfile::all(Comparison::Schottky) {
        assert_eq!(CollationProfile::from_schottky_name(profile.schottky_name().as_str()), Some(profile));
    }
    for name in ["uca14_ai_ci", "uca14_root", "binary_pad", "uca14_root_pad_ai_ci", "uca14_root_nopad_nopad_ai_ci", ""]
    {
        assert_eq!(CollationProfile::from_schottky_name(name), None, "{name}");
    }
}

#[test]
fn only_valid_combinations() {
    use Comparison::{Schottky, Server};
    let mut count = 0;
    for algorithm in [Algorithm::Uca, Algorithm::SimpleCase, Algorithm::Binary] {
        for tailoring in Tailoring::ALL {
            for padding in [Padding::Space, Padding::None] {
                for accent in [Accent::Insensitive, Accent::Sensitive] {
                    for case in [Case::Insensitive, Case::Sensitive] {
                        for comparison in [Schottky, Server] {
                            let found = CollationProfile::new(algorithm, tailoring, padding, accent, case, comparison);
                            count += usize::from(found.is_ok());
                            assert_eq!(found.is_ok(), every().any(|p| Ok(p) == found));
                        }
                    }
                }
            }
        }
    }
    assert_eq!(count, 187 + 184);
    assert_eq!(CollationProfile::BINARY.with_comparison(Server), Err(InvalidProfile));
}

#[test]
fn server_names() {
    for (name, producer) in [
        ("utf8mb4_uca1400_ai_ci", "root_pad_ai_ci"),
        ("uca1400_as_cs", "root_pad_as_cs"),
        ("UTF8MB4_UCA1400_NOPAD_AS_CI", "root_nopad_as_ci"),
        ("utf8mb3_uca1400_swedish_ai_cs", "swedish_pad_ai_cs"),
        ("uca1400_spanish2_nopad_as_cs", "spanish2_nopad_as_cs"),
        ("utf8mb4_0900_ai_ci", "root_nopad_ai_ci"),
        ("utf8mb4_0900_as_ci", "root_nopad_as_ci"),
        ("utf8mb4_0900_as_cs", "root_nopad_as_cs"),
        ("utf8mb4_de_pb_0900_ai_ci", "german2_nopad_ai_ci"),
        ("utf8mb4_es_trad_0900_as_cs", "spanish2_nopad_as_cs"),
        ("utf8mb4_la_0900_ai_ci", "roman_nopad_ai_ci"),
        ("utf8mb4_vi_0900_as_cs", "vietnamese_nopad_as_cs"),
    ] {
        let found = CollationProfile::from_server_name(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(found.producer().as_str(), format!("uca14;14.0.0;server;{producer}"), "{name}");
    }
    for name in ["utf8mb4_0900_bin", "utf8mb4_nopad_bin"] {
        assert_eq!(CollationProfile::from_server_name(name), Ok(CollationProfile::BINARY_NOPAD));
    }
    let aliases = ["is", "lv", "ro", "sl", "pl", "et", "es", "sv", "tr", "cs", "da", "lt", "sk", "eo", "hu", "hr"];
    for language in aliases {
        for tail in ["ai_ci", "as_cs"] {
            assert!(
                CollationProfile::from_server_name(&format!("utf8mb4_{language}_0900_{tail}")).is_ok(),
                "{language}"
            );
        }
        let none = CollationProfile::from_server_name(&format!("utf8mb4_{language}_0900_as_ci"));
        assert_eq!(none, Err(NameError::OtherFamily), "{language}");
    }
}

#[test]
fn refused_names() {
    for name in [
        "utf8mb4_ja_0900_as_cs",
        "utf8mb4_ja_0900_as_cs_ks",
        "utf8mb4_ru_0900_ai_ci",
        "utf8mb4_zh_0900_as_cs",
        "utf8mb4_nb_0900_ai_ci",
        "utf8mb4_sr_latn_0900_as_cs",
    ] {
        assert_eq!(CollationProfile::from_server_name(name), Err(NameError::NoTailoring), "{name}");
    }
    for name in ["utf8mb4_bin", "utf8mb4_general1400_as_ci"] {
        assert_eq!(CollationProfile::from_server_name(name), Err(NameError::NoServerOrder), "{name}");
    }
    let tail = "x".repeat(100);
    for name in [
        "",
        "utf8mb4",
        "utf8mb4_",
        "utf8mb4_general_ci",
        "utf8mb4_general_nopad_ci",
        "utf8mb4_unicode_ci",
        "utf8mb4_unicode_520_ci",
        "utf8mb4_swedish_ci",
        "utf8mb4_croatian_mysql561_ci",
        "utf8mb4_thai_520_w2",
        "utf8mb4_myanmar_ci",
        "latin1_swedish_ci",
        "utf8mb4_uca1400",
        "utf8mb4_uca1400_",
        "utf8mb4_uca1400_root_ai_ci",
        "utf8mb4_uca1400_norwegian_ai_ci",
        "utf8mb4_uca1400_nopad_swedish_ai_ci",
        "utf8mb4_uca1400_swedishnopad_ai_ci",
        "utf8mb4_uca1400_ai",
        "utf8mb4_uca1400__ai_ci",
        "utf8mb4_uca1400_swedish__ai_ci",
        "utf8mb4_uca1400_swedish_pad_ai_ci",
        "utf8mb4_0900_ai_cs",
        "utf8mb4_sv_0900_ai_cs",
        "utf8mb4__0900_ai_ci",
        "utf8mb4_sv0900_ai_ci",
        "utf8mb4_xx_0900_ai_ci",
        "0900_ai_ci",
        "latin1_uca1400_ai_ci",
        "utf8mb4_uca0900_ai_ci",
        "_ai_ci",
        "utf8mb4_uca1400_nopad__ai_ci",
        "utf8mb4_uca1400__nopad_ai_ci",
        &tail,
    ] {
        assert_eq!(CollationProfile::from_server_name(name), Err(NameError::OtherFamily), "{name}");
    }
}
