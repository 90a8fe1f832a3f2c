//! Reads the Unicode 14.0.0 files: the collation element table, the tailorings, the simple
//! uppercase mapping and the unified ideographs. Every line must be understood; nothing is skipped
//! silently.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::Digest as _;

/// One collation element: primary, secondary, tertiary weight.
pub(crate) type Element = (u16, u16, u16);

/// SHA-256 of the table file that this format is frozen on.
const ALLKEYS: &str = "c38aa26b5afe8564caf683120db2d165f8f67fec231614f3517b02996aa94804";

/// A table entry of one scalar keeps at most this many elements (FORMAT §4; it touches U+FDFA
/// only).
const MOST: usize = 8;

/// A range of scalars with implicit weights under one fixed lead.
pub(crate) struct Fixed {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) lead: u16,
    /// The lowest first scalar of all ranges with this lead.
    pub(crate) base: u32,
}

/// Mappings from one scalar or a sequence to collation elements.
#[derive(Clone, Default)]
pub(crate) struct Mapping {
    pub(crate) single: BTreeMap<u32, Vec<Element>>,
    pub(crate) sequence: BTreeMap<Vec<u32>, Vec<Element>>,
}

impl Mapping {
    fn add(&mut self, scalars: Vec<u32>, elements: Vec<Element>) {
        match scalars.as_slice() {
            [one] => {
                self.single.insert(*one, elements.into_iter().take(MOST).collect());
            }
            _ => {
                self.sequence.insert(scalars, elements);
            }
        }
    }
}

/// Everything the tables are built from.
pub(crate) struct Source {
    pub(crate) root: Mapping,
    pub(crate) fixed: Vec<Fixed>,
    /// By name; what differs from the root.
    pub(crate) tailorings: BTreeMap<String, Mapping>,
    pub(crate) uppercase: BTreeMap<u32, u32>,
    pub(crate) unified: Vec<(u32, u32)>,
}

impl Source {
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let text = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
        };
        let table = text("allkeys.txt")?;
        let sum: String = sha2::Sha256::digest(table.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        if sum != ALLKEYS {
            return Err(format!("allkeys.txt is not the 14.0.0 file: SHA-256 {sum}"));
        }
        let mut source = Source {
            root: Mapping::default(),
            fixed: Vec::new(),
            tailorings: BTreeMap::new(),
            uppercase: BTreeMap::new(),
            unified: Vec::new(),
        };
        for line in table.lines() {
            source.table_line(line).ok_or_else(|| format!("allkeys.txt: {line}"))?;
        }
        for (name, take) in [
            ("tailorings.tsv", Self::tailoring_line as fn(&mut Self, &[&str]) -> Option<()>),
            ("simple-uppercase.tsv", Self::uppercase_line),
            ("unified-ideographs.tsv", Self::unified_line),
        ] {
            for line in text(name)?.lines().filter(|l| !l.starts_with('#')) {
                let cells: Vec<&str> = line.split('\t').collect();
                take(&mut source, &cells).ok_or_else(|| format!("{name}: {line}"))?;
            }
        }
        let bases: Vec<u32> = source.fixed.iter().map(|f| source.lowest(f.lead)).collect();
        for (range, base) in source.fixed.iter_mut().zip(bases) {
            range.base = base;
        }
        Ok(source)
    }

    fn lowest(&self, lead: u16) -> u32 {
        self.fixed.iter().filter(|f| f.lead == lead).map(|f| f.first).min().unwrap_or(0)
    }

    fn table_line(&mut self, line: &str) -> Option<()> {
        let body = line.split('#').next()?.trim();
        if body.is_empty() {
            return Some(());
        }
        if let Some(version) = body.strip_prefix("@version ") {
            return (version == "14.0.0").then_some(());
        }
        if let Some(range) = body.strip_prefix("@implicitweights ") {
            let (scalars, lead) = range.split_once(';')?;
            let (first, last) = scalars.split_once("..")?;
            let (first, mut last) = (hex(first)?, hex(last)?);
            // The one place where the frozen behaviour differs from the file (FORMAT §4).
            if first == 0x18d00 {
                last = 0x18d7f;
            }
            self.fixed.push(Fixed { first, last, lead: u16::try_from(hex(lead.trim())?).ok()?, base: 0 });
            return Some(());
        }
        let (scalars, elements) = body.split_once(';')?;
        let scalars: Option<Vec<u32>> = scalars.split_whitespace().map(hex).collect();
        let elements: Option<Vec<Element>> =
            elements.trim().strip_prefix('[')?.strip_suffix(']')?.split("][").map(element).collect();
        self.root.add(scalars?, elements?);
        Some(())
    }

    fn tailoring_line(&mut self, cells: &[&str]) -> Option<()> {
        let [name, scalars, primary, secondary, tertiary] = cells else { return None };
        let scalars: Option<Vec<u32>> = scalars.split(' ').map(hex).collect();
        let [p, s, t] = [stream(primary)?, stream(secondary)?, stream(tertiary)?];
        // The file gives whole streams, not elements. All rows have streams of equal length: zip
        // them.
        if p.len() != s.len() || s.len() != t.len() {
            return None;
        }
        let elements = p.into_iter().zip(s).zip(t).map(|((p, s), t)| (p, s, t)).collect();
        self.tailorings.entry((*name).to_string()).or_default().add(scalars?, elements);
        Some(())
    }

    fn uppercase_line(&mut self, cells: &[&str]) -> Option<()> {
        let [from, to] = cells else { return None };
        self.uppercase.insert(hex(from)?, hex(to)?);
        Some(())
    }

    fn unified_line(&mut self, cells: &[&str]) -> Option<()> {
        let [first, last] = cells else { return None };
        self.unified.push((hex(first)?, hex(last)?));
        Some(())
    }

    /// The two implicit elements of a scalar that is not in the table.
    pub(crate) fn implicit(&self, scalar: u32) -> Vec<Element> {
        let (lead, trail) = if let Some(f) = self.fixed.iter().find(|f| (f.first..=f.last).contains(&scalar)) {
            (u32::from(f.lead), scalar - f.base)
        } else {
            let base = if !self.unified.iter().any(|(a, b)| (*a..=*b).contains(&scalar)) {
                0xfbc0
            } else if matches!(scalar, 0x4e00..=0x9fff | 0xf900..=0xfaff) {
                0xfb40
            } else {
                0xfb80
            };
            (base + (scalar >> 15), scalar & 0x7fff)
        };
        vec![(lead as u16, 0x20, 2), ((trail | 0x8000) as u16, 0, 0)]
    }
}

fn hex(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

/// `.0209.0020.0002` or `*0209.0020.0002`: variable elements count as ordinary.
fn element(text: &str) -> Option<Element> {
    let mut weights = text.strip_prefix(['.', '*'])?.split('.').map(|w| u16::from_str_radix(w, 16));
    let found = (weights.next()?.ok()?, weights.next()?.ok()?, weights.next()?.ok()?);
    weights.next().is_none().then_some(found)
}

/// Weights one after another, four hex digits each.
fn stream(text: &str) -> Option<Vec<u16>> {
    text.as_bytes().chunks(4).map(|w| u16::from_str_radix(std::str::from_utf8(w).ok()?, 16).ok()).collect()
}
