//! Finds and reads the vector sets.

use std::env;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::vectors_support::report::Report;
use crate::vectors_support::report::Sheet;

/// The variable that names another folder.
const VARIABLE: &str = "ISOTONE_VECTORS";

/// The sets, and the files of each that are known by name. Files of `pg18` are known by their form.
const SETS: [(&str, &[&str]); 4] = [
    ("format", &["composites.tsv"]),
    ("mariadb", &["order.tsv", "scalars.tsv", "texts.tsv", "weights.tsv"]),
    ("pg18", &[]),
    ("schottky", &["collation-sums.tsv", "collation.tsv", "composite.tsv", "decode.tsv", "fields.tsv"]),
];

/// A folder of vector sets.
pub(crate) struct Folder {
    root: PathBuf,
    committed: bool,
}

/// A line that is no header, cut at its tabs.
pub(crate) struct Row {
    /// Counted from 1, headers too.
    pub(crate) line: usize,
    pub(crate) cells: Vec<&'static str>,
}

impl Row {
    /// The cells, if there are `N` of them.
    pub(crate) fn cells<const N: usize>(&self) -> Result<[&'static str; N], String> {
        let got = self.cells.len();
        self.cells.clone().try_into().map_err(|_| format!("{got} columns where {N} are due"))
    }
}

/// A file's text. It lives as long as the test does, so that values may borrow from it.
pub(crate) struct Table {
    text: &'static str,
    committed: bool,
}

impl Table {
    /// The lines that are no headers.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        let lines = self.text.strip_suffix('\n').unwrap_or(self.text).split('\n').enumerate();
        // Of an empty file nothing is left but one empty line.
        let empty = self.text.is_empty();
        lines
            .filter(move |(_, line)| !empty && !line.starts_with('#'))
            .map(|(at, line)| Row { line: at + 1, cells: line.split('\t').collect() })
    }

    /// How many `what` a committed file has, as its first line says in `what=N`. Other folders may
    /// hold a part of a file under its whole header.
    pub(crate) fn promised(&self, what: &str) -> Option<usize> {
        let first = self.text.lines().next().filter(|line| self.committed && line.starts_with('#'))?;
        first.split(' ').find_map(|word| word.strip_prefix(what)?.strip_prefix('=')?.parse().ok())
    }

    /// What a header line says behind `# title: `.
    pub(crate) fn header(&self, title: &str) -> Option<&'static str> {
        let mut headers = self.text.lines().take_while(|line| line.starts_with('#'));
        headers.find_map(|line| line.strip_prefix("# ")?.strip_prefix(title)?.strip_prefix(": "))
    }
}

impl Folder {
    /// The folder that the variable names, or the committed one.
    ///
    /// # Panics
    /// When there is no such folder.
    pub(crate) fn find() -> Folder {
        let named = env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let committed = named.is_none();
        let root = named.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"), PathBuf::from);
        assert!(root.is_dir(), "there is no folder {}", root.display());
        Folder { root, committed }
    }

    /// Whether this is the copy in the repository, of which nothing may be missing.
    pub(crate) fn is_committed(&self) -> bool {
        self.committed
    }

    /// Names of the `.tsv` files of a set, sorted.
    pub(crate) fn names(&self, set: &str) -> Vec<String> {
        let mut names: Vec<String> = entries(&self.root.join(set));
        names.retain(|name| name.ends_with(".tsv"));
        names
    }

    /// Reads a file; tells the report if it is absent or is no text.
    pub(crate) fn table(&self, set: &str, file: &str, report: &mut Report) -> Option<(Table, Sheet)> {
        let name = format!("{set}/{file}");
        let path = self.root.join(set).join(file);
        if !path.exists() {
            report.absent(name);
            return None;
        }
        let mut sheet = Sheet::new(name);
        match fs::read_to_string(&path) {
            Ok(text) => Some((Table { text: text.leak(), committed: self.committed }, sheet)),
            Err(error) => {
                sheet.fault(0, &format!("can't be read: {error}"));
                report.add(sheet);
                None
            }
        }
    }

    /// Reports the sets that are here, and whatever belongs to none of them.
    pub(crate) fn strangers(&self, report: &mut Report) {
        let here = entries(&self.root);
        for (set, files) in SETS {
            if !here.iter().any(|name| name == set) {
                report.absent(format!("{set}/"));
                continue;
            }
            let names = self.names(set);
            let mut sheet = Sheet::new(format!("{set}/"));
            sheet.note(&format!("files: {}", names.len()));
            report.add(sheet);
            for name in names {
                // The test of the types looks at every file of `pg18`.
                if set == "pg18" || files.contains(&name.as_str()) {
                    continue;
                }
                if let Some((table, mut sheet)) = self.table(set, &name, report) {
                    sheet.note("unknown file");
                    sheet.not_known(table.rows().count());
                    report.add(sheet);
                }
            }
        }
        let known = |name: &String| SETS.iter().any(|(set, _)| set == name);
        for name in here.iter().filter(|name| !known(name)) {
            let mut sheet = Sheet::new(name.as_str());
            sheet.note("belongs to no set");
            report.add(sheet);
        }
        assert!(here.iter().any(known), "{} holds none of the sets", self.root.display());
    }
}

/// Names in a folder, sorted; none if there is no such folder.
fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}
