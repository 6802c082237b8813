//! What a fact says, one thing at a time: the independent accounts take a fact that says several things as a list of
//! them, in the order in which they are meant. Owns that order.

use subagents::{Amounts, Delivery, Fact, Key, Loan, Loans, NewNotice, Parked, State, Status, StopReason, Text, WaitingFor};

use super::model::{Model, Place};

/// One thing that a fact says.
#[derive(Clone, Debug)]
pub(crate) enum Part<'a> {
    /// What is set aside for a run changed; whether it is for the whole run, where that changed.
    HoldChanged {
        task: Key,
        run: u32,
        reserved: Amounts,
        whole: Option<bool>,
    },
    /// A run lent a part of its hold to a run of a child.
    HoldLent {
        task: Key,
        run: u32,
        borrower: Key,
        amount: Amounts,
    },
    /// A part of it came back.
    HoldReturned {
        task: Key,
        run: u32,
        borrower: Key,
        borrower_run: u32,
        amount: Amounts,
    },
    /// A run used something.
    UsageBooked {
        task: Key,
        run: u32,
        amount: Amounts,
    },
    /// A host's own total took the place of so many dollars that prices had booked.
    PricesGivenBack {
        task: Key,
        run: u32,
        nanos: u64,
    },
    /// A run has come back for a turn whose budget is set aside.
    SetsAside {
        task: Key,
        run: u32,
    },
    /// A run lends no more, if it did; what it has just taken is its own.
    StopsLending {
        task: Key,
        run: u32,
        taken: &'a [Loan],
    },
    /// A host reported usage.
    UsageReported {
        task: Key,
        run: u32,
        reported: u32,
        invalid: u32,
    },
    /// A host left dimensions out, or reported ones that can't be.
    UsageDoubted {
        task: Key,
        run: u32,
        unknown: u32,
        invalid: u32,
    },
    /// A task got the one wrap-up turn of its life.
    WrapUpSpent {
        task: Key,
    },
    /// A run was asked to wrap up.
    WrapUpRequested {
        task: Key,
        run: u32,
        reason: StopReason,
        until: Option<u64>,
    },
    /// An idempotency key was used for the first time.
    KeyUsed {
        task: Key,
        scope: Key,
        key: &'a Text,
        until: u64,
    },
    /// Whoever asked for a task can't answer it.
    AnswersBarred {
        task: Key,
    },
    /// A run waits for its slot.
    RunQueued {
        task: Key,
        run: u32,
        rank: i64,
        message: Option<&'a Text>,
        waiting_for: Option<WaitingFor>,
        /// A further attempt at a message that ended badly.
        again: bool,
    },
    AttemptQueued {
        task: Key,
        run: u32,
        rank: i64,
    },
    /// A question is over.
    QuestionClosed {
        task: Key,
        run: u32,
        answer: Option<&'a Text>,
        timed_out: bool,
    },
    /// A run can't go on, and gave its slot up.
    Parked {
        task: Key,
        run: u32,
        why: Parked,
        waits_for: &'a [Key],
    },
    /// What it was parked for is over.
    Unparked {
        task: Key,
        run: u32,
        why: Parked,
    },
    /// What was to steer a run goes ahead of the queue.
    SteersMissed {
        task: Key,
        count: usize,
    },
    /// A run ends before it started, and nobody has got its message.
    MessageUnheard {
        task: Key,
        run: u32,
        again: bool,
    },
    /// At a turn or the boundary of a tool, a run got its steers.
    SteersDelivered {
        task: Key,
        run: u32,
        count: u32,
    },
    /// The run that asked for a task was notified of its question.
    QuestionDelivered {
        task: Key,
        run: u32,
    },
    /// Somebody whom a notice is not for got the end by waiting.
    NoticeHeard {
        task: Key,
        run: u32,
        by: Key,
    },
    /// A close of a task is under way.
    CloseRequested {
        task: Key,
        by: Key,
    },
    /// A task was closed that had ended before.
    TaskClosed {
        task: Key,
        reason: StopReason,
    },
    /// Whom the end of a run is for has ordered it.
    EndClaimed {
        task: Key,
        run: u32,
    },
    /// The end of a task's last run was collected.
    EndCollected {
        task: Key,
    },
    /// The end of a background run made a notice.
    NoticeMade {
        task: Key,
        run: u32,
        notice: NewNotice,
    },
    /// A notice was handed out.
    NoticeLeased {
        task: Key,
        run: u32,
        attempt: u32,
        until: Option<u64>,
    },
    /// It was acknowledged.
    NoticeAcked {
        task: Key,
        run: u32,
    },
    /// It can be delivered again.
    NoticeReturned {
        task: Key,
        run: u32,
    },
    /// Whom it waits for was woken for it, or didn't take it.
    NoticeWoken {
        task: Key,
        run: u32,
        attempt: u32,
        until: Option<u64>,
    },
    /// It was handed out too often.
    NoticeSetAside {
        task: Key,
        run: u32,
    },
    /// It went to the next above.
    NoticeRerouted {
        task: Key,
        run: u32,
        to: Key,
    },
    /// An open wait will hand it over.
    NoticeAwaited {
        task: Key,
        run: u32,
    },
    /// The rest of what a fact says.
    Said(&'a Fact),
}

