//! Owns how the numbers that cross the boundary become constants of TypeScript.

use std::fmt::Write;

use subagents::codes;

use crate::words::{comment, snake, told};

/// A constant for each number, by subject.
pub fn constants() -> String {
    let mut made = String::new();
    for subject in codes::all() {
        let _ = write!(made, "// {}\n\n", told(subject.doc));
        for code in subject.codes {
            let name = match code.list {
                Some(list) => format!("{}_{}", snake(list), snake(code.name)).to_uppercase(),
                None => code.name.to_owned(),
            };
            // It stands in no type, so it isn't indented.
            let said: String = comment(&told(code.doc)).lines().flat_map(|line| [line.trim_start_matches("  "), "\n"]).collect();
            let _ = write!(made, "{said}export const {name} = {};\n\n", code.number);
        }
    }
    made.trim_end().to_owned() + "\n"
}
