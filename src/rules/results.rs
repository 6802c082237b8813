//! Results: cutting, paging and releasing them (R1, L8). Owns the bounds of a page; never runs anything again.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::base::text::{cut_to_bytes, cut_to_chars};
use crate::base::view_record::view;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::state::State;
use crate::step::Step;

view! {
    /// A part of a result. Offsets and lengths count Unicode code points.
    #[derive(PartialEq, Eq)]
    pub struct Page "ResultPage" {
        /// The part.
        pub text: String,
        /// The offset in the result at which it begins.
        pub offset: u32,
        /// The offset of the next page; null if this is the last.
        pub next_offset: Option<u32>,
        /// The length of the whole result.
        pub total: u32,
        /// The result itself was cut at `maxResultBytes` when it arrived.
        pub cut: bool,
    }
}

/// Reads a page of the last run's output.
///
/// # Errors
/// If the task doesn't exist, isn't the actor's, or its result has been released.
pub fn read(state: &State, actor: Actor, task: Key, offset: u32, limit: u32) -> Result<Page, Rejection> {
    let index = state.reach(actor, task)?;
    let node = state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if node.rare.as_ref().is_some_and(|rare| rare.released) {
        return Err(Rejection::Released);
    }
    let wide = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let before = cut_to_chars(&node.output, wide(offset));
    let rest = node.output.get(before.len()..).unwrap_or("");
    let text = cut_to_chars(rest, wide(limit));
    let is_last = text.len() == rest.len();
    let (offset, count) = (narrow(before.chars().count()), narrow(text.chars().count()));
    let next = offset.saturating_add(count);
    let left = rest.get(text.len()..).unwrap_or("").chars().count();
    let total = next.saturating_add(narrow(left));
    Ok(Page { text: text.to_owned(), offset, next_offset: (!is_last).then_some(next), total, cut: node.cut })
}

/// Releases the result of an ended task; the task itself stays.
pub(crate) fn release(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if node.status.is_open() {
        return Err(Rejection::wrong_status(node.status, "have its result released"));
    }
    if node.rare.as_ref().is_none_or(|rare| !rare.released) {
        step.record(Fact::ResultReleased { task });
    }
    Ok(Reply::Done)
}

/// Cuts a text at `maxResultBytes` and returns whether it had to (R1).
pub(crate) fn cut(step: &Step<'_>, text: Text) -> (Text, bool) {
    let mut text = text;
    let was_cut = cut_in_place(step, &mut text);
    (text, was_cut)
}

/// The same, in place.
#[inline]
pub(crate) fn cut_in_place(step: &Step<'_>, text: &mut Text) -> bool {
    let most = usize::try_from(step.state.limits.max_result_bytes).unwrap_or(usize::MAX);
    let is_over = text.len() > most;
    if is_over {
        *text = cut_to_bytes(text, most).into();
    }
    is_over
}
