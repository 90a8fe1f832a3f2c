//! Turns the mappings into two-stage tables: a row of page numbers for each tailoring over one pool
//! of distinct pages.
//!
//! An entry is a `u32`. Below 2^30 it is one collation element, `primary << 14 | secondary << 5 |
//! tertiary`, and zero is a scalar without weights. Otherwise the top bit is set and two bits say
//! what the rest is: expansion (`count << 16 | first element in the pool`), computed (zero: the
//! implicit weights of the scalar; else the number of a run, counted from one: its primaries go up
//! by one from scalar to scalar), starter (number of a record: the scalar begins sequences),
//! ideograph (the weights are the implicit ones of another scalar).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::parse::Element;
use crate::parse::Mapping;
use crate::parse::Source;

pub(crate) const EXPANSION: u32 = 0x8000_0000;
pub(crate) const COMPUTED: u32 = 0xa000_0000;
pub(crate) const STARTER: u32 = 0xc000_0000;
pub(crate) const IDEOGRAPH: u32 = 0xe000_0000;
/// In an ASCII row: the letter may begin a sequence with a second ASCII letter, or has unusual
/// weights.
pub(crate) const LOOK: u64 = 1 << 56;
/// In an ASCII row: the letter may begin a sequence, and has plain weights.
pub(crate) const BEGINS: u64 = 1 << 48;

/// Where an element's primary weight begins.
const PRIMARY: u32 = 14;
/// Scalars in a page: 2^SHIFT.
pub(crate) const SHIFT: u32 = 5;
/// Runs begin here: the scripts below are looked up most, and directly.
const RUNS_FROM: u32 = 0x2000;
/// The end of the scalars that the rows cover, and the stretches above it that have entries.
const ROW_END: u32 = 0x1fc00;
const ABOVE: [(u32, u32); 2] = [(0x2f800, 0x2fa20), (0xe0000, 0xe0200)];

pub(crate) struct Starter {
    pub(crate) own: u32,
    pub(crate) first: u16,
    pub(crate) pairs: u8,
    pub(crate) triples: bool,
}

pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) step: u32,
    pub(crate) delta: i32,
}

pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) pages: Vec<u16>,
    pub(crate) ascii: usize,
}

/// The weights of ASCII letters, then those of the sequences of two such letters, then marks.
#[derive(PartialEq)]
pub(crate) struct Ascii {
    pub(crate) weights: Vec<u64>,
    /// The sequences, in the order of their weights.
    pub(crate) joins: Vec<[u8; 2]>,
}

#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) entries: Vec<u32>,
    pub(crate) elements: Vec<u32>,
    pub(crate) starters: Vec<Starter>,
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) triples: Vec<[u32; 4]>,
    /// First scalar and its element.
    pub(crate) runs: Vec<(u32, u32)>,
    pub(crate) ascii: Vec<Ascii>,
    /// The root first, then the tailorings by name, each cut after its last page that differs from
    /// the root's.
    pub(crate) rows: Vec<Row>,
    pub(crate) above: Vec<(u32, Vec<u16>)>,
    pub(crate) unified: Vec<(u32, u32)>,
    pub(crate) fixed: Vec<[u32; 4]>,
    pub(crate) uppercase: Vec<Run>,
    page_of: BTreeMap<Vec<u32>, u16>,
}

