//! One command line: a verb, words, and `name=value` pairs; a text stands in double quotes. Owns how a
//! line is taken apart, never what it means. What nobody asks for is an error.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(crate) struct Command {
    pub(crate) verb: String,
    /// Words without `=`, in order.
    words: Vec<String>,
    /// The text in quotes, if there is one.
    pub(crate) text: Option<String>,
    /// Words with `=`.
    options: BTreeMap<String, String>,
    /// The words and options that nobody has asked for.
    unread: RefCell<BTreeSet<String>>,
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
        command.unread = RefCell::new(command.words.iter().chain(command.options.keys()).cloned().collect());
        Ok(command)
    }

    /// The word in a place.
    pub(crate) fn word(&self, place: usize) -> Result<&str, String> {
        let word = self.words.get(place).ok_or_else(|| format!("`{}` needs another word", self.verb))?;
        self.unread.borrow_mut().remove(word);
        Ok(word)
    }

    /// Whether a word is there.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.unread.borrow_mut().remove(word);
        self.words.iter().any(|other| other == word)
    }

    /// All words that were not asked for.
    pub(crate) fn rest(&self) -> Vec<&str> {
        let mut unread = self.unread.borrow_mut();
        self.words.iter().filter(|word| unread.remove(*word)).map(String::as_str).collect()
    }

    /// The names of all options.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.options.keys()
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.unread.borrow_mut().remove(name);
        self.options.get(name).map(String::as_str)
    }

    /// A number, if it is given; `∞` lifts a limit.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        self.option(name).map(number).transpose()
    }

    /// Fails where something was said that the command doesn't know.
    pub(crate) fn expect_read(&self) -> Result<(), String> {
        let unread: Vec<String> = self.unread.take().into_iter().collect();
        if unread.is_empty() { Ok(()) } else { Err(format!("`{}` doesn't know {}", self.verb, unread.join(", "))) }
    }
}

pub(crate) fn number(value: &str) -> Result<u64, String> {
    if value == "∞" { Ok(u64::MAX) } else { value.replace('_', "").parse().map_err(|_| format!("{value} is no number")) }
}
