//! The demo as it is run: one command, its exit code, and the report that it writes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::process::Command;
use std::process::Output;

use serde_json::Value as Json;

fn demo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotone-demo")).args(arguments).output().unwrap()
}

fn is_digest(text: &Json) -> bool {
    text.as_str().is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[test]
fn the_report_says_what_the_table_says() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.json");
    let output = demo(&["--report", path.to_str().unwrap()]);
    let (table, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{table}\n{errors}");
    let report: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let verdict = format!(
        "{} questions, {} answers, {} refusals: all agree",
        report["questions"],
        report["answers"],
        report["refused"].as_array().unwrap().len()
    );
    assert_eq!(table.lines().last(), Some(&verdict[..]));
    assert_eq!((&report["ready"], &report["disagreements"]), (&true.into(), &0.into()));

    // Every line of the table is an answer of the report.
    let paged = report["paged"].as_array().unwrap().iter().map(|question| &question["pages"]);
    let questions = || report["asked"].as_array().unwrap().iter().chain(paged.clone());
    let answers: Vec<_> = questions().flat_map(|question| question["answers"].as_array().unwrap()).collect();
    assert_eq!(
        (questions().count(), answers.len()),
        (
            usize::try_from(report["questions"].as_u64().unwrap()).unwrap(),
            usize::try_from(report["answers"].as_u64().unwrap()).unwrap(),
        )
    );
    for answer in answers {
        assert!(answer["agrees"] == true && answer["first_difference"].is_null() && is_digest(&answer["sha256"]));
    }
    let refused = report["refused"].as_array().unwrap();
    assert!(refused.iter().all(|refusal| refusal["refused"] == true));
    let said = table.lines().filter(|line| line.starts_with("refused: ")).count();
    assert!(said == refused.len() && said > 40, "{said}");

    let indexes = report["indexes"].as_array().unwrap();
    assert!(indexes.len() > report["rekeyed"].as_array().unwrap().len());
    assert!(indexes.iter().all(|index| index["contract"]["hex"].as_str().unwrap().starts_with("4f4b4301")));
    for rekeyed in report["rekeyed"].as_array().unwrap() {
        assert!(rekeyed["ready"] == true && rekeyed["switched"] == true && rekeyed["first_difference"] == 0);
        assert!(!rekeyed["stopped"].as_array().unwrap().is_empty());
        for side in ["source", "target"] {
            let (digest, expected) = (&rekeyed[format!("{side}_sha256")], &rekeyed[format!("{side}_sha256_expected")]);
            assert!(is_digest(digest) && digest == expected);
            assert_eq!(rekeyed[side]["index"], rekeyed["index"]);
        }
        assert_eq!(rekeyed["rows"], rekeyed["target_rows"]);
        for count in ["duplicates", "undecodable", "refused", "conflicts", "first_fault"] {
            assert_eq!(rekeyed[count], 0, "{count}");
        }
    }
}

#[test]
fn what_is_not_understood_is_not_run() {
    for arguments in [&["--help"][..], &["--report"], &["--report", "a", "b"]] {
        let output = demo(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
}