impl Tables {
    pub(crate) fn build(source: &Source) -> Result<Self, String> {
        let mut tables = Tables::default();
        tables.pool(source)?;
        tables.runs(source);
        let mut all = vec![("root".to_string(), source.root.clone())];
        for (name, own) in &source.tailorings {
            let mut merged = source.root.clone();
            // A tailoring's sequence wins over the table's where it is at least as long: of equal
            // length it replaces it, and a longer one of the table is still longer.
            merged.single.extend(own.single.clone());
            merged.sequence.extend(own.sequence.clone());
            all.push((name.clone(), merged));
        }
        let mut before: Option<Vec<u16>> = None;
        for (name, mapping) in &all {
            let starters = tables.starters(source, mapping, before.is_none())?;
            let entry = |c: u32| starters.get(&c).copied().unwrap_or_else(|| tables.entry(source, mapping, c));
            let span = |from: u32, to: u32| -> Vec<Vec<u32>> {
                (from..to)
                    .step_by(1 << SHIFT)
                    .map(|p| tables.shorten(p, (p..p + (1 << SHIFT)).map(entry).collect()))
                    .collect()
            };
            let (low, above) = (span(0, ROW_END), ABOVE.map(|(from, to)| span(from, to)));
            let ascii = tables.ascii(source, mapping, &low)?;
            let mut pages = tables.pages(low)?;
            let above: Result<Vec<_>, String> = above.into_iter().map(|p| tables.pages(p)).collect();
            let above: Vec<_> = ABOVE.iter().map(|(from, _)| from >> SHIFT).zip(above?).collect();
            if let Some(root) = &before {
                if above != tables.above {
                    return Err(format!("{name} changes scalars above the rows"));
                }
                let cut = pages.iter().zip(root).rposition(|(a, b)| a != b).map_or(0, |at| at + 1);
                pages.truncate(cut);
            } else {
                before = Some(pages.clone());
                tables.above = above;
            }
            tables.rows.push(Row { name: name.clone(), pages, ascii });
        }
        for scalar in source.root.single.keys().filter(|c| **c >= ROW_END) {
            if !ABOVE.iter().any(|(from, to)| (*from..*to).contains(scalar)) {
                return Err(format!("U+{scalar:04X} is outside of the stretches"));
            }
        }
        tables.unified = source.unified.clone();
        tables.fixed = source.fixed.iter().map(|f| [f.first, f.last, u32::from(f.lead), f.base]).collect();
        tables.uppercase(source);
        Ok(tables)
    }

    /// The pool of expansions: the longest first, so that shorter ones are found inside them.
    fn pool(&mut self, source: &Source) -> Result<(), String> {
        let mappings = || std::iter::once(&source.root).chain(source.tailorings.values());
        let mut lists: Vec<Vec<u32>> = mappings()
            .flat_map(|m| m.single.values().chain(m.sequence.values()))
            .filter(|list| list.len() > 1 && ideograph(source, list).is_none())
            .map(|list| list.iter().map(|e| pack(*e)).collect::<Result<_, _>>())
            .collect::<Result<_, _>>()?;
        lists.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        lists.dedup();
        for list in lists {
            if find(&self.elements, &list).is_none() {
                let most = list.len().min(self.elements.len());
                let shared = (0..=most).rev().find(|n| self.elements.ends_with(&list[..*n])).unwrap_or(0);
                self.elements.extend(&list[shared..]);
            }
        }
        Ok(())
    }

    fn list(&self, source: &Source, list: &[Element]) -> u32 {
        let packed: Vec<u32> = list.iter().map(|e| pack(*e).unwrap_or(0)).collect();
        match packed.as_slice() {
            [] => 0,
            [one] => *one,
            _ => ideograph(source, list).map_or_else(
                || {
                    let at = find(&self.elements, &packed).unwrap_or(usize::MAX);
                    assert!(at <= 0xffff && packed.len() <= 8, "expansion out of range");
                    EXPANSION | (packed.len() as u32) << 16 | at as u32
                },
                |scalar| IDEOGRAPH | scalar,
            ),
        }
    }

    fn entry(&self, source: &Source, mapping: &Mapping, scalar: u32) -> u32 {
        mapping.single.get(&scalar).map_or(COMPUTED, |list| self.list(source, list))
    }

    /// Finds whole pages, at least two in a row, whose elements differ by one primary from scalar
    /// to scalar.
    fn runs(&mut self, source: &Source) {
        let starters: BTreeSet<u32> = source.root.sequence.keys().map(|s| s[0]).collect();
        let plain = |c: u32| match source.root.single.get(&c).map(Vec::as_slice) {
            Some([one]) if one.0 != 0 && !starters.contains(&c) => pack(*one).ok(),
            _ => None,
        };
        let wide = 1 << SHIFT;
        let begins = |c: u32| {
            let first = plain(c)?;
            (0..wide).all(|i| plain(c + i) == Some(first + (i << PRIMARY))).then_some(first)
        };
        let mut open: Option<(u32, u32)> = None;
        for page in (RUNS_FROM..ROW_END).step_by(wide as usize) {
            let found = begins(page);
            if let (Some((first, element)), Some(here)) = (open, found)
                && here == element + ((page - first) << PRIMARY)
            {
                if page - first == wide {
                    self.runs.push((first, element));
                }
                continue;
            }
            open = found.map(|element| (page, element));
        }
    }

