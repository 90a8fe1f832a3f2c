//! Imports run one way. Every path into the crate that a file of `src/` names must be in the list
//! below, and the list itself runs from the inside out. A new module gets its row here first.
//!
//! Unit tests at the foot of a file may look anywhere; they are not read.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails may panic"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Units from the inside out, each with what it may import. A unit is a module and all below it; of
/// `raw` and `codec` it is each module in them. What is not named may not be imported, not even from
/// a sibling. `codec/*` is any family.
const LAYERS: &[(&str, &[&str])] = &[
    // Know nothing.
    ("error", &[]),
    ("order", &["error"]),
    ("kind", &["error", "order"]),
    // Bytes, and the only code that moves along a caller's. The door knows how deep kinds may nest.
    ("raw", &[]),
    ("raw/lanes", &[]),
    ("raw/block", &["raw/lanes"]),
    ("raw/wide", &["raw/lanes", "raw/block"]),
    ("raw/long", &["order", "raw/lanes", "raw/block", "raw/wide"]),
    ("raw/short", &["raw/lanes"]),
    ("raw/view", &["error", "order", "raw/long"]),
    ("raw/sink", &["error", "order", "raw/lanes", "raw/block", "raw/long", "raw/view"]),
    ("raw/input", &["error", "order", "raw/lanes", "raw/long", "raw/view"]),
    ("raw/free", &["order", "raw/long", "raw/short", "raw/view", "raw/sink"]),
    ("raw/out", &["error", "order", "kind", "raw/short", "raw/view", "raw/sink", "raw/free"]),
    // Families: none knows another.
    ("codec", &[]),
    ("codec/*", &["error", "order", "raw/view", "raw/sink", "raw/input"]),
    // The producers of comparison images. What writes them into keys, `collated`, is far outside.
    ("collation", &["error", "order", "kind", "raw/short", "raw/view", "raw/sink", "raw/out", "codec/text"]),
    // Values of any kind, and composites, which hold values of any kind.
    ("value", &["error", "order", "kind", "raw/view", "raw/sink", "raw/input", "codec/*", "collation"]),
    ("table", &[]),
    ("size", &["error", "order", "kind", "raw/view", "raw/sink", "codec/*", "value"]),
    // Siblings: the builder never reads, the decoder never writes.
    (
        "builder",
        &["error", "order", "kind", "raw/view", "raw/sink", "raw/free", "raw/out", "codec/*", "value", "table"],
    ),
    ("decoder", &["error", "order", "kind", "raw/view", "raw/input", "codec/*", "value", "table"]),
    ("room", &["error", "builder"]),
    // Bytes, not types.
    ("range", &["error"]),
    // The schema and everything driven by it. It stands on the kernel, never on `size`.
    (
        "spec",
        &[
            "error",
            "order",
            "kind",
            "raw/view",
            "raw/sink",
            "raw/input",
            "codec/*",
            "value",
            "table",
            "builder",
            "decoder",
            "room",
            "range",
        ],
    ),
    // Collated text in the writers and readers of both.
    (
        "collated",
        &[
            "error",
            "order",
            "kind",
            "raw/view",
            "raw/out",
            "codec/text",
            "collation",
            "value",
            "builder",
            "decoder",
            "spec",
        ],
    ),
    // Walks over a store, and the life of an index.
    ("scan", &["error", "range", "spec"]),
    (
        "index",
        &[
            "error",
            "order",
            "kind",
            "raw/short",
            "raw/view",
            "raw/out",
            "codec/text",
            "collation",
            "builder",
            "decoder",
            "range",
            "spec",
        ],
    ),
    // What macros need where they are used.
    ("private", &["kind", "spec"]),
];

/// The unit that a module belongs to.
fn unit(module: &str) -> &str {
    let levels = if module.starts_with("raw/") || module.starts_with("codec/") { 2 } else { 1 };
    let end = module.match_indices('/').nth(levels - 1).map_or(module.len(), |(at, _)| at);
    &module[..end]
}

/// Whether a name in the list speaks of a unit.
fn covers(name: &str, unit: &str) -> bool {
    name == unit || name.strip_suffix('*').is_some_and(|folder| unit.starts_with(folder))
}

