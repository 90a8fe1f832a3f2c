//! One run of the demo, from the original rows to the verdict.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use serde_json::Value as Json;
use serde_json::json;

use crate::demo::Demo;
use crate::demo::INDEXES;
use crate::demo::REKEYED;
use crate::distinct;
use crate::names;
use crate::noaa;
use crate::queries;
use crate::queries::Query;
use crate::queries::Question;
use crate::refusals;
use crate::refusals::Refusals;
use crate::rekeyed::Rekeyed;
use crate::report::Line;
use crate::report::Progress;
use crate::report::Reference;
use crate::report::Section;
use crate::report::contract_json;
use crate::scan::Walk;
use crate::table::Index;

/// The questions whose answers are paged through by tokens: one for each of these indexes.
const PAGED: [&str; 5] = [
    "interval of a descending field, open above",
    "descending date range",
    "decimal interval (20.3, 32], descending",
    "at least 40.2773 mph, which no null is",
    "decimal interval [985, 1000.1) of a nullable field, nulls first",
];

/// The path whose answers the generations are compared by.
const BY_PREDICATE: &str = "pred. fwd";

/// The verdict.
pub(crate) struct Outcome {
    pub(crate) disagreements: usize,
    pub(crate) report: Json,
}

/// Builds everything in `dir`, asks all questions, and prints to `out`.
pub(crate) fn run(dir: &Path, out: &mut impl Write) -> Result<Outcome> {
    let mut progress = Progress::start();
    let mut tally = Tally { out, before: HashMap::new(), questions: 0, answers: 0, refused: 0, disagreements: 0 };
    let demo = Demo::build(dir, &mut progress)?;
    let mut indexes = tally.indexes(&demo, &demo.indexes)?;

    let mut asked = Vec::new();
    for query in queries::all() {
        asked.push(tally.section(&demo.ask(query, &mut progress)?)?);
    }
    tally.title("predicates")?;
    for question in queries::predicates() {
        asked.push(tally.section(&demo.ask_predicate(question, &mut progress)?)?);
    }
    tally.title("names under two collations")?;
    for index in [names::IN_SWEDISH, names::LOOSELY] {
        asked.push(tally.section(&demo.ask_names(&index)?)?);
    }
    tally.title("distinct values, by loose scans")?;
    for question in &distinct::QUESTIONS {
        asked.push(tally.section(&demo.ask_distinct(question, &mut progress)?)?);
    }
    tally.title("pages by tokens, under a snapshot")?;
    let mut paged = Vec::new();
    for name in PAGED {
        let (section, meanwhile) = demo.page(query(name)?, &mut progress)?;
        let asked = tally.section(&section)?;
        writeln!(tally.out, "  {meanwhile}")?;
        paged.push(json!({ "pages": asked, "meanwhile": meanwhile }));
    }

    tally.title("what must be refused")?;
    let mut refused = Refusals::default();
    progress.at(format_args!("trying what must be refused"));
    refusals::contracts(demo.store(), &mut refused)?;
    refusals::cursors(demo.store(), &noaa::DAYS, query("descending date range")?, &mut refused)?;
    refusals::rekeys(&dir.join("refusals"), demo.tables(), &mut refused)?;
    tally.refusals(&refused)?;

    tally.title("re-keying")?;
    let targets = REKEYED.map(|(index, _)| index);
    let (demo, rekeyed) = demo.rekey(&REKEYED, &mut |rekeyed| tally.rekeyed(rekeyed), &mut progress)?;
    let mut outdated = Refusals::default();
    for old in INDEXES.iter().filter(|old| targets.iter().any(|new| new.name == old.name)) {
        let why = format!("generation 2, expected {}", old.generation);
        outdated.expect(format!("{} as the generation that it was", old.name), &why, demo.store().require(old));
    }
    tally.refusals(&outdated)?;
    writeln!(tally.out)?;
    indexes.extend(tally.indexes(&demo, &targets)?);
    let again = queries::all().map(Query::question).chain(queries::predicates().copied());
    for question in again.filter(|question| targets.iter().any(|index| index.name == question.index)) {
        asked.push(tally.again(&demo, &question, &mut progress)?);
    }
    tally.verdict()?;

    let rekeyed: Vec<_> = rekeyed.iter().map(|rekeyed| rekeyed.to_json()).collect::<Result<_>>()?;
    let report = json!({
        "ready": tally.disagreements == 0,
        "disagreements": tally.disagreements,
        "questions": tally.questions,
        "answers": tally.answers,
        "indexes": indexes,
        "rekeyed": rekeyed,
        "refused": refused.chain(outdated).to_json(),
        "asked": asked,
        "paged": paged,
    });
    Ok(Outcome { disagreements: tally.disagreements, report })
}

