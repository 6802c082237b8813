//! Reads settings: options of a manager, of a session, of a spawn.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{NANOS, option, signed};
use super::plain::Plain;
use crate::Text;
use crate::base::amounts::{Caps, Nanos};
use crate::model::input::{Actor, Defaults, Input};
use crate::model::kinds::ModelPrice;
use crate::model::limits::{TABLE, Unit};
use crate::model::rate::KeyRate;
use crate::model::rejection::Rejection;
use crate::model::retry::Retry;
use crate::model::spawn::{ModelLimits, Once, RetryEnded};
use crate::model::spec::{Spec, Staged};
use crate::model::status::{OnParentEnd, StopReason};

/// A budget, as options express it.
fn caps(mut budget: Plain) -> Caps {
    let mut pick = |name: &str, scale: f64| budget.field(name).number().and_then(|value| option(value, scale));
    Caps { tokens: pick("tokens", 1.0), nanos: pick("costUsd", NANOS), turns: pick("turns", 1.0) }
}

/// A limit, as options express it: a number that its unit allows.
fn limit_of(entry: Plain) -> Result<(Text, u64), Rejection> {
    let mut entry = entry.list().unwrap_or_default().into_iter();
    let name = entry.next().and_then(Plain::text).unwrap_or_default();
    let value = entry.next().and_then(|value| value.number()).unwrap_or(f64::NAN);
    let row = TABLE.iter().find(|row| *row.name == *name);
    let (scale, is_money) = row.map_or((1.0, false), |row| (scale_of(row.unit), row.unit == Unit::Dollars));
    let whole = is_money || value.floor() == value;
    let least = row.map_or(0, |row| row.unit.least());
    let number = option(value, scale).filter(|number| value >= 0.0 && whole && *number >= least);
    let kind = if is_money { "an amount in US dollars above 0".to_owned() } else { format!("a whole number of at least {least}") };
    let refused =
        || Rejection::InvalidArgument { argument: row.map(|row| row.name), what: format!("`{name}` must be {kind}, or Infinity") };
    number.ok_or_else(refused).map(|number| (name.clone(), number))
}

/// The number of the core's units in one unit of options and users.
pub(super) const fn scale_of(unit: Unit) -> f64 {
    match unit {
        Unit::Count | Unit::CountOrNone | Unit::Milliseconds | Unit::MillisecondsOrNone | Unit::Bytes => 1.0,
        Unit::Dollars => NANOS,
    }
}

impl Staged for Plain {
    fn text(&mut self, name: &str) -> Option<Text> {
        self.take_text(name)
    }
    fn texts(&mut self, name: &str) -> Option<Vec<Text>> {
        self.take_texts(name)
    }
    #[inline(never)]
    fn count(&mut self, name: &str) -> Option<u64> {
        self.take_number(name).and_then(|value| option(value, 1.0))
    }
    fn dollars(&mut self, name: &str) -> Option<u64> {
        self.take_number(name).and_then(|value| option(value, NANOS))
    }
    fn integer(&mut self, name: &str) -> Option<i64> {
        self.take_number(name).map(signed)
    }
    fn retry(&mut self, name: &str) -> Option<Box<Retry>> {
        retry_of(self.field(name))
    }
    fn prices(&mut self, name: &str) -> Option<Vec<ModelPrice>> {
        prices_of(self.field(name))
    }
}

/// `{ max, backoffMs, on }`, which TypeScript has checked; `None` without `max`.
fn retry_of(mut retry: Plain) -> Option<Box<Retry>> {
    let max = retry.count("max")?;
    let backoff_ms = retry.count("backoffMs").unwrap_or(Retry::BACKOFF_MS);
    let on = retry.take_texts("on").map(|names| names.iter().filter_map(|name| StopReason::from_name(name)).collect());
    Some(Box::new(Retry { max, backoff_ms, on: on.unwrap_or_else(|| Retry::USUALLY_ON.to_vec()) }))
}

/// `{ model, input, output, cacheRead, cacheWrite, cacheWrite1h }[]`, in US dollars a million tokens, which TypeScript has checked.
fn prices_of(prices: Plain) -> Option<Vec<ModelPrice>> {
    let price_of = |mut price: Plain| {
        let model = price.take_text("model").unwrap_or_default();
        let mut dollars = |name: &str| price.dollars(name).map(Nanos);
        let [input, output] = ["input", "output"].map(|name| dollars(name).unwrap_or(Nanos(0)));
        let [cache_read, cache_write, cache_write1h] = ["cacheRead", "cacheWrite", "cacheWrite1h"].map(dollars);
        ModelPrice { model, input, output, cache_read, cache_write, cache_write1h }
    };
    prices.list().map(|prices| prices.into_iter().map(price_of).collect())
}

