//! How names, numbers and texts of the crate's tables are written in generated files.

use std::fmt::Write;

use subagents::{Dimension, Row, UNLIMITED, Unit};

/// A whole number, as users write it.
pub fn number(value: u64) -> String {
    if value == UNLIMITED {
        return "Infinity".to_owned();
    }
    let digits = value.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("_")
}

/// The default of a limit, as users write it.
pub fn default_of(row: &Row) -> String {
    if row.unit == Unit::Dollars { Dimension::Cost.written(row.default) } else { number(row.default) }
}

/// The name of a field of Rust, as TypeScript calls it.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |sum, word| {
        let mut letters = word.chars();
        sum + &letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    })
}

/// The name of a type of Rust, as events and codes are called.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// A text of the tables without the rules that it cites for developers of the crate.
pub fn without_rules(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc.trim();
    while let Some(at) = rest.find(" (") {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let inside = after.find(')').map(|end| (&after[2..end], &after[end + 1..]));
        if let Some((cited, beyond)) = inside.filter(|(cited, _)| cited.split(", ").all(is_rule)) {
            let _ = cited;
            rest = beyond;
        } else {
            text.push_str(" (");
            rest = &after[2..];
        }
    }
    text + rest
}

fn is_rule(word: &str) -> bool {
    let number = word.trim_start_matches("rule ").strip_prefix(|letter: char| letter.is_ascii_uppercase());
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A comment of lines that are not too long, with the paragraphs of the text.
pub fn comment(doc: &str) -> String {
    if doc.len() < 110 && !doc.contains('\n') {
        return format!("  /** {doc} */\n");
    }
    let mut lines = Vec::new();
    for paragraph in doc.split("\n\n") {
        let mut line = String::from("   *");
        for word in paragraph.split(' ') {
            if line.len() + word.len() >= 118 {
                lines.push(std::mem::replace(&mut line, String::from("   *")));
            }
            let _ = write!(line, " {word}");
        }
        lines.extend([line, String::from("   *")]);
    }
    lines.pop();
    format!("  /**\n{}\n   */\n", lines.join("\n"))
}

/// The same for a text outside of a type, without indentation.
pub fn heading(doc: &str) -> String {
    comment(doc).lines().flat_map(|line| [line.trim_start_matches("  "), "\n"]).collect()
}
