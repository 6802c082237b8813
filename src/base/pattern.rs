//! Patterns of names, in which `*` stands for any characters (P4). Owns matching and the allowed characters.

/// The characters allowed in a name or a pattern, for an error.
pub(crate) const UNDERSTOOD: &str = "letters, digits, `_.:/-` and `*` for any characters";

/// Whether a name or a pattern has only these characters.
pub(crate) fn is_understood(pattern: &str) -> bool {
    !pattern.is_empty() && pattern.chars().all(|letter| letter.is_alphanumeric() || "_.:/-*".contains(letter))
}

/// Whether a name is a pattern.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains('*')
}

/// Whether a name matches a pattern. A pattern without `*` matches only itself.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some((_, behind)) = left.split_once(part) else { return false };
        left = behind;
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{fits, is_understood};

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name) in [
            ("a", "a"),
            ("*", ""),
            ("*", "a"),
            ("a*", "a"),
            ("a*", "abc"),
            ("*c", "abc"),
            ("a*c", "abc"),
            ("a*c", "ac"),
            ("mcp__slack__*", "mcp__slack__post"),
            ("*__read", "mcp__gh__read"),
            ("a*b*c", "aXbYc"),
            ("**", "x"),
            ("a**b", "ab"),
            ("*a*a*", "xaya"),
            ("*é*", "café!"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("a", "b"),
            ("a", "ab"),
            ("", "a"),
            ("a*", "ba"),
            ("*a", "ab"),
            ("a*a", "a"),
            ("ab*ba", "aba"),
            ("*a*a*", "xay"),
            ("mcp__slack", "mcp__slack__post"),
            ("bash", "Bash"),
            ("a.c", "abc"),
        ] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn other_characters_are_not_understood() {
        assert!(["read", "mcp__a__*", "a.b:c/d-e", "поиск", "*"].iter().all(|name| is_understood(name)));
        assert!(["Bash(rm:*)", "a b", "", "a,b", "a?", "[ab]", "!a"].iter().all(|name| !is_understood(name)));
    }
}
