//! Text as users and models see it: cutting on code points, labels. Owns how text is shortened; writes none.

/// The longest beginning of `text` with at most `bytes` bytes, ending between code points.
#[must_use]
pub fn cut_to_bytes(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// The first `count` code points of `text`.
#[must_use]
pub fn cut_to_chars(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The longest end of `text` with at most `bytes` bytes, starting between code points.
#[must_use]
pub(crate) fn tail_of_bytes(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start = start.saturating_add(1);
    }
    text.get(start..).unwrap_or("")
}

/// A label for a task without one: the first 30 code points of its first line.
#[must_use]
pub fn label_of(text: &str) -> &str {
    // Nearly always it is the plain beginning.
    let all = text.as_bytes();
    let head = all.get(..30).unwrap_or(all);
    if head.iter().all(|byte| matches!(byte, b' '..=b'~')) && ![head.first(), head.last()].contains(&Some(&b' ')) {
        return text.get(..head.len()).unwrap_or(text);
    }
    cut_to_chars(text.trim_start().lines().next().unwrap_or("").trim_end(), 30)
}

/// A text for a model. If longer than `bytes`, it is cut to head and tail, with a line that says how much is missing (R2).
#[must_use]
pub fn inline(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let head = cut_to_bytes(text, bytes.saturating_mul(3).checked_div(4).unwrap_or(0));
    let tail = tail_of_bytes(text, bytes.saturating_sub(head.len()));
    let middle = text.get(head.len()..text.len().saturating_sub(tail.len())).unwrap_or("");
    format!("{head}\n[… {} of {} characters left out here …]\n{tail}", middle.chars().count(), text.chars().count())
}

/// `1 turn`, `2 turns`.
#[must_use]
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", agreeing(number, "", "s"))
}

/// The form of a word that agrees with a number.
#[must_use]
pub(crate) const fn agreeing<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_fall_between_code_points() {
        assert_eq!(cut_to_bytes("aäb", 2), "a");
        assert_eq!(cut_to_bytes("aäb", 3), "aä");
        assert_eq!(tail_of_bytes("aäb", 2), "b");
        assert_eq!(cut_to_chars("日本語", 2), "日本");
        assert_eq!(label_of("  Read a.md\nand b.md"), "Read a.md");
        let long = "Read all that there is in a.md, then b.md";
        assert_eq!(label_of(long), "Read all that there is in a.md");
        assert_eq!(label_of("Read all that there is in it.      \nNow"), "Read all that there is in it.");
        assert_eq!(label_of("Read all that there is in\ta.md and b.md"), "Read all that there is in\ta.md");
    }

    #[test]
    fn a_long_text_keeps_its_head_and_its_tail() {
        let text = "a".repeat(60) + &"z".repeat(60);
        let shown = inline(&text, 40);
        assert!(shown.starts_with(&"a".repeat(30)) && shown.ends_with(&"z".repeat(10)), "{shown}");
        assert!(shown.contains("80 of 120 characters"), "{shown}");
    }

    proptest! {
        #[test]
        fn no_text_is_cut_apart(text: String, bytes in 0_usize..40) {
            prop_assert!(cut_to_bytes(&text, bytes).len() <= bytes);
            prop_assert!(tail_of_bytes(&text, bytes).len() <= bytes);
            prop_assert!(text.ends_with(tail_of_bytes(&text, bytes)));
            let _ = inline(&text, bytes);
        }
    }
}
