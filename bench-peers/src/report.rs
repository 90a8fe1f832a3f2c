//! What was measured, as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde::Serialize;

use crate::timing;
use crate::timing::Subject;

/// A work before it is measured: its subjects, and what isotone should reach.
pub(crate) struct Work {
    pub(crate) id: &'static str,
    title: &'static str,
    subjects: Vec<(Subject, bool)>,
    reaches: Vec<(&'static str, &'static str, f64)>,
}

impl Work {
    pub(crate) fn new(id: &'static str, title: &'static str) -> Work {
        Work { id, title, subjects: Vec::new(), reaches: Vec::new() }
    }

    pub(crate) fn subject(mut self, subject: Subject) -> Work {
        self.add(subject);
        self
    }

    pub(crate) fn add(&mut self, subject: Subject) {
        self.subjects.push((subject, false));
    }

    pub(crate) fn add_peer(&mut self, subject: Subject) {
        self.subjects.push((subject, true));
    }

    /// The names of its acts.
    pub(crate) fn acts(&self) -> Vec<String> {
        self.subjects.iter().map(|(subject, _)| format!("{}/{}", self.id, subject.name)).collect()
    }

    /// Does one act so often, if it is this work's.
    pub(crate) fn act(&mut self, name: &str, times: u32) -> bool {
        let acts = self.acts();
        let subject = self.subjects.iter_mut().zip(&acts).find(|(_, act)| *act == name);
        subject.map(|((subject, _), _)| subject.time(times)).is_some()
    }

    /// `subject` should take at most `limit` times what `of` takes.
    pub(crate) fn reach(mut self, subject: &'static str, of: &'static str, limit: f64) -> Work {
        self.reaches.push((subject, of, limit));
        self
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) date: String,
    pub(crate) machine: String,
    pub(crate) profile: String,
    pub(crate) rounds: usize,
    pub(crate) works: Vec<Measured>,
    /// Nanoseconds for a byte string of each length.
    pub(crate) curve: Vec<Point>,
    /// Nanoseconds for W1 after so many keys.
    pub(crate) built_before: Vec<Built>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) subjects: Vec<Figure>,
    pub(crate) reaches: Vec<Reach>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) name: String,
    /// Median nanoseconds per key.
    pub(crate) ns: f64,
    /// Median of the ratios to the work's first subject, round by round.
    pub(crate) ratio: f64,
    pub(crate) peer: bool,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(crate) note: String,
    /// Why its keys are no ordered keys, if they are not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) fault: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Reach {
    pub(crate) subject: String,
    pub(crate) of: String,
    pub(crate) limit: f64,
    pub(crate) ratio: f64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) bytes: usize,
    pub(crate) isotone: f64,
    pub(crate) isotone_10_percent_zeros: f64,
    pub(crate) memcpy: f64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Built {
    pub(crate) keys: u64,
    pub(crate) ns: f64,
}

pub(crate) fn measured(work: Work, rounds: usize, faults: &BTreeMap<String, String>) -> Measured {
    let (mut subjects, peers): (Vec<_>, Vec<_>) = work.subjects.into_iter().unzip();
    let figures = timing::rounds(&mut subjects, rounds);
    let medians: Vec<f64> = figures.iter().map(|f| timing::median(f.clone())).collect();
    // Rows of several fields and single byte strings are checked apart.
    let of = if matches!(work.id, "W1" | "W6" | "W7" | "W8") { "row" } else { "bytes" };
    let fault = |i: usize| faults.get(&format!("{}/{of}", subjects[i].name)).filter(|_| peers[i]);
    let place = |name: &str| {
        let sound = |i: &usize| peers[*i] && fault(*i).is_none();
        match name {
            "fastest peer" => {
                (0..subjects.len()).filter(sound).min_by(|a, b| medians[*a].total_cmp(&medians[*b])).unwrap()
            }
            name => subjects.iter().position(|s| s.name == name).unwrap(),
        }
    };
    let reach = |(subject, of, limit): (&str, &str, f64)| {
        let (a, b) = (place(subject), place(of));
        let of = if of == subjects[b].name { of.to_owned() } else { format!("{of}: {}", subjects[b].name) };
        Reach { subject: subject.to_owned(), of, limit, ratio: timing::ratio(&figures[a], &figures[b]) }
    };
    let reaches = work.reaches.into_iter().map(reach).collect();
    let figure = |i: usize| Figure {
        name: subjects[i].name.clone(),
        ns: medians[i],
        ratio: timing::ratio(&figures[i], &figures[0]),
        peer: peers[i],
        note: subjects[i].note.to_owned(),
        fault: fault(i).cloned(),
    };
    let subjects = (0..subjects.len()).map(figure).collect();
    Measured { id: work.id.to_owned(), title: work.title.to_owned(), subjects, reaches }
}

impl Report {
    pub(crate) fn table(&self) -> String {
        let mut out = format!("{}, {}; {}; {} rounds\n", self.date, self.machine, self.profile, self.rounds);
        for work in &self.works {
            let _ = writeln!(out, "\n{:4} {}", work.id, work.title);
            for figure in &work.subjects {
                let fault = figure.fault.as_ref().map_or(String::new(), |fault| format!("  † {fault}"));
                let note = if figure.note.is_empty() { String::new() } else { format!("  ({})", figure.note) };
                let (name, ns, ratio) = (&figure.name, figure.ns, figure.ratio);
                let _ = writeln!(out, "     {name:34} {ns:10.2} ns {ratio:8.2} ×{note}{fault}");
            }
            for reach in &work.reaches {
                let word = if reach.ratio <= reach.limit { "reached" } else { "missed" };
                let Reach { subject, of, limit, ratio } = reach;
                let _ = writeln!(out, "     {word:8} {subject} ≤ {limit:.2} × {of}: {ratio:.2}");
            }
        }
        let _ = writeln!(out, "\n†    keys that do not sort as their values do, or begin one another");
        let _ = writeln!(out, "\n     bytes      isotone  10 % zeros       memcpy   (ns)");
        for p in &self.curve {
            let (zeros, memcpy) = (p.isotone_10_percent_zeros, p.memcpy);
            let _ = writeln!(out, "{:10} {:12.1} {zeros:11.1} {memcpy:12.1}", p.bytes, p.isotone);
        }
        let _ = writeln!(out, "\nW1 after so many keys");
        for built in &self.built_before {
            let _ = writeln!(out, "{:10} {:12.2} ns", built.keys, built.ns);
        }
        out
    }
}