/// The row of a unit.
fn row(unit: &str) -> Option<usize> {
    LAYERS.iter().position(|(name, _)| covers(name, unit))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Every module of the crate by its path below `src`, and its code without unit tests and comments.
fn modules() -> BTreeMap<String, String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&src, &mut found);
    let name = |path: &Path| {
        let below = path.strip_prefix(&src).expect("below src").with_extension("");
        let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let parts = parts.strip_suffix(&["mod".to_string()]).unwrap_or(&parts);
        parts.join("/")
    };
    found.iter().map(|path| (name(path), code(&fs::read_to_string(path).expect("a source file")))).collect()
}

/// A file's lines up to its unit tests, comments left out.
fn code(text: &str) -> String {
    let body = text.find("#[cfg(test)]\nmod ").map_or(text, |at| &text[..at]);
    let lines = body.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Every path that begins with `crate::`, without it; those of macros for their users (`$crate`) apart.
fn paths(code: &str) -> Vec<&str> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let ours = |at: &usize| !code[..*at].ends_with(|c| part(c) || c == '$');
    let starts = code.match_indices("crate::").map(|(at, _)| at).filter(ours);
    starts
        .map(|at| {
            let path = &code[at + "crate::".len()..];
            path.split(|c: char| !part(c) && c != ':').next().unwrap_or("")
        })
        .collect()
}

/// The module that a path leads into: the longest one that it begins with.
fn target(modules: &BTreeMap<String, String>, path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
    (1..=parts.len()).rev().map(|n| parts[..n].join("/")).find(|name| modules.contains_key(name))
}

#[test]
fn imports_run_from_the_outside_in() {
    let modules = modules();
    assert!(modules.len() > 30, "the sources were found");
    let mut wrong = Vec::new();
    for (module, code) in modules.iter().filter(|(module, _)| *module != "lib") {
        let Some((_, allowed)) = row(unit(module)).map(|row| LAYERS[row]) else {
            wrong.push(format!("{module} has no row"));
            continue;
        };
        for path in paths(code) {
            match target(&modules, path).as_deref().map(unit) {
                Some(target) if target == unit(module) || allowed.iter().any(|name| covers(name, target)) => {}
                Some(target) => wrong.push(format!("{module} may not import {target} (crate::{path})")),
                None => wrong.push(format!("{module} imports crate::{path}, which is no module's")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The list runs one way: what a row may import stands above it.
#[test]
fn the_list_runs_from_the_inside_out() {
    for (n, (name, allowed)) in LAYERS.iter().enumerate() {
        for inner in *allowed {
            let place = LAYERS.iter().position(|(name, _)| covers(name, inner));
            assert!(place.is_some_and(|place| place < n), "{name} may not import {inner}");
        }
    }
}

/// Every row is of a module that is there, so that the list does not outlive what it speaks of.
#[test]
fn every_row_has_its_module() {
    let modules = modules();
    for (n, (name, _)) in LAYERS.iter().enumerate() {
        assert!(modules.keys().any(|module| row(unit(module)) == Some(n)), "{name}");
    }
}

/// One item a line, from the module that owns it: the top of a file tells what it stands on.
#[test]
fn imports_are_one_item_a_line() {
    for (module, code) in modules() {
        for line in code.lines().filter(|line| line.contains("use crate::") || line.starts_with("use ")) {
            assert!(!line.contains(['{', '*']), "{module}: {line}");
        }
        assert!(!code.contains("use super::"), "{module} imports from the module above by `super`");
    }
}

/// `lib.rs` holds names and the guide.
#[test]
fn the_root_has_no_logic() {
    let modules = modules();
    let root = modules.get("lib").expect("lib.rs");
    for line in root.lines().filter(|line| !line.trim().is_empty()) {
        // The unit struct carries the front page's example as a doctest.
        let known = ["#![", "#[", "extern crate ", "mod ", "pub mod ", "pub use ", "struct Readme;"];
        assert!(known.iter().any(|start| line.trim_start().starts_with(start)), "lib.rs: {line}");
    }
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let text = "use crate::kind::Kind;\nfn f(x: crate::order::Order) { g(crate::raw::out::Door::new(x)) }\n// crate::no\n$crate::no pub(crate) fn\n";
    assert_eq!(paths(&code(text)), ["kind::Kind", "order::Order", "raw::out::Door::new"]);
    assert_eq!(unit("codec/decimal/digits"), "codec/decimal");
    assert_eq!((unit("codec"), unit("value/range/walk"), unit("builder/put")), ("codec", "value", "builder"));
    assert!(covers("codec/*", "codec/net") && !covers("codec/*", "codec") && !covers("raw/out", "raw/output"));
}
