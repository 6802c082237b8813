//! Notices as users read them. Owns the fields; the text for a model is in `ends.rs`.

use crate::base::amounts::Dimension;
use crate::base::codec::Text;
use crate::base::number::{Number, dollars, number};
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::base::view::{Id, Json};
use crate::base::view_record::{Part, view};
use crate::model::run_output::DetailsView;
use crate::model::status::{Status, StopReason};
use crate::model::usage::Dimensions;
use crate::read::ends::{How, NoticeParts, going_on, notice_text};
use crate::read::fence::Source;
use crate::read::figures::{Figures, InAll, in_all};
use crate::read::view::{UsageView, usage_of};
use crate::state::State;
use crate::state::notices::{Delivery, Notice};

/// The origin of work whose spawn gave none (N5).
pub const CHANNEL: &str = "cli";
const CHAT_ID: &str = "direct";

view! {
    /// The origin of work, so that its result finds the way back.
    #[derive(PartialEq, Eq)]
    pub struct OriginView "Origin" {
        /// The channel by which the work came; must contain no colon. @default 'cli'
        pub channel: Text,
        /// The conversation on that channel. @default 'direct'
        pub chat_id: Text,
    }
}

view! {
    /// The spending of a sub-agent, in all its runs, and of all below it.
    #[derive(Copy)]
    pub struct SpentView "SpentInAll" {
        /// Tokens; null if none of them reported any.
        pub tokens: Option<Number>,
        /// US dollars; null if none of them reported any.
        pub cost_usd: Option<Number>,
        /// Whether some of it is an estimate, according to a host.
        pub estimated: bool,
    }
}

/// The origin of a task's work (N5).
fn origin((channel, chat_id): (Option<Text>, Option<Text>)) -> OriginView {
    OriginView { channel: channel.unwrap_or_else(|| CHANNEL.into()), chat_id: chat_id.unwrap_or_else(|| CHAT_ID.into()) }
}

/// The notice at an index.
#[must_use]
pub fn notice(state: &State, index: u32) -> NoticeView<'_> {
    NoticeView::of(state, index)
}

/// The usage of a notice's run. A run that never started reported nothing and took no time.
fn figures(state: &State, notice: &Notice, task: Key) -> Figures {
    let Notice { usage, usage_doubts: doubts, duration_ms, run, .. } = *notice;
    let doubted = Dimensions((doubts & 7) | (doubts >> 3));
    let known = |dimension: Dimension, amount: u64| Some(amount).filter(|_| !doubted.has(dimension));
    Figures {
        turns: known(Dimension::Turns, usage.turns),
        tokens: known(Dimension::Tokens, usage.tokens),
        cached: notice.kinds.as_ref().and_then(|kinds| kinds.cache_read_tokens),
        estimated: notice.kinds.as_ref().is_some_and(|kinds| kinds.estimated),
        nanos: known(Dimension::Cost, usage.nanos),
        duration_ms: Some(duration_ms).filter(|ms| *ms > 0),
        in_all: in_all(state, task, run),
    }
}

view! {
    /// The record of one end of a background run. It is delivered until it is acknowledged, under one id.
    pub struct NoticeView<'a> "Notice" of(state: &'a State, index: u32) with {
        let notice = state.notices.at(index);
        let (node, task) = (state.ended_task(index), state.named_by(index));
        // A forgotten task is directly below its session, with the origin as its own.
        let (session, from) = match &notice.forgotten {
            Some(forgotten) => {
                let spec = forgotten.node.spec();
                (forgotten.node.parent, spec.map(|spec| (spec.origin_channel.clone(), spec.origin_chat_id.clone())).unwrap_or_default())
            }
            None => (state.session_of(notice.task), state.origin_of(notice.task)),
        };
        let spec = node.spec();
        let (output, details) = notice.kept.as_deref().map_or_else(|| (&node.output, node.details()), |kept| (&kept.text, kept.details()));
        let details = DetailsView::of(details);
        let label = Text::from(node.label());
        let going_on = going_on(state, task);
        let figures = figures(state, notice, task);
        let text = notice_text(&NoticeParts {
            source: Source::of(state, task, notice.run),
            how: How { status: notice.status, reason: notice.reason, error: details.error, host_status: details.host_status },
            figures,
            label: &label,
            task: &node.text,
            output,
            receipts: details.receipts.map(|Json(receipts)| receipts),
            inline_bytes: usize::try_from(state.limits.inline_bytes).unwrap_or(usize::MAX),
            going_on: &going_on,
        });
    } {
        /// `del_` and 48 hex digits: the same at each delivery.
        delivery_id: String = state.delivery_id(RunKey { task, run: notice.run }),
        /// The sub-agent's id.
        task_id: Id = Id(state.id_of(task)),
        /// The number of the run in the sub-agent's life, from 1.
        run: u32 = notice.run,
        /// The sub-agent's name for display.
        label: Text = label,
        /// The sub-agent's nickname; null if it has none.
        nickname: Option<Text> = spec.and_then(|spec| spec.nickname.clone()),
        /// The instructions of the sub-agent's spawn.
        instructions: Text = node.text.clone(),
        /// The metadata that the program gave at its spawn; null if it gave none.
        metadata: Option<Json<Text>> as "Metadata | null" = spec.and_then(|spec| spec.metadata.clone()).map(Json),
        /// How the run ended.
        status: Status = notice.status,
        /// Why the run ended.
        stop_reason: StopReason = notice.reason,
        /// Its whole output. It is a sub-agent's text: show a model `text` instead.
        output: &'a str = output,
        /// The output is unfinished: the run was stopped or broke off.
        partial: bool = notice.partial,
        /// The output was cut at `maxResultBytes`.
        truncated: bool = notice.cut,
        /// The rest of its result.
        #[serde(flatten)]
        details: Part<DetailsView<'a>> = Part(details),
        /// The run's spending, without that of its sub-agents.
        usage: UsageView = usage_of(notice.usage, notice.kinds.as_deref().copied().unwrap_or_default(), notice.usage_doubts & 7, notice.usage_doubts >> 3),
        /// The spending of the sub-agent and its subtree, if more than the run's; null also if another run has begun.
        spent_in_all: Option<SpentView> = figures.in_all
            .map(|InAll { tokens, nanos, estimated, .. }| SpentView { tokens: tokens.map(number), cost_usd: nanos.map(dollars), estimated }),
        /// How long the run took, in milliseconds.
        duration_ms: Number = number(notice.duration_ms),
        /// When the run ended, in epoch milliseconds.
        ended_at: Number = number(notice.ended_at),
        /// The origin that the spawn gave, or the nearest spawn above.
        origin: OriginView = origin(from),
        /// The key of the session that the work belongs to; null for the manager's own.
        session_key: Option<Text> = state.session_key(session).cloned(),
        /// The sub-agent that had requested the work; null if it still worked.
        rerouted_from: Option<Id> = notice.rerouted_from.map(|key| Id(state.id_of(key))),
        /// Its delivery state: an open wait delivers an `awaited` notice; an `undelivered` one returned `maxDeliveries` times.
        delivery: &'static str as "'pending' | 'awaited' | 'leased' | 'undelivered'" = notice.delivery.name(),
        /// The number of its deliveries, including wake-ups without effect.
        attempt: u32 = notice.attempts,
        /// When its lease ends unless it is acknowledged, in epoch milliseconds; null if it isn't leased for a time.
        leased_until: Option<Number> = notice.until.filter(|_| notice.delivery == Delivery::Leased).map(number),
        /// For a model: who ended how, the task, the output (cut to `inlineBytes`, marked as not the user's), the usage.
        text: String = text,
    }
}