/// `{ key, requestsPerMinute, tokensPerMinute }[]`, which TypeScript has checked.
fn rates_of(rates: Plain) -> Option<Vec<KeyRate>> {
    let rate_of = |mut rate: Plain| KeyRate {
        key: rate.take_text("key").unwrap_or_default(),
        requests_per_minute: rate.count("requestsPerMinute"),
        tokens_per_minute: rate.count("tokensPerMinute"),
    };
    rates.list().map(|rates| rates.into_iter().map(rate_of).collect())
}

/// The inputs for options: see `configure`.
pub(super) fn inputs_of(settings: &JsValue) -> Result<Vec<Input>, Rejection> {
    let mut settings = Plain::read(settings)?;
    let limits = settings.field("limits").list().unwrap_or_default().into_iter().map(limit_of).collect::<Result<_, _>>()?;
    let mut inputs = vec![Input::SetLimits(limits)];
    inputs.push(Input::SetBudget(caps(settings.field("budget"))));
    inputs.push(Input::SetDefaults(Defaults {
        task_cap: caps(settings.field("taskBudget")),
        retry: retry_of(settings.field("retry")),
        reject: settings.field("onLimit").text().map(|on_limit| *on_limit == *"reject"),
        on_parent_end: settings.field("onParentEnd").text().and_then(|name| OnParentEnd::from_name(&name)),
    }));
    inputs.extend(prices_of(settings.field("prices")).map(Input::SetPrices));
    inputs.extend(rates_of(settings.field("rates")).map(Input::SetRates));
    Ok(inputs)
}

/// Two random numbers, if the runtime gives any.
pub(super) fn drawn() -> Option<(u64, u64)> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).ok()?;
    let ([high, low], _) = random.as_chunks::<8>() else { return None };
    Some((u64::from_le_bytes(*high), u64::from_le_bytes(*low)))
}

/// The idempotency key among the staged options. An empty list of `retryEnded` stands for `true`.
fn once_of(staged: &mut Plain) -> Option<Once> {
    let key = staged.take_text("idempotencyKey")?;
    let retry_ended = staged.take_texts("retryEnded").map(|reasons| match &*reasons {
        [] => RetryEnded::Bad,
        reasons => RetryEnded::On(reasons.iter().filter_map(|reason| StopReason::from_name(reason)).collect()),
    });
    let [parameters, work] = ["parameters", "work"].map(|name| staged.take_text(name).unwrap_or_default());
    Some(Once { key, parameters, work, retry_ended, ..Once::default() })
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit, retry, onParentEnd, prices, rates }`. `false` if
    /// one is refused.
    pub fn configure(&self, now: f64, settings: &JsValue) -> bool {
        let Some(inputs) = self.or_refuse(inputs_of(settings)) else { return false };
        inputs.into_iter().all(|input| self.decide(now, Actor::Program, input).is_some())
    }

    /// Draws the randomness for ids and fences, once: some edge runtimes have none at import.
    pub fn seed(&self, now: f64) -> bool {
        if self.manager.borrow().state().seed.is_some() {
            return true;
        }
        let Some((high, low)) = drawn() else { return false };
        self.decide(now, Actor::Program, Input::Seed(high, low)).is_some()
    }

    /// Retains the options of the next `begin` besides its text. `false` if they are refused.
    pub fn stage(&self, options: &JsValue) -> bool {
        let Some(mut staged) = self.or_refuse(Plain::read(options)) else { return false };
        let spec = Spec::from_staged(&mut staged);
        self.model_limits.set(ModelLimits {
            turns: staged.count("wishedTurns"),
            nanos: staged.take_number("wishedCost").and_then(|value| option(value, NANOS)),
        });
        self.once.replace(once_of(&mut staged));
        self.staged.replace(Some(Box::new(spec)));
        true
    }

    /// Starts or stops passing facts to the host.
    pub fn listen(&self, on: bool) {
        let mut manager = self.manager.borrow_mut();
        if on {
            manager.show();
        } else {
            manager.listen(false);
        }
    }

    /// Requests `taskForgotten` and `taskClosed` for every task that is forgotten, or closed, from now on.
    #[wasm_bindgen(js_name = notifyForgotten)]
    pub fn notify_forgotten(&self) {
        self.manager.borrow_mut().notify_forgotten();
    }
}
