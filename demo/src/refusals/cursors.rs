//! Tokens that are given to other queries, and tokens that are not what was issued.

use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use isotone::Direction;
use isotone::IndexContract;
use isotone::Page;
use isotone::PageScope;

use crate::cursors::Form;
use crate::cursors::id;
use crate::queries::Query;
use crate::refusals::Refusals;
use crate::scan::EVERYTHING;
use crate::store::Store;
use crate::table::Index;

/// Issues a token for a row of a question, and gives it to whoever must not take it.
pub(crate) fn cursors(store: &Store, index: &Index, query: &Query, refusals: &mut Refusals) -> Result<()> {
    let snapshot = id(&store.db().snapshot());
    // Any write makes the next snapshot another one.
    store.set_contract(index, &index.contract()?)?;
    let later = id(&store.db().snapshot());
    ensure!(snapshot != later, "two snapshots have one id");
    let mut room = vec![0; query.range_size(&index.spec)?];
    let range = query.range(&index.spec, &mut room)?;
    let stored = store.index(index)?;
    let (last, _) =
        stored.rows(range.slices(), Direction::Forward).nth(4).context("not enough rows in the range")??;
    let (beyond, _) = stored.rows(EVERYTHING, Direction::Backward).next().context("no rows")??;
    ensure!(!range.contains(&beyond), "no rows are outside the range");

    let contract = index.contract()?;
    let contract = IndexContract::from_bytes(&contract)?;
    let next = Index { generation: index.generation.saturating_add(1), ..*index }.contract()?;
    let next = IndexContract::from_bytes(&next)?;
    let forward = Direction::Forward;
    let scope = PageScope::new(contract, &snapshot, range, forward);
    let everything = isotone::ByteRange::new(&[][..], None);
    let others = [
        ("of another generation", PageScope::new(next, &snapshot, range, forward)),
        ("of another snapshot", PageScope::new(contract, &later, range, forward)),
        ("of another range", PageScope::new(contract, &snapshot, everything, forward)),
        ("of the other direction", PageScope::new(contract, &snapshot, range, Direction::Backward)),
    ];
    for (form, name, why) in [(Form::Plain, "plain", "another query"), (Form::Sealed, "sealed", "invalid page cursor")]
    {
        let token = form.issue(&scope, &last)?;
        form.resume(&scope, Page::At(&token)).context("a token was not taken where it was issued")?;
        for (what, other) in &others {
            refusals.expect(format!("a {name} token {what}"), why, form.resume(other, Page::At(&token)));
        }
        let cut = token.get(..token.len().saturating_sub(1)).unwrap_or(&[]);
        refusals.expect(format!("a {name} token cut short"), "invalid page cursor", form.resume(&scope, Page::At(cut)));
        refusals.expect(
            format!("a {name} token for a row outside the range"),
            "outside the range",
            form.issue(&scope, &beyond),
        );
    }
    let plain = Form::Plain.issue(&scope, &last)?;
    refusals.expect(
        "a plain token where a sealed one is due",
        "invalid page cursor",
        Form::Sealed.resume(&scope, Page::At(&plain)),
    );
    let sealed = Form::Sealed.issue(&scope, &last)?;
    refusals.expect(
        "a sealed token under another secret",
        "invalid page cursor",
        scope.resume_sealed(b"not the secret", Page::At(&sealed)),
    );
    tampered(&scope, &sealed, refusals);
    Ok(())
}

/// Turns every bit of a sealed token, one at a time.
fn tampered(scope: &PageScope<'_>, sealed: &[u8], refusals: &mut Refusals) {
    let mut bits = 0usize;
    let mut taken = None;
    for at in 0..sealed.len() {
        for bit in 0..8 {
            let mut other = sealed.to_vec();
            other.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            if Form::Sealed.resume(scope, Page::At(&other)).is_ok() {
                taken = Some((at, bit));
            }
            bits = bits.saturating_add(1);
        }
    }
    let what = format!("a sealed token with any one of its {bits} bits turned");
    let result = match taken {
        None => Err(isotone::Error::InvalidCursor),
        Some(_) => Ok(()),
    };
    refusals.expect(what, "invalid page cursor", result);
}