    /// The page of a run in place of its elements, if it is one.
    fn shorten(&self, from: u32, page: Vec<u32>) -> Vec<u32> {
        let number = self.runs.iter().rposition(|(first, _)| *first <= from);
        let Some((number, (first, element))) = number.and_then(|n| Some((n, self.runs.get(n)?))) else { return page };
        let same =
            |(i, e): (u32, &u32)| u64::from(*e) == u64::from(*element) + (u64::from(from + i - first) << PRIMARY);
        if (0..).zip(&page).all(same) { vec![COMPUTED | (number as u32 + 1); page.len()] } else { page }
    }

    /// Records for every scalar that begins a sequence. A tailoring's record is shared with the
    /// root's when equal.
    fn starters(&mut self, source: &Source, mapping: &Mapping, root: bool) -> Result<BTreeMap<u32, u32>, String> {
        let mut groups: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut triples: Vec<[u32; 4]> = Vec::new();
        for (scalars, list) in &mapping.sequence {
            let entry = self.list(source, list);
            match scalars.as_slice() {
                [first, second] => groups.entry(*first).or_default().push((*second, entry)),
                [first, second, third] => {
                    groups.entry(*first).or_default();
                    triples.push([*first, *second, *third, entry]);
                }
                _ => return Err(format!("a sequence of {} scalars", scalars.len())),
            }
        }
        if root {
            self.triples = triples;
        } else if self.triples != triples {
            return Err("a tailoring with its own sequence of three".to_string());
        }
        let mut found = BTreeMap::new();
        for (scalar, pairs) in groups {
            let own = self.entry(source, mapping, scalar);
            let triples = self.triples.iter().any(|t| t[0] == scalar);
            let same = self.starters.iter().position(|s| {
                let from = usize::from(s.first);
                s.own == own && s.triples == triples && self.pairs[from..from + usize::from(s.pairs)] == pairs
            });
            let number = same.unwrap_or_else(|| {
                let first = find(&self.pairs, &pairs).unwrap_or_else(|| {
                    self.pairs.extend(&pairs);
                    self.pairs.len() - pairs.len()
                });
                self.starters.push(Starter { own, first: first as u16, pairs: pairs.len() as u8, triples });
                self.starters.len() - 1
            });
            found.insert(scalar, STARTER | number as u32);
        }
        Ok(found)
    }

    /// The number of the ASCII row: the weights of each letter in the order in which they are
    /// stored, and marks.
    fn ascii(&mut self, source: &Source, mapping: &Mapping, low: &[Vec<u32>]) -> Result<usize, String> {
        if mapping.sequence.keys().any(|s| s[0] < 128 && s.len() > 2) {
            return Err("a sequence of three that begins with an ASCII letter".to_string());
        }
        let mut weights: Vec<u64> = (0..128u32)
            .zip(low.iter().flatten())
            .map(|(c, entry)| {
                let own = if *entry >= STARTER { self.starters[(entry & !STARTER) as usize].own } else { *entry };
                let begins = mapping.sequence.keys().any(|s| s[0] == c);
                let joins = mapping.sequence.keys().any(|s| s[0] == c && s[1] < 128);
                let (stored, plain) = stored(own);
                let looks = if joins || !plain { LOOK } else { 0 };
                stored | looks | if begins && plain { BEGINS } else { 0 }
            })
            .collect();
        let mut joins = Vec::new();
        for (scalars, list) in &mapping.sequence {
            let (stored, plain) = stored(self.list(source, list));
            if let [first @ 0..128, second @ 0..128] = scalars.as_slice() {
                if !plain {
                    return Err(format!("{first:x} {second:x} have unusual weights"));
                }
                weights.push(stored);
                joins.push([*first as u8, *second as u8]);
            }
        }
        if weights.len() > 256 {
            return Err("too many sequences of ASCII letters".to_string());
        }
        weights.resize(256, LOOK);
        let row = Ascii { weights, joins };
        Ok(self.ascii.iter().position(|there| *there == row).unwrap_or_else(|| {
            self.ascii.push(row);
            self.ascii.len() - 1
        }))
    }

