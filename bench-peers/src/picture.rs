//! The run as a picture: a bar for each subject of a work, and the curve of cost over length.

use std::fmt::Write;

use crate::report::Figure;
use crate::report::Measured;
use crate::report::Point;
use crate::report::Report;

const WIDTH: f64 = 880.0;
const LABEL: f64 = 190.0;
const BAR: f64 = 17.0;
const HEAD: f64 = 30.0;

/// The works that the picture shows.
const SHOWN: [&str; 9] = ["W1", "W2", "W3", "W4", "W5", "W5b", "W6", "W7", "W8"];

pub(crate) fn draw(report: &Report) -> String {
    let works: Vec<&Measured> = report.works.iter().filter(|work| SHOWN.contains(&work.id.as_str())).collect();
    // Two columns, each work in the shorter one.
    let mut tops = [70.0, 70.0];
    let mut body = String::new();
    for work in works {
        let column = usize::from(tops[1] < tops[0]);
        let x = column as f64 * WIDTH / 2.0 + 16.0;
        tops[column] = bars(&mut body, work, x, tops[column]);
    }
    let column = usize::from(tops[1] < tops[0]);
    let x = column as f64 * WIDTH / 2.0 + 16.0;
    tops[column] = curve(&mut body, report, x, tops[column]);
    let height = tops[0].max(tops[1]) + 10.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<style>text{{fill:#333}} .h{{font-weight:bold}} .s{{font-size:10px;fill:#666}} \
         .own{{fill:#1f6f54}} .floor{{fill:#b9b4a7}} .hand{{fill:#d9a441}} .peer{{fill:#7f93b2}} \
         .bad{{fill:#c9bfd6}} .bg{{fill:#fff}}</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n\
         <text x=\"16\" y=\"26\" class=\"h\" font-size=\"15\">Nanoseconds per key, shorter is faster</text>\n\
         <text x=\"16\" y=\"46\" class=\"s\">{}, {}; {}; medians of {} rounds in turns.</text>\n\
         <text x=\"16\" y=\"62\" class=\"s\">Bars that do not fit are cut; \
         † keys that do not sort or begin each other</text>\n{body}</svg>\n",
        report.date, report.machine, report.profile, report.rounds
    )
}

/// As it may stand in a picture's text.
fn escaped(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;")
}

fn class(figure: &Figure) -> &'static str {
    match figure.name.as_str() {
        name if name.starts_with("isotone") => "own",
        "memcpy" => "floor",
        "by hand" | "byte loop" => "hand",
        _ if figure.fault.is_some() => "bad",
        _ => "peer",
    }
}

/// Draws a work; gives where the next one begins.
fn bars(out: &mut String, work: &Measured, x: f64, top: f64) -> f64 {
    let _ =
        writeln!(out, "<text x=\"{x}\" y=\"{}\" class=\"h\">{} {}</text>", top + 14.0, work.id, escaped(&work.title));
    let room = WIDTH / 2.0 - LABEL - 90.0;
    let own = work.subjects.iter().find(|f| f.name.starts_with("isotone")).map_or(1.0, |f| f.ns);
    let most = work.subjects.iter().map(|f| f.ns).fold(0.0, f64::max).min(own * 12.0);
    let mut y = top + 22.0;
    let mut subjects: Vec<&Figure> = work.subjects.iter().collect();
    subjects.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    for figure in subjects {
        let (class, ns) = (class(figure), figure.ns);
        let width = (ns / most).min(1.0) * room;
        let mark = if figure.fault.is_some() { " †" } else { "" };
        let number = if ns < 10.0 { format!("{ns:.1}") } else { format!("{ns:.0}") };
        let cut = if ns > most { " »" } else { "" };
        let text = y + 12.0;
        let _ = write!(out, "<text x=\"{}\" y=\"{text}\" text-anchor=\"end\">", x + LABEL - 8.0);
        let _ = writeln!(out, "{}{mark}</text>", escaped(&figure.name));
        let bar = BAR - 4.0;
        let _ = write!(out, "<rect x=\"{}\" y=\"{}\" width=\"{width:.1}\" ", x + LABEL, y + 2.0);
        let _ = writeln!(out, "height=\"{bar}\" class=\"{class}\"/>");
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{text}\">{number}{cut}</text>", x + LABEL + width + 5.0);
        y += BAR;
    }
    y + HEAD / 2.0
}

/// Nanoseconds over bytes, both logarithmic.
fn curve(out: &mut String, report: &Report, x: f64, top: f64) -> f64 {
    let (width, height) = (WIDTH / 2.0 - 90.0, 190.0);
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" class=\"h\">Cost over length, 0 B to 1 MiB</text>", top + 14.0);
    let (left, bottom) = (x + 40.0, top + 30.0 + height);
    let across = |bytes: usize| left + (bytes.max(1) as f64).log2() / 20.0 * width;
    let up = |ns: f64| bottom - ns.max(1.0).log10() / 7.0 * height;
    for power in 0..=7 {
        let y = up(10f64.powi(power));
        let label = ["1 ns", "10", "100", "1 µs", "10", "100", "1 ms", "10"][usize::try_from(power).unwrap()];
        let _ =
            write!(out, "<line x1=\"{left}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>", left + width);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" class=\"s\">{label}</text>",
            left - 4.0,
            y + 3.0
        );
    }
    for (bytes, label) in [(1usize, "1 B"), (1 << 10, "1 KiB"), (1 << 20, "1 MiB")] {
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{}\" ", across(bytes), bottom + 14.0);
        let _ = writeln!(out, "text-anchor=\"middle\" class=\"s\">{label}</text>");
    }
    type Of = fn(&Point) -> f64;
    let lines: [(&str, &str, Of); 3] = [
        ("#b9b4a7", "memcpy", |p| p.memcpy),
        ("#1f6f54", "isotone", |p| p.isotone),
        ("#6bb59a", "isotone, 10 % zeros", |p| p.isotone_10_percent_zeros),
    ];
    for (i, (colour, name, of)) in lines.into_iter().enumerate() {
        let points: Vec<String> =
            report.curve.iter().map(|p| format!("{:.1},{:.1}", across(p.bytes), up(of(p)))).collect();
        let _ = write!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" ", points.join(" "));
        let _ = writeln!(out, "stroke-width=\"2\"/>");
        let y = top + 44.0 + 15.0 * i as f64;
        let _ =
            write!(out, "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"3\" fill=\"{colour}\"/>", left + 12.0, y - 5.0);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{y}\" class=\"s\">{name}</text>", left + 30.0);
    }
    bottom + 26.0 + HEAD
}
