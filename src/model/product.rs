//! What a run leaves behind: one record from what its host function returned to the fact of its end, the run that waits
//! for sub-agents, and the notice that is told later. Owns the record and its stored forms.
//!
//! Most runs leave an output and nothing else, so the rest stands behind one pointer.

use crate::base::codec::{Field, Text};
use crate::base::reader::Reader;
use crate::base::stored::{Codec, Stored};
use crate::base::wide::{Wide, Widen};

/// What a run leaves beside its output; most leave nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// What went wrong.
    pub error: Option<Text>,
    /// The host's own word for how it ended, where it isn't one of ours.
    pub host_status: Option<Text>,
    /// The host's own id.
    pub host_task_id: Option<Text>,
    /// What it made beside its output, as JSON.
    pub artifacts: Option<Text>,
    /// Its value, as JSON: what a schema asked for (R7).
    pub value: Option<Text>,
    /// How long it took by the host's measure, in milliseconds.
    pub duration_ms: Option<u64>,
}

impl Extras {
    /// With nothing in it.
    pub(crate) const NONE: Self =
        Self { error: None, host_status: None, host_task_id: None, artifacts: None, value: None, duration_ms: None };
}

/// What a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Product {
    /// What it produced.
    pub output: Text,
    /// Absent where there is nothing of it.
    extras: Option<Box<Extras>>,
}

impl<T: Into<Text>> From<T> for Product {
    /// An output alone.
    fn from(output: T) -> Self {
        Self { output: output.into(), extras: None }
    }
}

impl Product {
    /// An output and what came with it.
    #[must_use]
    pub fn new(output: Text, extras: Extras) -> Self {
        Self { output, extras: (extras != Extras::NONE).then(|| Box::new(extras)) }
    }

    /// What came with the output.
    #[must_use]
    pub fn extras(&self) -> &Extras {
        self.extras.as_deref().unwrap_or(const { &Extras::NONE })
    }

    /// The output, and what came with it.
    pub(crate) fn into_parts(self) -> (Text, Extras) {
        (self.output, self.extras.map_or(Extras::NONE, |extras| *extras))
    }

    /// What came with the output, where there is any.
    pub(crate) const fn take_extras(&mut self) -> Option<Box<Extras>> {
        self.extras.take()
    }

    /// The same output with other extras.
    #[must_use]
    pub(crate) fn change(self, change: impl FnOnce(&mut Extras)) -> Self {
        let mut extras = self.extras.map_or(Extras::NONE, |extras| *extras);
        change(&mut extras);
        Self::new(self.output, extras)
    }
}

/// What a notice keeps of an end that its task no longer shows: all but what the task keeps for all of its runs, and what
/// the notice itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kept(pub Product);

/// In a fact its parts stand one by one.
impl Field for Product {
    fn kind() -> String {
        "text".into()
    }

    fn fields(_: &'static str, doc: &'static str) -> Vec<(&'static str, String, &'static str)> {
        let text = Option::<Text>::kind;
        vec![
            ("output", Text::kind(), doc),
            ("error", text(), "What went wrong."),
            ("host_status", text(), "The host's own word for how it ended."),
            ("host_task_id", text(), "The host's own id."),
            ("artifacts", text(), "What it made beside its output, as JSON."),
            ("value", text(), "Its value, as JSON: what a schema asked for."),
            ("duration_ms", Option::<u64>::kind(), "How long it took by the host's measure, in milliseconds."),
        ]
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        let Extras { error, host_status, host_task_id, artifacts, value, duration_ms } = self.extras();
        self.output.put(out);
        for text in [error, host_status, host_task_id, artifacts, value] {
            text.put(out);
        }
        duration_ms.put(out);
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        let output = Text::take(reader);
        let extras = Extras {
            error: Field::take(reader),
            host_status: Field::take(reader),
            host_task_id: Field::take(reader),
            artifacts: Field::take(reader),
            value: Field::take(reader),
            duration_ms: Field::take(reader),
        };
        Self::new(output, extras)
    }
}

impl Widen for Product {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        self.output.widen(out);
        let Some(extras) = &self.extras else {
            out.numbers.extend_from_slice(&[0.0; 6]);
            return;
        };
        let Extras { error, host_status, host_task_id, artifacts, value, duration_ms } = &**extras;
        for text in [error, host_status, host_task_id, artifacts, value] {
            text.widen(out);
        }
        duration_ms.widen(out);
    }
}

impl Stored for Product {
    fn blank() -> Self {
        Self::default()
    }

    #[inline(never)]
    fn walk(&mut self, codec: &mut Codec<'_>) {
        let (mut output, mut extras) = std::mem::take(self).into_parts();
        let Extras { error, host_status, host_task_id, artifacts, value, duration_ms } = &mut extras;
        output.walk(codec);
        for text in [host_status, host_task_id, artifacts, value] {
            text.walk(codec);
        }
        duration_ms.walk(codec);
        error.walk(codec);
        *self = Self::new(output, extras);
    }
}

impl Stored for Kept {
    fn blank() -> Self {
        Self::default()
    }

    #[inline(never)]
    fn walk(&mut self, codec: &mut Codec<'_>) {
        let (mut output, mut extras) = std::mem::take(&mut self.0).into_parts();
        let Extras { error, host_status, artifacts, value, host_task_id: _, duration_ms: _ } = &mut extras;
        output.walk(codec);
        for text in [error, host_status, artifacts, value] {
            text.walk(codec);
        }
        self.0 = Product::new(output, extras);
    }
}
