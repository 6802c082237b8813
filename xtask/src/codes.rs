//! Owns how the numbers that cross the boundary become constants of TypeScript.

use std::fmt::Write;

use subagents::codes;

use crate::words::{heading, snake, told};

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
            let _ = write!(made, "{}export const {name} = {};\n\n", heading(&told(code.doc)), code.number);
        }
    }
    made.trim_end().to_owned() + "\n"
}