/// What a change of a run's money is made of: loans, what is used, the hold, what goes back.
fn money<'a>(
    parts: &mut Vec<Part<'a>>,
    (task, run): (Key, u32),
    (booked, usage): (Amounts, Amounts),
    reserved: Option<(Amounts, Option<bool>)>,
    loans: Option<&Loans>,
) {
    let (lent, returned) = loans.map_or((&[][..], &[][..]), |loans| (&loans.lent[..], &loans.returned[..]));
    for Loan { lender, run: of, amount } in lent {
        parts.push(Part::HoldLent { task: *lender, run: *of, borrower: task, amount: *amount });
    }
    let amount = usage.zip(booked, u64::saturating_sub);
    if amount != Amounts::ZERO {
        parts.push(Part::UsageBooked { task, run, amount });
    }
    if booked.nanos > usage.nanos {
        parts.push(Part::PricesGivenBack { task, run, nanos: booked.nanos - usage.nanos });
    }
    if let Some((reserved, whole)) = reserved {
        parts.push(Part::HoldChanged { task, run, reserved, whole });
    }
    for Loan { lender, run: of, amount } in returned {
        parts.push(Part::HoldReturned { task: *lender, run: *of, borrower: task, borrower_run: run, amount: *amount });
    }
}

/// A run lends what is set aside for the whole of it, until its first turn or its end.
fn stops_lending<'a>(parts: &mut Vec<Part<'a>>, (task, run): (Key, u32), loans: Option<&'a Loans>, before: &State) {
    if before.find_run(task.index, run).is_some_and(|at| before.runs.at(at).whole) {
        parts.push(Part::StopsLending { task, run, taken: loans.map_or(&[], |loans| &loans.lent) });
    }
}

/// What a run got at a turn or at the boundary of a tool.
fn heard(parts: &mut Vec<Part<'_>>, (task, run): (Key, u32), steers: u32, questions: &[Key], model: &Model) {
    if steers > 0 {
        parts.push(Part::SteersDelivered { task, run, count: steers });
    }
    parts.extend(questions.iter().map(|task| Part::QuestionDelivered { task: *task, run: model.last_run(*task) }));
}

