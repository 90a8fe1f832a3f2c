//! What must be refused, and is: indexes opened as others, tokens of other queries, re-keyings that are
//! not whole. Each with the reason that is given.

mod contracts;
mod cursors;
mod rekeys;

use std::fmt;

use serde_json::Value as Json;
use serde_json::json;

pub(crate) use contracts::contracts;
pub(crate) use cursors::cursors;
pub(crate) use rekeys::rekeys;

/// All that was tried.
#[derive(Default)]
pub(crate) struct Refusals(Vec<Refusal>);

struct Refusal {
    what: String,
    outcome: Outcome,
}

enum Outcome {
    Refused(String),
    /// Refused, but not for the reason that was expected.
    Otherwise(String),
    Accepted,
}

impl Refusals {
    /// Says that something was refused, for a reason that has `why` in it.
    pub(crate) fn expect<T>(
        &mut self,
        what: impl Into<String>,
        why: &str,
        result: Result<T, impl Into<anyhow::Error>>,
    ) {
        let outcome = match result.map_err(Into::into) {
            Ok(_) => Outcome::Accepted,
            Err(error) => {
                let error = format!("{error:#}");
                if error.contains(why) { Outcome::Refused(error) } else { Outcome::Otherwise(error) }
            }
        };
        self.0.push(Refusal { what: what.into(), outcome });
    }

    /// Both, one after the other.
    pub(crate) fn chain(mut self, more: Refusals) -> Self {
        self.0.extend(more.0);
        self
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Number of those that were not refused as they must.
    pub(crate) fn disagreements(&self) -> usize {
        self.0.iter().filter(|refusal| !matches!(refusal.outcome, Outcome::Refused(_))).count()
    }

    pub(crate) fn to_json(&self) -> Json {
        let all = self.0.iter().map(|Refusal { what, outcome }| match outcome {
            Outcome::Refused(why) => json!({ "what": what, "refused": true, "why": why }),
            Outcome::Otherwise(why) => json!({ "what": what, "refused": false, "why": why }),
            Outcome::Accepted => json!({ "what": what, "refused": false, "why": null }),
        });
        all.collect()
    }
}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|Refusal { what, outcome }| match outcome {
            Outcome::Refused(why) => writeln!(f, "refused: {what}: {why}"),
            Outcome::Otherwise(why) => writeln!(f, "REFUSED FOR ANOTHER REASON: {what}: {why}"),
            Outcome::Accepted => writeln!(f, "NOT REFUSED: {what}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn what_is_not_refused_for_its_reason_is_counted() {
        let mut refusals = Refusals::default();
        refusals.expect("a", "because", Err::<(), _>(anyhow!("because").context("it failed")));
        assert_eq!((refusals.len(), refusals.disagreements()), (1, 0));
        refusals.expect("b", "because", Err::<(), _>(anyhow!("never")));
        refusals.expect("c", "because", Ok::<_, anyhow::Error>(()));
        assert_eq!((refusals.len(), refusals.disagreements()), (3, 2));
        assert_eq!(
            refusals.to_string(),
            "refused: a: it failed: because\nREFUSED FOR ANOTHER REASON: b: never\nNOT REFUSED: c\n"
        );
    }
}
