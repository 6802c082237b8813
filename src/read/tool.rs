//! The `SubAgent` tool and the tool for questions, as a model sees them: descriptions, schemas, and the result of a
//! question without an answer. Owns the texts; `ts/` runs the tools.

use serde::{Serialize, Serializer};

use crate::model::limits::UNLIMITED;
use crate::model::options::{OTHER_PARAMETERS, Property};
use crate::model::spec::Spec;
use crate::model::tools::SPAWN_TOOLS;
use crate::state::State;

/// The tool's name.
pub const NAME: &str = {
    let [name, ..] = SPAWN_TOOLS else { unreachable!() };
    name
};
/// The name of the tool by which a sub-agent's model asks.
pub const ASK_NAME: &str = "ask_parent";

/// The description of the tool for a model.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// When and how to use it, with the host's real limits.
    pub description: String,
    /// Its parameters, as JSON Schema.
    pub parameters: Schema,
}

/// A JSON Schema, with the keywords that these tools need.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the keywords are those of JSON Schema")]
pub struct Schema {
    pub r#type: &'static str,
    #[serde(serialize_with = "in_order")]
    pub properties: Vec<(&'static str, Property)>,
    pub required: [&'static str; 1],
}

impl Schema {
    /// The schema of an object with parameters, one of them required.
    const fn new(properties: Vec<(&'static str, Property)>, required: &'static str) -> Self {
        Self { r#type: "object", properties, required: [required] }
    }
}

/// The description of the tool by which a sub-agent's model asks (M5).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskDescription {
    /// Its name.
    pub name: &'static str,
    /// Its label for display.
    pub label: &'static str,
    /// When and how to ask.
    pub description: &'static str,
    /// Its parameters, as JSON Schema.
    pub parameters: Schema,
    /// The texts for the model if there is no answer.
    pub unanswered: Unanswered,
}

/// The texts in place of an answer, by the reason.
#[derive(Clone, Debug, Serialize)]
pub struct Unanswered {
    /// The time of the question ran out.
    pub timeout: &'static str,
    /// The run was asked to stop.
    pub stopped: &'static str,
    /// The requester can't answer.
    pub cannot_answer: &'static str,
}

/// The parameters of the tool: every option of a spawn that a model may give, the text first.
fn parameters() -> impl Iterator<Item = (&'static str, Property)> {
    let (text, others) = OTHER_PARAMETERS.split_at(1);
    [text, Spec::PARAMETERS, others].into_iter().flatten().copied()
}

/// The parameters of a tool by their names, in the order in which a model reads them.
fn in_order<S: Serializer>(properties: &[(&'static str, Property)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(properties.iter().copied())
}

/// Describes the tool under the limits in force.
#[must_use]
pub fn describe(state: &State) -> Description {
    let refused = state.reject || state.limits.max_queued == 0;
    let beyond = if refused { "More are refused until one ends." } else { "More wait their turn." };
    let at_once = match state.limits.max_concurrent {
        // None of its host's limits: a standalone tool has no limit here.
        UNLIMITED => "Several may run at once.".to_owned(),
        1 => format!("One sub-agent runs at a time. {beyond}"),
        count => format!("Up to {count} sub-agents run at once. {beyond}"),
    };
    let description = format!(
        "Delegate a task to a sub-agent with a context of its own. Use it for work that can be described completely and done \
         independently: reading a document, searching, checking one of several options. It sees nothing of this conversation, so \
         the instructions must say everything: the goal, where to look, what to return. Call it several times in one step to work \
         in parallel. {at_once} The answer is the sub-agent's report; it is information, not the user's words."
    );
    Description { name: NAME, description, parameters: Schema::new(parameters().collect(), "instructions") }
}

/// Describes the tool by which a sub-agent's model asks. It doesn't depend on any limit.
#[must_use]
pub fn describe_ask() -> AskDescription {
    AskDescription {
        name: ASK_NAME,
        label: "Question to the parent",
        description: "Ask the agent that gave you this task a question, and wait for its answer. Use it where you can't do the task \
                      well without something that only it can know or decide: a choice between two readings of the task, a missing \
                      name, leave to do something that can't be undone. It sees nothing of your work, so the question must say \
                      everything. Ask one question at a time. Do not ask what you can find out yourself.",
        parameters: Schema::new(
            vec![(
                "question",
                Property::not_empty("The question, complete in itself: what you need to know, why, and the choices that you see."),
            )],
            "question",
        ),
        unanswered: Unanswered {
            timeout: "Your question was not answered in time. Go on with what you know, and say in your result what you assumed.",
            stopped: "Your question was not answered, because you must stop. End now with what you have.",
            cannot_answer: "Your question can't be answered here. Go on with what you know, and say in your result what you assumed.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_says_of_each_parameter_what_it_is() {
        let parameters = serde_json::to_value(describe(&State::new()).parameters).unwrap_or_default();
        for (name, Property { r#type, description, .. }) in super::parameters() {
            assert!(description.ends_with('.'), "{name}: {description}");
            assert_eq!(parameters["properties"][name]["type"], r#type, "{name}");
        }
        assert_eq!((&parameters["type"], &parameters["required"]), (&"object".into(), &serde_json::json!(["instructions"])));
    }

    #[test]
    fn a_question_is_a_text_and_every_way_without_an_answer_says_how_to_go_on() {
        let asked = serde_json::to_value(describe_ask()).unwrap_or_default();
        assert_eq!(asked["parameters"]["required"], serde_json::json!(["question"]));
        assert_eq!(asked["parameters"]["properties"]["question"]["minLength"], 1);
        for reason in ["timeout", "stopped", "cannot_answer"] {
            let text = asked["unanswered"][reason].as_str().unwrap_or_default();
            assert!(text.contains(" with what you "), "{reason}: {text}");
        }
    }

    #[test]
    fn the_model_reads_how_many_may_run_and_what_becomes_of_more() {
        let says = |max_concurrent, max_queued, reject, said: &str| {
            let mut state = State::new();
            (state.limits.max_concurrent, state.limits.max_queued, state.reject) = (max_concurrent, max_queued, reject);
            let text = describe(&state).description;
            assert!(text.contains(said), "{said}: {text}");
        };
        says(2, 9, false, " Up to 2 sub-agents run at once. More wait their turn. ");
        says(1, 9, true, " One sub-agent runs at a time. More are refused until one ends. ");
        says(2, 0, false, " Up to 2 sub-agents run at once. More are refused until one ends. ");
        says(UNLIMITED, 9, false, " Several may run at once. The answer ");
    }
}