fn query(name: &str) -> Result<&'static Query> {
    queries::all().find(|query| query.name == name).with_context(|| format!("there is no question {name:?}"))
}

/// Prints, and counts.
struct Tally<'o, W> {
    out: &'o mut W,
    /// The rows that predicates found, by the questions.
    before: HashMap<&'static str, Vec<u64>>,
    questions: usize,
    answers: usize,
    refused: usize,
    disagreements: usize,
}

impl<W: Write> Tally<'_, W> {
    fn title(&mut self, title: &str) -> Result<()> {
        Ok(writeln!(self.out, "\n== {title} ==")?)
    }

    fn indexes(&mut self, demo: &Demo, indexes: &[Index]) -> Result<Vec<Json>> {
        writeln!(self.out, "index          keys  fst bytes  layout")?;
        let mut contracts = Vec::new();
        for index in indexes {
            let frozen = demo.frozen(index)?;
            let (name, (keys, bytes)) = (format!("{}@{}", index.name, index.generation), (frozen.len(), frozen.size()));
            writeln!(self.out, "{name:11} {keys:7}  {bytes:9}  {:?}", index.spec)?;
            contracts.push(json!({ "contract": contract_json(index)?, "rows": keys, "fst_bytes": bytes }));
        }
        Ok(contracts)
    }

    fn section(&mut self, section: &Section) -> Result<Json> {
        write!(self.out, "\n{section}")?;
        if let Some(rows) = section.rows_of(BY_PREDICATE) {
            self.before.entry(section.title()).or_insert(rows);
        }
        self.questions = self.questions.saturating_add(1);
        self.answers = self.answers.saturating_add(section.lines.len());
        self.disagreements = self.disagreements.saturating_add(section.disagreements());
        Ok(section.to_json())
    }

    /// Asks a later generation, which must find the rows that the first one found. Their order is another.
    fn again(&mut self, demo: &Demo, question: &Question, progress: &mut Progress) -> Result<Json> {
        let mut section = demo.ask_predicate(question, progress)?;
        let rows = self.before.get(question.name).context("this was not asked of the first generation")?.clone();
        let answer = section.rows_of(BY_PREDICATE).context("no predicate was asked")?;
        let (walk, before) = (
            Walk { rows: answer.len(), answer, ..Walk::default() },
            Reference { rows, table: demo.table(question.index)? },
        );
        section.lines.push(Line::of("fjall", "as before", &walk, &before));
        self.section(&section)
    }

    fn refusals(&mut self, refusals: &Refusals) -> Result<()> {
        write!(self.out, "{refusals}")?;
        self.refused = self.refused.saturating_add(refusals.len());
        self.disagreements = self.disagreements.saturating_add(refusals.disagreements());
        Ok(())
    }

    fn rekeyed(&mut self, rekeyed: &Rekeyed) -> Result<()> {
        self.disagreements = self.disagreements.saturating_add(usize::from(!rekeyed.agrees()));
        Ok(write!(self.out, "\n{rekeyed}")?)
    }

    fn verdict(&mut self) -> Result<()> {
        let Tally { out, questions, answers, refused, disagreements, .. } = self;
        let done = format!("{questions} questions, {answers} answers, {refused} refusals");
        match disagreements {
            0 => writeln!(out, "\n{done}: all agree")?,
            _ => writeln!(out, "\n{done}: {disagreements} DISAGREE")?,
        }
        Ok(())
    }
}