    fn pages(&mut self, pages: Vec<Vec<u32>>) -> Result<Vec<u16>, String> {
        pages
            .into_iter()
            .map(|page| {
                if let Some(number) = self.page_of.get(&page) {
                    return Ok(*number);
                }
                let number = u16::try_from(self.page_of.len()).map_err(|e| e.to_string())?;
                self.entries.extend(&page);
                self.page_of.insert(page, number);
                Ok(number)
            })
            .collect()
    }

    fn uppercase(&mut self, source: &Source) {
        for (from, to) in &source.uppercase {
            let delta = *to as i32 - *from as i32;
            if let Some(run) = self.uppercase.last_mut() {
                let step = from - run.last;
                if run.delta == delta && (step == run.step || run.first == run.last && step <= 2) {
                    (run.last, run.step) = (*from, step);
                    continue;
                }
            }
            self.uppercase.push(Run { first: *from, last: *from, step: 1, delta });
        }
    }

    /// Bytes that the tables take in a program.
    pub(crate) fn bytes(&self) -> usize {
        self.parts().iter().map(|(_, n)| n).sum()
    }

    fn parts(&self) -> [(&'static str, usize); 8] {
        [
            ("entries", self.entries.len() * 4),
            ("rows", self.rows.iter().map(|r| r.pages.len() * 2 + 40).sum()),
            ("above", self.above.iter().map(|a| a.1.len() * 2 + 24).sum()),
            ("elements", self.elements.len() * 4),
            ("sequences", self.starters.len() * 8 + self.pairs.len() * 8 + self.triples.len() * 16),
            ("ascii", self.ascii.iter().map(|a| 2048 + a.joins.len() * 2).sum()),
            ("implicit", self.unified.len() * 8 + self.fixed.len() * 16 + self.runs.len() * 8),
            ("uppercase", self.uppercase.len() * 16),
        ]
    }

    pub(crate) fn report(&self) -> String {
        let parts: Vec<String> = self.parts().iter().map(|(name, n)| format!("{name} {n}")).collect();
        format!("{} table bytes: {}", self.bytes(), parts.join(", "))
    }
}

fn pack((p, s, t): Element) -> Result<u32, String> {
    if s < 1 << 9 && t < 1 << 5 {
        Ok(u32::from(p) << 14 | u32::from(s) << 5 | u32::from(t))
    } else {
        Err(format!("weights {s:04X} {t:04X} do not fit"))
    }
}

/// The weights of an entry as an ASCII row holds them, and whether they are plain: one element, no
/// zero byte in its primary, and none but a zero before the others. That lets an escaped key be
/// written without looking at its bytes.
fn stored(entry: u32) -> (u64, bool) {
    let [p, s, t] = if entry < EXPANSION { unpack(entry) } else { [0; 3] };
    let stored = [p, s, t].iter().rev().fold(0, |all, w| all << 16 | u64::from(w.swap_bytes()));
    (stored, p.to_be_bytes().iter().all(|b| *b != 0) && (1..=0xff).contains(&s) && t != 0)
}

fn unpack(element: u32) -> [u16; 3] {
    [(element >> PRIMARY) as u16, (element >> 5 & 0x1ff) as u16, (element & 0x1f) as u16]
}

/// The scalar whose implicit weights these are.
fn ideograph(source: &Source, list: &[Element]) -> Option<u32> {
    let [(lead, ..), (trail, ..)] = list else { return None };
    let low = u32::from(trail & 0x7fff);
    [0xfb40, 0xfb80, 0xfbc0]
        .into_iter()
        .filter_map(|base| u32::from(*lead).checked_sub(base))
        .map(|high| high << 15 | low)
        .find(|scalar| *scalar < 0x11_0000 && source.implicit(*scalar) == list)
}

fn find<T: PartialEq>(all: &[T], part: &[T]) -> Option<usize> {
    if part.is_empty() { Some(0) } else { all.windows(part.len()).position(|w| w == part) }
}
