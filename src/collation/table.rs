//! The weights of Unicode 14.0.0 and how one scalar finds its own.
//!
//! # Layout
//! A row of page numbers for each tailoring over one pool of pages; a tailoring's row ends where it
//! agrees with the root's from there on. An entry is a `u32`:
//!
//! - below 2^30, one collation element: `primary << 14 | secondary << 5 | tertiary`; zero has no
//!   weights;
//! - `100` on top, an expansion: `count << 16 | first`, two to eight elements in the pool;
//! - `101`, computed: zero for the implicit weights of the scalar itself, else the number of a run,
//!   from one;
//! - `110`, the number of a starter: a scalar that begins sequences;
//! - `111`, an ideograph: the implicit weights of the scalar in the low bits.

use crate::collation::data;
use crate::collation::profile::Tailoring;

/// Everything that is not one element has this bit.
pub(super) const SPECIAL: u32 = 1 << 31;
const KIND: u32 = 7 << 29;
const EXPANSION: u32 = 4 << 29;
const COMPUTED: u32 = 5 << 29;
const STARTER: u32 = 6 << 29;
/// Where an element's primary and secondary weights begin.
pub(super) const PRIMARY: u32 = 14;
pub(super) const SECONDARY: u32 = 5;
/// Secondary and tertiary of an implicit element's first half.
const ORDINARY: u32 = 0x20 << SECONDARY | 2;
/// An entry has at most this many elements.
pub(super) const MOST: usize = 8;

/// A tailoring: its pages from U+0000 on, and the weights of its ASCII letters, as little-endian
/// bytes: primary, secondary and tertiary as an image has them, then two bytes of marks.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) pages: &'static [u16],
    pub(super) ascii: &'static [u64; 256],
    /// Sequences of two ASCII letters; their weights follow the letters'.
    pub(super) joins: &'static [[u8; 2]],
}

/// Pages of a stretch that the rows do not reach; `first` is a page number of scalars.
pub(super) struct Above {
    pub(super) first: usize,
    pub(super) pages: &'static [u16],
}

/// A scalar that begins sequences: its own entry, and where its second scalars lie.
pub(super) struct Starter {
    pub(super) own: u32,
    pub(super) first: u16,
    pub(super) pairs: u8,
    pub(super) triples: bool,
}

/// The second scalar of a sequence of two, and the sequence's entry.
pub(super) struct Pair {
    pub(super) second: u32,
    pub(super) entry: u32,
}

/// A sequence of three.
pub(super) struct Triple {
    pub(super) scalars: [u32; 3],
    pub(super) entry: u32,
}

/// A script whose implicit weights share one lead.
pub(super) struct Fixed {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) lead: u32,
    pub(super) base: u32,
}

/// Scalars, `step` apart, whose uppercase lies `delta` away.
pub(super) struct Case {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) step: u32,
    pub(super) delta: i32,
}

/// The row of a tailoring.
pub(super) const fn row(tailoring: Tailoring) -> &'static Row {
    match tailoring {
        Tailoring::Root => &data::ROW_ROOT,
        Tailoring::Croatian => &data::ROW_CROATIAN,
        Tailoring::Czech => &data::ROW_CZECH,
        Tailoring::Danish => &data::ROW_DANISH,
        Tailoring::Esperanto => &data::ROW_ESPERANTO,
        Tailoring::Estonian => &data::ROW_ESTONIAN,
        Tailoring::German2 => &data::ROW_GERMAN2,
        Tailoring::Hungarian => &data::ROW_HUNGARIAN,
        Tailoring::Icelandic => &data::ROW_ICELANDIC,
        Tailoring::Latvian => &data::ROW_LATVIAN,
        Tailoring::Lithuanian => &data::ROW_LITHUANIAN,
        Tailoring::Persian => &data::ROW_PERSIAN,
        Tailoring::Polish => &data::ROW_POLISH,
        Tailoring::Roman => &data::ROW_ROMAN,
        Tailoring::Romanian => &data::ROW_ROMANIAN,
        Tailoring::Sinhala => &data::ROW_SINHALA,
        Tailoring::Slovak => &data::ROW_SLOVAK,
        Tailoring::Slovenian => &data::ROW_SLOVENIAN,
        Tailoring::Spanish => &data::ROW_SPANISH,
        Tailoring::Spanish2 => &data::ROW_SPANISH2,
        Tailoring::Swedish => &data::ROW_SWEDISH,
        Tailoring::Turkish => &data::ROW_TURKISH,
        Tailoring::Vietnamese => &data::ROW_VIETNAMESE,
    }
}

