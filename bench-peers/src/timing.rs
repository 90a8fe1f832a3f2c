//! Times subjects in turns, so that whatever else the machine does hits all of them.

use std::time::Duration;
use std::time::Instant;

/// One way to do a work.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) note: &'static str,
    /// How many keys one turn makes: more than one where a subject works on batches.
    keys: u32,
    run: Box<dyn FnMut(u32)>,
}

impl Subject {
    pub(crate) fn new(name: &str, mut act: impl FnMut() + 'static) -> Subject {
        let run = Box::new(move |n| {
            for _ in 0..n {
                act();
            }
        });
        Subject { name: name.to_owned(), note: "", keys: 1, run }
    }

    pub(crate) fn note(self, note: &'static str) -> Subject {
        Subject { note, ..self }
    }

    pub(crate) fn batch(self, keys: u32) -> Subject {
        Subject { keys, ..self }
    }

    pub(crate) fn time(&mut self, n: u32) -> Duration {
        let start = Instant::now();
        (self.run)(n);
        start.elapsed()
    }
}

/// At least this long is measured at once, so that reading the clock does not count.
const SAMPLE: Duration = Duration::from_micros(60);

/// Nanoseconds per key: for each subject one figure of every round.
pub(crate) fn rounds(subjects: &mut [Subject], rounds: usize) -> Vec<Vec<f64>> {
    let turns: Vec<u32> = subjects.iter_mut().map(turns).collect();
    let mut figures = vec![Vec::with_capacity(rounds); subjects.len()];
    for round in 0..rounds {
        // Another one begins each time.
        for i in 0..subjects.len() {
            let at = (i + round) % subjects.len();
            let n = turns[at];
            let took = subjects[at].time(n);
            figures[at].push(took.as_secs_f64() * 1e9 / f64::from(n) / f64::from(subjects[at].keys));
        }
    }
    figures
}

fn turns(subject: &mut Subject) -> u32 {
    let mut n = 1;
    while subject.time(n) < SAMPLE && n < 1 << 24 {
        n *= 2;
    }
    n
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The median of the ratios within the rounds, which a slow minute does not move.
pub(crate) fn ratio(of: &[f64], to: &[f64]) -> f64 {
    median(of.iter().zip(to).map(|(a, b)| a / b).collect())
}
