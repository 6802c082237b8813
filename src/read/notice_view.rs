//! What users read of notices. Owns the fields; the text for a model is `ends`'.

use serde::Serialize;

use crate::base::codec::Text;
use crate::base::id;
use crate::base::number::{Number, number};
use crate::model::product::Extras;
use crate::model::status::{Status, StopReason};
use crate::read::ends::{How, Told, notice_text};
use crate::read::fence::Source;
use crate::read::view::{UsageView, usage_of};
use crate::state::State;
use crate::state::notices::{Delivery, Kept};

/// Where work came from, unless its spawn said (N5).
const CHANNEL: &str = "cli";
const CHAT_ID: &str = "direct";

/// Where work came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct OriginView {
    pub channel: Text,
    pub chat_id: Text,
}

/// A notice as it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct NoticeView {
    pub delivery_id: String,
    pub task_id: String,
    pub run: u32,
    pub label: Text,
    pub nickname: Option<Text>,
    pub instructions: Text,
    pub metadata: Option<Text>,
    pub status: Status,
    pub stop_reason: StopReason,
    pub output: Text,
    pub partial: bool,
    pub truncated: bool,
    pub error: Option<Text>,
    pub host_status: Option<Text>,
    pub artifacts: Option<Text>,
    pub value: Option<Text>,
    pub usage: UsageView,
    pub duration_ms: Number,
    pub ended_at: Number,
    pub origin: OriginView,
    pub session_key: Option<Text>,
    pub rerouted_from: Option<String>,
    pub delivery: &'static str,
    pub attempt: u32,
    pub leased_until: Option<Number>,
    pub text: String,
}

/// Where a task's work came from (N5).
fn origin((channel, chat_id): (Option<Text>, Option<Text>)) -> OriginView {
    OriginView { channel: channel.unwrap_or_else(|| CHANNEL.into()), chat_id: chat_id.unwrap_or_else(|| CHAT_ID.into()) }
}

/// The notice in a slot.
#[must_use]
pub fn notice(state: &State, slot: u32) -> NoticeView {
    let seed = state.seed.unwrap_or_default();
    let notice = state.notices.at(slot);
    let (node, task) = (state.told_of(slot), state.named_by(slot));
    // A forgotten task stands right below its session, with the origin as its own.
    let (session, from) = match &notice.forgotten {
        Some(forgotten) => {
            let spec = forgotten.node.spec();
            (forgotten.node.parent, spec.map(|spec| (spec.origin_channel.clone(), spec.origin_chat_id.clone())).unwrap_or_default())
        }
        None => (state.session_of(notice.task), state.origin_of(notice.task)),
    };
    let spec = node.spec();
    let Kept(product) = notice.kept.as_deref().cloned().unwrap_or_else(|| Kept::of(node));
    let (output, Extras { error, host_status, artifacts, value, .. }) = product.into_parts();
    let label = Text::from(node.label());
    let text = notice_text(&Told {
        source: Source::of(state, task, notice.run),
        how: How { status: notice.status, reason: notice.reason, error: error.as_deref(), host_status: host_status.as_deref() },
        label: &label,
        task: &node.text,
        output: &output,
        inline_bytes: usize::try_from(state.limits.inline_bytes).unwrap_or(usize::MAX),
    });
    NoticeView {
        delivery_id: id::encode_delivery(seed, task, notice.run),
        task_id: id::encode(seed, task),
        run: notice.run,
        label,
        nickname: spec.and_then(|spec| spec.nickname.clone()),
        instructions: node.text.clone(),
        metadata: spec.and_then(|spec| spec.metadata.clone()),
        status: notice.status,
        stop_reason: notice.reason,
        output,
        partial: notice.partial,
        truncated: notice.cut,
        error,
        host_status,
        artifacts,
        value,
        usage: usage_of(notice.usage, notice.usage_doubts & 7, notice.usage_doubts >> 3),
        duration_ms: number(notice.duration_ms),
        ended_at: number(notice.ended_at),
        origin: origin(from),
        session_key: state.session_key(session).cloned(),
        rerouted_from: notice.rerouted_from.map(|key| id::encode(seed, key)),
        delivery: notice.delivery.name(),
        attempt: notice.attempts,
        leased_until: notice.until.filter(|_| notice.delivery == Delivery::Leased).map(number),
        text,
    }
}