impl Row {
    /// The entry of a scalar, one page number and one load for nearly all text.
    #[inline]
    pub(super) fn entry(&self, scalar: u32) -> u32 {
        let at = (scalar >> data::PAGE_BITS) as usize;
        let page = match self.pages.get(at) {
            Some(page) => *page,
            None => match far_page(at) {
                Some(page) => page,
                None => return COMPUTED,
            },
        };
        let inside = scalar & ((1 << data::PAGE_BITS) - 1);
        let at = (u32::from(page) << data::PAGE_BITS | inside) as usize;
        // Never the default: the generator numbers only pages that it wrote.
        data::ENTRIES.get(at).copied().unwrap_or(COMPUTED)
    }
}

/// The page of a scalar that a tailoring does not reach; `None` where no scalar has an entry.
#[inline(never)]
fn far_page(at: usize) -> Option<u16> {
    if let Some(page) = data::ROOT.get(at) {
        return Some(*page);
    }
    data::STRETCHES.iter().find_map(|above| above.pages.get(at.checked_sub(above.first)?)).copied()
}

/// What an entry that is not one element stands for.
pub(super) enum Meaning {
    /// Elements of the pool.
    Expansion(&'static [u32]),
    /// One element.
    Element(u32),
    /// Two elements.
    Implicit([u32; 2]),
    /// A scalar that begins sequences.
    Starter(&'static Starter),
}

/// The elements of an entry with the `SPECIAL` bit, if it is an expansion.
#[inline]
pub(super) fn expansion(entry: u32) -> Option<&'static [u32]> {
    if entry & KIND != EXPANSION {
        return None;
    }
    let (first, count) = ((entry & 0xffff) as usize, (entry >> 16 & 0xf) as usize);
    data::ELEMENTS.get(first..first.wrapping_add(count))
}

/// Explains an entry with the `SPECIAL` bit, found for `scalar`.
pub(super) fn meaning(scalar: u32, entry: u32) -> Meaning {
    let low = entry & !KIND;
    match entry & KIND {
        EXPANSION => Meaning::Expansion(expansion(entry).unwrap_or(&[])),
        COMPUTED => match low.checked_sub(1).and_then(|run| data::RUNS.get(run as usize)) {
            // No overflow: the generator took these sums from the table, all below 2^30.
            Some((first, element)) => Meaning::Element(element.wrapping_add(scalar.wrapping_sub(*first) << PRIMARY)),
            None => Meaning::Implicit(implicit(scalar)),
        },
        STARTER => data::STARTERS.get(low as usize).map_or(Meaning::Element(0), Meaning::Starter),
        _ => Meaning::Implicit(implicit(low)),
    }
}

impl Starter {
    /// The entry of this scalar followed by `second`.
    pub(super) fn pair(&self, second: u32) -> Option<u32> {
        let all = data::PAIRS.get(usize::from(self.first)..)?.get(..usize::from(self.pairs))?;
        let at = all.binary_search_by_key(&second, |pair| pair.second).ok()?;
        Some(all.get(at)?.entry)
    }
}

/// The entry of a sequence of three.
pub(super) fn triple(scalars: [u32; 3]) -> Option<u32> {
    data::TRIPLES.iter().find(|t| t.scalars == scalars).map(|t| t.entry)
}

/// `[aaaa.0020.0002][bbbb.0000.0000]` for a scalar without an entry (FORMAT §4).
fn implicit(scalar: u32) -> [u32; 2] {
    let (lead, trail) = match data::FIXED.iter().find(|f| f.first <= scalar && scalar <= f.last) {
        Some(fixed) => (fixed.lead, scalar.saturating_sub(fixed.base)),
        None => (base(scalar).saturating_add(scalar >> 15), scalar & 0x7fff),
    };
    [lead << PRIMARY | ORDINARY, (trail | 0x8000) << PRIMARY]
}

/// The first lead weight of the class that a scalar belongs to.
fn base(scalar: u32) -> u32 {
    let core = matches!(scalar, 0x4e00..=0x9fff | 0xf900..=0xfaff);
    if !data::UNIFIED.iter().any(|(first, last)| *first <= scalar && scalar <= *last) {
        0xfbc0
    } else if core {
        0xfb40
    } else {
        0xfb80
    }
}

/// The simple uppercase of a scalar, itself where it has none.
pub(super) fn uppercase(scalar: u32) -> u32 {
    let at = data::CASES.partition_point(|case| case.last < scalar);
    match data::CASES.get(at) {
        Some(case) if case.first <= scalar && scalar.wrapping_sub(case.first) & case.step.wrapping_sub(1) == 0 => {
            scalar.saturating_add_signed(case.delta)
        }
        _ => scalar,
    }
}
