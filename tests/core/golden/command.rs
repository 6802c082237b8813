//! One command line: a verb, words, and `name=value` pairs; a text stands in double quotes. Owns how a
//! line is taken apart, never what it means.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Command {
    pub(crate) verb: String,
    /// Words without `=`, in order.
    pub(crate) words: Vec<String>,
    /// The text in quotes, if there is one.
    pub(crate) text: Option<String>,
    /// Words with `=`.
    pub(crate) options: BTreeMap<String, String>,
}

impl Command {
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let mut command = Self::default();
        let mut rest = line.trim();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let (text, after) = quoted.split_once('"').ok_or("a quote is not closed")?;
                command.text = Some(text.to_owned());
                rest = after.trim_start();
                continue;
            }
            let (word, after) = match rest.split_once("=\"") {
                // A quoted value belongs to its name, unless a blank comes before the name does.
                Some((name, quoted)) if !name.contains(' ') => {
                    let (value, after) = quoted.split_once('"').ok_or("a quote is not closed")?;
                    command.options.insert(name.to_owned(), value.to_owned());
                    rest = after.trim_start();
                    continue;
                }
                Some(_) | None => rest.split_once(' ').unwrap_or((rest, "")),
            };
            rest = after.trim_start();
            match word.split_once('=') {
                Some((name, value)) => {
                    command.options.insert(name.to_owned(), value.to_owned());
                }
                None if command.verb.is_empty() => word.clone_into(&mut command.verb),
                None => command.words.push(word.to_owned()),
            }
        }
        Ok(command)
    }

    /// The word in a place.
    pub(crate) fn word(&self, place: usize) -> Result<&str, String> {
        self.words.get(place).map(String::as_str).ok_or_else(|| format!("`{}` needs another word", self.verb))
    }

    /// Whether a word is there, after the first one.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|other| other == word)
    }

    /// A number, if it is given; `∞` lifts a limit.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        self.options.get(name).map(|value| number(value)).transpose()
    }
}

pub(crate) fn number(value: &str) -> Result<u64, String> {
    if value == "∞" { Ok(u64::MAX) } else { value.replace('_', "").parse().map_err(|_| format!("{value} is no number")) }
}