/// Takes a fact apart that the model has not taken yet.
pub(crate) fn parts<'a>(fact: &'a Fact, model: &Model, before: &State) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let booked = |task: Key, run: u32| model.booked(task, run);
    let none = Some((Amounts::ZERO, Some(false)));
    match fact {
        Fact::TaskAdmitted { task, parent, unanswerable, first, once, .. } => {
            parts.push(Part::Said(fact));
            if *unanswerable {
                parts.push(Part::AnswersBarred { task: *task });
            }
            if let Some(once) = once {
                parts.push(Part::KeyUsed { task: *task, scope: *parent, key: &once.key, until: once.until });
            }
            if let Some(first) = first {
                parts.push(Part::RunQueued {
                    task: *task,
                    run: 1,
                    rank: first.rank,
                    message: None,
                    waiting_for: first.waiting_for,
                    again: false,
                });
            }
            return parts;
        }
        Fact::RunQueued { task, run, rank, .. } if model.last_run(*task) == *run => {
            parts.push(Part::Said(fact));
            parts.push(Part::AttemptQueued { task: *task, run: *run, rank: *rank });
            return parts;
        }
        Fact::RunQueued { task, run, rank, message, waiting_for, again, .. } => {
            parts.push(Part::Said(fact));
            parts.push(Part::RunQueued {
                task: *task,
                run: *run,
                rank: *rank,
                message: message.as_ref(),
                waiting_for: *waiting_for,
                again: *again,
            });
            return parts;
        }
        Fact::RunStarted { task, run, reserved, loans, .. } => {
            parts.push(Part::Said(fact));
            let reserved = (*reserved != Amounts::ZERO).then_some((*reserved, Some(true)));
            money(&mut parts, (*task, *run), (Amounts::ZERO, Amounts::ZERO), reserved, loans.as_deref());
            return parts;
        }
        Fact::TurnStarted { run: 0, .. } => {}
        Fact::TurnStarted { task, run, wrap_up_reason, spends_wrap_up, reserved, loans, whole, .. } => {
            if let Some(reason) = wrap_up_reason {
                parts.push(Part::WrapUpRequested { task: *task, run: *run, reason: *reason, until: None });
            }
            if *spends_wrap_up {
                parts.push(Part::WrapUpSpent { task: *task });
            }
            let one = Amounts { turns: 1, ..Amounts::ZERO };
            money(&mut parts, (*task, *run), (Amounts::ZERO, one), Some((*reserved, Some(*whole))), loans.as_deref());
        }
        Fact::RunReentered { task, run, reserved: Some(reserved), loans, .. } => {
            parts.push(Part::SetsAside { task: *task, run: *run });
            money(&mut parts, (*task, *run), (Amounts::ZERO, Amounts::ZERO), Some((*reserved, Some(false))), loans.as_deref());
        }
        Fact::TurnDelayed { task, run, reserved, loans, .. } => {
            if let Some(reserved) = reserved {
                money(&mut parts, (*task, *run), (Amounts::ZERO, Amounts::ZERO), Some((*reserved, Some(true))), loans.as_deref());
            }
            if let Some(beside) = model.beside_turn(*task, *run) {
                parts.push(Part::HoldChanged {
                    task: *task,
                    run: *run,
                    reserved: model.hold(*task, *run).least(beside),
                    whole: Some(false),
                });
            }
        }
        Fact::RunReported { task, run, usage, reported, invalid, reserved, loans, .. } if *run != 0 => {
            let (reported, invalid) = (u32::from(reported.0), u32::from(invalid.0));
            money(&mut parts, (*task, *run), (booked(*task, *run), *usage), Some((*reserved, None)), loans.as_deref());
            parts.push(Part::UsageReported { task: *task, run: *run, reported, invalid });
        }
        Fact::RunEnded { task, run, host_open, usage, unknown, invalid, loans, message_requeued, notice, .. } => {
            unsaid(&mut parts, *task, model);
            if let Some(again) = message_requeued {
                parts.push(Part::MessageUnheard { task: *task, run: *run, again: *again });
            }
            let reserved = none.filter(|_| !host_open);
            money(&mut parts, (*task, *run), (booked(*task, *run), *usage), reserved, loans.as_deref());
            stops_lending(&mut parts, (*task, *run), loans.as_deref(), before);
            doubts(&mut parts, (*task, *run), unknown.0, invalid.0);
            parts.push(Part::Said(fact));
            if let Some(notice) = notice {
                parts.push(Part::NoticeMade { task: *task, run: *run, notice: *notice });
            }
            return parts;
        }
        Fact::RunParked { task, run, why, waits_for } => return vec![Part::Parked { task: *task, run: *run, why: *why, waits_for }],
        Fact::RunUnparked { task, run, why, parks } => {
            parts.push(Part::Unparked { task: *task, run: *run, why: *why });
            parks_for(&mut parts, (*task, *run), *parks);
            return parts;
        }
        Fact::QuestionAsked { task, run, .. } => {
            parts.push(Part::Said(fact));
            parks_for(&mut parts, (*task, *run), Some(Parked::Input));
            return parts;
        }
        Fact::QuestionClosed { task, run, answer, timed_out, parks } => {
            parts.push(Part::QuestionClosed { task: *task, run: *run, answer: answer.as_ref(), timed_out: *timed_out });
            if model.question_of(*task).is_some() {
                parts.push(Part::Unparked { task: *task, run: *run, why: Parked::Input });
            }
            parks_for(&mut parts, (*task, *run), *parks);
            return parts;
        }
        Fact::MessagesDropped { task, .. } => steers(&mut parts, *task, model),
        Fact::CancelRequested { task, by, close, interrupt, claimed, .. } => {
            if !interrupt && !model.is_sealed_itself(*task) {
                parts.push(Part::Said(fact));
            }
            if *close {
                parts.push(Part::CloseRequested { task: *task, by: *by });
            }
            parts.extend(claimed.iter().map(|task| Part::EndClaimed { task: *task, run: model.last_run(*task) }));
            return parts;
        }
        Fact::EndsCollected { tasks } => return tasks.iter().map(|task| Part::EndCollected { task: *task }).collect(),
        Fact::TaskEnded { task, stop_reason: reason, .. } if !matches!(before.node(task.index).status, Status::Idle | Status::Pending) => {
            return vec![Part::TaskClosed { task: *task, reason: *reason }];
        }
        Fact::NoticeMoved { task, run, delivered_to, .. } if !delivered_to.is_empty() => {
            return delivered_to.iter().map(|by| Part::NoticeHeard { task: *task, run: *run, by: *by }).collect();
        }
        Fact::ToolEnded { task, run, steers, questions } => {
            if before.find_run(task.index, *run).is_some_and(|at| before.runs.at(at).tools > 0) {
                parts.push(Part::Said(fact));
            }
            heard(&mut parts, (*task, *run), *steers, questions, model);
            return parts;
        }
        Fact::QuestionDelivered { task, run } => return vec![Part::QuestionDelivered { task: *task, run: *run }],
        Fact::NoticeMoved { task, run, delivery, to, attempt, until, .. } => {
            let (task, run, attempt, until) = (*task, *run, *attempt, *until);
            let known = model.notices.open.get(&(task, run));
            let was_pending = known.is_some_and(|notice| notice.delivery == Delivery::Pending);
            let goes_on = known.is_some_and(|notice| notice.owner != *to);
            return vec![match (delivery, goes_on) {
                (Delivery::Pending, true) => Part::NoticeRerouted { task, run, to: *to },
                (Delivery::Pending, false) if was_pending => Part::NoticeWoken { task, run, attempt, until },
                (Delivery::Pending, false) => Part::NoticeReturned { task, run },
                (Delivery::Awaited, _) => Part::NoticeAwaited { task, run },
                (Delivery::Leased, _) => Part::NoticeLeased { task, run, attempt, until },
                (Delivery::Undelivered, _) => Part::NoticeSetAside { task, run },
                (Delivery::Acked, _) => Part::NoticeAcked { task, run },
            }];
        }
        Fact::RunReturned { task, run, usage, unknown, invalid, loans, .. }
        | Fact::RunRetried { task, run, usage, unknown, invalid, loans, .. } => {
            unsaid(&mut parts, *task, model);
            money(&mut parts, (*task, *run), (booked(*task, *run), *usage), none, loans.as_deref());
            doubts(&mut parts, (*task, *run), unknown.0, invalid.0);
        }
        Fact::HostReturned { task, run, usage: Some(usage), unknown, invalid, loans, late_result: _ } => {
            let reserved = none.filter(|_| model.place(*task, *run) != Some(Place::Gone));
            money(&mut parts, (*task, *run), (booked(*task, *run), *usage), reserved, loans.as_deref());
            doubts(&mut parts, (*task, *run), unknown.0, invalid.0);
        }
        Fact::HostAbandoned { task, run, usage } => money(&mut parts, (*task, *run), (booked(*task, *run), *usage), none, None),
        _ => {}
    }
    if let Fact::TurnStarted { task, run: run @ 1.., loans, whole: false, .. }
    | Fact::RunReentered { task, run, reserved: Some(_), loans, .. }
    | Fact::RunReturned { task, run, loans, .. }
    | Fact::RunRetried { task, run, loans, .. } = fact
    {
        stops_lending(&mut parts, (*task, *run), loans.as_deref(), before);
    }
    parts.push(Part::Said(fact));
    if let Fact::TurnStarted { task, run, steers, questions, .. } = fact {
        heard(&mut parts, (*task, *run), *steers, questions, model);
    }
    if let Fact::TurnDelayed { task, run, parks, .. } = fact {
        parks_for(&mut parts, (*task, *run), *parks);
    }
    parts
}

/// A run parks for something else than sub-agents, if it does.
fn parks_for(parts: &mut Vec<Part<'_>>, (task, run): (Key, u32), why: Option<Parked>) {
    parts.extend(why.map(|why| Part::Parked { task, run, why, waits_for: &[] }));
}

/// What a run leaves unsaid that is over: its question, and what was to steer it.
fn unsaid(parts: &mut Vec<Part<'_>>, task: Key, model: &Model) {
    if let Some(run) = model.question_of(task) {
        parts.push(Part::QuestionClosed { task, run, answer: None, timed_out: false });
    }
    steers(parts, task, model);
}

fn steers(parts: &mut Vec<Part<'_>>, task: Key, model: &Model) {
    let count = model.steers_of(task);
    if count > 0 {
        parts.push(Part::SteersMissed { task, count });
    }
}

fn doubts(parts: &mut Vec<Part<'_>>, (task, run): (Key, u32), unknown: u8, invalid: u8) {
    if unknown | invalid != 0 {
        parts.push(Part::UsageDoubted { task, run, unknown: unknown.into(), invalid: invalid.into() });
    }
}
