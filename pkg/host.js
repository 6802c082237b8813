let origin = NaN;
let clock;
let timers$1;
const own = setTimeout;
let last$1 = Number.NEGATIVE_INFINITY;
function now() {
	if (timers$1 !== setTimeout) lookUp();
	const at = origin + clock.now();
	last$1 = at;
	if (at >= limit) past(at);
	return at;
}
let limit = Number.POSITIVE_INFINITY;
let reached;
function whenPast(at, body) {
	limit = at;
	reached = body;
}
function past(at) {
	limit = Number.POSITIVE_INFINITY;
	reached?.(at);
}
let replaced$1;
function whenReplaced(body) {
	replaced$1 = body;
}
function lookUp() {
	const isSame = clock === performance;
	timers$1 = setTimeout;
	clock = performance;
	const at = last$1 === Number.NEGATIVE_INFINITY || timers$1 === own ? Math.max(Date.now(), last$1) : last$1;
	if (!isSame || origin + clock.now() < last$1) origin = at - clock.now();
	replaced$1?.();
}
const LONGEST_TIMER = 2147483647;
function within$2(promise, ms) {
	return new Promise((resolve) => {
		const timer = ms <= 2147483647 ? setTimeout(resolve, ms) : void 0;
		const over = () => {
			clearTimeout(timer);
			resolve();
		};
		promise.then(over, over);
	});
}
let isWithin = false;
function withinCore(within) {
	isWithin = within;
}
function letStackGo(error) {
	try {
		for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) at.stack;
	} catch {}
}
const SubAgentError = class SubAgentError extends Error {
	constructor(code, message, details = {}, options) {
		super(message, options);
		Object.defineProperty(this, "name", {
			value: "SubAgentError",
			enumerable: true,
			configurable: true,
			writable: true
		});
		this.code = code;
		this.details = details;
		if (isWithin) letStackGo(this);
	}
	toJSON() {
		const { name, code, message, details } = this;
		return {
			name,
			code,
			message,
			details
		};
	}
};
function isSubAgentError(error, code) {
	try {
		if (!(error instanceof Error) || error.name !== "SubAgentError") return false;
		const { code: own } = error;
		return code === void 0 ? typeof own === "string" : own === code;
	} catch {
		return false;
	}
}
function ownError(error) {
	if (error instanceof SubAgentError) return error;
	if (!isSubAgentError(error)) return void 0;
	return new SubAgentError(error.code, error.message, { ...error.details }, { cause: error });
}
function detached(way) {
	const message = `a method was called without its object: call it as in \`${way}(…)\`, or bind it first`;
	return new SubAgentError("invalid_argument", message, { argument: "this" });
}
function expectMade(part, what, way) {
	if (part === void 0) throw new SubAgentError("invalid_argument", `${what} is not made with \`new\`: ${way}`);
}
function logError(error) {
	try {
		const { process, Deno, reportError, console } = globalThis;
		if (process === void 0 && Deno === void 0 && typeof reportError === "function") reportError(error);
		else console?.error(error);
	} catch {}
}
function notify(listener, report, what) {
	try {
		const answer = listener(what);
		if (isThenable(answer)) new Promise((resolve) => resolve(answer)).catch(report);
	} catch (error) {
		report(error);
	}
}
function atOnce(answer) {
	try {
		if (isPromise(answer)) Promise.prototype.then.call(answer, void 0, () => void 0);
	} catch {}
	return answer;
}
function isPromise(value) {
	try {
		return value instanceof Promise;
	} catch {
		return false;
	}
}
function isThenable(value) {
	return typeof value === "object" && value !== null && typeof value.then === "function";
}
const BREAKS = [
	[0, 32],
	[127, 160],
	[5760, 5760],
	[8192, 8202],
	[8232, 8233],
	[8239, 8239],
	[8287, 8287],
	[12288, 12288]
];
const UNSEEN = [
	[173, 173],
	[847, 847],
	[1564, 1564],
	[4447, 4448],
	[6068, 6069],
	[6155, 6159],
	[8203, 8203],
	[8206, 8207],
	[8234, 8238],
	[8288, 8303],
	[12644, 12644],
	[65024, 65037],
	[65279, 65279],
	[65440, 65440],
	[65520, 65531],
	[65534, 65535],
	[113824, 113827],
	[119155, 119162],
	[917504, 921599]
];
const JOINERS = [[8204, 8205]];
const MARKS = [
	["'", "’"],
	["\"", "’"],
	["`", "’"],
	["“", "‘"],
	["”", "’"],
	["[", "("],
	["]", ")"],
	["<", "‹"],
	[">", "›"],
	["＇", "’"],
	["＂", "’"],
	["｀", "’"],
	["［", "("],
	["］", ")"],
	["＜", "‹"],
	["＞", "›"]
];
const TASK_CHARS = 500;
function isIn(ranges, code) {
	return ranges.some(([first, last]) => first <= code && code <= last);
}
let plain$1;
function plainWords() {
	const marks = MARKS.map(([mark]) => mark);
	const word = `[${Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((letter) => !marks.includes(letter)).map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join("")}]+`;
	return new RegExp(`^${word}(?: ${word})*$`);
}
function shownInQuotes(letter) {
	const code = letter.codePointAt(0);
	return code >= 55296 && code <= 57343 ? "�" : MARKS.find(([mark]) => mark === letter)?.[1] ?? letter;
}
function canBeJoined(letter) {
	const code = shownInQuotes(letter).codePointAt(0);
	return code > 127 && !isIn(BREAKS, code);
}
function* seenIn(text) {
	let before = " ";
	let joiner;
	for (const letter of text) {
		const code = letter.codePointAt(0);
		if (isIn(UNSEEN, code)) continue;
		if (isIn(JOINERS, code)) {
			joiner = canBeJoined(before) ? letter : void 0;
			continue;
		}
		if (joiner !== void 0 && canBeJoined(letter)) yield joiner;
		joiner = void 0;
		before = letter;
		yield letter;
	}
}
function quoted(text, most = 80) {
	plain$1 ??= plainWords();
	if (text.length <= most && plain$1.test(text)) return text;
	return lineOf(text, most, shownInQuotes);
}
function onOneLine(text, most) {
	return lineOf(text, most, (letter) => letter);
}
function lineOf(text, most, shownAs) {
	let line = "";
	let count = 0;
	let gap = false;
	for (const letter of seenIn(text)) {
		const code = letter.codePointAt(0);
		if (isIn(BREAKS, code)) {
			gap = count > 0;
			continue;
		}
		const wide = count + (gap ? 2 : 1);
		if (wide > most) return `${line}…`;
		const shown = shownAs(letter);
		line += gap ? ` ${shown}` : shown;
		gap = false;
		count = wide;
	}
	return line;
}
function listed(names) {
	return names.map((name) => quoted(name)).join(", ");
}
function jsonForModel(value) {
	let json = "";
	for (const letter of JSON.stringify(value)) {
		const code = letter.codePointAt(0);
		const isPlain = code < 127 || code > 160 && code !== 8232 && code !== 8233 && !isIn(UNSEEN, code);
		json += isPlain ? letter : escaped(letter);
	}
	return json;
}
function escaped(letter) {
	return Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
}
function wellFormed(text) {
	const checked = text;
	return checked.isWellFormed?.() ?? !/[\ud800-\udfff]/u.test(text) ? text : checked.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/gu, "�");
}
function wellFormedJson(json) {
	if (!json.includes("\\ud")) return json;
	return json.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (part) => part.length > 2 ? "�" : part);
}
const DEEPEST$2 = 32;
const MOST$3 = 1e5;
function wellFormedIn(value) {
	try {
		return replacedIn(value, 0, { left: MOST$3 });
	} catch {
		return value;
	}
}
function replacedIn(value, depth, budget) {
	if (typeof value === "string") return wellFormed(value);
	if (typeof value !== "object" || value === null || depth > DEEPEST$2) return value;
	const prototype = Object.getPrototypeOf(value);
	const isList = Array.isArray(value);
	if (!isList && prototype !== Object.prototype && prototype !== null) return value;
	const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
	let isChanged = false;
	for (const entry of fields) {
		budget.left -= 1;
		if (budget.left < 0) return value;
		const [name, field] = entry;
		entry[0] = wellFormed(name);
		const part = "value" in field ? replacedIn(field.value, depth + 1, budget) : void 0;
		isChanged ||= entry[0] !== name || part !== field.value;
		if ("value" in field) field.value = part;
	}
	return isChanged ? Object.defineProperties(isList ? [] : Object.create(prototype), Object.fromEntries(fields)) : value;
}
function headOf(text, bytes) {
	let used = 0;
	for (let index = 0; index < text.length;) {
		const point = text.codePointAt(index);
		used += point < 128 ? 1 : point < 2048 ? 2 : point < 65536 ? 3 : 4;
		if (used > bytes) return text.slice(0, index);
		index += point > 65535 ? 2 : 1;
	}
	return text;
}
function isBlankText(text) {
	const first = text.charCodeAt(0);
	return !(first > 32 && first < 127) && text.trim() === "";
}
function counted(count, one, many = `${one}s`) {
	return `${count} ${count === 1 ? one : many}`;
}
const modelTexts = /* @__PURE__ */ new WeakMap();
function withModelText(error, text) {
	if (text !== error.message) modelTexts.set(error, text);
	return error;
}
function modelTextOf(error) {
	return modelTexts.get(error) ?? messageOf(error);
}
function invalid(what, expected, got) {
	const message = `${what} must be ${expected}, got ${describe(atOnce(got))}`;
	return new SubAgentError("invalid_argument", message, {
		argument: what.replaceAll("`", ""),
		expected
	});
}
function describe(value) {
	if (typeof value === "string") return value.length > 40 ? `a string of ${value.length} characters` : jsonForModel(value);
	if (value === null || value === void 0 || typeof value === "number" || typeof value === "boolean") return String(value);
	if (typeof value === "object") return listOrObject(value);
	return `a ${typeof value}`;
}
function listOrObject(value) {
	if (isPromise(value)) return "a promise";
	try {
		if (!Array.isArray(value)) return "an object";
		return value.length === 0 ? "an empty list" : "a list";
	} catch {
		return "an object";
	}
}
function messageOf(thrown) {
	try {
		if (typeof thrown === "string") return wellFormed(thrown);
		if (thrown instanceof Error) return wellFormed(String(thrown.message) || String(thrown.name) || "an error without a message");
		if (typeof thrown === "object" && thrown !== null && typeof thrown.message === "string") return wellFormed(thrown.message);
	} catch {}
	return `threw ${describe(thrown)}`;
}
const ONE_TURN = 1024;
const NO_TEXT = -1;
const READING_MISSING = -1;
const RETURNED_FAILED = 1;
const standIns = /* @__PURE__ */ new WeakMap();
function safeSignal(signal) {
	if (isPlatforms(signal)) return signal;
	let standIn = standIns.get(signal);
	if (standIn === void 0) {
		const made = new AbortController();
		signal.addEventListener("abort", () => fire(made, signal), { once: true });
		standIns.set(signal, made);
		standIn = made;
	}
	if (signal.aborted === true) fire(standIn, signal);
	return standIn.signal;
}
function fire(standIn, signal) {
	let reason;
	try {
		({reason} = signal);
	} catch (error) {
		reason = error;
	}
	standIn.abort(reason);
}
const USED = [
	"aborted",
	"reason",
	"addEventListener",
	"removeEventListener"
];
function isPlatforms(signal) {
	return Object.getPrototypeOf(signal) === AbortSignal.prototype && !USED.some((name) => Object.hasOwn(signal, name));
}
function jsonWithin(value, most, tooLong, allowance = { left: most }) {
	const least = Math.max(0, allowance.left - most);
	const json = JSON.stringify(value, (_, part) => {
		allowance.left -= typeof part === "string" ? part.length : 1;
		if (allowance.left < least) throw new Error(tooLong);
		return part;
	});
	if (json !== void 0 && json.length > most) throw new Error(tooLong);
	return json === void 0 ? void 0 : wellFormedJson(json);
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
const LONGEST = 40;
const SYNONYMS = {
	prompt: "instructions",
	input: "instructions",
	concurrency: "maxConcurrent",
	goal: "instructions",
	task: "instructions",
	message: "instructions",
	messages: "instructions",
	description: "instructions",
	content: "instructions",
	text: "instructions",
	query: "instructions",
	taskdescription: "instructions",
	agentid: "agent",
	promptprofile: "profile",
	maxsteps: "maxTurns",
	maxsubagentsteps: "maxTurns",
	turns: "maxTurns",
	totaltokenbudget: "budget",
	tokens: "budget",
	maxtokens: "budget",
	costusd: "budget",
	maxbudgetusd: "budget",
	maxcost: "budget",
	maxretries: "retry max",
	maxattempts: "retry max",
	retries: "retry max",
	attempts: "retry max",
	outputschema: "schema",
	responseschema: "schema",
	abortsignal: "signal",
	runinbackground: "background",
	name: "nickname",
	id: "taskId"
};
function nearestOf(name, known) {
	const given = plain(name);
	if (given.length > LONGEST) return void 0;
	let nearest;
	let least = Number.POSITIVE_INFINITY;
	const synonyms = Object.hasOwn(SYNONYMS, given) ? SYNONYMS[given].toLowerCase().split(" ") : [];
	for (const candidate of known) {
		const other = plain(candidate);
		if (synonyms.includes(other)) return candidate;
		const distance = distanceOf(given, other);
		if (distance >= least) continue;
		least = distance;
		nearest = candidate;
	}
	return nearest;
}
function nearMissOf(name, known) {
	const given = plain(name);
	if (given.length < 3 || given.length > LONGEST) return void 0;
	for (const candidate of known) {
		const other = plain(candidate);
		const most = Math.min(given.length, other.length) < 7 ? 1 : 2;
		if (Math.abs(given.length - other.length) <= most && editsOf(given, other) <= most) return candidate;
	}
}
function plain(name) {
	return name.toLowerCase().replaceAll(/[_-]/g, "");
}
function distanceOf(given, known) {
	const [shorter, longer] = given.length < known.length ? [given, known] : [known, given];
	const edits = editsOf(given, known);
	if (edits <= Math.min(3, Math.floor(longer.length / 3))) return edits;
	return shorter.length >= 3 && longer.startsWith(shorter) ? LONGEST + edits : Number.POSITIVE_INFINITY;
}
function editsOf(from, to) {
	let before = [];
	let row = Array.from({ length: to.length + 1 }, (_, at) => at);
	for (let i = 1; i <= from.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1];
			let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
			if (i > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
			next.push(least);
		}
		[before, row] = [row, next];
	}
	return row[to.length] ?? 0;
}
function checkOptions(call, options, known) {
	if (typeof options !== "object" || options === null || Array.isArray(options)) throw new SubAgentError("invalid_argument", `the options of ${call} must be an object`, {
		argument: "options",
		expected: "an object"
	});
	const unknownName = Object.keys(options).find((name) => !known.includes(name));
	if (unknownName !== void 0) throw unknownOption(call, unknownName, known);
	return options;
}
function noOtherOptions(what, rest, known) {
	const [unknownName] = Object.keys(rest);
	if (unknownName !== void 0) throw unknownOption(what, unknownName, known);
}
function unknownOption(what, name, known) {
	return unknownPart(`${what} has no option \`${name}\``, name, known, { argument: name });
}
const LISTED = 15;
function itHas(known) {
	if (known.length === 0) return "; it has none";
	return `; it has ${known.slice(0, LISTED).join(", ")}${known.length > LISTED ? ", …" : ""}`;
}
function noOtherFields(name, rest, known) {
	const [unknownName] = Object.keys(rest);
	if (unknownName === void 0) return;
	const argument = `${name}.${unknownName}`;
	throw unknownPart(`\`${name}\` has no \`${unknownName}\``, unknownName, known, { argument });
}
function unknownField(what, name, known) {
	return unknownPart(`${what} has no \`${name}\``, name, known, { argument: name });
}
function unknownPart(message, name, known, details) {
	const names = [...known];
	const suggestion = nearestOf(name, names);
	if (suggestion === void 0) return new SubAgentError("invalid_argument", message + itHas(names), details);
	return new SubAgentError("invalid_argument", `${message}; did you mean \`${fieldOf$1(name, suggestion)}\`?`, {
		...details,
		suggestion
	});
}
function fieldOf$1(name, suggestion) {
	const [said] = suggestion === "budget" ? /cost|usd|token/i.exec(name) ?? [] : [];
	return said === void 0 ? suggestion : `budget: { ${/token/i.test(said) ? "tokens" : "costUsd"} }`;
}
function idOf(target, what = "a target") {
	if (typeof target !== "object" || target === null) return target;
	const id = readArgument(what, () => propertyOf(target, "taskId"));
	if (typeof id !== "string") throw invalid(what, Array.isArray(target) ? "one id or handle" : "an id or a handle", target);
	return id;
}
function idsOf(what, targets) {
	if (typeof targets === "string" || readArgument(what, () => isObject(targets) && propertyOf(targets, "taskId") !== void 0)) return [idOf(targets)];
	return listOf(what, "an id, a handle or a list of them", targets, (target, name) => {
		const id = idOf(target, name);
		if (typeof id !== "string") throw invalid(name, "an id or a handle", id);
		return id;
	});
}
const DEEPEST$1 = 100;
const MOST_ENTRIES = 1048576;
const MOST_TEXT = 16777216;
function optionsOf(what, options, expected = "an object") {
	return readArgument(what, () => {
		objectOf(what, options, expected);
		if (Array.isArray(options) || options instanceof Promise) throw invalid(what, expected, options);
		const given = Object.create(null);
		for (const level of levelsOf(options)) {
			const names = Object.getOwnPropertyNames(level);
			const isPlain = Object.keys(level).length === names.length;
			for (const name of names) if (!(name in given) && (isPlain || isGiven(level, name))) given[name] = options[name];
		}
		return given;
	});
}
function isGiven(level, name) {
	const { enumerable, get } = Object.getOwnPropertyDescriptor(level, name) ?? {};
	return enumerable === true || get !== void 0;
}
function levelsOf(object) {
	const levels = [object];
	let level = Object.getPrototypeOf(object);
	while (level !== null && !isRoot(level)) {
		if (levels.push(level) > DEEPEST$1) throw new Error(`it inherits from more than ${DEEPEST$1} objects`);
		level = Object.getPrototypeOf(level);
	}
	return levels;
}
function isRoot(object) {
	return object === Object.prototype || Object.getPrototypeOf(object) === null && Object.hasOwn(object, "hasOwnProperty");
}
function propertyOf(object, name) {
	return ownOf(object, name, object[name]);
}
function ownOf(object, name, value) {
	if (value === void 0 || Object.hasOwn(object, name)) return value;
	return Object.getPrototypeOf(object) !== Object.prototype && levelsOf(object).some((level) => Object.hasOwn(level, name)) ? value : void 0;
}
function objectOf(what, value, expected = "an object") {
	if (typeof value === "object" && value !== null) return value;
	throw invalid(what, expected, value);
}
function listOf(what, expected, list, read) {
	return readArgument(what, () => {
		if (!Array.isArray(list)) throw invalid(what, expected, list);
		const { length } = list;
		if (!(length <= MOST_ENTRIES)) throw invalid(what, `a list of at most ${MOST_ENTRIES} entries`, length);
		const entries = [];
		for (let at = 0; at < length; at += 1) {
			const name = what.endsWith("`") ? `${what.slice(0, -1)}[${at}]\`` : `${what}[${at}]`;
			entries.push(read(Object.hasOwn(list, at) ? readArgument(name, () => list[at]) : void 0, name));
		}
		return entries;
	});
}
function entriesOf$1(what, list) {
	return listOf(what, "a list", list, (entry) => entry);
}
function isText(value) {
	return typeof value === "string" && value.length <= 16777216;
}
function textOf(what, value) {
	if (isText(value)) return value;
	throw invalid(what, typeof value === "string" ? `a text of at most ${MOST_TEXT} characters` : "a string", value);
}
function nameOf(what, value) {
	const name = textOf(what, value);
	if (isWellFormed(name)) return name;
	throw invalid(what, "well-formed text, as `toWellFormed()` makes it", value);
}
function prefixOf(option, name) {
	const what = `a name in \`${option}\``;
	if (nameOf(what, name).slice(0, -1).includes("*")) throw invalid(what, "a text with `*` at its end alone", name);
	return name;
}
function isWellFormed(text) {
	return text.isWellFormed?.() ?? !LONE_SURROGATE.test(text);
}
const LONE_SURROGATE = /[\ud800-\udfff]/u;
function knownOptions(call, given, names, what = `the options of ${call}`) {
	return readArgument(what, () => {
		const read = optionsOf(what, given, `an object such as { ${suchAs(names[0] ?? "")} }`);
		const unknownName = Object.keys(read).find((name) => !names.includes(name));
		if (unknownName !== void 0) throw unknownOption(call, unknownName, names);
		return read;
	});
}
function suchAs(name) {
	if (name.endsWith("Ms")) return `${name}: 5_000`;
	return name === "mode" ? "mode: 'steer'" : name;
}
function saidTwice(names, argument) {
	return new SubAgentError("invalid_argument", `${names} say the same: give one`, { argument });
}
function readArgument(what, body) {
	try {
		return body();
	} catch (error) {
		throw unreadable(what, error);
	}
}
function unreadable(what, error) {
	if (isOurs(error)) return error;
	return new SubAgentError("invalid_argument", `${what} can't be read: ${messageOf(error)}`, { argument: what.replaceAll("`", "") }, { cause: error });
}
function isOurs(error) {
	try {
		return error instanceof SubAgentError;
	} catch {
		return false;
	}
}
function signalOf(what, signal) {
	if (signal === void 0) return void 0;
	return readArgument(what, () => {
		const { aborted, addEventListener, removeEventListener } = Object(signal);
		if (typeof aborted === "boolean" && typeof addEventListener === "function" && typeof removeEventListener === "function") return safeSignal(signal);
		throw invalid(what, "an AbortSignal, such as `controller.signal`", signal);
	});
}
function graceOf(options, call) {
	if (options === void 0) return void 0;
	return readArgument(`the options of ${call}`, () => {
		const { graceMs } = knownOptions(call, options, ["graceMs"]);
		return grace(graceMs);
	});
}
function grace(graceMs) {
	if (graceMs === void 0) return void 0;
	if (typeof graceMs === "number" && graceMs >= 0) return graceMs;
	throw invalid("`graceMs`", "milliseconds of at least 0, or Infinity", graceMs);
}
function given(what, value) {
	if (value === void 0) throw invalid(what, "given", value);
	return value;
}
const KEPT = 100;
const CHARS$1 = 500;
const NOT_OPEN = [
	"completed",
	"cancelled",
	"blocked_on_user"
];
function isOpenTodo({ status = "pending" }) {
	return !NOT_OPEN.includes(status);
}
function readTodos(todos) {
	let open = 0;
	const kept = [];
	const list = listOf("`todos`", "a list of { content, status }", todos, (todo, name) => {
		const { content: named, description, status = "pending" } = Object(todo);
		const content = named ?? description;
		if (typeof content !== "string") throw invalid(`the \`content\` or \`description\` of ${name}`, "a string", content);
		if (typeof status !== "string") throw invalid(`the \`status\` of ${name}`, "a string", status);
		return {
			content: wellFormed(content),
			status: wellFormed(status)
		};
	});
	for (const { content, status } of list) {
		const short = {
			content: firstChars(content, CHARS$1),
			status: firstChars(status, 40)
		};
		if (isOpenTodo(short)) open += 1;
		if (kept.length < KEPT) kept.push(short);
	}
	return {
		open,
		json: JSON.stringify(kept)
	};
}
function reportTodos(runtime, actor, { open, json }) {
	runtime.performIf(actor, {
		type: "todos",
		open,
		todos: json
	});
}
function parseTodos(json) {
	return json === "" ? [] : JSON.parse(json);
}
function firstChars(text, count) {
	if (text.length <= count) return text;
	return Array.from(text.slice(0, count * 2)).slice(0, count).join("");
}
const TASK_STATUSES = [
	"pending",
	"running",
	"idle",
	"completed",
	"failed",
	"timed_out",
	"cancelled",
	"interrupted",
	"closed"
];
const STOP_REASONS = [
	"finished",
	"host_failed",
	"host_threw",
	"invalid_result",
	"host_cancelled",
	"host_timed_out",
	"timeout",
	"idle_timeout",
	"max_turns",
	"budget_exhausted",
	"cancelled",
	"ancestor_cancelled",
	"parent_ended",
	"interrupted",
	"closed",
	"signal_aborted",
	"drained",
	"policy",
	"host_lost",
	"never_reported"
];
const RETRY_REASONS = [
	"host_failed",
	"host_threw",
	"invalid_result",
	"host_cancelled",
	"host_timed_out",
	"host_lost"
];
const DELIVERIES = [
	"pending",
	"awaited",
	"leased",
	"undelivered",
	"acked"
];
const MESSAGE_MODES = [
	"queue",
	"steer",
	"interrupt"
];
const MESSAGE_RECEIPTS = [
	"queued",
	"started",
	"delivered"
];
const MESSAGE_PLACES = [
	"queue",
	"steer",
	"missed",
	"interrupt"
];
const PARK_REASONS = [
	"children",
	"input",
	"approval",
	"cooldown",
	"reentry",
	"rate"
];
const WAITING_FOR = [
	"abandoned",
	"host",
	"held",
	"retry",
	"cooldown",
	"stagger",
	"budget",
	"slot",
	"session",
	"definition",
	"rate",
	"program"
];
const TARGET_STATES = [
	"pending",
	"ended",
	"asks",
	"moved"
];
const POLICY_POINTS = [
	"before_spawn",
	"before_start",
	"before_turn",
	"before_tool",
	"after_tool",
	"before_end",
	"on_timeout"
];
const POLICY_ANSWERS = [
	"inject",
	"force_turn",
	"block",
	"finish"
];
const ON_PARENT_END = [
	"adopt",
	"wait",
	"cancel"
];
const DIMENSIONS = [
	"tokens",
	"costUsd",
	"turns"
];
const SPEC_FIELDS = [
	"label",
	"nickname",
	"contextHint",
	"tools",
	"systemPrompt",
	"profile",
	"modelId",
	"agent",
	"maxTurns",
	"timeoutMs",
	"idleTimeoutMs",
	"turnEstimate",
	"priority",
	"rateLimitKey",
	"disallowedTools",
	"originChannel",
	"originChatId",
	"json",
	"onParentEnd",
	"metadata",
	"retry",
	"turnEstimateUsd",
	"prices",
	"taskId",
	"driven",
	"effort",
	"mustHave",
	"maxSpawns"
];
function string(what, value) {
	return value === void 0 ? void 0 : wellFormed(textOf(what, value));
}
function strings(what, value) {
	return value === void 0 ? void 0 : listOf(what, "a list of strings", value, (entry, name) => wellFormed(textOf(name, entry)));
}
function name(what, value) {
	return value === void 0 ? void 0 : nameOf(what, value);
}
function count(what, value, least = 1) {
	if (value === void 0) return void 0;
	if (typeof value === "number" && value >= least && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
	throw invalid(what, `a whole number of at least ${least}, or Infinity`, value);
}
function amount$1(what, value) {
	if (value === void 0) return void 0;
	if (typeof value === "number" && value > 0) return value;
	throw invalid(what, "a number above 0, or Infinity", value);
}
function duration(what, value, orZero = false) {
	if (value === void 0) return void 0;
	if (orZero && value === 0) return 0;
	if (typeof value === "number" && value > 0) return Math.max(1, Math.round(value));
	throw invalid(what, `milliseconds ${orZero ? "of at least" : "above"} 0, or Infinity`, value);
}
function integer(what, value) {
	if (value === void 0) return void 0;
	if (typeof value === "number" && Number.isSafeInteger(value)) return value;
	throw invalid(what, "a whole number", value);
}
function flag(what, value) {
	if (value === void 0 || typeof value === "boolean") return value ?? false;
	throw invalid(what, "a boolean", value);
}
function readBudget(name, budget) {
	if (budget === void 0) return {};
	const { tokens, costUsd, turns, ...unknown } = optionsOf(`\`${name}\``, budget, "an object such as { tokens: 20_000, costUsd: 1 }");
	noOtherFields(name, unknown, DIMENSIONS);
	const result = {};
	const [readTokens, readCost, readTurns] = [
		count(`\`${name}.tokens\``, tokens),
		amount$1(`\`${name}.costUsd\``, costUsd),
		count(`\`${name}.turns\``, turns)
	];
	if (readTokens !== void 0) result.tokens = readTokens;
	if (readCost !== void 0) result.costUsd = readCost;
	if (readTurns !== void 0) result.turns = readTurns;
	return result;
}
const TOKEN_KINDS = [
	"inputTokens",
	"outputTokens",
	"cacheReadTokens",
	"cacheWriteTokens",
	"cacheWrite1hTokens",
	"reasoningTokens"
];
const NO_KINDS = /* @__PURE__ */ Object.freeze({
	inputTokens: null,
	outputTokens: null,
	cacheReadTokens: null,
	cacheWriteTokens: null,
	cacheWrite1hTokens: null,
	reasoningTokens: null,
	estimated: false
});
function tokensAt(numbers, at) {
	const kind = (place) => {
		const tokens = numbers[at + place];
		return tokens < 0 ? null : tokens;
	};
	return {
		inputTokens: kind(0),
		outputTokens: kind(1),
		cacheReadTokens: kind(2),
		cacheWriteTokens: kind(3),
		cacheWrite1hTokens: kind(4),
		reasoningTokens: kind(5),
		estimated: numbers[at + 6] === 1
	};
}
const of = (figure, ...names) => names.map((name) => [name, { figure }]);
const apart = (figure, ...names) => names.map((name) => [name, {
	figure,
	apart: true
}]);
const makeNames = () => new Map([
	...of("tokens", "tokens", "totalTokens", "total_tokens", "totalTokenCount"),
	...of("inputTokens", "inputTokens", "input_tokens", "promptTokens", "prompt_tokens", "promptTokenCount", "input"),
	...of("inputTokens", "gen_ai.usage.input_tokens"),
	...of("outputTokens", "outputTokens", "output_tokens", "completionTokens", "completion_tokens", "candidatesTokenCount", "output"),
	...of("outputTokens", "gen_ai.usage.output_tokens"),
	...of("cacheReadTokens", "cacheReadTokens", "cachedInputTokens", "cached_input_tokens", "cachedContentTokenCount"),
	...of("cacheReadTokens", "cachedTokens", "cached_tokens"),
	...of("cacheReadTokens", "prompt_cache_hit_tokens", "gen_ai.usage.cache_read.input_tokens"),
	...of("cacheWriteTokens", "cacheWriteTokens", "gen_ai.usage.cache_creation.input_tokens"),
	...of("cacheWrite1hTokens", "cacheWrite1hTokens", "cacheWrite1h"),
	...of("reasoningTokens", "reasoningTokens", "reasoning_tokens", "reasoning", "thoughtTokens"),
	...apart("cacheReadTokens", "cache_read_input_tokens", "cacheReadInputTokens", "cacheRead", "cachedReadTokens"),
	...apart("cacheWriteTokens", "cache_creation_input_tokens", "cacheCreationInputTokens", "cacheWriteInputTokens"),
	...apart("cacheWriteTokens", "cacheWrite", "cachedWriteTokens"),
	...apart("reasoningTokens", "thoughtsTokenCount"),
	...apart("toolTokens", "toolUsePromptTokenCount"),
	...of("costUsd", "costUsd", "cost", "cost_usd", "costUSD", "total_cost_usd", "totalCostUsd", "totalCost", "total_cost"),
	...of("turns", "turns", "num_turns"),
	...of("durationMs", "durationMs", "duration_ms")
]);
const makeWithin = () => new Map(Object.entries({
	inputTokens: {
		total: "inputTokens",
		cacheRead: "cacheReadTokens",
		cacheWrite: "cacheWriteTokens"
	},
	outputTokens: {
		total: "outputTokens",
		reasoning: "reasoningTokens"
	},
	inputTokenDetails: {
		cacheReadTokens: "cacheReadTokens",
		cacheWriteTokens: "cacheWriteTokens"
	},
	outputTokenDetails: { reasoningTokens: "reasoningTokens" },
	prompt_tokens_details: {
		cached_tokens: "cacheReadTokens",
		cache_write_tokens: "cacheWriteTokens"
	},
	input_tokens_details: {
		cached_tokens: "cacheReadTokens",
		cache_write_tokens: "cacheWriteTokens"
	},
	inputTokensDetails: {
		cached_tokens: "cacheReadTokens",
		cache_write_tokens: "cacheWriteTokens"
	},
	completion_tokens_details: { reasoning_tokens: "reasoningTokens" },
	output_tokens_details: { reasoning_tokens: "reasoningTokens" },
	outputTokensDetails: { reasoning_tokens: "reasoningTokens" },
	input_token_details: {
		cache_read: "cacheReadTokens",
		cache_creation: "cacheWriteTokens"
	},
	output_token_details: { reasoning: "reasoningTokens" },
	cache_creation: { ephemeral_1h_input_tokens: "cacheWrite1hTokens" },
	cost: { total: "costUsd" }
}).map(([name, fields]) => [name, new Map(Object.entries(fields))]));
let made;
function tables() {
	made ??= {
		names: makeNames(),
		within: makeWithin()
	};
	return made;
}
const BESIDE = /* @__PURE__ */ new Set([
	"contextTokens",
	"contextWindow",
	"maxOutputTokens",
	"requests",
	"requestUsageEntries",
	"raw",
	"model",
	"service_tier",
	"server_tool_use",
	"inference_geo",
	"iterations",
	"speed",
	"webSearchRequests",
	"promptTokensDetails",
	"candidatesTokensDetails",
	"cacheTokensDetails",
	"toolUsePromptTokensDetails",
	"trafficType",
	"initialPromptTokenCount",
	"prompt_cache_miss_tokens",
	"cost_details",
	"is_byok"
]);
const NONE_IGNORED = [];
function usageFigures(entries, unknown) {
	const { names, within } = tables();
	const read = {};
	let beside;
	let hasPrompt = false;
	let modelId;
	let estimated = false;
	for (const [name, value] of entries) {
		if (value === void 0 || value === null) continue;
		if (name === "modelId") {
			if (typeof value === "string" && value !== "") modelId = wellFormed(value);
			continue;
		}
		if (name === "estimated") {
			estimated = value === true;
			continue;
		}
		const fields = typeof value === "object" ? within.get(name) : void 0;
		if (fields !== void 0) try {
			if (!names.has(name) || Object.hasOwn(value, "total")) {
				readWithin(read, fields, value);
				continue;
			}
		} catch {
			for (const figure of fields.values()) read[figure] ??= NaN;
			continue;
		}
		const known = names.get(name);
		if (known === void 0) {
			if (!BESIDE.has(name) && !within.has(name)) unknown(name);
			continue;
		}
		const { figure } = known;
		hasPrompt ||= name === "prompt_tokens";
		if (read[figure] !== void 0 && name !== figure) continue;
		read[figure] = reading(value);
		if (known.apart === true) beside = (beside ?? /* @__PURE__ */ new Set()).add(figure);
		else beside?.delete(figure);
	}
	if (hasPrompt || read.tokens === (read.inputTokens ?? 0) + (read.outputTokens ?? 0)) beside = void 0;
	const { tokens, costUsd, turns, durationMs } = read;
	const sides = sidesOf(read, beside);
	const total = tokens ?? totalOf(sides);
	return {
		tokens: total,
		cost: costUsd ?? -1,
		turns: turns ?? -1,
		durationMs: durationMs ?? -1,
		byKind: Number.isNaN(total) ? void 0 : tokensByKind(read, sides, modelId, estimated),
		ignored: wrongAmong(tokens ?? -1, read)
	};
}
function wrongAmong(tokens, figures) {
	return tokens >= 0 ? TOKEN_KINDS.filter((kind) => Number.isNaN(figures[kind])) : NONE_IGNORED;
}
function readWithin(read, fields, value) {
	const parts = Array.isArray(value) ? value : [value];
	for (const [name, figure] of fields) {
		const found = parts.map((part) => partOf$1(part, name)).filter((each) => each !== -1);
		if (found.length > 0) read[figure] ??= found.reduce((sum, each) => sum + each, 0);
	}
}
function partOf$1(part, name) {
	if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return -1;
	try {
		return reading(part[name]);
	} catch {
		return NaN;
	}
}
function sidesOf(read, beside) {
	const { inputTokens: input, outputTokens: output, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens, toolTokens } = read;
	const isWritten = (cacheWriteTokens ?? cacheWrite1hTokens) !== void 0;
	if (!isWritten && (cacheReadTokens ?? reasoningTokens ?? toolTokens) === void 0) return {
		input,
		output
	};
	const isApart = (figure) => beside?.has(figure) === true;
	const written = Math.max(cacheWriteTokens ?? 0, cacheWrite1hTokens ?? 0);
	return {
		input: sideOf(input, [
			[cacheReadTokens, isApart("cacheReadTokens")],
			[isWritten ? written : void 0, isApart("cacheWriteTokens")],
			[toolTokens, isApart("toolTokens")]
		]),
		output: sideOf(output, [[reasoningTokens, isApart("reasoningTokens")]])
	};
}
function totalOf({ input, output }) {
	return input === void 0 && output === void 0 ? -1 : (input ?? 0) + (output ?? 0);
}
function tokensByKind(read, { input, output }, modelId, estimated) {
	if (input === void 0 && output === void 0 && modelId === void 0 && !estimated) return void 0;
	const kind = (figure, itself = figure) => {
		return (Number.isNaN(figure) ? itself : figure) ?? -1;
	};
	const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens } = read;
	const written = cacheWriteTokens === void 0 ? cacheWrite1hTokens : Math.max(cacheWriteTokens, cacheWrite1hTokens ?? 0);
	return {
		kinds: [
			kind(input, read.inputTokens),
			kind(output, read.outputTokens),
			kind(cacheReadTokens),
			kind(written),
			kind(cacheWrite1hTokens),
			kind(reasoningTokens),
			Number(estimated)
		],
		modelId
	};
}
function sideOf(whole, parts) {
	let [within, apart] = [0, 0];
	for (const [part = 0, isApart] of parts) if (isApart) apart += part;
	else within += part;
	if (whole === void 0) return parts.every(([part]) => part === void 0) ? void 0 : within + apart;
	return whole + apart + (within <= whole ? 0 : within);
}
function reading(value) {
	if (value === void 0 || value === null) return -1;
	return typeof value === "number" && value >= 0 ? value : NaN;
}
const REPORTED = [
	"tokens",
	...TOKEN_KINDS,
	"costUsd",
	"modelId",
	"estimated",
	"contextTokens",
	"message",
	"todos"
];
const REPORT_FORM = "an object such as { tokens: 500 }";
function readReport(report, what = "a report") {
	return readArgument("a report", () => {
		const used = optionsOf("a report", report, REPORT_FORM);
		const { contextTokens, message, todos } = used;
		const { tokens, cost, turns, durationMs, byKind, ignored } = usageFigures(Object.entries(used), (name) => {
			if (name !== "message" && name !== "todos") throw unknownField(what, name, REPORTED);
		});
		if (turns !== -1) throw unknownField(what, "turns", REPORTED);
		if (durationMs !== -1) throw unknownField(what, "durationMs", REPORTED);
		if (used.modelId !== void 0) nameOf("`modelId`", used.modelId);
		if (used.estimated !== void 0 && typeof used.estimated !== "boolean") throw invalid("`estimated`", "true or false", used.estimated);
		if (message !== void 0) textOf("`message`", message);
		return {
			tokens,
			costUsd: cost,
			byKind,
			ignored,
			contextTokens: reading(contextTokens),
			message,
			todos: todos === void 0 ? void 0 : readTodos(todos)
		};
	});
}
function readRateLimit(limit) {
	const { retryAfterMs, remainingRequests, remainingTokens } = knownOptions("reportRateLimit", limit, [
		"retryAfterMs",
		"remainingRequests",
		"remainingTokens"
	], "a rate limit");
	if (remainingRequests === void 0 && remainingTokens === void 0 && retryAfterMs === void 0) throw invalid("`retryAfterMs`", "milliseconds of at least 0", retryAfterMs);
	const read = (what, value, as) => {
		if (value === void 0 || typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
		throw invalid(what, as, value);
	};
	const ms = read("`retryAfterMs`", retryAfterMs, "milliseconds of at least 0") ?? 0;
	const left = (name, value) => {
		const count = read(`\`${name}\``, value, "a number of at least 0");
		return count === void 0 ? void 0 : Math.floor(count);
	};
	return {
		retryAfterMs: Math.ceil(ms),
		remainingRequests: left("remainingRequests", remainingRequests),
		remainingTokens: left("remainingTokens", remainingTokens)
	};
}
function readMustHave(name, value) {
	const expected = "a list such as [{ command: /npm test/, exitCode: 0 }]";
	const read = listOf(`\`${name}\``, expected, value, (entry, what) => {
		const { command, exitCode, ...unknown } = optionsOf(what, entry, "an object such as { command: /npm test/ }");
		const place = what.replaceAll("`", "");
		noOtherFields(place, unknown, ["command", "exitCode"]);
		const code = integer(`\`${place}.exitCode\``, exitCode) ?? 0;
		if (command instanceof RegExp) return {
			command: command.source,
			flags: command.flags.replaceAll(/[dgmy]/g, ""),
			exitCode: code
		};
		if (typeof command !== "string" || command === "") throw invalid(`\`${place}.command\``, "a text or a pattern", command);
		return {
			command: command.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`),
			flags: "",
			exitCode: code
		};
	});
	if (read.length === 0) throw invalid(`\`${name}\``, expected, value);
	return JSON.stringify(read);
}
function checkMustHave(demands) {
	return (receipts) => {
		const lastChange = receipts.findLastIndex((receipt) => "path" in receipt);
		const lacking = demands.map((demand) => lackOf(demand, receipts, lastChange)).filter((lack) => lack !== void 0);
		return lacking.length === 0 ? void 0 : lacking.join("; ");
	};
}
function lackOf({ command: source, flags, exitCode }, receipts, lastChange) {
	const pattern = new RegExp(`^(?:${source})$`, flags);
	const fits = (receipt) => "command" in receipt && pattern.test(receipt.command.trim());
	const at = receipts.findLastIndex(fits);
	const changed = receipts[lastChange];
	const asked = `/${source}/${flags} must end with exit code ${exitCode} after the last change of a file`;
	if (at < 0) return `${asked}, and it was not run as a command of its own`;
	if (at < lastChange && changed !== void 0 && "path" in changed) return `${asked}, and it was not run after ${changed.path} was changed`;
	const { exitCode: said } = receipts[at];
	if (said === null) return `${asked}, and this agent doesn't say what a command ended with`;
	return said === exitCode ? void 0 : `${asked}, and it ended with ${said}`;
}
const ofNumbers = (holds, says) => (value, at) => typeof value === "number" && !holds(value) ? `${at} must be ${says}` : void 0;
const ofTexts = (holds, says) => (value, at) => typeof value === "string" && !holds(value) ? `${at} must have ${says}` : void 0;
const ofLists = (holds, says) => (value, at) => Array.isArray(value) && !holds(value) ? `${at} must have ${says}` : void 0;
const ofObjects = (holds, says) => (value, at) => isObject(value) && !holds(value) ? `${at} must have ${says}` : void 0;
const eachField = (check) => (value, at) => {
	if (!isObject(value)) return void 0;
	for (const name of Object.keys(value)) {
		const wrong = check(name, value[name], at);
		if (wrong !== void 0) return wrong;
	}
};
const checksNothing = () => void 0;
const lacking = (names, value, at) => {
	const missing = names.find((name) => !Object.hasOwn(value, name));
	return missing === void 0 ? void 0 : `${field(at, missing)} is missing`;
};
function same(one, other) {
	if (Object.is(one, other) || one === other) return true;
	if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((entry, index) => same(entry, other[index]));
	if (!isObject(one) || !isObject(other)) return false;
	const [names, others] = [Object.keys(one), Object.keys(other)];
	return names.length === others.length && names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
}
function canonical(value) {
	return JSON.stringify(value, (_, part) => isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => one < other ? -1 : 1)) : part);
}
const points = (text) => [...text].length;
const field = (at, name) => /^[A-Za-z_$][\w$]*$/.test(name) ? `${at}.${name}` : `${at}[${JSON.stringify(name)}]`;
const ANNOTATIONS = /* @__PURE__ */ new Set([
	"$schema",
	"$id",
	"$comment",
	"$defs",
	"definitions",
	"title",
	"description",
	"default",
	"examples",
	"deprecated",
	"readOnly",
	"writeOnly",
	"format",
	"contentEncoding",
	"contentMediaType",
	"contentSchema",
	"discriminator",
	"example",
	"externalDocs",
	"propertyOrdering",
	"xml"
]);
const isAnnotation = (keyword) => ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
const TYPES = {
	string: (value) => typeof value === "string",
	number: (value) => typeof value === "number",
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === "boolean",
	null: (value) => value === null,
	array: (value) => Array.isArray(value),
	object: isObject
};
function readJsonSchema(schema) {
	return new Reader(schema).read(schema, "");
}
var Reader = class {
	#root;
	#known = /* @__PURE__ */ new Map();
	constructor(root) {
		this.#root = root;
	}
	read(schema, place) {
		if (schema === true) return () => void 0;
		if (schema === false) return (_, at) => `${at} must not be there`;
		if (!isObject(schema)) throw refused(place, `must be an object or a boolean, got ${describe(schema)}`);
		const known = this.#known.get(schema);
		if (known !== void 0) return known;
		const checks = [];
		const check = (value, at) => {
			for (const each of checks) {
				const wrong = each(value, at);
				if (wrong !== void 0) return wrong;
			}
		};
		this.#known.set(schema, check);
		for (const keyword of Object.keys(schema)) {
			if (isAnnotation(keyword)) continue;
			const read = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : void 0;
			if (read === void 0) throw refused(place, `has \`${keyword}\`, which is not checked here; it may have ${WORDS}`);
			checks.push(read({
				reader: this,
				schema,
				place: `${place}/${keyword}`,
				given: schema[keyword]
			}));
		}
		return check;
	}
	find(reference, place) {
		if (reference === "#") return this.#root;
		if (!reference.startsWith("#/")) throw refused(place, `refers to ${describe(reference)}; only references within the schema are read`);
		let at = this.#root;
		for (const step of reference.slice(2).split("/")) {
			const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
			at = isObject(at) && Object.hasOwn(at, name) ? at[name] : void 0;
		}
		if (at === void 0) throw refused(place, `refers to ${describe(reference)}, which is not there`);
		return at;
	}
};
function refused(place, what) {
	const where = place === "" ? "`schema`" : `\`schema\` at ${place}`;
	return new SubAgentError("invalid_argument", `${where} ${what}`, { argument: "schema" });
}
function number({ given, place }, least = Number.NEGATIVE_INFINITY) {
	if (typeof given === "number" && given >= least) return given;
	throw refused(place, `must be a number${least === 0 ? " of at least 0" : ""}, got ${describe(given)}`);
}
function list({ given, place }) {
	if (Array.isArray(given) && given.length > 0) return given;
	throw refused(place, `must be a list that is not empty, got ${describe(given)}`);
}
function checksOf(place) {
	return list(place).map((schema, index) => place.reader.read(schema, `${place.place}/${index}`));
}
function object({ given, place }) {
	if (isObject(given)) return given;
	throw refused(place, `must be an object, got ${describe(given)}`);
}
function names(given, place) {
	if (Array.isArray(given) && given.every((name) => typeof name === "string")) return given;
	throw refused(place, "must be a list of names");
}
function pattern(given, place) {
	try {
		return new RegExp(given, "u");
	} catch (error) {
		throw refused(place, `is no regular expression: ${error.message}`);
	}
}
const patternsIn = (given, place) => isObject(given) ? Object.keys(given).map((source) => pattern(source, `${place}/patternProperties`)) : [];
const KEYWORDS = {
	type({ schema, given, place }) {
		const types = Array.isArray(given) ? given : [given];
		const names = schema.nullable === true && !types.includes("null") ? [...types, "null"] : types;
		const tests = names.map((name) => typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : void 0);
		if (tests.length === 0 || tests.includes(void 0)) throw refused(place, `must be ${Object.keys(TYPES).join(", ")}, or a list of these; got ${describe(given)}`);
		const says = names.join(" or ");
		return (value, at) => tests.some((test) => test?.(value)) ? void 0 : `${at} must be of the type ${says}, got ${describe(value)}`;
	},
	nullable({ given, place }) {
		if (typeof given !== "boolean") throw refused(place, `must be a boolean, got ${describe(given)}`);
		return checksNothing;
	},
	enum(place) {
		const values = list(place);
		return (value, at) => values.some((one) => same(one, value)) ? void 0 : `${at} must be one of ${JSON.stringify(values)}`;
	},
	const({ given }) {
		return (value, at) => same(given, value) ? void 0 : `${at} must be ${JSON.stringify(given)}`;
	},
	properties(place) {
		const fields = Object.entries(object(place)).map(([name, schema]) => [name, place.reader.read(schema, `${place.place}/${name}`)]);
		return (value, at) => {
			if (!isObject(value)) return void 0;
			for (const [name, check] of fields) {
				const wrong = Object.hasOwn(value, name) ? check(value[name], field(at, name)) : void 0;
				if (wrong !== void 0) return wrong;
			}
		};
	},
	required({ given, place }) {
		const required = names(given, place);
		return (value, at) => isObject(value) ? lacking(required, value, at) : void 0;
	},
	patternProperties(place) {
		const fields = Object.entries(object(place)).map(([source, schema]) => [pattern(source, place.place), place.reader.read(schema, `${place.place}/${source}`)]);
		return eachField((name, value, at) => {
			for (const [matching, check] of fields) {
				const wrong = matching.test(name) ? check(value, field(at, name)) : void 0;
				if (wrong !== void 0) return wrong;
			}
		});
	},
	additionalProperties({ reader, schema, given, place }) {
		const known = new Set(isObject(schema.properties) ? Object.keys(schema.properties) : []);
		const patterns = patternsIn(schema.patternProperties, place);
		const check = reader.read(given, place);
		const isKnown = (name) => known.has(name) || patterns.some((each) => each.test(name));
		return eachField((name, value, at) => isKnown(name) ? void 0 : check(value, field(at, name)));
	},
	propertyNames({ reader, given, place }) {
		const check = reader.read(given, place);
		return eachField((name, _, at) => check(name, `the name ${JSON.stringify(name)} in ${at}`));
	},
	dependentRequired(place) {
		const needs = Object.entries(object(place)).map(([name, needed]) => [name, names(needed, `${place.place}/${name}`)]);
		return (value, at) => {
			if (!isObject(value)) return void 0;
			return lacking(needs.flatMap(([name, needed]) => Object.hasOwn(value, name) ? needed : []), value, at);
		};
	},
	dependentSchemas(place) {
		const fields = Object.entries(object(place)).map(([name, schema]) => [name, place.reader.read(schema, `${place.place}/${name}`)]);
		return (value, at) => {
			for (const [name, check] of fields) {
				const wrong = isObject(value) && Object.hasOwn(value, name) ? check(value, at) : void 0;
				if (wrong !== void 0) return wrong;
			}
		};
	},
	minProperties: (place) => {
		const least = number(place, 0);
		return ofObjects((value) => Object.keys(value).length >= least, `at least ${counted(least, "field")}`);
	},
	maxProperties: (place) => {
		const most = number(place, 0);
		return ofObjects((value) => Object.keys(value).length <= most, `at most ${counted(most, "field")}`);
	},
	items({ reader, schema, given, place }) {
		const from = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
		const check = reader.read(given, place);
		return (value, at) => {
			if (!Array.isArray(value)) return void 0;
			for (let index = from; index < value.length; index += 1) {
				const wrong = check(value[index], `${at}[${index}]`);
				if (wrong !== void 0) return wrong;
			}
		};
	},
	prefixItems(place) {
		const checks = checksOf(place);
		return (value, at) => {
			if (!Array.isArray(value)) return void 0;
			for (const [index, check] of checks.entries()) {
				const wrong = index < value.length ? check(value[index], `${at}[${index}]`) : void 0;
				if (wrong !== void 0) return wrong;
			}
		};
	},
	contains({ reader, schema, given, place }) {
		const check = reader.read(given, place);
		const bound = (keyword, otherwise) => {
			const bounding = {
				reader,
				schema,
				place: `${place}/../${keyword}`,
				given: schema[keyword]
			};
			return bounding.given === void 0 ? otherwise : number(bounding, 0);
		};
		const [least, most] = [bound("minContains", 1), bound("maxContains", Number.POSITIVE_INFINITY)];
		return (value, at) => {
			if (!Array.isArray(value)) return void 0;
			const fitting = value.filter((entry, index) => check(entry, `${at}[${index}]`) === void 0).length;
			if (fitting >= least && fitting <= most) return void 0;
			return `${at} must have ${fitting < least ? `at least ${least}` : `at most ${most}`} of what it has to contain, it has ${fitting}`;
		};
	},
	minContains: () => checksNothing,
	maxContains: () => checksNothing,
	minItems: (place) => {
		const least = number(place, 0);
		return ofLists((value) => value.length >= least, `at least ${counted(least, "entry", "entries")}`);
	},
	maxItems: (place) => {
		const most = number(place, 0);
		return ofLists((value) => value.length <= most, `at most ${counted(most, "entry", "entries")}`);
	},
	uniqueItems: ({ given }) => ofLists((value) => given !== true || new Set(value.map(canonical)).size === value.length, "no entry twice"),
	minimum: (place) => {
		const least = number(place);
		return ofNumbers((value) => value >= least, `at least ${least}`);
	},
	maximum: (place) => {
		const most = number(place);
		return ofNumbers((value) => value <= most, `at most ${most}`);
	},
	exclusiveMinimum: (place) => {
		const bound = number(place);
		return ofNumbers((value) => value > bound, `more than ${bound}`);
	},
	exclusiveMaximum: (place) => {
		const bound = number(place);
		return ofNumbers((value) => value < bound, `less than ${bound}`);
	},
	multipleOf: (place) => {
		const step = number(place);
		if (step <= 0) throw refused(place.place, "must be above 0");
		const isWhole = (value) => Math.abs(value / step - Math.round(value / step)) < 1e-9;
		return ofNumbers(isWhole, `a multiple of ${step}`);
	},
	minLength: (place) => {
		const least = number(place, 0);
		return ofTexts((value) => points(value) >= least, `at least ${counted(least, "character")}`);
	},
	maxLength: (place) => {
		const most = number(place, 0);
		return ofTexts((value) => points(value) <= most, `at most ${counted(most, "character")}`);
	},
	pattern({ given, place }) {
		const matching = pattern(given, place);
		return ofTexts((value) => matching.test(value), `the pattern ${matching.source}`);
	},
	allOf(place) {
		const checks = checksOf(place);
		return (value, at) => checks.reduce((wrong, check) => wrong ?? check(value, at), void 0);
	},
	anyOf(place) {
		const checks = checksOf(place);
		return (value, at) => {
			const wrongs = checks.map((check) => check(value, at));
			return wrongs.includes(void 0) ? void 0 : `${at} fits none of the alternatives: ${wrongs.join("; ")}`;
		};
	},
	oneOf(place) {
		const checks = checksOf(place);
		return (value, at) => {
			const wrongs = checks.map((check) => check(value, at));
			const fitting = wrongs.filter((wrong) => wrong === void 0).length;
			if (fitting === 1) return void 0;
			return fitting > 1 ? `${at} fits ${fitting} alternatives, not one` : `${at} fits none of the alternatives: ${wrongs.join("; ")}`;
		};
	},
	not({ reader, given, place }) {
		const check = reader.read(given, place);
		return (value, at) => check(value, at) === void 0 ? `${at} must not be as it is` : void 0;
	},
	$ref({ reader, given, place }) {
		if (typeof given !== "string") throw refused(place, `must be a text, got ${describe(given)}`);
		return reader.read(reader.find(given, place), given);
	}
};
const JSON_SCHEMA_KEYWORDS = Object.keys(KEYWORDS);
const WORDS = JSON_SCHEMA_KEYWORDS.join(", ");
function demanding(check, demands) {
	return {
		...check,
		mustHave: checkMustHave(demands)
	};
}
function readSchema(schema) {
	if (schema === void 0) return void 0;
	if ((typeof schema === "object" && schema !== null || typeof schema === "function") && "~standard" in schema) return readStandard(schema);
	if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw invalid("`schema`", "a Standard Schema or a JSON Schema object", schema);
	const wrong = readJsonSchema(schema);
	return {
		schema,
		check(value, maxBytes) {
			if (value === void 0) return MISSING;
			const stored = store(value, maxBytes);
			if ("wrong" in stored) return stored;
			const kept = JSON.parse(stored.json);
			try {
				const flaw = wrong(kept, "value");
				return flaw === void 0 ? {
					value: kept,
					json: stored.json
				} : { wrong: flaw };
			} catch (error) {
				return { wrong: `the schema failed: ${messageOf(error)}` };
			}
		}
	};
}
const MISSING = { wrong: "the result has no `value`, and its `schema` asks for one: return { output, value }" };
function readStandard(schema) {
	const standard = schema["~standard"];
	const { validate } = typeof standard === "object" && standard !== null ? standard : {};
	if (typeof validate !== "function") throw invalid("`schema`", "a Standard Schema with `validate`", schema);
	return {
		schema,
		check(value, maxBytes) {
			if (value === void 0) return MISSING;
			const failed = (error) => ({ wrong: `the schema failed: ${messageOf(error)}` });
			const judge = (result) => {
				try {
					return judged$1(result, maxBytes);
				} catch (error) {
					return failed(error);
				}
			};
			try {
				const result = validate(wellFormedIn(value));
				return typeof result === "object" && result !== null && typeof result.then === "function" ? Promise.resolve(result).then(judge, failed) : judge(result);
			} catch (error) {
				return failed(error);
			}
		}
	};
}
function judged$1(result, maxBytes) {
	if (typeof result !== "object" || result === null) return { wrong: `the schema failed: it answered ${describe(result)}` };
	if (result.issues !== void 0) return { wrong: result.issues.map(sayIssue).join("; ") || "the schema refused the value" };
	const stored = store(result.value, maxBytes);
	return "wrong" in stored ? stored : {
		value: result.value,
		json: stored.json
	};
}
function sayIssue({ message, path = [] }) {
	return `value${path.map((step) => typeof step === "object" ? step.key : step).map(String).map((step) => /^\d+$/.test(step) ? `[${step}]` : `.${step}`).join("")}: ${message}`;
}
function store(value, maxBytes) {
	const allowed = `as JSON, and \`maxResultBytes\` allows ${maxBytes}`;
	const most = Math.max(maxBytes, MOST_TEXT);
	let json;
	try {
		json = jsonWithin(value, most, `it has more than ${most} bytes ${allowed}`);
	} catch (error) {
		return { wrong: `value is no JSON: ${messageOf(error)}` };
	}
	if (json === void 0) return { wrong: `value is no JSON: ${describe(value)}` };
	const bytes = json.length * 3 <= maxBytes ? json.length : new TextEncoder().encode(json).length;
	return bytes > maxBytes ? { wrong: `value has ${bytes} bytes ${allowed}` } : { json };
}
const UNKNOWN = {
	taskId: null,
	label: null,
	parentId: null,
	metadata: null,
	sessionKey: null
};
function dimensionsOf(bits) {
	return bits === 0 ? [] : DIMENSIONS.filter((_, at) => (bits & 1 << at) !== 0);
}
var FactFields = class {
	constructor(subjects) {
		this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		this.admittedIndex = 0;
		this.admittedGeneration = 0;
		this.otherIndex = 0;
		this.otherGeneration = 0;
		this.index = 0;
		this.generation = 0;
		this.ofRun = 0;
		this.subjects = subjects;
	}
	hasSince(_form) {
		return true;
	}
	flag() {
		return this.byte() === 1;
	}
	json() {
		return JSON.parse(this.text());
	}
	task() {
		this.otherIndex = this.number();
		this.otherGeneration = this.number();
		return this.idAt(this.otherIndex, this.otherGeneration);
	}
	newTask() {
		this.admittedIndex = this.number();
		this.admittedGeneration = this.number();
		return this.idAt(this.admittedIndex, this.admittedGeneration);
	}
	subject() {
		this.index = this.number();
		this.generation = this.number();
		if (this.index <= 1) return UNKNOWN;
		const subject = this.subjects.subjectOf(this.index, this.generation);
		this.refresh();
		return subject;
	}
	run() {
		this.ofRun = this.number();
		return this.ofRun;
	}
	taskText() {
		return this.known(this.subjects.textOf?.(this.admittedIndex, this.admittedGeneration));
	}
	output() {
		return this.known(this.subjects.outputOf?.(this.index, this.generation, this.ofRun));
	}
	dollars() {
		return this.number() / 1e9;
	}
	instant() {
		return this.number() || null;
	}
	amounts() {
		return {
			tokens: this.number(),
			costUsd: this.dollars(),
			turns: this.number()
		};
	}
	dimensions() {
		return dimensionsOf(this.byte());
	}
	name(names) {
		return names[this.byte()];
	}
	list(entry) {
		const list = [];
		for (let left = this.number(); left > 0; left -= 1) list.push(entry());
		return list;
	}
	idAt(index, generation) {
		if (index <= 1) return null;
		const id = this.subjects.idOf(index, generation);
		this.refresh();
		return id;
	}
	known(text) {
		if (text === void 0) return this.text();
		this.skipText();
		return text;
	}
};
const UNCAPPED = 2 ** 64 - 2048;
const NOT_KNOWN = {
	idOf: () => null,
	subjectOf: () => UNKNOWN
};
var FactBytes = class extends FactFields {
	constructor(bytes, subjects = NOT_KNOWN, form = 1) {
		super(subjects);
		this.at = 0;
		this.bytes = bytes;
		this.form = form;
	}
	get position() {
		return this.at;
	}
	hasSince(form) {
		return this.form >= form;
	}
	get isOver() {
		return this.at >= this.bytes.length;
	}
	byte() {
		if (this.at >= this.bytes.length) throw new Error("a fact was cut off");
		return this.bytes[this.at++];
	}
	number() {
		const first = this.byte();
		if (first < 128) return first;
		let value = first - 128;
		let scale = 128;
		for (;;) {
			const byte = this.byte();
			if (byte < 128) {
				value += byte * scale;
				return value >= UNCAPPED ? Number.POSITIVE_INFINITY : value;
			}
			value += (byte - 128) * scale;
			scale *= 128;
		}
	}
	signed() {
		const zigzag = this.number();
		return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
	}
	text() {
		const from = this.pass();
		return from === this.at ? "" : this.decoder.decode(this.bytes.subarray(from, this.at));
	}
	skipText() {
		this.pass();
	}
	refresh() {}
	pass() {
		const length = this.number();
		const from = this.at;
		this.at += length;
		if (this.at > this.bytes.length) throw new Error("a fact was cut off");
		return from;
	}
};
const ROUNDS = 32n;
const low64 = (number) => BigInt.asUintN(64, number);
const rotated = (number, left) => low64(number << left | number >> 64n - left);
function mix(x, y, key) {
	const mixed = low64(rotated(x, 56n) + y) ^ key;
	return [mixed, rotated(y, 3n) ^ mixed];
}
function taskIdOf(idKey, index, generation) {
	let [schedule = 0n, key = 0n, salt = 0n] = idKey;
	const place = BigInt(generation) << 32n | BigInt(index);
	for (let at = 3; at < idKey.length; at += 2) if (idKey[at] === place) salt = idKey[at + 1];
	let [x, y] = [salt, place];
	for (let round = 0n; round < ROUNDS; round += 1n) {
		[x, y] = mix(x, y, key);
		[schedule, key] = mix(schedule, key, round);
	}
	return `sub_${[x, y].map((half) => half.toString(16).padStart(16, "0")).join("")}`;
}
function madeId(a, b, c, d) {
	const [a1, a2, b1, b2] = [
		digits(a >>> 4),
		digits(a),
		digits(b >>> 4),
		digits(b)
	];
	const [c1, c2, d1, d2] = [
		digits(c >>> 4),
		digits(c),
		digits(d >>> 4),
		digits(d)
	];
	return String.fromCharCode(115, 117, 98, 95, a1 >>> 24, a2 >>> 24, a1 >>> 16 & 255, a2 >>> 16 & 255, a1 >>> 8 & 255, a2 >>> 8 & 255, a1 & 255, a2 & 255, b1 >>> 24, b2 >>> 24, b1 >>> 16 & 255, b2 >>> 16 & 255, b1 >>> 8 & 255, b2 >>> 8 & 255, b1 & 255, b2 & 255, c1 >>> 24, c2 >>> 24, c1 >>> 16 & 255, c2 >>> 16 & 255, c1 >>> 8 & 255, c2 >>> 8 & 255, c1 & 255, c2 & 255, d1 >>> 24, d2 >>> 24, d1 >>> 16 & 255, d2 >>> 16 & 255, d1 >>> 8 & 255, d2 >>> 8 & 255, d1 & 255, d2 & 255);
}
function digits(bits) {
	const values = bits & 252645135;
	return values + 808464432 + (values + 101058054 >>> 4 & 16843009) * 39;
}
const NOTHING = /* @__PURE__ */ new Uint8Array(0);
const FLOAT = /* @__PURE__ */ new Float64Array(1);
const FLOAT_BYTES = new Uint8Array(FLOAT.buffer);
const SHORT = 8;
const LONG_LIST = 8;
const ID = 36;
const readTexts = (from) => from.texts();
const readKey = (from) => from.key();
function many(read) {
	return (from) => from.list(() => read(from));
}
function optional(read) {
	return (from) => from.flag() ? read(from) : void 0;
}
var ViewBytes = class extends FactBytes {
	constructor(scratch) {
		super(NOTHING);
		this.lastList = NOTHING;
		this.lastTexts = [];
		this.lastTools = [];
		this.scratch = scratch;
	}
	readAt(address, read) {
		this.bytes = this.scratch.memoryView();
		this.at = address;
		try {
			return read(this);
		} finally {
			this.bytes = NOTHING;
		}
	}
	bits(bytes) {
		let bits = 0;
		for (let shift = 0; shift < 8 * bytes; shift += 8) bits |= this.byte() << shift;
		return bits;
	}
	float() {
		const first = this.number();
		if (first < 2147483648 && (first & 1) === 0) return first >> 1;
		if (first % 2 === 0) return first / 2;
		if (first === 3) return Number.POSITIVE_INFINITY;
		FLOAT_BYTES.set(this.bytes.subarray(this.at, this.at + 8));
		this.at += 8;
		return FLOAT[0];
	}
	time() {
		const { bytes, at } = this;
		this.at += 8;
		return (word$1(bytes, at) >>> 0) + (word$1(bytes, at + 4) >>> 0) * 2 ** 32;
	}
	text() {
		const from = this.pass();
		const { bytes, at } = this;
		if (from === at) return "";
		if (at - from < SHORT) {
			let text = "";
			for (let next = from; next < at; next += 1) {
				const byte = bytes[next];
				if (byte >= 128) return this.decoder.decode(bytes.subarray(from, at));
				text += String.fromCharCode(byte);
			}
			return text;
		}
		return this.decoder.decode(bytes.subarray(from, at));
	}
	textUnless(known) {
		return this.flag() ? known : this.text();
	}
	texts() {
		const from = this.at;
		if (this.isLastList()) return this.lastTexts.slice();
		const texts = this.list(() => this.text());
		if (texts.length >= LONG_LIST) {
			this.lastList = this.bytes.slice(from, this.at);
			this.lastTexts = texts.slice();
		}
		return texts;
	}
	tools() {
		if (!this.flag()) this.lastTools = this.list(() => this.text());
		return this.lastTools;
	}
	isLastList() {
		const { bytes, at, lastList } = this;
		for (let next = 0; next < lastList.length; next += 1) if (bytes[at + next] !== lastList[next]) return false;
		this.at += lastList.length;
		return lastList.length > 0;
	}
	idInBytes() {
		const from = this.pass();
		const { bytes, at } = this;
		if (at > from) return this.decoder.decode(bytes.subarray(from, at));
		this.at += 16;
		return madeId(word$1(bytes, at), word$1(bytes, at + 4), word$1(bytes, at + 8), word$1(bytes, at + 12));
	}
	id() {
		const from = this.pass();
		const { bytes: b, at } = this;
		if (at - from !== ID) return this.decoder.decode(b.subarray(from, at));
		return String.fromCharCode(b[from], b[from + 1], b[from + 2], b[from + 3], b[from + 4], b[from + 5], b[from + 6], b[from + 7], b[from + 8], b[from + 9], b[from + 10], b[from + 11], b[from + 12], b[from + 13], b[from + 14], b[from + 15], b[from + 16], b[from + 17], b[from + 18], b[from + 19], b[from + 20], b[from + 21], b[from + 22], b[from + 23], b[from + 24], b[from + 25], b[from + 26], b[from + 27], b[from + 28], b[from + 29], b[from + 30], b[from + 31], b[from + 32], b[from + 33], b[from + 34], b[from + 35]);
	}
	key() {
		return {
			index: this.number(),
			generation: this.number()
		};
	}
	waiting() {
		return Object.fromEntries(WAITING_FOR.map((name) => [name, this.number()]));
	}
};
function word$1(bytes, at) {
	return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;
}
const SEEDED = 0;
const TASK_ADMITTED = 10;
const newNotice = (from) => ({
	to: from.task(),
	reroutedFrom: from.flag() ? from.task() : null,
	acked: from.flag(),
	awaited: from.flag()
});
const first = (from) => ({
	rank: from.signed(),
	round: from.number(),
	waitingFor: from.flag() ? from.name(WAITING_FOR) : null
});
const keyUse = (from) => ({
	key: from.text(),
	digest: from.number(),
	until: from.number(),
	work: from.number()
});
const kinds = (from) => ({
	inputTokens: from.flag() ? from.number() : null,
	outputTokens: from.flag() ? from.number() : null,
	cacheReadTokens: from.flag() ? from.number() : null,
	cacheWriteTokens: from.flag() ? from.number() : null,
	cacheWrite1hTokens: from.flag() ? from.number() : null,
	reasoningTokens: from.flag() ? from.number() : null,
	estimated: from.flag()
});
const loan = (from) => ({
	lender: from.task(),
	run: from.number(),
	amount: from.amounts()
});
const loans = (from) => ({
	lent: from.list(() => loan(from)),
	returned: from.list(() => loan(from))
});
const keyRate = (from) => ({
	key: from.text(),
	requestsPerMinute: from.flag() ? from.number() : null,
	tokensPerMinute: from.flag() ? from.number() : null
});
const modelPrice = (from) => ({
	model: from.text(),
	input: from.dollars(),
	output: from.dollars(),
	cacheRead: from.flag() ? from.dollars() : null,
	cacheWrite: from.flag() ? from.dollars() : null,
	cacheWrite1h: from.flag() ? from.dollars() : null
});
const retry = (from) => ({
	max: from.number(),
	backoffMs: from.number(),
	on: from.list(() => from.name(STOP_REASONS))
});
const spec = (from) => ({
	label: from.flag() ? from.text() : null,
	nickname: from.flag() ? from.text() : null,
	contextHint: from.flag() ? from.text() : null,
	tools: from.flag() ? from.list(() => from.text()) : null,
	systemPrompt: from.flag() ? from.text() : null,
	profile: from.flag() ? from.text() : null,
	modelId: from.flag() ? from.text() : null,
	agent: from.flag() ? from.text() : null,
	maxTurns: from.flag() ? from.number() : null,
	timeoutMs: from.flag() ? from.number() : null,
	idleTimeoutMs: from.flag() ? from.number() : null,
	turnEstimate: from.flag() ? from.number() : null,
	priority: from.flag() ? from.signed() : null,
	rateLimitKey: from.flag() ? from.text() : null,
	disallowedTools: from.flag() ? from.list(() => from.text()) : null,
	originChannel: from.flag() ? from.text() : null,
	originChatId: from.flag() ? from.text() : null,
	json: from.flag(),
	onParentEnd: from.flag() ? from.name(ON_PARENT_END) : null,
	metadata: from.flag() ? from.json() : null,
	retry: from.flag() ? retry(from) : null,
	turnEstimateUsd: from.flag() ? from.dollars() : null,
	prices: from.flag() ? from.list(() => modelPrice(from)) : null,
	taskId: from.flag() ? from.text() : null,
	driven: from.flag(),
	effort: from.flag() ? from.text() : null,
	mustHave: from.flag() ? from.text() : null,
	maxSpawns: from.flag() ? from.number() : null
});
const FACT_READERS = {
	0: (from, seq, at) => ({
		type: "seeded",
		seq,
		at,
		high: from.number(),
		low: from.number()
	}),
	1: (from, seq, at) => ({
		type: "limit_set",
		seq,
		at,
		limit: from.text(),
		value: from.number()
	}),
	142: (from, seq, at) => ({
		type: "defaults_set",
		seq,
		at,
		taskCap: from.amounts(),
		retry: from.flag() ? retry(from) : null,
		reject: from.flag(),
		onParentEnd: from.flag() ? from.name(ON_PARENT_END) : null
	}),
	161: (from, seq, at) => ({
		type: "prices_set",
		seq,
		at,
		prices: from.list(() => modelPrice(from))
	}),
	162: (from, seq, at) => ({
		type: "rates_set",
		seq,
		at,
		rates: from.list(() => keyRate(from))
	}),
	163: (from, seq, at) => ({
		type: "rate_left",
		seq,
		at,
		key: from.text(),
		requests: from.flag() ? from.number() : null,
		tokens: from.flag() ? from.number() : null
	}),
	112: (from, seq, at) => ({
		type: "cooldown_set",
		seq,
		at,
		key: from.text(),
		until: from.number()
	}),
	113: (from, seq, at) => ({
		type: "cooldown_over",
		seq,
		at,
		key: from.text()
	}),
	60: (from, seq, at) => ({
		type: "drain_started",
		seq,
		at,
		until: from.number(),
		leavesQueued: from.flag()
	}),
	62: (from, seq, at) => ({
		type: "drain_overran",
		seq,
		at
	}),
	61: (from, seq, at) => ({
		type: "drain_ended",
		seq,
		at,
		timedOut: from.flag()
	}),
	105: (from, seq, at) => ({
		type: "tools_blocked",
		seq,
		at,
		tools: from.list(() => from.text())
	}),
	120: (from, seq, at) => ({
		type: "reopened",
		seq,
		at,
		salt: from.number()
	}),
	121: (from, seq, at) => ({
		type: "definitions_known",
		seq,
		at,
		agents: from.list(() => from.text()),
		profiles: from.list(() => from.text())
	}),
	155: (from, seq, at) => ({
		type: "stood_still",
		seq,
		at,
		ms: from.number()
	}),
	2: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "cap_set",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			cap: from.amounts()
		};
	},
	5: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "session_opened",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			name: from.text()
		};
	},
	6: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "main_agent_set",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			tools: from.flag() ? from.list(() => from.text()) : null,
			modelId: from.flag() ? from.text() : null
		};
	},
	10: (from, seq, at) => ({
		type: "task_admitted",
		seq,
		at,
		taskId: from.newTask(),
		label: null,
		metadata: null,
		sessionKey: null,
		parentId: from.task(),
		parentRun: from.number(),
		background: from.flag(),
		byModel: from.flag(),
		cap: from.amounts(),
		text: from.taskText(),
		spec: from.flag() ? spec(from) : null,
		unanswerable: from.flag(),
		first: from.flag() ? first(from) : null,
		once: from.flag() ? keyUse(from) : null
	}),
	171: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "resource_acquired",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			data: from.flag() ? from.text() : null
		};
	},
	172: (from, seq, at) => ({
		type: "resource_released",
		seq,
		at,
		serial: from.number(),
		owner: from.text()
	}),
	40: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "cancel_requested",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			by: from.task(),
			close: from.flag(),
			interrupt: from.flag(),
			claimed: from.list(() => from.task()),
			callerReads: from.flag() ? from.flag() : null
		};
	},
	41: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "cancel_settled",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	42: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "task_ended",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			status: from.name(TASK_STATUSES),
			stopReason: from.name(STOP_REASONS)
		};
	},
	43: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "task_resumed",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	44: (from, seq, at) => ({
		type: "ends_collected",
		seq,
		at,
		tasks: from.list(() => from.task())
	}),
	45: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "task_forgotten",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	111: (from, seq, at) => ({
		type: "key_dropped",
		seq,
		at,
		scope: from.task(),
		key: from.text()
	}),
	114: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "result_released",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	70: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "task_backgrounded",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	83: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "session_closed",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	84: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "session_freed",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	122: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "session_registered",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	},
	12: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "message_queued",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			place: from.name(MESSAGE_PLACES),
			text: from.text()
		};
	},
	14: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "steers_again",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			texts: from.list(() => from.text()),
			missed: from.number()
		};
	},
	13: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "messages_dropped",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			count: from.number()
		};
	},
	74: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "queue_paused",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			paused: from.flag()
		};
	},
	75: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "question_asked",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			question: from.text(),
			until: from.flag() ? from.number() : null,
			delivered: from.flag()
		};
	},
	76: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "question_closed",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			answer: from.flag() ? from.text() : null,
			timedOut: from.flag(),
			parks: from.flag() ? from.name(PARK_REASONS) : null
		};
	},
	78: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "question_delivered",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run()
		};
	},
	91: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "notice_moved",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			delivery: from.name(DELIVERIES),
			to: from.task(),
			attempt: from.number(),
			until: from.flag() ? from.number() : null,
			deliveredTo: from.list(() => from.task())
		};
	},
	20: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_queued",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			rank: from.signed(),
			round: from.number(),
			message: from.flag() ? from.text() : null,
			waitingFor: from.flag() ? from.name(WAITING_FOR) : null,
			again: from.flag()
		};
	},
	64: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_taken",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run()
		};
	},
	63: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_raised",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			rank: from.signed()
		};
	},
	21: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_started",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			maxTurns: from.number(),
			timeoutMs: from.number(),
			idleTimeoutMs: from.number(),
			reserved: from.amounts(),
			loans: from.flag() ? loans(from) : null
		};
	},
	28: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "wrap_up_requested",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			stopReason: from.name(STOP_REASONS),
			until: from.flag() ? from.number() : null
		};
	},
	29: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_parked",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			why: from.name(PARK_REASONS),
			waitsFor: from.list(() => from.task())
		};
	},
	30: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_unparked",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			why: from.name(PARK_REASONS),
			parks: from.flag() ? from.name(PARK_REASONS) : null
		};
	},
	31: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_reentered",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			overLimit: from.flag(),
			reserved: from.flag() ? from.amounts() : null,
			loans: from.flag() ? loans(from) : null
		};
	},
	32: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "stop_requested",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			stopReason: from.name(STOP_REASONS),
			status: from.name(TASK_STATUSES),
			until: from.number()
		};
	},
	33: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_ended",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			status: from.name(TASK_STATUSES),
			stopReason: from.name(STOP_REASONS),
			partial: from.flag(),
			hostOpen: from.flag(),
			cut: from.flag(),
			collected: from.flag(),
			usage: from.amounts(),
			unknown: from.dimensions(),
			invalid: from.dimensions(),
			loans: from.flag() ? loans(from) : null,
			output: from.output(),
			error: from.flag() ? from.text() : null,
			hostStatus: from.flag() ? from.text() : null,
			artifacts: from.flag() ? from.text() : null,
			value: from.flag() ? from.text() : null,
			receipts: from.flag() ? from.text() : null,
			hostTaskId: from.flag() ? from.text() : null,
			durationMs: from.flag() ? from.number() : null,
			abandonAt: from.instant(),
			messageRequeued: from.flag() ? from.flag() : null,
			notice: from.flag() ? newNotice(from) : null
		};
	},
	130: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_retried",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			attempt: from.number(),
			stopReason: from.name(STOP_REASONS),
			error: from.flag() ? from.text() : null,
			hostStatus: from.flag() ? from.text() : null,
			usage: from.amounts(),
			unknown: from.dimensions(),
			invalid: from.dimensions(),
			loans: from.flag() ? loans(from) : null,
			until: from.number()
		};
	},
	133: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "checkpoint_saved",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			data: from.text()
		};
	},
	170: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "data_saved",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			data: from.text()
		};
	},
	34: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "host_returned",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			usage: from.flag() ? from.amounts() : null,
			unknown: from.dimensions(),
			invalid: from.dimensions(),
			loans: from.flag() ? loans(from) : null,
			lateResult: from.flag() ? from.text() : null
		};
	},
	35: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "host_abandoned",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			usage: from.amounts()
		};
	},
	46: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_elsewhere",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			hostTaskId: from.flag() ? from.text() : null
		};
	},
	82: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_returned",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			usage: from.amounts(),
			unknown: from.dimensions(),
			invalid: from.dimensions(),
			loans: from.flag() ? loans(from) : null,
			output: from.text(),
			error: from.flag() ? from.text() : null,
			hostStatus: from.flag() ? from.text() : null,
			artifacts: from.flag() ? from.text() : null,
			value: from.flag() ? from.text() : null,
			receipts: from.flag() ? from.text() : null,
			hostTaskId: from.flag() ? from.text() : null,
			durationMs: from.flag() ? from.number() : null
		};
	},
	37: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "turn_delayed",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			estimate: from.flag() ? from.number() : null,
			estimateUsd: from.flag() ? from.dollars() : null,
			reserved: from.flag() ? from.amounts() : null,
			loans: from.flag() ? loans(from) : null,
			waitingFor: from.flag() ? from.name(WAITING_FOR) : null,
			parks: from.flag() ? from.name(PARK_REASONS) : null,
			whole: from.flag()
		};
	},
	24: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "turn_started",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			turn: from.number(),
			wrapUp: from.flag(),
			wrapUpReason: from.flag() ? from.name(STOP_REASONS) : null,
			spendsWrapUp: from.flag(),
			reserved: from.amounts(),
			loans: from.flag() ? loans(from) : null,
			steers: from.number(),
			questions: from.list(() => from.task()),
			whole: from.flag()
		};
	},
	27: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "run_reported",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			usage: from.amounts(),
			reported: from.dimensions(),
			invalid: from.dimensions(),
			reserved: from.amounts(),
			loans: from.flag() ? loans(from) : null,
			contextTokens: from.flag() ? from.number() : null,
			message: from.flag() ? from.text() : null
		};
	},
	160: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "tokens_used",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			modelId: from.flag() ? from.text() : null,
			kinds: kinds(from),
			costUsd: from.flag() ? from.dollars() : null,
			unpriced: from.flag(),
			uncounted: from.number()
		};
	},
	100: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "policy_answered",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			point: from.name(POLICY_POINTS),
			answer: from.name(POLICY_ANSWERS),
			stopReason: from.name(STOP_REASONS),
			policy: from.text(),
			text: from.text(),
			until: from.flag() ? from.number() : null
		};
	},
	101: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "call_counted",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			policy: from.text()
		};
	},
	102: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "todos_reported",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			open: from.number(),
			todos: from.text()
		};
	},
	103: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "tool_began",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			tool: from.text()
		};
	},
	104: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "tool_ended",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey,
			run: from.run(),
			steers: from.number(),
			questions: from.list(() => from.task())
		};
	},
	107: (from, seq, at) => {
		const of = from.subject();
		return {
			type: "main_ended",
			seq,
			at,
			taskId: of.taskId,
			label: of.label,
			parentId: of.parentId,
			metadata: of.metadata,
			sessionKey: of.sessionKey
		};
	}
};
const DEFAULT_PROFILE = "minimal";
const SPAWN_OPTIONS = [
	{
		name: "instructions",
		kind: "instructions"
	},
	{
		name: "label",
		kind: "label",
		staged: "label"
	},
	{
		name: "nickname",
		kind: "name",
		staged: "nickname"
	},
	{
		name: "contextHint",
		kind: "text",
		staged: "contextHint",
		isDefined: true
	},
	{
		name: "tools",
		kind: "texts",
		staged: "tools",
		isDefined: true
	},
	{
		name: "systemPrompt",
		kind: "text",
		staged: "systemPrompt"
	},
	{
		name: "profile",
		kind: "reference",
		staged: "profile",
		isDefined: true
	},
	{
		name: "modelId",
		kind: "text",
		staged: "modelId"
	},
	{
		name: "agent",
		kind: "reference",
		staged: "agent"
	},
	{
		name: "maxTurns",
		kind: "count",
		staged: "maxTurns",
		isDefined: true
	},
	{
		name: "timeoutMs",
		kind: "duration",
		staged: "timeoutMs",
		isDefined: true
	},
	{
		name: "idleTimeoutMs",
		kind: "duration",
		staged: "idleTimeoutMs",
		isDefined: true
	},
	{
		name: "turnEstimate",
		kind: "count",
		staged: "turnEstimate",
		isDefined: true
	},
	{
		name: "priority",
		kind: "integer",
		staged: "priority",
		isDefined: true
	},
	{
		name: "rateLimitKey",
		kind: "name",
		staged: "rateLimitKey",
		isDefined: true
	},
	{
		name: "onParentEnd",
		kind: "onParentEnd",
		staged: "onParentEnd",
		isDefined: true
	},
	{
		name: "metadata",
		kind: "metadata",
		staged: "metadata"
	},
	{
		name: "retry",
		kind: "retry",
		staged: "retry",
		isDefined: true
	},
	{
		name: "turnEstimateUsd",
		kind: "dollars",
		staged: "turnEstimateUsd",
		isDefined: true
	},
	{
		name: "prices",
		kind: "prices",
		staged: "prices",
		isDefined: true
	},
	{
		name: "taskId",
		kind: "name",
		staged: "taskId"
	},
	{
		name: "effort",
		kind: "name",
		staged: "effort",
		isDefined: true
	},
	{
		name: "mustHave",
		kind: "mustHave",
		staged: "mustHave",
		isDefined: true
	},
	{
		name: "maxSpawns",
		kind: "count",
		staged: "maxSpawns",
		isDefined: true
	},
	{
		name: "maxCost",
		kind: "dollars",
		isDefined: true
	},
	{
		name: "background",
		kind: "flag",
		isDefined: true
	},
	{
		name: "budget",
		kind: "budget",
		isDefined: true
	},
	{
		name: "idempotencyKey",
		kind: "once"
	},
	{
		name: "retryEnded",
		kind: "retryEnded"
	},
	{
		name: "drive",
		kind: "drive"
	},
	{
		name: "format",
		kind: "format"
	},
	{
		name: "signal",
		kind: "signal"
	},
	{
		name: "origin",
		kind: "origin"
	},
	{
		name: "schema",
		kind: "schema",
		isDefined: true
	}
];
function readRunLimits(from) {
	return {
		maxTurns: from.float(),
		tokens: from.float(),
		costUsd: from.float(),
		turns: from.float(),
		timeoutMs: from.float(),
		idleTimeoutMs: from.float(),
		maxDepth: from.float(),
		countCacheReads: from.float()
	};
}
function readRemaining(from) {
	return {
		tokens: from.float(),
		costUsd: from.float(),
		turns: from.float()
	};
}
function readRunRemaining(from) {
	return {
		tokens: from.float(),
		costUsd: from.float(),
		turns: from.float(),
		shared: readRemaining(from)
	};
}
function readPreviousError(from) {
	const low = from.bits(1);
	return {
		reason: from.name(STOP_REASONS),
		error: (low & 1) !== 0 ? from.text() : null
	};
}
function allowedParams(active, given, asked) {
	const cut = {};
	const { runtime, index, generation } = active;
	const tools = active.sharedTools();
	if (tools !== void 0 && !isSame(asked?.tools, tools)) cut.tools = [...tools];
	if (asked?.maxTurns !== void 0 || asked?.maxCost !== void 0) {
		const limits = runtime.viewIf((core) => core.runLimits(index, generation), readRunLimits);
		if (asked.maxTurns !== void 0 && limits !== void 0 && limits.maxTurns < asked.maxTurns) cut.maxTurns = limits.maxTurns;
		if (asked.maxCost !== void 0 && limits !== void 0 && limits.costUsd < asked.maxCost) cut.maxCost = limits.costUsd;
	}
	return Object.keys(cut).length === 0 ? given : replaced(given, cut);
}
function replaced(given, values) {
	const prototype = Object.getPrototypeOf(given);
	const made = Object.create(prototype);
	const isPlain = prototype === Object.prototype || prototype === null;
	const set = (name, field) => {
		if (isPlain && field.enumerable === true && field.writable === true && field.configurable === true && !(name in made)) made[name] = field.value;
		else Object.defineProperty(made, name, field);
	};
	for (const name of Reflect.ownKeys(given)) {
		const field = Object.hasOwn(values, name) ? fieldOf(values[name]) : Object.getOwnPropertyDescriptor(given, name);
		if (field !== void 0) set(name, field);
	}
	for (const name of Object.keys(values)) if (!Object.hasOwn(made, name)) set(name, fieldOf(values[name]));
	return made;
}
function fieldOf(value) {
	return {
		value,
		enumerable: true,
		writable: true,
		configurable: true
	};
}
function isSame(asked, tools) {
	return asked?.length === tools.length && tools.every((tool, index) => tool === asked[index]);
}
function givenOf({ runtime, index, generation }) {
	return runtime.view((core) => core.given(index, generation), optional(spec));
}
function laterParams(run) {
	const params = {};
	const given = givenOf(run);
	if (given !== void 0) {
		for (const { name, staged } of SPAWN_OPTIONS) if (staged !== void 0 && given[staged] !== null) params[name] = given[staged];
		if (given.json) params.format = "json";
		if (given.originChannel !== null) params.origin = {
			channel: given.originChannel,
			chatId: given.originChatId
		};
	}
	const { budget: account, tools, systemPrompt, maxTurns, background } = run.runtime.lookup.snapshot(run.index, run.generation);
	const caps = Object.entries(account).flatMap(([name, { cap }]) => Number.isFinite(cap) ? [[name, cap]] : []);
	if (caps.length > 0) {
		const budget = Object.fromEntries(caps);
		params.budget = budget;
		if (budget.costUsd !== void 0) params.maxCost = budget.costUsd;
	}
	const now = {
		instructions: run.prompt(),
		maxTurns,
		background,
		...tools && { tools },
		...systemPrompt && { systemPrompt }
	};
	return {
		...params,
		...now
	};
}
const elsewhere = /* @__PURE__ */ new WeakMap();
function isOfMove(runtime, { reason }) {
	return typeof reason === "object" && reason !== null && elsewhere.get(reason) === runtime;
}
function markMoved(error, runtime) {
	elsewhere.set(error, runtime);
}
function movedAway(runtime) {
	const error = new SubAgentError("aborted", "another worker has taken the run over", { reason: "host_lost" });
	markMoved(error, runtime);
	return error;
}
function leftBehind(doing) {
	return new SubAgentError("aborted", `the run that ${doing} is left to the next process`, { reason: "drained" });
}
function isLeftBehind(error) {
	return error.code === "aborted" && error.details.reason === "drained";
}
function callOf(actor, notifies) {
	return {
		wait: void 0,
		isAborted: false,
		actor,
		notifies
	};
}
const NO_ESTIMATE = {
	tokens: NaN,
	cost: NaN,
	whole: false
};
var ActiveRun = class ActiveRun {
	static standAlone() {
		Object.setPrototypeOf(ActiveRun.prototype, null);
	}
	constructor(runtime, params, request) {
		this.index = 0;
		this.generation = 0;
		this.run = 0;
		this.hostOpen = false;
		this.hostIsOver = false;
		this.knowsTools = false;
		this.context = void 0;
		this.result = void 0;
		this.returned = void 0;
		this.turn = void 0;
		this.agent = void 0;
		this.isAllowed = false;
		this.handed = void 0;
		this.controller = void 0;
		this.id = void 0;
		this.view = void 0;
		this.runtime = runtime;
		this.given = params;
		this.asked = request?.asked;
		this.text = request?.text;
		if (request?.staged?.idempotencyKey !== void 0 || request?.staged?.taskId !== void 0) this.isKeyed = true;
		this.isBackground = request?.background;
		this.shownAs = request === void 0 ? void 0 : request.staged?.json === true ? "json" : "text";
		this.ownCheck = request?.schema;
	}
	get format() {
		this.shownAs ??= this.snapshot().format;
		return this.shownAs;
	}
	get background() {
		this.isBackground ??= this.snapshot().background;
		return this.isBackground;
	}
	get check() {
		const { journal, sessionData, agents } = this.runtime;
		const known = this.ownCheck ?? sessionData.checkOf(this.index, this.generation);
		if (known !== void 0 || journal?.goesOn !== true) return known;
		const { agent, mustHave } = this.snapshot();
		const defined = agents.checkOf(agent ?? void 0);
		return mustHave === null ? defined : demanding(defined, mustHave);
	}
	get work() {
		return this.workKey ?? `${this.taskId}-1`;
	}
	readWork() {
		if (this.run === 1 && this.isKeyed === void 0 && this.runtime.journal?.goesOn !== true) return;
		this.workKey = this.runtime.call((core) => core.workKey(this.index, this.generation, this.run));
	}
	get taskId() {
		this.id ??= this.runtime.lookup.taskId(this.index, this.generation);
		return this.id;
	}
	get latest() {
		let active = this;
		while (active.successor !== void 0) active = active.successor;
		return active;
	}
	nextAttempt(reason, next = new ActiveRun(this.runtime, void 0)) {
		next.given = this.given;
		next.index = this.index;
		next.generation = this.generation;
		next.run = this.run + 1;
		next.text = this.text;
		next.isBackground = this.isBackground;
		next.shownAs = this.shownAs;
		next.ownCheck = this.ownCheck;
		next.watch = this.watch;
		[next.context, this.context] = [this.context, void 0];
		next.before = this.returned;
		if (this.reported !== void 0) next.reported = this.reported;
		next.previousError = {
			reason,
			error: this.returned?.error ?? null
		};
		for (const follower of this.followers ?? []) next.follow(follower);
		this.followers = void 0;
		[next.unfollow, this.unfollow] = [this.unfollow, void 0];
		this.named?.resolve();
		this.successor = next;
		return next;
	}
	expectBegin() {
		let settle;
		const promise = new Promise((resolve, reject) => {
			settle = {
				resolve,
				reject
			};
		});
		this.begun = {
			promise,
			isOver: false,
			...settle
		};
		return promise;
	}
	get isDriven() {
		return givenOf(this)?.driven === true;
	}
	follow(follower) {
		this.followers ??= [];
		this.followers.push(follower);
	}
	expectName() {
		let resolve = () => void 0;
		const promise = new Promise((done) => {
			resolve = done;
		});
		this.named = {
			promise,
			resolve
		};
	}
	takeStart() {
		const { starting } = this;
		if (starting !== void 0) this.starting = void 0;
		return starting;
	}
	params() {
		if (!this.isAllowed) this.allow();
		return this.given;
	}
	allow() {
		if (this.given === void 0) this.given = laterParams(this);
		else if (this.knowsTools || this.asked !== void 0) this.given = allowedParams(this, this.given, this.asked);
		this.isAllowed = true;
	}
	handedRun() {
		this.handed ??= this.runtime.makeRun(this);
		return this.handed;
	}
	prompt() {
		return this.text ?? this.runtime.call((core) => core.message(this.index));
	}
	snapshot() {
		this.view ??= this.runtime.lookup.snapshot(this.index, this.generation);
		return this.view;
	}
	snapshotIf() {
		this.view ??= this.runtime.lookup.snapshotIf(this.index, this.generation);
		return this.view;
	}
	sharedTools() {
		if (this.knowsTools) this.shared ??= this.runtime.lookup.tools(this.index, this.generation);
		return this.shared;
	}
	get tools() {
		this.own ??= this.sharedTools()?.slice();
		return this.own;
	}
	get signal() {
		if (this.controller === void 0) {
			this.controller = new AbortController();
			if (this.aborted !== void 0) this.controller.abort(this.abortError(this.aborted));
		}
		return this.controller.signal;
	}
	get isAborted() {
		return this.aborted !== void 0;
	}
	abort(reason) {
		this.aborted = reason;
		this.controller?.abort(this.abortError(reason));
		this.stopping?.(reason);
	}
	whenAborted(stop) {
		if (this.aborted !== void 0) stop(this.aborted);
		else this.stopping = stop;
	}
	release() {
		this.context = void 0;
		this.given = void 0;
		this.controller = void 0;
		this.handed = void 0;
		if (this.stopping !== void 0) this.stopping = void 0;
	}
	abortError(reason) {
		const error = new SubAgentError("aborted", `the sub-agent had to stop: ${reason}`, { reason });
		if (this.isLeft) markMoved(error, this.runtime);
		return error;
	}
	get isLeft() {
		return this.aborted === "drained" && this.runtime.journal?.leavesRuns === true;
	}
};
const PLAIN$1 = {
	kinds: [
		-1,
		-1,
		-1,
		-1,
		-1,
		-1,
		0
	],
	modelId: void 0
};
function tokensOrPlain({ functions }, { byKind, tokens, costUsd }) {
	if (byKind !== void 0 || functions.getModelId === void 0) return byKind;
	return tokens === -1 && costUsd === -1 ? void 0 : PLAIN$1;
}
function stageTokens(runtime, { kinds, modelId }) {
	const length = runtime.write(modelId ?? modelOf(runtime.functions));
	runtime.call((core) => core.stageTokens(length, modelId !== void 0, ...kinds));
}
function managersModel({ getModelId }) {
	return getModelId && string("what `getModelId` returns", readArgument("`getModelId`", getModelId));
}
function modelOf(functions) {
	try {
		return managersModel(functions) ?? "";
	} catch {
		return "";
	}
}
function beforeTurn(runtime, active, options) {
	let answer;
	let estimate = NO_ESTIMATE;
	try {
		if (options !== void 0) estimate = estimateOf(options);
		const agent = active.agent;
		if (active.turn !== void 0 || agent?.asksForTurn === true) throw new SubAgentError("invalid_argument", "the last beforeTurn has not answered yet");
		if (agent !== void 0) agent.tools = 0;
		const { gates, runs } = runtime;
		if (gates.sub.has("before_turn") || agent?.hasInjected === true) answer = gates.beforeTurn(gates.agentOf(active), () => runs.takeTurn(active, estimate));
		else answer = runs.takeTurn(active, estimate);
	} catch (error) {
		answer = Promise.reject(error);
	}
	const outcome = runtime.answer(answer);
	return active.watch === void 0 ? outcome : watched(active, outcome);
}
async function watched(active, answer) {
	const permit = await answer;
	if (permit.go) active.watch?.(active, { turn: permit.turn });
	return permit;
}
function estimateOf(options) {
	return readArgument("the options of beforeTurn", () => {
		const { tokens, costUsd, whole } = knownOptions("beforeTurn", options, [
			"tokens",
			"costUsd",
			"whole"
		]);
		const cost = costUsd === 0 ? 0 : amount$1("`costUsd`", costUsd);
		return {
			tokens: count("`tokens`", tokens) ?? NaN,
			cost: cost ?? NaN,
			whole: flag("`whole`", whole)
		};
	});
}
function reportOn(runtime, active, report) {
	const read = readReport(report);
	if (runtime.isClosed) return;
	const { tokens, costUsd, ignored, contextTokens, message, todos } = read;
	const byKind = tokensOrPlain(runtime, read);
	if (message !== void 0) runtime.gates.agentOf(active).say(message);
	if (byKind !== void 0) stageTokens(runtime, byKind);
	const length = message === void 0 ? -1 : runtime.write(message);
	const { index, generation, run } = active;
	runtime.mutate((core) => core.report(now(), index, generation, run, tokens, costUsd, contextTokens, length));
	runtime.unknownNames.kindsInReport(ignored);
	if (todos !== void 0) reportTodos(runtime, active, todos);
	if (message !== void 0 && active.watch !== void 0) runtime.oncePersisted(() => active.watch?.(active, { message }));
}
var BareRun = class {
	#runtime;
	#active;
	constructor(runtime, active) {
		this.#runtime = runtime;
		this.#active = active;
	}
	get taskId() {
		return this.#active.taskId;
	}
	get run() {
		return this.#active.run;
	}
	get prompt() {
		return this.#active.prompt();
	}
	get signal() {
		return this.#active.signal;
	}
	beforeTurn(options) {
		return beforeTurn(this.#runtime, this.#active, options);
	}
	report(report) {
		reportOn(this.#runtime, this.#active, report);
	}
};
const AS_USUAL = {
	triggerAsyncId: void 0,
	requireManualDestroy: false
};
let found;
function capture() {
	found ??= { capture: find$1(globalThis) };
	return found.capture;
}
function find$1({ process, AsyncLocalStorage, AsyncContext }) {
	const known = captureOf(builtIn(process)) ?? captureOf(AsyncLocalStorage && { AsyncLocalStorage });
	if (known !== void 0) return known;
	const Snapshot = AsyncContext?.Snapshot;
	if (typeof Snapshot !== "function") return void 0;
	return tried(() => {
		const snapshot = new Snapshot();
		return { runInAsyncScope: (body, self, ...given) => snapshot.run(() => body.apply(self, given)) };
	});
}
function builtIn(process) {
	try {
		return process?.getBuiltinModule?.("async_hooks");
	} catch {
		return;
	}
}
function captureOf(hooks) {
	const { AsyncResource, AsyncLocalStorage } = hooks ?? {};
	if (typeof AsyncResource === "function") return tried(() => new AsyncResource("SubAgent", AS_USUAL));
	if (typeof AsyncLocalStorage?.snapshot !== "function") return void 0;
	return tried(() => {
		const within = AsyncLocalStorage.snapshot();
		return { runInAsyncScope: (body, self, ...given) => within(() => body.apply(self, given)) };
	});
}
function tried(capture) {
	try {
		return capture().runInAsyncScope(() => true) ? capture : void 0;
	} catch {
		return;
	}
}
function present() {
	return capture()?.();
}
function bound(body) {
	const context = present();
	if (context === void 0) return body;
	return ((...given) => context.runInAsyncScope(body, void 0, ...given));
}
var Contexts = class {
	constructor(messages) {
		this.waiting = /* @__PURE__ */ new Map();
		this.capture = capture();
		this.opening = this.capture?.();
		this.entered = void 0;
		this.messages = messages;
	}
	get matter() {
		return this.capture !== void 0;
	}
	keep(run) {
		run.context = this.capture?.();
	}
	sent(index, generation, number) {
		const context = this.capture?.();
		if (context !== void 0) this.set(index, generation, number, context);
	}
	take(run) {
		if (run.context !== void 0 || this.capture === void 0) return;
		const { index, generation } = run;
		const waiting = this.waitingOf(index, generation);
		const number = waiting && this.messages.answered(index);
		run.context = (number === void 0 ? void 0 : waiting?.contexts.get(number)) ?? this.opening;
		if (number !== void 0) this.drop(index, number);
	}
	ended(run, started) {
		const { index, generation, context } = run;
		if (!started && context !== void 0 && context !== this.opening) {
			if (this.messages.waits(index, generation, 0)) this.set(index, generation, 0, context);
		}
		for (const number of this.waitingOf(index, generation)?.contexts.keys() ?? []) if (!this.messages.waits(index, generation, number)) this.drop(index, number);
	}
	set(index, generation, number, context) {
		let waiting = this.waitingOf(index, generation);
		if (waiting === void 0) {
			this.messages.watchTasks();
			waiting = {
				generation,
				contexts: /* @__PURE__ */ new Map()
			};
			this.waiting.set(index, waiting);
		}
		waiting.contexts.set(number, context);
	}
	waitingOf(index, generation) {
		if (this.waiting.size === 0) return void 0;
		const waiting = this.waiting.get(index);
		return waiting?.generation === generation ? waiting : void 0;
	}
	drop(index, number) {
		const waiting = this.waiting.get(index);
		if (waiting?.contexts.delete(number) === true && waiting.contexts.size === 0) this.waiting.delete(index);
	}
	enter(run) {
		const outer = this.entered;
		this.entered = run;
		return outer;
	}
	leave(outer) {
		this.entered = outer;
	}
	run(run, body, given) {
		const context = run.context ?? this.opening;
		if (context === void 0 || this.entered === run) body(given);
		else context.runInAsyncScope(body, void 0, given);
	}
	taskGone(index, generation) {
		if (this.waitingOf(index, generation) !== void 0) this.waiting.delete(index);
	}
	clear() {
		this.waiting.clear();
	}
};
const PROGRAM = {
	index: 0,
	generation: 0,
	run: 0
};
const DEFAULT_SESSION = {
	index: 1,
	generation: 1,
	run: 0
};
const ROOT = {
	index: 0,
	generation: 1
};
const GENERATION = 4294967296;
function indexOf(packed) {
	return packed >>> 0;
}
function generationOf(packed) {
	return Math.floor(packed / GENERATION);
}
function keyOf(packed) {
	return {
		index: indexOf(packed),
		generation: generationOf(packed)
	};
}
function packed({ index, generation }) {
	return generation * GENERATION + index;
}
function readMissing(from) {
	const low = from.bits(1);
	return {
		sessions: (low & 1) !== 0 ? from.texts() : [],
		agents: (low & 2) !== 0 ? from.texts() : [],
		profiles: (low & 4) !== 0 ? from.texts() : []
	};
}
function readRunKey(from) {
	return {
		task: from.key(),
		run: from.number()
	};
}
function readLastRun(from) {
	const low = from.bits(1);
	return {
		run: from.number(),
		isOpen: (low & 1) !== 0
	};
}
function readReportedRun(from) {
	const low = from.bits(1);
	return {
		task: from.key(),
		run: from.number(),
		isBegunAnew: (low & 1) !== 0
	};
}
function readOwnId(from) {
	return {
		task: from.key(),
		id: from.text()
	};
}
function readRelease(from) {
	const low = from.bits(1);
	return {
		serial: from.number(),
		owner: from.text(),
		data: (low & 1) !== 0 ? from.text() : null
	};
}
function readDeniedInVain(from) {
	const low = from.bits(1);
	return {
		denied: (low & 1) !== 0 ? from.texts() : [],
		known: (low & 2) !== 0 ? from.texts() : []
	};
}
function deniedInVain(runtime, index) {
	return runtime.view((core) => core.deniedInVain(index), optional(readDeniedInVain));
}
var Denials = class {
	#reported = /* @__PURE__ */ new Set();
	report(runtime, inVain, argument) {
		for (const entry of inVain?.denied ?? []) {
			if (this.#reported.has(entry)) continue;
			this.#reported.add(entry);
			const { known = [] } = inVain ?? {};
			const suggestion = nearestOf(entry, known);
			const message = `\`${quoted(entry)}\` is denied, but no tool has that name or fits that pattern`;
			const meant = suggestion === void 0 ? "" : `; did you mean \`${quoted(suggestion)}\`?`;
			runtime.report(new SubAgentError("invalid_argument", message + meant, {
				argument,
				entry,
				known,
				...suggestion && { suggestion }
			}));
		}
	}
};
const MAX_METADATA_CHARS = 16384;
const DEEPEST = 32;
function readMetadata(what, given) {
	if (given === void 0) return void 0;
	if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong(what, "a plain object of JSON values", given);
	return wellFormedJson(jsonOf(given, what, 0, {
		left: MAX_METADATA_CHARS,
		what: "metadata",
		most: MAX_METADATA_CHARS
	}));
}
function readJson(what, given, most) {
	return wellFormedJson(jsonOf(given, what, 0, {
		left: most,
		what,
		most
	}));
}
function metadataOf(json) {
	return json === null ? null : JSON.parse(json);
}
function wrong(at, expected, got) {
	return invalid(`\`${at}\``, expected, got);
}
function jsonOf(value, at, depth, budget) {
	if (typeof value === "string" || typeof value === "boolean" || value === null) return spent(JSON.stringify(value), budget);
	if (typeof value === "number") {
		if (!Number.isFinite(value)) throw wrong(at, "a number that JSON has", value);
		return spent(JSON.stringify(value), budget);
	}
	if (typeof value !== "object") throw wrong(at, "a value that JSON has", value);
	if (depth >= DEEPEST) throw new SubAgentError("invalid_argument", `\`${at}\` nests deeper than ${DEEPEST} levels`, { argument: at });
	budget.left -= 2;
	if (Array.isArray(value)) {
		const parts = [];
		for (let index = 0; index < value.length; index += 1) {
			if (!Object.hasOwn(value, index)) throw wrong(`${at}[${index}]`, "a value that JSON has", void 0);
			parts.push(jsonOf(value[index], `${at}[${index}]`, depth + 1, budget));
		}
		return `[${parts.join(",")}]`;
	}
	const prototype = Object.getPrototypeOf(value);
	if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw wrongClass(at, value);
	const parts = [];
	for (const key of Object.keys(value)) {
		const field = value[key];
		if (field === void 0) continue;
		const name = spent(JSON.stringify(key), budget);
		parts.push(`${name}:${jsonOf(field, /^[\w$]{1,40}$/.test(key) ? `${at}.${key}` : `${at}[…]`, depth + 1, budget)}`);
	}
	return `{${parts.join(",")}}`;
}
function wrongClass(at, value) {
	const way = Object.prototype.toString.call(value) === "[object Date]" ? ": give what its `toISOString()` returns" : "";
	const message = `\`${at}\` must be a plain object of JSON values, got ${way === "" ? `${describe(value)} of a class` : "a Date"}${way}`;
	return new SubAgentError("invalid_argument", message, { argument: at });
}
function spent(json, budget) {
	budget.left -= json.length + 1;
	if (budget.left >= 0) return json;
	const { what, most } = budget;
	const message = `\`${what}\` must have at most ${most} characters of JSON: keep what is larger yourself, under the sub-agent's id`;
	throw new SubAgentError("invalid_argument", message, {
		argument: what,
		limit: most
	});
}
const FIELDS$3 = [
	"input",
	"output",
	"cacheRead",
	"cacheWrite",
	"cacheWrite1h"
];
function readPrices(name, value) {
	if (value === void 0) return void 0;
	const prices = optionsOf(`\`${name}\``, value, "an object such as { 'model*': { input: 3, output: 15 } }");
	return Object.entries(prices).map(([model, price]) => readPrice(`${name}.${model}`, prefixOf(name, model), price)).sort((one, other) => one.model < other.model ? -1 : 1);
}
function readPrice(name, model, value) {
	const { input, output, cacheRead, cacheWrite, cacheWrite1h, ...unknown } = optionsOf(`\`${name}\``, value, "an object such as { input: 3, output: 15 }");
	noOtherFields(name, unknown, FIELDS$3);
	const read = {};
	for (const [field, dollars] of Object.entries({
		input,
		output,
		cacheRead,
		cacheWrite,
		cacheWrite1h
	})) {
		if (dollars === void 0 && field !== "input" && field !== "output") continue;
		if (!(typeof dollars === "number" && dollars >= 0 && dollars <= MOST$2)) throw invalid(`\`${name}.${field}\``, `US dollars for a million tokens, from 0 to ${MOST$2}`, dollars);
		read[field] = dollars;
	}
	return {
		model,
		...read
	};
}
const MOST$2 = 1e6;
const AN_OPTION = "an object such as { max: 3 }, or false";
function readRetry(name, value) {
	if (value === void 0) return void 0;
	if (value === false) return { max: 0 };
	const { max, backoffMs, on, ...unknown } = optionsOf(`\`${name}\``, value, AN_OPTION);
	noOtherFields(name, unknown, [
		"max",
		"backoffMs",
		"on"
	]);
	const times = count(`\`${name}.max\``, max);
	if (times === void 0) throw invalid(`\`${name}.max\``, "a whole number of at least 1, or Infinity", max);
	const retry = { max: times };
	if (backoffMs !== void 0) {
		if (typeof backoffMs !== "number" || !(backoffMs > 0) || !Number.isFinite(backoffMs)) throw invalid(`\`${name}.backoffMs\``, "milliseconds above 0", backoffMs);
		retry.backoffMs = Math.max(1, Math.round(backoffMs));
	}
	if (on !== void 0) {
		const reasons = `a list of ${RETRY_REASONS.join(", ")}`;
		retry.on = listOf(`\`${name}.on\``, reasons, on, (reason, what) => {
			if (!RETRY_REASONS.includes(reason)) throw invalid(what, `one of ${RETRY_REASONS.join(", ")}`, reason);
			return reason;
		});
		if (retry.on.length === 0) throw invalid(`\`${name}.on\``, reasons, on);
	}
	return retry;
}
function readRetryEnded(value) {
	if (value === void 0 || value === false) return void 0;
	if (value === true) return [];
	const known = STOP_REASONS.filter((reason) => reason !== "finished" && reason !== "closed");
	const expected = `true, or a list of ${known.join(", ")}`;
	const reasons = listOf("`retryEnded`", expected, value, (reason, what) => {
		if (!known.includes(reason)) throw invalid(what, `one of ${known.join(", ")}`, reason);
		return reason;
	});
	if (reasons.length === 0) throw invalid("`retryEnded`", expected, value);
	return reasons;
}
function stagedBy(request) {
	request.staged ??= readStaged({});
	return request.staged;
}
const KINDS = /* @__PURE__ */ (() => new Map(SPAWN_OPTIONS.map(({ name, kind }) => [name, kind])))();
function textIn(options) {
	try {
		for (const name of ["label", "instructions"]) {
			const value = Object.getOwnPropertyDescriptor(options, name)?.value;
			if (typeof value === "string" && value !== "") return value;
		}
	} catch {}
	return null;
}
function readSpawn(options, known, byModel = false) {
	try {
		return read$3(options, known, byModel);
	} catch (error) {
		throw unreadable("the options of spawn", error);
	}
}
function read$3(given, known, byModel) {
	const options = isPlain(given) ? given : optionsOf("the options of spawn", given, "a text, or an object such as { instructions: 'Read the report' }");
	const request = {
		text: void 0,
		background: false,
		answers: 0,
		tokens: NaN,
		cost: NaN,
		turns: NaN,
		staged: void 0,
		asked: void 0,
		signal: void 0,
		schema: void 0,
		watch: void 0,
		call: void 0
	};
	let staged;
	let backgroundGiven = false;
	for (const key of Object.getOwnPropertyNames(options)) if (key === "instructions") request.text = readText(options.instructions);
	else if (key === "background") {
		const { background } = options;
		flag("`background`", background);
		request.background = background === true;
		backgroundGiven = background !== void 0;
	} else if (!KINDS.has(key)) {
		if (Object.prototype.propertyIsEnumerable.call(options, key)) throw unknownOption("spawn", key, KINDS.keys());
	} else if (!readAtOnce(request, options, key)) {
		staged ??= { __proto__: null };
		staged[key] = options[key];
	}
	if (!Number.isNaN(request.cost)) request.asked = askedOf(request, options);
	if (staged !== void 0 || byModel && !Number.isNaN(request.cost)) {
		request.staged = readStaged(staged ?? {});
		request.asked = askedOf(request, options);
		if (byModel) wish(request, request.staged);
		if (request.staged.idempotencyKey !== void 0) {
			const work = parametersOf({
				...request,
				tokens: NaN,
				cost: NaN,
				turns: NaN
			});
			request.staged.parameters = parametersOf(request);
			request.staged.work = work;
		} else if (request.staged.retryEnded !== void 0) throw new SubAgentError("invalid_argument", `\`retryEnded\` is for a spawn with an \`idempotencyKey\`. A right call is \`spawn({ instructions: 'Read the report', idempotencyKey: 'report', retryEnded: true })\``, { argument: "retryEnded" });
		const isForBackground = request.staged.onParentEnd !== void 0;
		known?.agents.fill(request, request.staged, backgroundGiven);
		const { mustHave } = request.staged;
		if (mustHave !== void 0) request.schema = demanding(request.schema, JSON.parse(mustHave));
		if (known !== void 0 && isForBackground && !request.background) throw new SubAgentError("invalid_argument", "`onParentEnd` is for `background: true`: others end with their caller", { argument: "onParentEnd" });
		if (request.staged.profile !== void 0) known?.profiles.check(request.staged.profile);
	}
	return request;
}
function isPlain(given) {
	if (typeof given !== "object" || given === null) return false;
	"instructions" in given;
	return Object.getPrototypeOf(given) === Object.prototype;
}
function askedOf({ staged, cost }, options) {
	return {
		tools: staged?.tools,
		maxTurns: Object.hasOwn(options, "maxTurns") ? staged?.maxTurns : void 0,
		maxCost: Object.hasOwn(options, "maxCost") && !Number.isNaN(cost) ? cost : void 0
	};
}
function wish(request, staged) {
	staged.wishedTurns = staged.maxTurns;
	staged.maxTurns = void 0;
	if (Number.isNaN(request.cost)) return;
	staged.wishedCost = request.cost;
	request.cost = NaN;
}
function parametersOf({ signal: _, asked: ___, call: ____, schema, staged, ...others }) {
	const { idempotencyKey: _____, metadata: ______, label: _______, retryEnded: ________, ...rest } = staged;
	return JSON.stringify({
		...others,
		...rest,
		...schema && { schema: true }
	}, (_, value) => typeof value === "number" ? `${value}` : value);
}
function readText(value) {
	if (value === void 0) return void 0;
	if (typeof value !== "string") throw invalid("`instructions`", `a text, as in ${RIGHT}`, value);
	const text = isText(value) ? value : textOf("`instructions`", value);
	if (isBlankText(text)) throw new SubAgentError("invalid_argument", `\`instructions\` must not be empty: ${RIGHT}`, { argument: "instructions" });
	return wellFormed(text);
}
const RIGHT = "`spawn({ instructions: 'Read the report' })`";
const EXAMPLES = {
	budget: "{ tokens: 20_000 }",
	count: "5",
	dollars: "0.5",
	drive: "'program'",
	duration: "60_000",
	flag: "true",
	format: "'json'",
	integer: "1",
	label: "'report'",
	metadata: "{ ticket: 7 }",
	onParentEnd: "'wait'",
	retry: "{ max: 3 }",
	text: "'It is long.'",
	texts: "['Read']"
};
function withRightCall(error) {
	if (!(error instanceof SubAgentError) || error.message.includes("Read the report")) return error;
	const { code, message, details } = error;
	const { argument, suggestion = argument, known } = details;
	const option = code === "unknown_agent" ? "agent" : code === "unknown_profile" ? "profile" : suggestion?.split(".")[0];
	const kind = option === "instructions" || known?.length === 0 ? void 0 : KINDS.get(option ?? "");
	const value = known === void 0 ? (kind && EXAMPLES[kind]) ?? "…" : `'${known[0]}'`;
	const right = kind === void 0 ? RIGHT : `\`spawn({ instructions: 'Read the report', ${option}: ${value} })\``;
	return new SubAgentError(code, `${message}${/[?…]$/.test(message) ? "" : "."} A right call is ${right}`, details);
}
function readAtOnce(request, options, key) {
	switch (key) {
		case "maxCost": {
			const cost = amount$1("`maxCost`", options.maxCost);
			if (cost !== void 0) request.cost = only(request.cost, cost, "maxCost");
			return true;
		}
		case "budget": {
			const budget = readBudget("budget", options.budget);
			if (budget.tokens !== void 0) request.tokens = budget.tokens;
			if (budget.costUsd !== void 0) request.cost = only(request.cost, budget.costUsd, "budget.costUsd");
			if (budget.turns !== void 0) request.turns = budget.turns;
			return true;
		}
		case "schema":
			request.schema = readSchema(options.schema);
			return true;
		case "signal":
			request.signal = signalOf("`signal`", options.signal);
			return true;
		default: return false;
	}
}
function only(before, value, argument) {
	if (!Number.isNaN(before)) throw saidTwice("`maxCost` and `budget.costUsd`", argument);
	return value;
}
function readStaged(given) {
	const staged = Object.create(null);
	for (const { name: option, staged: into, kind } of SPAWN_OPTIONS) {
		const value = into === void 0 ? void 0 : readPassed(kind, option, given[option]);
		if (into !== void 0 && value !== void 0) staged[into] = value;
	}
	if (given.idempotencyKey !== void 0) staged.idempotencyKey = name("`idempotencyKey`", given.idempotencyKey);
	const retryEnded = readRetryEnded(given.retryEnded);
	if (retryEnded !== void 0) staged.retryEnded = retryEnded;
	if (given.origin !== void 0) Object.assign(staged, originOf(given.origin));
	if (formatOf(given.format) === "json") staged.json = true;
	if (given.drive !== void 0) {
		if (given.drive !== "program") throw invalid("`drive`", "'program'", given.drive);
		staged.driven = true;
	}
	return staged;
}
function readPassed(kind, option, value) {
	if (value === void 0) return void 0;
	const what = `\`${option}\``;
	switch (kind) {
		case "text": return string(what, value);
		case "label": return string(what, value)?.trim() === "" ? void 0 : string(what, value);
		case "name": return name(what, value);
		case "reference": return value === null ? void 0 : name(what, value);
		case "texts": return strings(what, value);
		case "count": return count(what, value);
		case "dollars": return amount$1(what, value);
		case "duration": return duration(what, value);
		case "integer": return integer(what, value);
		case "onParentEnd": return onParentEndOf(option, value);
		case "retry": return readRetry(option, value);
		case "prices": return readPrices(option, value);
		case "metadata": return readMetadata(option, value);
		case "mustHave": return readMustHave(option, value);
		default: return;
	}
}
function originOf(origin) {
	const { channel, chatId, ...unknown } = optionsOf("`origin`", origin, "an object with channel and chatId");
	noOtherFields("origin", unknown, ["channel", "chatId"]);
	if (channel !== void 0 && (typeof channel !== "string" || channel === "" || channel.includes(":"))) throw invalid("`origin.channel`", "a text without a colon", channel);
	if (chatId !== void 0 && (typeof chatId !== "string" || chatId === "")) throw invalid("`origin.chatId`", "a text", chatId);
	return {
		originChannel: string("`origin.channel`", channel),
		originChatId: string("`origin.chatId`", chatId)
	};
}
function onParentEndOf(option, value) {
	if (ON_PARENT_END.includes(value)) return value;
	throw invalid(`\`${option}\``, `one of ${ON_PARENT_END.join(", ")}`, value);
}
function formatOf(format) {
	if (format === void 0 || format === "text" || format === "json") return format;
	throw invalid("`format`", "'text' or 'json'", format);
}
const OWN = {
	description: true,
	prompt: true,
	model: true,
	disallowedTools: true
};
var Agents = class {
	#known = /* @__PURE__ */ new Map();
	constructor(agents) {
		if (agents === void 0) return;
		for (const [name, definition] of Object.entries(optionsOf("`agents`", agents, "an object such as { reader: { description, prompt } }"))) this.#known.set(name, readArgument(`\`agents.${name}\``, () => read$2(name, definition)));
	}
	get names() {
		return [...this.#known.keys()];
	}
	get descriptions() {
		return [...this.#known].map(([name, { description }]) => `- ${name}: ${description}`).join("\n");
	}
	checkOf(name) {
		return this.#known.get(name ?? "")?.request.schema;
	}
	checkProfiles(profiles) {
		for (const [name, { staged }] of this.#known) {
			if (staged.profile === void 0) continue;
			try {
				profiles.check(staged.profile);
			} catch (error) {
				const { code, message, details } = error;
				throw new SubAgentError(code, `\`agents.${name}.profile\`: ${message}`, { ...details });
			}
		}
	}
	expect(name) {
		const known = this.#known.get(name);
		if (known !== void 0) return known;
		const { names } = this;
		const others = names.length === 0 ? "none is defined" : `there are ${names.join(", ")}`;
		throw new SubAgentError("unknown_agent", `there is no agent called ${describe(name)}; ${others}`, {
			agent: name,
			known: names
		});
	}
	fill(request, staged, backgroundGiven) {
		const { agent: name } = staged;
		if (name === void 0) return;
		const { request: given, staged: givenStaged } = this.expect(name);
		if (Number.isNaN(request.tokens)) request.tokens = given.tokens;
		if (Number.isNaN(request.cost)) request.cost = given.cost;
		if (Number.isNaN(request.turns)) request.turns = given.turns;
		if (!backgroundGiven) request.background = given.background;
		request.schema ??= given.schema;
		for (const key of Object.keys(givenStaged)) if (staged[key] === void 0) staged[key] = givenStaged[key];
	}
};
function read$2(name, definition) {
	if (name === "") throw new SubAgentError("invalid_argument", "the name of an agent must not be empty", { argument: "agents" });
	nameOf("the name of an agent", name);
	const given = optionsOf(`\`agents.${name}\``, definition, "an object such as { description, prompt }");
	const { description, prompt, model, disallowedTools } = given;
	if (typeof description !== "string" || description.trim() === "") throw invalid(`\`agents.${name}.description\``, "a text such as 'Reads files.'", description);
	const others = Object.entries(given).filter(([key]) => !Object.hasOwn(OWN, key));
	const unknownName = others.find(([key]) => !FIELDS$2.has(key))?.[0];
	if (unknownName !== void 0) throw unknownPart(`an agent has no \`${unknownName}\`: \`agents.${name}\``, unknownName, [...FIELDS$2, ...Object.keys(OWN)], { argument: `agents.${name}.${unknownName}` });
	const options = Object.fromEntries(others);
	if (prompt !== void 0) options.systemPrompt = prompt;
	if (model !== void 0 && model !== "inherit") options.modelId = model;
	options.agent = name;
	try {
		const request = readSpawn(options);
		const staged = request.staged;
		if (disallowedTools !== void 0) staged.disallowedTools = strings("`disallowedTools`", disallowedTools);
		return {
			description: description.trim(),
			request,
			staged
		};
	} catch (error) {
		throw placed(name, error);
	}
}
function placed(name, { code, message, details }) {
	const { argument: option } = details;
	if (option === void 0) return new SubAgentError(code, `\`agents.${name}\`: ${message}`, { ...details });
	const argument = `agents.${name}.${FIELD_OF[option] ?? option}`;
	const said = message.startsWith(`\`${option}\``) ? `\`${argument}\`${message.slice(option.length + 2)}` : `\`${argument}\`: ${message}`;
	return new SubAgentError(code, said, {
		...details,
		argument
	});
}
const FIELD_OF = {
	systemPrompt: "prompt",
	modelId: "model"
};
const FIELDS$2 = /* @__PURE__ */ (() => new Set(SPAWN_OPTIONS.flatMap(({ name, isDefined }) => isDefined ? [name] : [])))();
const DEFAULT_LIMITS = {
	maxConcurrent: 3,
	maxQueued: 1e5,
	maxDepth: 1,
	maxChildren: 32,
	maxSpawns: Infinity,
	maxSessions: 1e4,
	maxAbandoned: 16,
	maxMessages: 20,
	maxTurns: 20,
	turnEstimate: 2e3,
	turnEstimateUsd: .25,
	countCacheReads: 1e3,
	wrapUpTokens: 1e3,
	timeoutMs: 18e5,
	graceMs: 1e4,
	idleTimeoutMs: 3e5,
	abandonMs: 6e4,
	askTimeoutMs: 6e5,
	approvalTimeoutMs: 6e5,
	stallMs: 5e3,
	maxResultBytes: 1048576,
	inlineBytes: 16384,
	ageingMs: 1e4,
	staggerMs: 0,
	maxCooldownMs: 36e5,
	maxCooldowns: 1e3,
	maxTasks: 1e5,
	retain: 1e3,
	maxLost: 5,
	idempotencyTtlMs: 864e5,
	maxIdempotencyKeys: 1e5,
	leaseMs: 6e4,
	maxDeliveries: 5,
	maxNotices: 1e5,
	maxInjected: 32
};
const DEFAULT_WAIT_MS = 3e4;
const BEAT_MS = 1e3;
const UNREAD_NOTICE_MS = 1e4;
let numbers;
function limitOf(runtime, name) {
	numbers ??= new Map(Object.keys(DEFAULT_LIMITS).map((limit, number) => [limit, number]));
	const number = numbers.get(name);
	return runtime.call((core) => core.limit(number));
}
const FIELDS$1 = ["requestsPerMinute", "tokensPerMinute"];
function readRates(name, value) {
	if (value === void 0) return void 0;
	const rates = optionsOf(`\`${name}\``, value, "an object such as { 'openai*': { requestsPerMinute: 500 } }");
	return Object.entries(rates).map(([key, rate]) => readRate(name, prefixOf(name, key), rate)).sort((one, other) => one.key < other.key ? -1 : 1);
}
function readRate(option, key, value) {
	const name = `${option}.${key}`;
	const { requestsPerMinute, tokensPerMinute, ...unknown } = optionsOf(`\`${name}\``, value, "an object such as { requestsPerMinute: 500, tokensPerMinute: 200_000 }");
	noOtherFields(name, unknown, FIELDS$1);
	if (requestsPerMinute === void 0 && tokensPerMinute === void 0) throw invalid(`\`${name}\``, "an object with `requestsPerMinute`, `tokensPerMinute` or both", value);
	return {
		key,
		requestsPerMinute: finite(count(`\`${name}.requestsPerMinute\``, requestsPerMinute)),
		tokensPerMinute: finite(count(`\`${name}.tokensPerMinute\``, tokensPerMinute))
	};
}
function finite(count) {
	return count === Number.POSITIVE_INFINITY ? void 0 : count;
}
const BOUNDS = [...Object.keys(DEFAULT_LIMITS), ...[
	"budget",
	"taskBudget",
	"onLimit",
	"prices",
	"rates"
]];
var Bounds = class {
	#given = false;
	#limits = /* @__PURE__ */ new Map();
	#budget = {};
	#taskBudget;
	#onLimit;
	#prices;
	#rates;
	take(key, value) {
		if (key === "budget") this.#budget = readBudget(key, value);
		else if (key === "taskBudget") this.#taskBudget = readBudget(key, value);
		else if (key === "prices") this.#prices = readPrices(key, value);
		else if (key === "rates") this.#rates = readRates(key, value);
		else if (key === "onLimit") {
			if (value !== "queue" && value !== "reject") throw invalid("`onLimit`", "'queue' or 'reject'", value);
			this.#onLimit = value;
		} else if (Object.hasOwn(DEFAULT_LIMITS, key)) {
			if (typeof value !== "number") throw invalid(`\`${key}\``, key.endsWith("Ms") ? "milliseconds, such as 60_000" : "a number", value);
			this.#limits.set(key, value);
		} else return false;
		this.#given = true;
		return true;
	}
	apply(runtime, others = {}, reopen) {
		if (!this.#given && Object.keys(others).length === 0 && reopen === void 0) return;
		const given = {
			budget: this.#budget,
			taskBudget: this.#taskBudget,
			onLimit: this.#onLimit,
			prices: this.#prices,
			rates: this.#rates
		};
		const settings = {
			...others,
			limits: [...this.#limits],
			...given
		};
		if (!runtime.call((core) => reopen === void 0 ? core.configure(now(), settings) : reopen(core, settings))) throw this.#withValue(runtime.refusal());
		runtime.dispatch();
		runtime.expectSound();
	}
	#withValue(refusal) {
		const { code, message, details } = refusal;
		const wrong = [...this.#limits].find(([name]) => message.startsWith(`\`${name}\``));
		return wrong === void 0 ? refusal : new SubAgentError(code, `${message}, got ${describe(wrong[1])}`, { ...details });
	}
};
function readLimits(given) {
	const bounds = new Bounds();
	const unknown = {};
	for (const [key, value] of Object.entries(optionsOf("the limits", given, "an object such as { maxConcurrent: 5 }"))) if (value !== void 0 && !bounds.take(key, value)) unknown[key] = value;
	noOtherOptions("setLimits", unknown, BOUNDS);
	return bounds;
}
function limitsOf(runtime) {
	const names = Object.keys(DEFAULT_LIMITS);
	return Object.fromEntries(names.map((name) => [name, limitOf(runtime, name)]));
}
function minimal(mayDelegate) {
	return [
		"You are a sub-agent: another agent gave you one task, and you see nothing else of its work.",
		"- Work on this task and on nothing else.",
		"- You can not send messages to the user or ask them anything.",
		...mayDelegate ? [] : ["- You can not start sub-agents."],
		"- End with a clear and concise summary of what you did and what you found. It is all that the other agent gets."
	].join("\n");
}
var Profiles = class {
	#known = /* @__PURE__ */ new Map([[DEFAULT_PROFILE, (_, mayDelegate) => minimal(mayDelegate)]]);
	constructor(profiles) {
		if (profiles === void 0) return;
		for (const [name, profile] of Object.entries(optionsOf("`profiles`", profiles, "an object of functions"))) {
			nameOf("the name of a profile", name);
			if (typeof profile !== "function") throw invalid(`\`profiles.${name}\``, "a function that makes a system prompt", profile);
			this.#known.set(name, (task) => profile(task()));
		}
	}
	get names() {
		return [...this.#known.keys()];
	}
	check(name) {
		if (this.#known.has(name)) return;
		const known = [...this.#known.keys()];
		throw new SubAgentError("unknown_profile", `there is no profile called ${describe(name)}; there are ${known.join(", ")}`, {
			profile: name,
			known
		});
	}
	prompt(name, task, mayDelegate) {
		this.check(name);
		let prompt;
		try {
			prompt = this.#known.get(name)?.(task, mayDelegate);
		} catch (error) {
			throw new SubAgentError("invalid_argument", `the profile ${describe(name)} failed: ${messageOf(error)}`, {}, { cause: error });
		}
		if (typeof prompt !== "string") throw invalid(`what the profile ${describe(name)} returns`, "a string", prompt);
		return prompt;
	}
};
const OUTLIVES = Symbol.for("subagents.outlives");
function outlivesProcess(hostFunction) {
	if (typeof hostFunction !== "function") return false;
	return readArgument("`spawnSubAgent`", () => hostFunction[OUTLIVES] === true);
}
const ON_HOST_LOST = {
	fail: 0,
	requeue: 1,
	resume: 2
};
const DURABILITIES = ["sync", "batched"];
const FLUSH_MS = 10;
const COMPACT_BYTES = 8 << 20;
const STORE_OPTIONS = [
	"store",
	"durability",
	"flushMs",
	"compactBytes",
	"onHostLost"
];
function readStoreOptions(options) {
	const { store, durability = "sync", flushMs, compactBytes, onHostLost = "fail", ...rest } = optionsOf("the options of open", options, "an object such as { store, spawnSubAgent }");
	if (![
		"open",
		"append",
		"compact",
		"close"
	].every((name) => typeof store?.[name] === "function")) throw invalid("`store`", "a store, such as `fileStore(path)` of subagents/store/file", store);
	if (!DURABILITIES.includes(durability)) throw invalid("`durability`", `one of ${DURABILITIES.join(", ")}`, durability);
	if (typeof onHostLost !== "string" || !Object.hasOwn(ON_HOST_LOST, onHostLost)) throw invalid("`onHostLost`", `one of ${Object.keys(ON_HOST_LOST).join(", ")}`, onHostLost);
	return {
		store,
		lost: ON_HOST_LOST[onHostLost] + (outlivesProcess(rest.spawnSubAgent) ? 4 : 0),
		journal: {
			durability,
			flushMs: duration("`flushMs`", flushMs) ?? FLUSH_MS,
			compactBytes: count("`compactBytes`", compactBytes) ?? COMPACT_BYTES
		},
		rest
	};
}
const NAMED = 20;
const LEAST = 1e3;
function artifactWriter(allowance = { left: 2 * MOST_TEXT }) {
	let room = MOST_TEXT;
	return (artifact) => {
		const json = jsonWithin(artifact, room, `the artifacts have more than ${MOST_TEXT} characters`, allowance);
		if (json === void 0) throw new Error(`JSON has no ${describe(artifact)}`);
		room = Math.max(0, room - json.length - 1);
		return json;
	};
}
function readArtifacts(what, given, drop) {
	const artifacts = [];
	const texts = [];
	const allowance = { left: 2 * MOST_TEXT };
	const jsonOf = artifactWriter(allowance);
	let lost = 0;
	listOf(what, "a list", given, (artifact, name) => {
		if (lost >= NAMED && allowance.left === 0) {
			lost += 1;
			return;
		}
		try {
			texts.push(jsonOf(artifact));
			artifacts.push(wellFormedIn(artifact));
		} catch (error) {
			lost += 1;
			allowance.left = Math.max(0, allowance.left - LEAST);
			if (lost <= NAMED) drop(`${name} could not be retained: ${messageOf(error)}`, name);
		}
	});
	if (lost > NAMED) drop(`${lost - NAMED} more artifacts could not be retained`, what);
	if (texts.length === 0) return {
		artifacts: void 0,
		artifactsJson: void 0
	};
	return {
		artifacts,
		artifactsJson: `[${texts.join(",")}]`
	};
}
const UNREADABLE = Symbol("unreadable");
const UNREAD = Symbol("unread");
const SILENT = { unreadable: () => void 0 };
const isThere = (value) => value === void 0 ? 0 : 1;
const isAmount = (value) => typeof value === "number" ? 1 : 0;
function readApart(from, to, thrown, errors) {
	let isRead = false;
	for (const name of Object.keys(to)) {
		if (to[name] !== UNREAD) continue;
		try {
			if (!isRead) throw thrown;
			to[name] = from[name];
		} catch (error) {
			to[name] = UNREADABLE;
			errors.unreadable(name, error);
		}
		isRead = true;
	}
}
function keepOwn(from, to, errors) {
	for (const name of Object.keys(to)) {
		if (to[name] === UNREADABLE) continue;
		try {
			to[name] = ownOf(from, name, to[name]);
		} catch (error) {
			to[name] = UNREADABLE;
			errors.unreadable(name, error);
		}
	}
}
const RESULT_NAMES = [
	"usage",
	"output",
	"error",
	"status",
	"artifacts",
	"value",
	"receipts",
	"taskId"
];
function fieldsOfResult(given, errors = SILENT) {
	const from = given;
	const to = {
		usage: UNREAD,
		output: UNREAD,
		error: UNREAD,
		status: UNREAD,
		artifacts: UNREAD,
		value: UNREAD,
		receipts: UNREAD,
		taskId: UNREAD
	};
	try {
		to.usage = from.usage;
		to.output = from.output;
		to.error = from.error;
		to.status = from.status;
		to.artifacts = from.artifacts;
		to.value = from.value;
		to.receipts = from.receipts;
		to.taskId = from.taskId;
		if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
	} catch (error) {
		readApart(from, to, error, errors);
	}
	keepOwn(from, to, errors);
	return to;
}
function knownInResult({ usage, output, error, status, artifacts, value, receipts, taskId }) {
	return isThere(usage) + isThere(output) + isThere(error) + isThere(status) + isThere(artifacts) + isThere(value) + isThere(receipts) + isThere(taskId);
}
function fieldsOfUsage(given, errors = SILENT) {
	const from = given;
	const to = {
		costUsd: UNREAD,
		cost: UNREAD,
		tokens: UNREAD,
		inputTokens: UNREAD,
		outputTokens: UNREAD,
		turns: UNREAD,
		durationMs: UNREAD
	};
	try {
		to.costUsd = from.costUsd;
		to.cost = from.cost;
		to.tokens = from.tokens;
		to.inputTokens = from.inputTokens;
		to.outputTokens = from.outputTokens;
		to.turns = from.turns;
		to.durationMs = from.durationMs;
		if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
	} catch (error) {
		readApart(from, to, error, errors);
	}
	keepOwn(from, to, errors);
	return to;
}
function knownInUsage({ costUsd, cost, tokens, inputTokens, outputTokens, turns, durationMs }) {
	return isAmount(costUsd) + isAmount(cost) + isAmount(tokens) + isAmount(inputTokens) + isAmount(outputTokens) + isAmount(turns) + isAmount(durationMs);
}
const PLAIN = {};
function isOnPrototype(plain) {
	return "usage" in plain || "output" in plain || "error" in plain || "status" in plain || "artifacts" in plain || "value" in plain || "receipts" in plain || "taskId" in plain || "costUsd" in plain || "cost" in plain || "tokens" in plain || "inputTokens" in plain || "outputTokens" in plain || "turns" in plain || "durationMs" in plain;
}
const MEANINGS = new Map([
	[0, "completed success succeeded ok done finished stop endturn"],
	[1, "failed failure error errored"],
	[7, "incomplete length maxtokens contentfilter refusal"],
	[2, "cancelled canceled aborted interrupted"],
	[3, "timedout timeout"]
].flatMap(([how, words]) => words.split(" ").map((word) => [word, how])));
const LONGEST_WORD = 40;
const LONGEST_KEPT = 200;
const MOST_REPORTED = 100;
function meaningOf(status) {
	if (status === "completed") return 0;
	if (status.length > LONGEST_WORD) return void 0;
	return MEANINGS.get(status.toLowerCase().replaceAll(/[\s_-]/g, ""));
}
var UnknownStatuses = class {
	constructor(report) {
		this.seen = /* @__PURE__ */ new Set();
		this.report = report;
	}
	note(status, failed) {
		const word = status.slice(0, LONGEST_KEPT);
		if (this.seen.has(word) || this.seen.size >= MOST_REPORTED) return;
		this.seen.add(word);
		const taken = failed ? "with an error beside it, it counts as 'failed'" : "it counts as 'completed'";
		const expected = "'completed', 'failed', 'incomplete', 'cancelled' or 'timed_out'";
		const message = `a host function returned the status ${describe(status)}, which has no meaning here: ${taken}. Return ${expected}`;
		this.report(new SubAgentError("invalid_argument", message, {
			argument: "status",
			expected
		}));
	}
};
function receiptsJson(receipts) {
	return `[${receipts.map((receipt) => JSON.stringify(receipt)).join(",\n")}]`;
}
const CHARS = 1e3;
const CHANGES = [
	"add",
	"update",
	"delete",
	"move"
];
const NO_RECEIPTS$1 = {
	receipts: void 0,
	receiptsJson: void 0
};
function readReceipts(given, drop) {
	if (!Array.isArray(given)) {
		drop(`the result's receipts must be a list, got ${describe(given)}`);
		return NO_RECEIPTS$1;
	}
	let omitted = 0;
	for (const entry of given.slice(0, -500)) omitted += countOf(entry?.omitted) ?? 1;
	const receipts = [];
	for (const entry of given.slice(-500)) {
		const receipt = receiptOf(entry);
		if (receipt === void 0) drop(`a receipt must be { path, kind } or { command, exitCode }, got ${describe(entry)}`);
		else if ("omitted" in receipt) omitted += receipt.omitted;
		else receipts.push(receipt);
	}
	if (omitted > 0) receipts.unshift({ omitted });
	return receipts.length === 0 ? NO_RECEIPTS$1 : {
		receipts,
		receiptsJson: receiptsJson(receipts)
	};
}
function receiptOf(entry) {
	if (typeof entry !== "object" || entry === null) return void 0;
	const { path, kind, command, exitCode = null, omitted } = entry;
	if (typeof path === "string" && CHANGES.includes(kind)) return {
		path: cut$1(path),
		kind
	};
	if (typeof command === "string" && (exitCode === null || Number.isSafeInteger(exitCode))) return {
		command: cut$1(command),
		exitCode
	};
	const count = countOf(omitted);
	return count === void 0 ? void 0 : { omitted: count };
}
function countOf(omitted) {
	return Number.isSafeInteger(omitted) && omitted >= 0 ? omitted : void 0;
}
function cut$1(text) {
	return wellFormed(text.length > CHARS ? `${text.slice(0, 999)}…` : text);
}
function readResult(result, unknownStatuses, names) {
	if (typeof result !== "object" || result === null) return invalidResult(`spawnSubAgent must resolve to { output, status, usage }, it resolved to ${describe(result)}`);
	const lost = new DroppedFields(names);
	const fields = fieldsOfResult(result, lost);
	const { usage, status, output, value, artifacts, taskId, error, receipts } = fields;
	for (const name of othersIn(result, knownInResult(fields))) names.inResult(name);
	const figures = isAbsent(usage) ? NOTHING_USED : readUsage(usage, names);
	const hasError = !(isAbsent(error) || error === false || typeof error === "string" && isBlankText(error));
	let how = statusOf(status, hasError, lost, unknownStatuses);
	let text = "";
	if (typeof output === "string") text = isBlankText(output) ? "" : wellFormed(output);
	else if (!isAbsent(output) || how === 0 && (value === void 0 || value === UNREADABLE)) {
		lost.wrong("output", "a string", output);
		if (how === 0) how = 5;
	}
	const made = isAbsent(artifacts) || artifacts === UNREADABLE ? NO_ARTIFACTS$1 : readArtifactsOf(artifacts, lost);
	const did = isAbsent(receipts) || receipts === UNREADABLE ? NO_RECEIPTS$1 : readReceiptsOf(receipts, lost);
	if (typeof taskId !== "string" && !isAbsent(taskId)) lost.wrong("taskId", "a string", taskId);
	const said = hasError && error !== UNREADABLE ? wellFormed(cut(messageOf(error))) : void 0;
	return {
		how,
		output: text,
		error: lost.after(said),
		cause: lost.cause ?? (said !== void 0 && typeof error === "object" ? error : void 0),
		hostStatus: typeof status === "string" && status !== "completed" ? wellFormed(cut(status)) : void 0,
		hostTaskId: typeof taskId === "string" && taskId !== "" ? wellFormed(cut(taskId)) : void 0,
		artifacts: made.artifacts,
		artifactsJson: made.artifactsJson,
		value: value === UNREADABLE ? void 0 : value,
		valueJson: void 0,
		receipts: did.receipts,
		receiptsJson: did.receiptsJson,
		tokens: figures.tokens,
		cost: figures.cost,
		turns: figures.turns,
		durationMs: figures.durationMs,
		byKind: figures.byKind
	};
}
const NO_NAMES = [];
function othersIn(object, known) {
	try {
		const names = Object.keys(object);
		return names.length > known ? names : NO_NAMES;
	} catch {
		return NO_NAMES;
	}
}
var DroppedFields = class {
	constructor(names) {
		this.cause = void 0;
		this.sentences = void 0;
		this.names = names;
	}
	unreadable(name, thrown) {
		if (name === "usage") {
			this.names.unreadableUsage(thrown);
			return;
		}
		if (this.sentences === void 0) this.cause = thrown;
		this.add(`the result's ${name} can't be read: ${messageOf(thrown)}`);
	}
	wrong(name, expected, got) {
		if (got !== UNREADABLE) this.add(`the result's ${name} must be ${expected}, got ${describe(got)}`);
	}
	add(sentence) {
		this.sentences ??= [];
		this.sentences.push(sentence);
	}
	after(error) {
		if (this.sentences === void 0) return error;
		return [...error === void 0 ? [] : [error], ...this.sentences].join("; ");
	}
};
function isAbsent(value) {
	return value === void 0 || value === null;
}
const NOTHING_USED = {
	tokens: -1,
	cost: -1,
	turns: -1,
	durationMs: -1,
	byKind: void 0,
	ignored: NONE_IGNORED
};
const INVALID_USE = {
	tokens: NaN,
	cost: NaN,
	turns: NaN,
	durationMs: -1,
	byKind: void 0,
	ignored: NONE_IGNORED
};
function readUsage(usage, names) {
	if (typeof usage !== "object" || usage === null || !isUsage(usage)) {
		if (usage !== UNREADABLE) names.noUsage(usage);
		return INVALID_USE;
	}
	try {
		const fields = fieldsOfUsage(usage);
		const all = othersIn(usage, knownInUsage(fields));
		const figures = all.length > 0 ? usageFigures(entriesOf(usage, all, fields), (name) => names.inUsage(name)) : ownFigures(fields);
		names.kindsInUsage(figures.ignored);
		return figures;
	} catch (thrown) {
		names.unreadableUsage(thrown);
		return INVALID_USE;
	}
}
const NO_OTHERS = [
	-1,
	-1,
	-1,
	-1,
	0
];
function ownFigures({ tokens, inputTokens, outputTokens, costUsd, cost, turns, durationMs }) {
	const [read, written] = [reading(inputTokens), reading(outputTokens)];
	const [total, hasWrong] = [totalTokens(tokens, inputTokens, outputTokens), Number.isNaN(read + written)];
	const isByKind = (read !== -1 || written !== -1) && !Number.isNaN(total);
	return {
		tokens: total,
		cost: reading(isAbsent(costUsd) ? cost : costUsd),
		turns: reading(turns),
		durationMs: reading(durationMs),
		byKind: isByKind ? {
			kinds: [
				read,
				written,
				...NO_OTHERS
			],
			modelId: void 0
		} : void 0,
		ignored: hasWrong ? wrongAmong(reading(tokens), {
			inputTokens: read,
			outputTokens: written
		}) : NONE_IGNORED
	};
}
function* entriesOf(usage, names, fields) {
	yield* Object.entries(fields);
	for (const name of names) if (!Object.hasOwn(fields, name)) yield [name, valueIn(usage, name)];
}
function valueIn(usage, name) {
	try {
		return usage[name];
	} catch {
		return UNREADABLE;
	}
}
function isUsage(usage) {
	try {
		return !Array.isArray(usage) && typeof ownOf(usage, "then", usage.then) !== "function";
	} catch {
		return false;
	}
}
const NO_ARTIFACTS$1 = {
	artifacts: void 0,
	artifactsJson: void 0
};
function readArtifactsOf(given, lost) {
	try {
		return readArtifacts("artifacts", given, (sentence) => lost.add(sentence));
	} catch (error) {
		lost.add(messageOf(error));
		return NO_ARTIFACTS$1;
	}
}
function readReceiptsOf(given, lost) {
	try {
		return readReceipts(given, (sentence) => lost.add(sentence));
	} catch (error) {
		lost.unreadable("receipts", error);
		return NO_RECEIPTS$1;
	}
}
function cut(text) {
	return text.length > 16777216 ? text.slice(0, MOST_TEXT) : text;
}
function checkValue(returned, check, maxBytes) {
	if (returned.how !== 0) return returned;
	const lack = check.mustHave?.(returned.receipts ?? []);
	if (lack !== void 0) return judged(returned, { wrong: lack });
	const checked = check.check?.(returned.value, maxBytes);
	if (checked === void 0) return returned;
	return checked instanceof Promise ? checked.then((later) => judged(returned, later)) : judged(returned, checked);
}
function judged(returned, checked) {
	if ("wrong" in checked) {
		const error = [checked.wrong, ...returned.error === void 0 ? [] : [returned.error]].join("; ");
		return {
			...returned,
			how: 5,
			error,
			value: void 0
		};
	}
	const { value, json } = checked;
	return {
		...returned,
		value,
		valueJson: json,
		output: returned.output || json
	};
}
function totalTokens(total, input, output) {
	const said = reading(total);
	if (said !== -1) return said;
	const [read, written] = [reading(input), reading(output)];
	if (read === -1 && written === -1) return -1;
	return (read === -1 ? 0 : read) + (written === -1 ? 0 : written);
}
function statusOf(status, hasError, lost, unknownStatuses) {
	if (status === UNREADABLE) return 5;
	const otherwise = hasError ? 1 : 0;
	if (isAbsent(status) || status === "") return otherwise;
	if (typeof status !== "string") {
		lost.wrong("status", "a string", status);
		return otherwise;
	}
	const meaning = meaningOf(status);
	if (meaning === void 0) unknownStatuses.note(status, hasError);
	return meaning ?? otherwise;
}
function endedAs(how, given) {
	const { ignored: _, ...used } = NOTHING_USED;
	return {
		how,
		output: "",
		error: void 0,
		cause: void 0,
		hostStatus: void 0,
		hostTaskId: void 0,
		...NO_ARTIFACTS$1,
		value: void 0,
		valueJson: void 0,
		...NO_RECEIPTS$1,
		...used,
		...given
	};
}
function invalidResult(message, cause) {
	return endedAs(5, {
		error: message,
		cause
	});
}
function nothing() {
	return endedAs(0, {
		tokens: 0,
		cost: 0,
		turns: 0
	});
}
function threw(message, cause) {
	return endedAs(howThrown(cause), {
		error: message,
		cause
	});
}
function howThrown(cause) {
	if (isSubAgentError(cause, "worker_lost")) return 6;
	return isSubAgentError(cause, "invalid_result") ? 5 : 4;
}
const runtime = globalThis;
const timers = setTimeout;
const beating = /* @__PURE__ */ new Set();
let timer;
let last = 0;
let lastUptime = 0;
let lastUsage;
function isProcess() {
	const { process: own, navigator } = runtime;
	return typeof own?.uptime === "function" && own.versions?.node !== void 0 && navigator?.userAgent !== "Cloudflare-Workers";
}
function isReal() {
	return setTimeout === timers && !("clock" in timers) && !("_isMockFunction" in timers);
}
function joinBeat(one) {
	beating.add(one);
	whenReplaced(onReplaced);
	if (timer === void 0 && isReal() && isProcess()) begin$1();
}
function leaveBeat(one) {
	beating.delete(one);
}
function onReplaced() {
	for (const one of [...beating]) one.timersReplaced();
}
function begin$1() {
	see(now());
	next();
}
function next() {
	timer = setTimeout(onBeat, BEAT_MS);
	const { unref } = timer;
	if (unref !== void 0) unref.call(timer);
	else if (runtime.Deno?.unrefTimer !== void 0) runtime.Deno.unrefTimer(timer);
	else end();
}
function end() {
	clearTimeout(timer);
	timer = void 0;
	whenPast(Number.POSITIVE_INFINITY, look);
}
function onBeat() {
	timer = void 0;
	if (beating.size === 0 || !isReal()) {
		end();
		return;
	}
	look(now());
	for (const one of [...beating]) if (beating.has(one)) one.beat();
	if (timer === void 0) next();
}
function see(at) {
	last = at;
	lastUptime = uptimeMs();
	lastUsage = runtime.process?.cpuUsage?.();
	whenPast(at + 2 * BEAT_MS, look);
}
function look(at) {
	const gap = Math.min(at - last, uptimeMs() - lastUptime);
	const used = lastUsage === void 0 ? void 0 : runtime.process?.cpuUsage?.(lastUsage);
	const stood = gap - (used === void 0 ? 0 : (used.user + used.system) / 1e3);
	see(at);
	if (gap < 2e3 || stood < 1e3 || !isReal()) return;
	for (const one of [...beating]) one.stoodStill(at, Math.round(stood));
}
function uptimeMs() {
	return (runtime.process?.uptime?.() ?? 0) * 1e3;
}
var Alarm = class {
	constructor(fire, stood, context) {
		this.clear = clearTimeout;
		this.at = 0;
		this.keepsAlive = false;
		this.isWaking = false;
		this.fire = fire;
		this.stood = stood;
		this.context = context;
		this.ring = () => {
			this.timer = void 0;
			const isEarly = now() < this.at;
			if (this.timer !== void 0) return;
			if (isEarly) this.arm();
			else this.goOff();
		};
	}
	set(at) {
		this.at = at;
		if (this.isWaking) return;
		this.disarm();
		this.arm();
	}
	keepAlive(on) {
		if (this.keepsAlive === on) return;
		this.keepsAlive = on;
		const timer = this.timer;
		if (on) timer?.ref?.();
		else timer?.unref?.();
	}
	stop() {
		this.disarm();
		this.isWaking = false;
		leaveBeat(this);
	}
	beat() {
		if (this.keepsAlive || this.isWaking || this.stood === void 0) return;
		this.stop();
		this.fire();
	}
	stoodStill(at, ms) {
		if (this.stood === void 0) this.at += ms;
		else this.stood(at, ms);
		this.disarm();
		this.isWaking = true;
		this.startTimer(() => {
			soon(() => {
				if (!this.isWaking) return;
				this.isWaking = false;
				this.timer = void 0;
				if (this.stood === void 0 && now() < this.at) this.arm();
				else this.goOff();
			});
		}, 1);
	}
	timersReplaced() {
		if (this.timer === void 0) return;
		this.disarm();
		this.isWaking = false;
		this.arm();
	}
	disarm() {
		const { timer, clear } = this;
		this.timer = void 0;
		if (timer !== void 0) clear(timer);
	}
	goOff() {
		leaveBeat(this);
		this.fire();
	}
	arm() {
		this.startTimer(this.ring, Math.min(Math.max(Math.ceil(this.at - now()), 1), LONGEST_TIMER));
		this.inContext(() => joinBeat(this));
	}
	startTimer(ring, ms) {
		this.clear = clearTimeout;
		this.timer = this.inContext(() => setTimeout(ring, ms));
		if (!this.keepsAlive) this.timer.unref?.();
	}
	inContext(body) {
		return this.context === void 0 ? body() : this.context.runInAsyncScope(body);
	}
};
function soon(body) {
	const { setImmediate } = globalThis;
	if (setImmediate === void 0) setTimeout(body, 0);
	else setImmediate(body);
}
function readPolicyCount(from) {
	return {
		name: from.text(),
		count: from.float()
	};
}
function readPolicing(from) {
	const low = from.bits(1);
	return {
		turns: from.float(),
		contextTokens: (low & 1) !== 0 ? from.float() : null,
		openTodos: from.float(),
		todos: from.text(),
		counts: (low & 2) !== 0 ? from.list(() => readPolicyCount(from)) : []
	};
}
function readTookInAll(from) {
	const low = from.bits(2);
	return {
		tokens: (low & 1) !== 0 ? from.float() : null,
		inputTokens: (low & 2) !== 0 ? from.float() : null,
		outputTokens: (low & 4) !== 0 ? from.float() : null,
		cacheReadTokens: (low & 8) !== 0 ? from.float() : null,
		cacheWriteTokens: (low & 16) !== 0 ? from.float() : null,
		cacheWrite1hTokens: (low & 32) !== 0 ? from.float() : null,
		reasoningTokens: (low & 64) !== 0 ? from.float() : null,
		estimated: (low & 128) !== 0,
		costUsd: (low & 256) !== 0 ? from.float() : null
	};
}
function figuresOf(usage, started, durationMs) {
	const known = (name) => !started || usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
	return {
		tokens: known("tokens"),
		costUsd: known("costUsd"),
		turns: known("turns"),
		durationMs: started ? durationMs : null
	};
}
function tookOf(runtime, { index, generation }, run, { tokens, costUsd }) {
	const own = {
		tokens,
		costUsd
	};
	const { tokens: all, costUsd: allUsd, ...known } = runtime.view((core) => core.tookInAll(index, generation, run), readTookInAll);
	const kinds = Object.fromEntries(Object.entries(known).filter(([, tokens]) => typeof tokens === "number" || tokens));
	if (all === null && allUsd === null) return {
		...own,
		kinds
	};
	return {
		tokens: all ?? tokens,
		costUsd: allUsd ?? costUsd,
		own,
		kinds
	};
}
function reportOf(agent, status, reason) {
	const { actor, runtime } = agent;
	const policing = agent.policing();
	const view = agent.isMain ? void 0 : runtime.lookup.snapshot(actor.index, actor.generation);
	const figures = view === void 0 ? NO_FIGURES : figuresOf(view.usage, view.startedAt !== null, view.durationMs);
	const took = view === void 0 ? {} : tookOf(runtime, actor, view.run, figures);
	return {
		taskId: view?.taskId ?? null,
		status,
		reason,
		partial: true,
		output: inlined(runtime, view?.output ?? ""),
		error: null,
		stats: stats(policing, {
			...figures,
			...took,
			turns: policing?.turns ?? null
		}),
		todos: parseTodos(policing?.todos ?? ""),
		recentMessages: [...agent.messages]
	};
}
function reportOfResult(result, agent, runtime, at) {
	const policing = runtime.view((core) => core.policing(at.index, at.generation), optional(readPolicing));
	const goingOn = runtime.view((core) => core.goingOn(at.index, at.generation), readTexts);
	return {
		taskId: result.taskId,
		status: result.status,
		reason: result.stopReason,
		partial: result.partial,
		output: inlined(runtime, outputOf(result, agent, runtime, at)),
		error: result.error ?? null,
		stats: stats(policing, {
			...result.figures,
			...tookOf(runtime, at, result.run, result.figures)
		}),
		todos: parseTodos(policing?.todos ?? ""),
		recentMessages: [...agent?.messages ?? []],
		...goingOn.length > 0 && { goingOn }
	};
}
function reportText(report) {
	return jsonForModel(report);
}
function reportOfNone(taskId, status, error) {
	return {
		taskId,
		status,
		reason: null,
		partial: false,
		output: "",
		error,
		stats: stats(void 0, NO_FIGURES),
		todos: [],
		recentMessages: []
	};
}
const NO_FIGURES = {
	tokens: null,
	costUsd: null,
	turns: null,
	durationMs: null
};
function stats(policing, took) {
	const { tokens, costUsd, own, kinds, turns, durationMs } = took;
	const { contextTokens = null, openTodos = 0, counts = [] } = policing ?? {};
	return {
		turns,
		tokens,
		...kinds,
		costUsd,
		...own !== void 0 && { own },
		durationMs: durationMs === null ? null : Math.round(durationMs),
		contextTokens,
		openTodos,
		counts: Object.fromEntries(counts.map(({ name, count }) => [name, count]))
	};
}
function outputOf(result, agent, runtime, { index, generation }) {
	const { output } = result;
	const report = output === "" ? null : madeByPolicy(result, agent, runtime, index, generation);
	if (report === null || report !== output) return output;
	const said = parseReport(report);
	return said === void 0 ? output : said.output || (said.recentMessages.at(-1) ?? "");
}
function madeByPolicy(result, agent, runtime, index, generation) {
	if (agent?.report !== void 0) return agent.report;
	if (runtime.isClosed || runtime.call((core) => core.status(index, generation)) < 0) return null;
	const { run, report } = runtime.lookup.snapshot(index, generation);
	return run === result.run ? report : null;
}
function parseReport(text) {
	if (!text.startsWith("{\"taskId\":")) return void 0;
	try {
		const { output, recentMessages, stats, status } = JSON.parse(text);
		return typeof status === "string" && typeof output === "string" && typeof stats === "object" && Array.isArray(recentMessages) ? JSON.parse(text) : void 0;
	} catch {
		return;
	}
}
function inlined(runtime, text) {
	if (text === "") return "";
	const length = runtime.write(text);
	return runtime.call((core) => core.inline(length));
}
const MESSAGES = 10;
const MESSAGE_CHARS = 500;
var Agent = class {
	constructor(runtime, actor, prompt) {
		this.messages = [];
		this.blockedBecause = void 0;
		this.report = void 0;
		this.asksForTurn = false;
		this.tools = 0;
		this.deliver = void 0;
		this.injected = [];
		this.waiting = 0;
		this.pending = void 0;
		this.isWatched = false;
		this.stopped = false;
		this.runtime = runtime;
		this.actor = actor;
		this.readPrompt = prompt;
	}
	get isStopped() {
		return this.stopped;
	}
	get isMain() {
		return this.actor.run === 0;
	}
	get prompt() {
		return this.readPrompt();
	}
	say(message) {
		this.messages.push(firstChars(message, MESSAGE_CHARS));
		if (this.messages.length > MESSAGES) this.messages.shift();
	}
	inject(text) {
		this.injected.push(text);
	}
	get hasInjected() {
		return this.injected.length > 0;
	}
	takeInjected() {
		const texts = this.injected;
		this.injected = [];
		return texts;
	}
	context(policy, extra) {
		return Object.assign(new Context(this, policy), extra);
	}
	policing() {
		const { index, generation } = this.actor;
		return this.runtime.view((core) => core.policing(index, generation), optional(readPolicing));
	}
	count(policy, limit, openTodosOnly) {
		return this.runtime.performIf(this.actor, {
			type: "count",
			policy,
			limit,
			todos: openTodosOnly
		});
	}
	rule(point, verdict) {
		if (this.runtime.isClosed || verdict === UNANSWERED) return false;
		const { answer, policy, text, reason } = verdict;
		if (answer === "block" && !point.endsWith("_tool")) this.blockedBecause ??= text;
		if (answer === "finish") this.report = text;
		return this.runtime.performIf(this.actor, {
			type: "rule",
			ruling: {
				point,
				answer,
				reason,
				policy,
				text
			}
		}) !== void 0;
	}
	wait(point) {
		if (point === "on_timeout") return {
			until: (promise) => this.until(promise, false),
			over: () => void 0
		};
		return this.isMain ? this.waitAsMain() : this.waitAsRun(point);
	}
	waitAsMain() {
		let overdue = () => void 0;
		const alarm = new Alarm(() => overdue());
		alarm.keepAlive(true);
		return {
			until: (promise) => {
				const approvalTimeoutMs = this.runtime.isClosed ? 0 : limitOf(this.runtime, "approvalTimeoutMs");
				if (approvalTimeoutMs !== Number.POSITIVE_INFINITY) alarm.set(now() + approvalTimeoutMs);
				return this.until(promise, false, ({ end }) => {
					overdue = () => end("overdue");
				});
			},
			over: () => alarm.stop()
		};
	}
	waitAsRun(point) {
		this.waiting += 1;
		return {
			until: (promise) => this.until(promise, true, () => {
				if (!this.isWatched) this.watch();
			}),
			over: () => {
				this.waiting -= 1;
				if (this.waiting > 0) return;
				this.isWatched = false;
				if (!this.runtime.isClosed && point !== "before_start") this.runtime.performIf(this.actor, {
					type: "approved",
					starting: false
				});
			}
		};
	}
	watch() {
		this.isWatched = true;
		for (const pending of this.pending ?? []) pending.isWatched = pending.isTimed;
		if (!this.runtime.isClosed) this.runtime.performIf(this.actor, { type: "await_approval" });
	}
	until(promise, isTimed, begun) {
		this.pending ??= /* @__PURE__ */ new Set();
		const { pending } = this;
		return new Promise((resolve) => {
			const one = {
				isTimed,
				isWatched: false,
				end(outcome) {
					pending.delete(one);
					resolve(outcome);
				}
			};
			pending.add(one);
			promise.then((value) => one.end({ value }), (error) => {
				if (pending.has(one)) one.end({ error });
				else this.runtime.alone(Promise.reject(error));
			});
			if (this.stopped) one.end("stopped");
			else begun?.(one);
		});
	}
	stop() {
		this.stopped = true;
		this.deliver?.([]);
		for (const one of [...this.pending ?? []]) one.end("stopped");
	}
	overdue() {
		this.isWatched = false;
		const pending = [...this.pending ?? []];
		for (const one of pending) if (one.isWatched) one.end("overdue");
		if (pending.some(({ isTimed, isWatched }) => isTimed && !isWatched)) this.watch();
	}
};
var Context = class {
	#agent;
	#policy;
	#read;
	constructor(agent, policy) {
		this.#agent = agent;
		this.#policy = policy;
	}
	get #policing() {
		this.#read ??= this.#agent.policing();
		return this.#read;
	}
	get agent() {
		return this.#agent.isMain ? "main" : "sub";
	}
	get taskId() {
		const { index, generation } = this.#agent.actor;
		return this.#agent.isMain ? null : this.#agent.runtime.lookup.taskId(index, generation);
	}
	get run() {
		return this.#agent.actor.run;
	}
	get prompt() {
		return this.#agent.prompt;
	}
	get turns() {
		return this.#policing?.turns ?? 0;
	}
	get contextTokens() {
		return this.#policing?.contextTokens ?? void 0;
	}
	get todos() {
		return parseTodos(this.#policing?.todos ?? "");
	}
	get openTodos() {
		return this.#policing?.openTodos ?? 0;
	}
	get recentMessages() {
		return [...this.#agent.messages];
	}
	count(limit, options = {}) {
		const reply = this.#agent.count(this.#policy, limit, options.openTodosOnly === true);
		if (reply?.type !== "counted") return "exhausted";
		return reply.count > 0 ? "counted" : "nothing_to_count";
	}
	report(status, reason) {
		return reportOf(this.#agent, status, reason);
	}
};
const UNANSWERED = {
	answer: "block",
	policy: "",
	text: "the run had to stop before its policies had answered",
	reason: "policy"
};
const METHODS = {
	before_spawn: "beforeSpawn",
	before_start: "beforeStart",
	before_turn: "beforeTurn",
	before_tool: "beforeTool",
	after_tool: "afterTool",
	before_end: "beforeEnd",
	on_timeout: "onTimeout"
};
const DOING = ["blockedTools", ...Object.values(METHODS)];
const FIELDS = ["name", ...DOING];
const TAKEN = {
	before_spawn: [
		"inject",
		"block",
		"finish"
	],
	before_start: [
		"inject",
		"block",
		"finish"
	],
	before_turn: [
		"inject",
		"block",
		"finish"
	],
	before_tool: [
		"inject",
		"block",
		"finish"
	],
	after_tool: [
		"inject",
		"block",
		"finish"
	],
	before_end: [
		"inject",
		"force_turn",
		"block",
		"finish"
	],
	on_timeout: ["inject", "finish"]
};
var PolicyList = class {
	#asked = /* @__PURE__ */ new Map();
	constructor(what, policies) {
		const names = /* @__PURE__ */ new Map();
		const blocked = /* @__PURE__ */ new Set();
		for (const { policy, place } of policiesOf(what, policies)) {
			const given = nameIn(policy, place);
			const count = (names.get(given) ?? 0) + 1;
			names.set(given, count);
			this.#add(policy, place, count === 1 ? given : `${given}#${count}`);
			const tools = strings(within$1(place, "blockedTools"), partOf(policy, place, "blockedTools"));
			for (const tool of tools ?? []) blocked.add(tool);
		}
		this.blockedTools = [...blocked];
	}
	#add(policy, place, name) {
		const unknownName = readArgument(place, () => unknownNameIn(policy));
		if (unknownName !== void 0) throw unknownField("a policy", unknownName, FIELDS);
		if (!readArgument(place, () => DOING.some((field) => field in policy))) throw invalid(place, `a policy with at least one of ${DOING.join(", ")}`, policy);
		for (const [point, key] of Object.entries(METHODS)) {
			const method = partOf(policy, place, key);
			if (method === void 0) continue;
			if (typeof method !== "function") throw invalid(within$1(place, key), "a function", method);
			const asked = this.#asked.get(point) ?? [];
			asked.push({
				name,
				ask: (context) => Reflect.apply(method, policy, [context])
			});
			this.#asked.set(point, asked);
		}
	}
	has(point) {
		return this.#asked.size > 0 && this.#asked.has(point);
	}
	ask(point, agent, extra) {
		const asked = this.#asked.get(point) ?? [];
		for (const [at, policy] of asked.entries()) {
			const answer = answerOf(policy, agent, extra);
			if ("later" in answer) {
				if (point !== "before_spawn") return this.#wait(point, agent, extra, at, answer.later);
				answer.later.then(void 0, () => void 0);
				return failed(point, agent, policy.name, /* @__PURE__ */ new Error("it has to answer at once here, it returned a promise"));
			}
			const verdict = judge(point, agent, policy.name, answer);
			if (verdict !== void 0) return verdict;
		}
	}
	async #wait(point, agent, extra, from, first) {
		const asked = this.#asked.get(point) ?? [];
		const waiting = agent.wait(point);
		try {
			let pending = first;
			for (let at = from; at < asked.length; at += 1) {
				const policy = asked[at];
				let outcome;
				if (pending === void 0) {
					const answer = answerOf(policy, agent, extra);
					outcome = "later" in answer ? await waiting.until(answer.later) : answer;
				} else {
					outcome = await waiting.until(pending);
					pending = void 0;
				}
				if (outcome === "stopped") return point === "before_tool" || point === "before_end" ? UNANSWERED : void 0;
				const verdict = outcome === "overdue" ? overdue(point, agent, policy.name) : judge(point, agent, policy.name, outcome);
				if (verdict !== void 0) return verdict;
			}
			return;
		} finally {
			waiting.over();
		}
	}
};
function policiesOf(what, policies) {
	if (policies === void 0) return [];
	return listOf(what, "a list of policies", policies, (policy, place) => ({
		policy: objectOf(place, policy, "an object such as { name: 'guard', beforeTurn }"),
		place
	}));
}
function within$1(place, part) {
	return place.endsWith("`") ? `${place.slice(0, -1)}.${part}\`` : `\`${part}\` of ${place}`;
}
function partOf(policy, place, part) {
	return readArgument(within$1(place, part), () => propertyOf(policy, part));
}
function nameIn(policy, place) {
	const name = partOf(policy, place, "name") ?? "policy";
	return wellFormed(textOf(within$1(place, "name"), name));
}
function unknownNameIn(policy) {
	const prototype = Object.getPrototypeOf(policy);
	const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
	return Object.keys(policy).find((key) => !FIELDS.includes(key) && (isPlain || /^(before|after|on)[A-Z]/.test(key)));
}
function answerOf(policy, agent, extra) {
	try {
		const value = policy.ask(agent.context(policy.name, extra));
		return typeof value === "object" && value !== null && typeof value.then === "function" ? { later: new Promise((resolve) => resolve(value)) } : { value };
	} catch (error) {
		return { error };
	}
}
function judge(point, agent, policy, outcome) {
	if ("error" in outcome) return failed(point, agent, policy, outcome.error);
	try {
		return read$1(point, policy, outcome.value);
	} catch (error) {
		return failed(point, agent, policy, error);
	}
}
function overdue(point, agent, policy) {
	const error = /* @__PURE__ */ new Error("it took too long to answer");
	return isGate(point) ? closed(policy, error) : failed(point, agent, policy, error);
}
function failed(point, agent, policy, error) {
	agent.runtime.report(error);
	return isGate(point) ? closed(policy, error) : void 0;
}
function isGate(point) {
	return point !== "after_tool" && point !== "on_timeout";
}
function closed(policy, error) {
	return {
		answer: "block",
		policy,
		text: reasonOf(`the policy ${policy} failed: ${messageOf(error)}`),
		reason: "policy"
	};
}
function reasonOf(text) {
	return onOneLine(text, 500);
}
function read$1(point, policy, value) {
	if (value === void 0 || value === null) return void 0;
	if (typeof value !== "object") throw new Error(`it answered ${describe(value)}`);
	const part = (name) => propertyOf(value, name);
	const [action, text, reason, report, stopReason = "policy"] = [
		"action",
		"text",
		"reason",
		"report",
		"stopReason"
	].map(part);
	if (action === "continue") return void 0;
	const answer = action;
	if (!TAKEN[point].includes(answer)) throw new Error(`it answered ${describe(action)}, here it may answer ${["continue", ...TAKEN[point]].join(", ")}`);
	const said = {
		inject: text,
		force_turn: text ?? "Take another turn before you end.",
		block: reason,
		finish: report
	}[answer];
	if (typeof said !== "string") throw new Error(`it answered ${answer} with ${describe(said)} where a text belongs`);
	if (!STOP_REASONS.includes(stopReason)) throw new Error(`it answered with the stop reason ${describe(stopReason)}`);
	const words = wellFormed(textOf("what it says", said));
	return {
		answer,
		policy,
		text: answer === "block" ? reasonOf(words) : words,
		reason: stopReason
	};
}
var Gates = class {
	constructor(runtime, sets, limits) {
		this.mains = [];
		this.runtime = runtime;
		this.sub = new PolicyList("`policies.subAgents`", sets.subAgents);
		this.policies = new PolicyList("`policies.main`", sets.main);
		this.guardSpawns = this.sub.has("before_spawn") || this.policies.has("before_spawn");
		this.limits = limits;
	}
	sessionPolicies(policies) {
		return policies === void 0 ? this.policies : new PolicyList("`policies`", policies);
	}
	openSession(actor, policies, limits) {
		this.mains[actor.index] = this.newMain(actor, policies, {
			...this.limits,
			...limits
		});
		this.guardSpawns ||= policies.has("before_spawn");
	}
	closeSession(actor) {
		this.main(actor).agent.stop();
	}
	main(actor) {
		const known = this.mains[actor.index];
		if (known?.agent.actor.generation === actor.generation) return known;
		const main = this.newMain(actor, this.policies, this.limits);
		if (known === void 0) this.mains[actor.index] = main;
		else main.agent.stop();
		return main;
	}
	newMain(actor, policies, limits) {
		const main = {
			agent: new Agent(this.runtime, actor, () => main.prompt),
			policies,
			limits,
			prompt: ""
		};
		return main;
	}
	agentOf(active) {
		if (active.agent !== void 0) return active.agent;
		const agent = new Agent(this.runtime, active, () => active.prompt());
		if (active.isAborted) agent.stop();
		active.agent = agent;
		return agent;
	}
	listFor(agent) {
		return agent.isMain ? this.main(agent.actor).policies : this.sub;
	}
	close() {
		for (const main of this.mains) main?.agent.stop();
	}
	beforeSpawn(actor, request, params) {
		const isMain = actor.run === 0;
		const list = isMain ? this.main(actor).policies : this.sub;
		if (!list.has("before_spawn")) return;
		const agent = isMain ? this.main(actor).agent : this.agentOf(actor);
		const verdict = list.ask("before_spawn", agent, {
			task: request.text,
			params
		});
		if (verdict === void 0) return;
		agent.rule("before_spawn", verdict);
		const { answer, policy, text } = verdict;
		if (answer === "inject") {
			const staged = stagedBy(request);
			staged.contextHint = staged.contextHint === void 0 || staged.contextHint === "" ? text : `${staged.contextHint}\n\n${text}`;
			return;
		}
		throw new SubAgentError("policy_blocked", text, {
			policy,
			...answer === "finish" && { report: text }
		});
	}
	start(active) {
		active.isAsked = true;
		this.runtime.hosts.noteHost(active, false);
		const agent = this.agentOf(active);
		const verdict = this.sub.ask("before_start", agent, {});
		if (verdict instanceof Promise) {
			this.runtime.alone(verdict.then((answer) => this.started(active, answer)));
			return;
		}
		this.decideStart(active, verdict);
	}
	started(active, verdict) {
		const { runtime } = this;
		if (runtime.isClosed || active.hostIsOver) return;
		const goes = (verdict === void 0 || verdict.answer === "inject") && !this.isStopping(active);
		active.starting = () => this.decideStart(active, verdict);
		if (runtime.performIf(active, {
			type: "approved",
			starting: goes
		})?.type === "later" && goes) return;
		active.takeStart()?.();
	}
	decideStart(active, verdict) {
		const agent = this.agentOf(active);
		if (verdict !== void 0) agent.rule("before_start", verdict);
		if (verdict?.answer === "inject") agent.inject(verdict.text);
		this.runtime.oncePersisted(() => {
			if (this.runtime.isClosed || active.hostIsOver) return;
			if ((verdict === void 0 || verdict.answer === "inject") && !this.isStopping(active)) this.runtime.hosts.start(active);
			else this.runtime.hosts.end(active, nothing());
		});
	}
	isStopping(active) {
		return !this.isOpen(active) || this.runtime.lookup.snapshot(active.index, active.generation).cancelRequested;
	}
	isOpen({ index, generation, run }) {
		return this.runtime.call((core) => core.isOpen(index, generation, run));
	}
	async beforeTurn(agent, take) {
		agent.asksForTurn = true;
		try {
			const verdict = await this.listFor(agent).ask("before_turn", agent, {});
			this.runtime.check();
			if (verdict !== void 0) {
				const taken = agent.rule("before_turn", verdict);
				if (verdict.answer === "inject") agent.inject(verdict.text);
				else if (taken) return refusedTurn(verdict);
			}
			const permit = await take();
			if (!permit.go) return permit;
			const inject = agent.takeInjected();
			return inject.length === 0 ? permit : {
				...permit,
				inject: [...permit.inject ?? [], ...inject]
			};
		} finally {
			agent.asksForTurn = false;
		}
	}
	async mainTurn(actor, prompt) {
		const { runtime } = this;
		runtime.check();
		const main = this.main(actor);
		const { agent, policies } = main;
		if (agent.asksForTurn) throw new SubAgentError("invalid_argument", "the last beforeTurn has not answered yet");
		if (prompt !== void 0) {
			runtime.performIf(actor, { type: "end_main" });
			main.prompt = prompt;
		}
		if ((agent.policing()?.turns ?? 0) === 0 && policies.has("before_start")) {
			agent.asksForTurn = true;
			const verdict = await policies.ask("before_start", agent, {});
			agent.asksForTurn = false;
			runtime.check();
			if (verdict !== void 0) {
				const taken = agent.rule("before_start", verdict);
				if (verdict.answer === "inject") agent.inject(verdict.text);
				else if (taken) return refusedTurn(verdict);
			}
		}
		return this.beforeTurn(agent, () => this.takeMainTurn(main));
	}
	async takeMainTurn(main) {
		const { agent, policies, limits } = main;
		const { maxTurns = UNBOUNDED, maxContextTokens = UNBOUNDED, timeoutMs = UNBOUNDED } = limits;
		const bounds = {
			turns: maxTurns,
			contextTokens: maxContextTokens,
			ms: timeoutMs
		};
		const reply = this.runtime.command(agent.actor, {
			type: "begin_main_turn",
			bounds
		});
		this.runtime.dispatch();
		if (reply.type !== "go") {
			const { reason } = reply;
			if (reason !== "policy") return {
				go: false,
				reason
			};
			return {
				go: false,
				reason,
				message: `the context has ${counted(agent.policing()?.contextTokens ?? 0, "token")}, the limit is ${maxContextTokens}`
			};
		}
		const { turn, wrapUp, inject } = reply;
		const given = inject.length > 0 ? { inject: [...inject] } : void 0;
		if (wrapUp === void 0) return {
			go: true,
			turn,
			...given
		};
		const verdict = await policies.ask("on_timeout", agent, { reason: "timeout" });
		if (agent.isStopped) return this.takeMainTurn(main);
		const report = verdict === void 0 ? void 0 : this.timeoutAnswered(agent, verdict);
		return {
			go: true,
			turn,
			wrapUp: true,
			reason: "timeout",
			...given,
			...report !== void 0 && { report }
		};
	}
	async beforeTool(agent, tool, args) {
		const { runtime } = this;
		const { index, generation, run } = agent.actor;
		runtime.check();
		expectName(tool);
		if (!agent.isMain) {
			const length = runtime.write(tool);
			if (!runtime.call((core) => core.mayUse(index, generation, run, length))) return this.toolRefused(agent);
		}
		const list = this.listFor(agent);
		const verdict = list.has("before_tool") ? await list.ask("before_tool", agent, {
			tool,
			args
		}) : void 0;
		runtime.check();
		if (verdict === UNANSWERED) checkIsLeft(agent);
		if (verdict !== void 0) {
			agent.rule("before_tool", verdict);
			if (verdict.answer === "block") return {
				allowed: false,
				reason: verdict.text
			};
			if (verdict.answer === "finish") return {
				allowed: false,
				reason: verdict.text,
				finished: true
			};
		}
		if (runtime.commandIf(agent.actor, {
			type: "begin_tool",
			name: tool
		}) === void 0) return this.toolRefused(agent);
		agent.tools += 1;
		runtime.dispatch();
		return verdict === void 0 ? { allowed: true } : {
			allowed: true,
			inject: [verdict.text]
		};
	}
	toolRefused(agent) {
		const { code, message } = this.runtime.refusal();
		if (code === "tool_blocked") agent.rule("before_tool", {
			answer: "block",
			policy: "tools",
			text: message,
			reason: "policy"
		});
		return {
			allowed: false,
			reason: message
		};
	}
	async afterTool(agent, tool, result) {
		const { runtime } = this;
		runtime.check();
		expectName(tool);
		agent.tools = Math.max(0, agent.tools - 1);
		const texts = agent.isMain ? [] : this.takeSteers(agent, agent.deliver !== void 0);
		const list = this.listFor(agent);
		const verdict = list.has("after_tool") ? await list.ask("after_tool", agent, {
			tool,
			result
		}) : void 0;
		if (verdict !== void 0) {
			runtime.check();
			agent.rule("after_tool", verdict);
			if (verdict.answer === "inject") texts.push(verdict.text);
		}
		const inject = texts.length === 0 ? {} : { inject: texts };
		if (verdict?.answer === "block") return {
			withheld: true,
			reason: verdict.text,
			...inject
		};
		return verdict?.answer === "finish" ? {
			withheld: false,
			finished: true,
			...inject
		} : {
			withheld: false,
			...inject
		};
	}
	steers(agent, waits) {
		agent.deliver?.([]);
		const texts = agent.tools > 0 ? [] : this.takeSteers(agent, true);
		if (!waits || texts.length > 0 || agent.isStopped || !this.isOpen(agent.actor)) return texts;
		return new Promise((resolve) => {
			agent.deliver = (steers) => {
				agent.deliver = void 0;
				resolve(steers);
			};
		});
	}
	steered(active) {
		const agent = active.agent;
		if (agent?.deliver === void 0 || agent.tools > 0) return;
		const texts = this.takeSteers(agent, true);
		if (texts.length > 0) agent.deliver(texts);
	}
	takeSteers(agent, listens) {
		const reply = this.runtime.commandIf(agent.actor, {
			type: "end_tool",
			listens
		});
		this.runtime.dispatch();
		return reply?.type === "steered" ? [...reply.texts] : [];
	}
	async beforeEnd(agent, output) {
		const { runtime } = this;
		runtime.check();
		textOf("`output`", output);
		const list = this.listFor(agent);
		const verdict = list.has("before_end") ? await list.ask("before_end", agent, { output }) : void 0;
		runtime.check();
		if (verdict === UNANSWERED) checkIsLeft(agent);
		if (verdict !== void 0) {
			agent.rule("before_end", verdict);
			if (verdict.answer === "inject" || verdict.answer === "force_turn") return {
				end: false,
				inject: [verdict.text]
			};
		}
		if (agent.isMain) runtime.performIf(agent.actor, { type: "end_main" });
		if (verdict === void 0) return {
			end: true,
			output
		};
		return verdict.answer === "finish" ? {
			end: true,
			output: verdict.text
		} : {
			end: true,
			output: "",
			reason: verdict.text
		};
	}
	timedOut(active, reason) {
		if (!this.sub.has("on_timeout")) return;
		const agent = this.agentOf(active);
		const verdict = this.sub.ask("on_timeout", agent, { reason });
		const answered = (verdict) => {
			if (verdict !== void 0) this.timeoutAnswered(agent, {
				...verdict,
				reason
			});
		};
		if (verdict instanceof Promise) this.runtime.alone(verdict.then(answered));
		else answered(verdict);
	}
	timeoutAnswered(agent, verdict) {
		agent.rule("on_timeout", verdict);
		if (verdict.answer === "finish") return verdict.text;
		agent.inject(verdict.text);
	}
};
const UNBOUNDED = Number.POSITIVE_INFINITY;
function checkIsLeft({ actor }) {
	if (actor.isLeft === true) throw leftBehind("asks its policies");
}
function refusedTurn({ answer, text, reason }) {
	return answer === "finish" ? {
		go: false,
		reason,
		report: text
	} : {
		go: false,
		reason,
		message: text
	};
}
function expectName(tool) {
	if (typeof tool !== "string" || tool === "") throw invalid("a tool's name", "a text such as 'read_file'", tool);
	textOf("a tool's name", tool);
}
function isCheap(Storage) {
	const { versions } = globalThis.process ?? {};
	return versions?.node !== void 0 && versions.bun === void 0 && versions.deno === void 0 && !("_enable" in Storage.prototype);
}
var Following = class {
	constructor(wanted) {
		const Storage = wanted === false ? void 0 : storageClass();
		if (Storage !== void 0 && (wanted === true || isCheap(Storage))) this.storage = new Storage();
	}
	run(active, body, given) {
		if (this.storage === void 0) body(given);
		else this.storage.run(active, body, given);
	}
	get present() {
		const active = this.storage?.getStore();
		return active === void 0 || active.hostIsOver ? void 0 : active;
	}
};
function storageClass() {
	try {
		return globalThis.process?.getBuiltinModule?.("async_hooks")?.AsyncLocalStorage;
	} catch {
		return;
	}
}
function weakly(target) {
	return typeof WeakRef === "undefined" ? { deref: () => target } : new WeakRef(target);
}
var Collected = class {
	constructor(collected) {
		this.registry = typeof FinalizationRegistry === "undefined" ? void 0 : new FinalizationRegistry(collected);
	}
	watch(target, held) {
		this.registry?.register(target, held, target);
	}
	unwatch(target) {
		this.registry?.unregister(target);
	}
};
function readEffect(from) {
	switch (from.byte()) {
		case 0: return {
			type: "run_retried",
			task: from.key(),
			run: from.number(),
			reason: from.name(STOP_REASONS)
		};
		case 1: return {
			type: "wait_over",
			wait: from.key(),
			timedOut: from.flag(),
			targets: from.list(() => ({
				state: from.name(TARGET_STATES),
				question: from.flag() ? from.text() : void 0
			}))
		};
		case 2: return {
			type: "ask_done",
			task: from.key(),
			run: from.number(),
			answer: from.flag() ? from.text() : void 0,
			timedOut: from.flag()
		};
		case 3: return {
			type: "timed_out",
			task: from.key(),
			run: from.number(),
			reason: from.name(STOP_REASONS)
		};
		case 4: return {
			type: "approval_over",
			task: from.key(),
			run: from.number()
		};
		case 5: return {
			type: "wake",
			session: from.key()
		};
		default: throw new Error("an effect of an unknown kind");
	}
}
var ManagerRef = class {
	constructor(runtime) {
		this.manager = runtime;
	}
	get runtime() {
		return this.manager;
	}
	shut() {
		this.manager = void 0;
	}
};
const hosts = [];
const free = [];
let collected$1;
let current;
function attach(runtime, door, alarm) {
	const host = free.pop() ?? hosts.length;
	hosts[host] = weakly(door);
	collected$1 ??= new Collected(({ host, alarm }) => {
		alarm.stop();
		detach(host);
	});
	collected$1.watch(runtime, {
		host,
		alarm
	});
	return host;
}
function release(runtime) {
	collected$1?.unwatch(runtime);
	runtime.door.shut();
	detach(runtime.host);
}
function detach(host) {
	if (hosts[host] === void 0) return;
	hosts[host] = void 0;
	free.push(host);
}
function livingIn(instance) {
	return hosts.flatMap((door) => door?.deref()?.runtime ?? []).filter((runtime) => runtime.instance === instance);
}
function enter(runtime) {
	const outer = current;
	current = runtime;
	withinCore(true);
	return outer;
}
function leave(outer) {
	current = outer;
	if (outer === void 0) withinCore(false);
}
function isInside() {
	return current !== void 0;
}
function find(host) {
	return current !== void 0 && current.host === host ? current : hosts[host]?.deref()?.runtime;
}
function startRun(host, index, generation, run, knowsTools) {
	find(host)?.runs.startRun(index, generation, run, knowsTools);
}
function abortRun(host, index, generation, run, reason) {
	find(host)?.runs.abortRun(index, generation, run, reason);
}
function turnReady(host, index, generation, run) {
	return find(host)?.runs.turnReady(index, generation, run) === true;
}
function taskGone(host, index, generation, forgotten) {
	const runtime = find(host);
	if (forgotten) runtime?.sessionData.taskForgotten(index, generation);
	runtime?.resources.taskGone();
	runtime?.contexts.taskGone(index, generation);
	runtime?.signals.taskGone(index, generation);
}
function effect(host, at) {
	find(host)?.effect(at);
}
function reportRefusal(host) {
	find(host)?.reportRefusal();
}
function wakeAt(host, at) {
	find(host)?.wakeAt(at);
}
function waitDone(host, wait, timedOut) {
	find(host)?.waits.done(wait, timedOut);
}
function runEnded(host, row) {
	return find(host)?.runs.runEnded(row) === true;
}
function batchDelivered(host) {
	find(host)?.runs.batchDelivered();
}
function facts(host, at, length, texts) {
	find(host)?.listeners.facts(at, length, texts);
}
function consumerGate(host, params) {
	const runtime = find(host);
	return runtime === void 0 || runtime.consumerGate(params);
}
function makeTool(host, described, make) {
	return find(host)?.makeTool(described, make);
}
var Listeners = class {
	constructor(runtime, scratch) {
		this.listeners = [];
		this.reader = void 0;
		this.runtime = runtime;
		this.scratch = scratch;
	}
	get listening() {
		return this.reader !== void 0;
	}
	subscribe(listener, makeReader) {
		this.runtime.check();
		const since = this.runtime.journal?.factsBefore ?? this.runtime.call((core) => core.factCount());
		if (this.listeners.length === 0) {
			this.runtime.journal?.gather(false);
			this.reader = makeReader(this.runtime, this.scratch, since);
			this.runtime.runs.keepOutputs(this.runtime.journal === void 0);
			this.runtime.call((core) => core.listen(true));
		}
		const entry = {
			listener,
			context: present(),
			since,
			isOver: false
		};
		this.listeners = [...this.listeners, entry];
		return () => {
			entry.isOver = true;
			this.listeners = this.listeners.filter((other) => other !== entry);
			if (this.listeners.length === 0 && !this.runtime.isClosed) {
				this.reader = void 0;
				this.runtime.runs.keepOutputs(false);
				if (this.runtime.journal === void 0) this.runtime.call((core) => core.listen(false));
				else this.runtime.journal.gather(true);
			}
		};
	}
	facts(at, length, texts) {
		const { journal } = this.runtime;
		if (journal === void 0) this.hand(this.reader?.read(at, length, texts));
		else if (length === 0) journal.scheduleWrite();
		else {
			const facts = journal.take(at, length);
			if (!journal.isSync) this.notify(facts);
		}
	}
	notify(facts) {
		this.hand(this.reader?.readKept(facts));
	}
	hand(events = []) {
		const [first, second] = this.listeners;
		if (first === void 0) return;
		if (second === void 0) within(first, () => this.notifyAll(first, events));
		else for (const event of events) this.notifyEach(event);
	}
	notifyAll(entry, events) {
		for (const event of events) this.notifyOne(entry, event);
	}
	notifyEach(event) {
		for (const entry of this.listeners) within(entry, () => this.notifyOne(entry, event));
	}
	notifyOne(entry, event) {
		if (!entry.isOver && event.seq > entry.since) this.runtime.notify(entry.listener, event);
	}
	clear() {
		for (const entry of this.listeners) entry.isOver = true;
		this.listeners = [];
		this.reader = void 0;
	}
};
function within({ context }, body) {
	if (context === void 0) body();
	else context.runInAsyncScope(body);
}
function instantOf({ ahead }) {
	return Math.floor(now()) + ahead;
}
function waitOf(reply) {
	if (reply?.type !== "waiting" && reply?.type !== "closing") return -2;
	return reply.wait === void 0 ? -2 : packed(reply.wait);
}
const LABEL_BYTES = 200;
const NO_REFUSALS = [
	"disposed",
	"internal",
	"store_failed"
];
var Refusals = class {
	constructor(runtime) {
		this.listeners = /* @__PURE__ */ new Set();
		this.reported = /* @__PURE__ */ new WeakSet();
		this.runtime = runtime;
	}
	listen(listener) {
		const entry = { listener: bound(listener) };
		this.listeners.add(entry);
		return () => {
			this.listeners.delete(entry);
		};
	}
	report(operation, actor, about, error) {
		const { runtime } = this;
		if (this.listeners.size === 0 || runtime.isClosed || !(error instanceof SubAgentError) || NO_REFUSALS.includes(error.code)) return;
		if (this.reported.has(error)) return;
		this.reported.add(error);
		const label = typeof about === "function" ? about() : about;
		const { index, generation, run } = actor;
		const refusal = {
			seq: runtime.call((core) => core.factCount()),
			at: instantOf(runtime),
			operation,
			code: error.code,
			message: error.message,
			by: run === 0 ? null : runtime.lookup.taskId(index, generation),
			sessionKey: runtime.lookup.sessionKey(index, generation),
			label: label === null ? null : headOf(label, LABEL_BYTES)
		};
		for (const { listener } of this.listeners) runtime.notify(listener, refusal);
	}
	clear() {
		this.listeners.clear();
	}
};
function besideOutput({ error, hostStatus, artifactsJson, valueJson, receiptsJson, hostTaskId }) {
	if (error === void 0 && hostStatus === void 0 && artifactsJson === void 0 && valueJson === void 0 && receiptsJson === void 0 && hostTaskId === void 0) return void 0;
	return [
		error,
		hostStatus,
		artifactsJson,
		valueJson,
		receiptsJson,
		hostTaskId
	];
}
var Scratch = class {
	constructor(core, memory) {
		this.view = /* @__PURE__ */ new Uint8Array(0);
		this.whole = /* @__PURE__ */ new Uint8Array(0);
		this.numbers = /* @__PURE__ */ new Float64Array(0);
		this.encoder = new TextEncoder();
		this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		this.lengths = {
			output: 0,
			beside: 0
		};
		this.core = core;
		this.memory = memory;
	}
	write(text, start = 0) {
		const most = start + text.length * 3;
		if (this.view.length < most || this.view.length === 0) this.grow(most);
		return this.encoder.encodeInto(text, start === 0 ? this.view : this.view.subarray(start)).written;
	}
	writeLeft(left) {
		const { lengths } = this;
		const texts = besideOutput(left);
		if (texts !== void 0) this.makeRoom(left.output, texts);
		lengths.output = this.write(left.output);
		lengths.beside = texts === void 0 ? 0 : this.writeBeside(texts, lengths.output);
		return lengths;
	}
	makeRoom(output, texts) {
		const most = texts.reduce((sum, text) => sum + 4 + 3 * (text?.length ?? 0), 3 * output.length);
		if (this.view.length < most) this.grow(most);
	}
	writeBeside(texts, start) {
		let at = start;
		for (const text of texts) {
			const length = text === void 0 ? -1 : this.write(text, at + 4);
			for (let byte = 0; byte < 4; byte += 1) this.view[at + byte] = length >>> 8 * byte;
			at += 4 + Math.max(0, length);
		}
		return at - start;
	}
	writeBytes(bytes) {
		if (this.view.length < bytes.length || this.view.length === 0) this.grow(bytes.length);
		this.view.set(bytes);
		return bytes.length;
	}
	renew() {
		this.view = /* @__PURE__ */ new Uint8Array(0);
	}
	read(at, length) {
		return length === 0 ? "" : this.decoder.decode(new Uint8Array(this.memory.buffer, at, length));
	}
	memoryView() {
		if (this.whole.length === 0) this.whole = new Uint8Array(this.memory.buffer);
		return this.whole;
	}
	numbersView() {
		if (this.numbers.length === 0) this.numbers = new Float64Array(this.memory.buffer);
		return this.numbers;
	}
	copyBehind(room, at, length) {
		const copy = new Uint8Array(room + length);
		copy.set(new Uint8Array(this.memory.buffer, at, length), room);
		return copy;
	}
	get memoryBytes() {
		return this.memory.buffer.byteLength;
	}
	free() {
		this.view = /* @__PURE__ */ new Uint8Array(0);
		this.whole = /* @__PURE__ */ new Uint8Array(0);
		this.numbers = /* @__PURE__ */ new Float64Array(0);
		this.core = void 0;
		this.memory = { buffer: /* @__PURE__ */ new ArrayBuffer(0) };
	}
	grow(bytes) {
		const room = Math.max(bytes, 4096);
		const at = this.core.scratch(room);
		this.view = new Uint8Array(this.memory.buffer, at, room);
	}
};
var Followed = class {
	#signal;
	#followers = /* @__PURE__ */ new Set();
	constructor(signal) {
		this.#signal = signal;
	}
	#fire = () => {
		const followers = [...this.#followers];
		for (const follower of followers) this.leave(follower);
		for (const follower of followers) follower.deref()?.fire();
	};
	join(follower) {
		this.#followers.add(follower);
		if (this.#followers.size === 1) this.#signal.addEventListener("abort", this.#fire, { once: true });
	}
	leave(follower) {
		if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
		if (followed.get(this.#signal) === this) followed.delete(this.#signal);
		this.#signal.removeEventListener("abort", this.#fire);
	}
};
const followed = /* @__PURE__ */ new WeakMap();
let collected;
function call(leave) {
	leave();
}
function join(signal, follower) {
	let on = followed.get(signal);
	if (on === void 0) {
		on = new Followed(signal);
		followed.set(signal, on);
	}
	const joined = on;
	joined.join(follower);
	return () => joined.leave(follower);
}
function follow(signal, fire) {
	const follower = { fire };
	return join(signal, { deref: () => follower });
}
var Signals = class {
	#followers = /* @__PURE__ */ new Map();
	#idle = /* @__PURE__ */ new Map();
	follow(signal, fire) {
		const follower = { fire };
		const leave = join(signal, weakly(follower));
		const end = () => {
			this.#followers.delete(end);
			collected?.unwatch(follower);
			leave();
		};
		this.#followers.set(end, follower);
		collected ??= new Collected(call);
		collected.watch(follower, leave);
		return end;
	}
	keepIdle(active, signal) {
		const { runtime, index, generation } = active;
		const end = this.follow(signal, () => cancelActive(active));
		active.unfollow?.();
		active.unfollow = end;
		runtime.call((core) => core.notifyForgotten());
		this.#idle.get(index)?.unfollow?.();
		this.#idle.set(index, active);
		const status = runtime.call((core) => core.status(index, generation));
		if (status < 0 || TASK_STATUSES[status] === "closed") this.taskGone(index, generation);
	}
	taskGone(index, generation) {
		if (this.#idle.size === 0) return;
		const active = this.#idle.get(index);
		if (active?.generation !== generation) return;
		this.#idle.delete(index);
		active.unfollow?.();
	}
	clear() {
		for (const end of [...this.#followers.keys()]) end();
		for (const active of this.#idle.values()) active.unfollow?.();
		this.#idle.clear();
	}
};
function followSignal(active, signal) {
	const end = follow(signal, () => {
		if (active.index === 0) active.abortedEarly = true;
		else if (!isOfMove(active.runtime, signal)) cancelActive(active);
	});
	active.unfollow = () => {
		active.unfollow = void 0;
		end();
	};
}
function cancelActive(active) {
	const { runtime, call } = active;
	if (runtime.isClosed) return;
	try {
		if (call !== void 0) runtime.waits.abortCall(call, active).catch(() => void 0);
		else runtime.waits.cancel(PROGRAM, active, "signal_aborted").catch(() => void 0);
	} catch {}
}
function requested(runtime, actor, options) {
	try {
		return readSpawn(options, runtime);
	} catch (wrong) {
		const error = withRightCall(wrong);
		runtime.refusals.report("spawn", actor, () => textIn(options), error);
		throw error;
	}
}
function spawn(runtime, actor, request, given) {
	try {
		return begin(runtime, actor, request, given);
	} catch (error) {
		runtime.refusals.report("spawn", actor, request.staged?.label ?? request.text ?? null, error);
		throw error;
	}
}
function begin(runtime, actor, request, given) {
	runtime.check();
	const mayBeStopped = request.signal !== void 0 || actor.run !== 0;
	if (mayBeStopped) expectNotStopped(runtime, actor, request);
	const params = wellFormedParams(request, given);
	if (!runtime.seeded) seed(runtime);
	if (runtime.functions.checkConsumerSpawn !== void 0) expectAllowed(runtime, params);
	if (runtime.gates.guardSpawns) {
		runtime.gates.beforeSpawn(actor, request, params);
		runtime.check();
	}
	if (mayBeStopped) expectNotStopped(runtime, actor, request);
	if (runtime.functions.spawnSubAgent === void 0) expectHost(runtime, request);
	const active = new ActiveRun(runtime, params, request);
	if (request.watch !== void 0) active.watch = request.watch;
	if (request.call !== void 0) active.call = request.call;
	if (request.signal !== void 0) followUnfired(active, request.signal);
	if (request.staged !== void 0) stage(runtime, active, request.staged);
	return admit(runtime, actor, request, active);
}
function admit(runtime, actor, request, active) {
	const { staged, text } = request;
	const length = text === void 0 ? 0 : runtime.write(text);
	const flags = (request.background ? 1 : 0) | (text === void 0 ? 2 : 0) | (staged === void 0 ? 0 : 4) | (staged?.idempotencyKey === void 0 ? 0 : 64) | request.answers;
	const outer = enter(runtime);
	let packed;
	try {
		packed = runtime.core.begin(now(), actor.index, actor.generation, actor.run, flags, length, request.tokens, request.cost, request.turns);
	} catch (error) {
		throw runtime.poison(error);
	} finally {
		leave(outer);
	}
	if (packed === -1) {
		active.unfollow?.();
		throw runtime.refusal();
	}
	const answer = packed < 0 ? repeated(runtime, active, request, keyOf(-2 - packed)) : admitted(runtime, active, request, packed);
	const inVain = packed >= 0 && staged?.disallowedTools !== void 0 ? deniedInVain(runtime, active.index) : void 0;
	const outerContext = runtime.contexts.enter(packed < 0 ? void 0 : active);
	runtime.dispatch();
	runtime.contexts.leave(outerContext);
	runtime.expectSound();
	if (inVain !== void 0) runtime.denials.report(runtime, inVain, "disallowedTools");
	return answer;
}
function expectAllowed(runtime, params) {
	const answer = askConsumer(runtime, params);
	if (answer !== true) throw new SubAgentError("spawn_denied", answer || "the host refused this spawn", { reason: answer || null });
	runtime.check();
}
function followUnfired(active, signal) {
	followSignal(active, signal);
	if (active.abortedEarly) throw firedAlready(signal);
}
function stage(runtime, active, staged) {
	if (runtime.call((core) => core.stage(staged))) return;
	active.unfollow?.();
	throw runtime.refusal();
}
function admitted(runtime, active, { text, schema, signal }, packed) {
	active.index = indexOf(packed);
	active.generation = generationOf(packed);
	if (schema !== void 0) runtime.sessionData.check(active.index, active.generation, schema);
	if (text === void 0) {
		if (signal !== void 0) runtime.signals.keepIdle(active, signal);
	} else {
		active.run = 1;
		runtime.contexts.keep(active);
		runtime.runs.keep(active);
	}
	return active;
}
function repeated(runtime, active, request, key) {
	active.unfollow?.();
	request.repeated = true;
	const known = lastRunOf(runtime, key);
	const { schema } = request;
	if (schema !== void 0 && runtime.journal?.goesOn === true && !known.hostOpen && known.check === void 0) runtime.sessionData.check(key.index, key.generation, schema);
	return known;
}
function expectNotStopped(runtime, { index, generation, run }, { signal, background }) {
	if (signal?.aborted === true) throw firedAlready(signal);
	if (run !== 0) runtime.ask((core) => core.mayStart(index, generation, run, background));
}
function firedAlready(signal) {
	return new SubAgentError("aborted", "the signal of this spawn has fired already, so nothing was started", {}, { cause: signal.reason });
}
function wellFormedParams({ staged, text }, params) {
	return staged !== void 0 || text?.includes("�") === true ? wellFormedIn(params) : params;
}
function expectHost({ functions }, { text, background, staged }) {
	if (text === void 0 || staged?.driven === true || background && functions.spawnBackgroundSubAgent !== void 0) return;
	throw new SubAgentError("invalid_argument", `the manager was made without \`spawnSubAgent\`, so nothing can run a sub-agent: \`new SubAgentManager({ spawnSubAgent: async ({ instructions }, run) => ({ output }) })\``, { argument: "spawnSubAgent" });
}
function lastRunOf(runtime, { index, generation }) {
	const open = runtime.runs.activeOf(index, generation);
	if (open !== void 0) return open;
	const active = new ActiveRun(runtime, void 0);
	active.index = index;
	active.generation = generation;
	active.run = runtime.call((core) => core.lastRun(index, generation));
	return active;
}
function askConsumer(runtime, params) {
	const gate = runtime.functions.checkConsumerSpawn;
	if (gate === void 0) return true;
	try {
		const answer = gate(params);
		if (typeof answer !== "object" || answer === null) return `checkConsumerSpawn must return { allowed }, it returned ${describe(answer)}`;
		const { allowed: said, reason: why } = answer;
		if (said === true && Object.getPrototypeOf(answer) === Object.prototype && !("allowed" in Object.prototype)) return true;
		const [allowed, reason] = [ownOf(answer, "allowed", said), ownOf(answer, "reason", why)];
		if (allowed === true) return true;
		if (allowed === false) return typeof reason === "string" && reason !== "" ? reason : false;
		if (typeof answer.then === "function") {
			answer.then(void 0, () => void 0);
			return "checkConsumerSpawn must answer at once, it returned a promise";
		}
		return `checkConsumerSpawn must return { allowed: boolean }, allowed is ${describe(allowed)}`;
	} catch (error) {
		runtime.report(error);
		return `checkConsumerSpawn failed: ${messageOf(error)}`;
	}
}
function seed(runtime) {
	runtime.mutateOrThrow((core) => core.seed(now()));
	runtime.seeded = true;
}
function readRunUsage(from) {
	const low = from.bits(2);
	return {
		tokens: (low & 1) !== 0 ? from.float() : 0,
		costUsd: (low & 2) !== 0 ? from.float() : 0,
		turns: (low & 4) !== 0 ? from.float() : 0,
		inputTokens: (low & 8) !== 0 ? from.float() : null,
		outputTokens: (low & 16) !== 0 ? from.float() : null,
		cacheReadTokens: (low & 32) !== 0 ? from.float() : null,
		cacheWriteTokens: (low & 64) !== 0 ? from.float() : null,
		cacheWrite1hTokens: (low & 128) !== 0 ? from.float() : null,
		reasoningTokens: (low & 256) !== 0 ? from.float() : null,
		estimated: (low & 512) !== 0,
		unknown: from.dimensions(),
		invalid: from.dimensions()
	};
}
function readRunReservation(from) {
	return {
		tokens: from.float(),
		costUsd: from.float(),
		turns: from.float()
	};
}
function readLingeringRun(from) {
	const low = from.bits(1);
	return {
		run: from.number(),
		abandoned: (low & 1) !== 0,
		holdsSlot: (low & 2) !== 0,
		usage: readRunUsage(from),
		reserved: readRunReservation(from)
	};
}
function readBudgetDimension(from) {
	const low = from.bits(1);
	return {
		cap: (low & 1) !== 0 ? from.float() : Infinity,
		spent: (low & 2) !== 0 ? from.float() : 0,
		reserved: (low & 4) !== 0 ? from.float() : 0,
		available: (low & 8) !== 0 ? from.float() : Infinity,
		overspent: (low & 16) !== 0 ? from.float() : 0
	};
}
function readBudgetAccount(from) {
	return {
		tokens: readBudgetDimension(from),
		costUsd: readBudgetDimension(from),
		turns: readBudgetDimension(from)
	};
}
function readTaskSnapshot(from) {
	const low = from.bits(3);
	const middle = from.bits(3);
	const taskId = from.id();
	const parentId = (low & 1) !== 0 ? from.id() : null;
	const sessionKey = (low & 2) !== 0 ? from.text() : null;
	const label = from.text();
	const nickname = (low & 4) !== 0 ? from.text() : null;
	const status = from.name(TASK_STATUSES);
	const parked = (low & 8) !== 0 ? from.name(PARK_REASONS) : null;
	const waitingFor = (low & 16) !== 0 ? from.name(WAITING_FOR) : null;
	const cancelRequested = (low & 32) !== 0;
	const stopReason = (low & 64) !== 0 ? from.name(STOP_REASONS) : null;
	const raisedBy = (low & 128) !== 0 ? from.text() : null;
	const background = (low & 256) !== 0;
	const depth = from.number();
	const run = from.number();
	const turns = (low & 512) !== 0 ? from.float() : 0;
	const instructions = from.textUnless(label);
	const contextHint = from.text();
	const output = from.text();
	return {
		taskId,
		parentId,
		sessionKey,
		label,
		nickname,
		status,
		parked,
		waitingFor,
		cancelRequested,
		stopReason,
		raisedBy,
		background,
		depth,
		run,
		turns,
		instructions,
		contextHint,
		output,
		partial: (low & 1024) !== 0,
		truncated: (low & 2048) !== 0,
		error: (low & 4096) !== 0 ? from.text() : null,
		hostStatus: (low & 8192) !== 0 ? from.text() : null,
		artifacts: (low & 16384) !== 0 ? from.json() : [],
		value: (low & 32768) !== 0 ? from.json() : null,
		receipts: (low & 65536) !== 0 ? from.json() : [],
		hostTaskId: (low & 131072) !== 0 ? from.text() : null,
		hostStillRunning: (low & 262144) !== 0,
		lingering: (low & 524288) !== 0 ? from.list(() => readLingeringRun(from)) : [],
		lateResult: (low & 1048576) !== 0 ? from.text() : null,
		progress: (low & 2097152) !== 0 ? from.text() : null,
		contextTokens: (low & 4194304) !== 0 ? from.float() : null,
		tools: (low & 8388608) !== 0 ? from.texts() : null,
		systemPrompt: (middle & 1) !== 0 ? from.text() : null,
		profile: from.textUnless("minimal"),
		modelId: (middle & 2) !== 0 ? from.text() : null,
		effort: (middle & 4) !== 0 ? from.text() : null,
		agent: (middle & 8) !== 0 ? from.text() : null,
		metadata: (middle & 16) !== 0 ? from.json() : null,
		mustHave: (middle & 32) !== 0 ? from.json() : null,
		rateLimitKey: (middle & 64) !== 0 ? from.text() : null,
		disallowedTools: (middle & 128) !== 0 ? from.texts() : null,
		released: (middle & 256) !== 0,
		format: from.textUnless("text"),
		report: (middle & 512) !== 0 ? from.text() : null,
		maxTurns: (middle & 1024) !== 0 ? from.float() : Infinity,
		queueSize: from.number(),
		question: (middle & 2048) !== 0 ? from.text() : null,
		undelivered: (middle & 4096) !== 0 ? from.texts() : [],
		queuedPreview: (middle & 8192) !== 0 ? from.texts() : [],
		lastInput: (middle & 16384) !== 0 ? from.textUnless(instructions) : null,
		lastOutput: (middle & 32768) !== 0 ? from.textUnless(output) : null,
		onParentEnd: from.name(ON_PARENT_END),
		createdAt: (middle & 65536) !== 0 ? from.time() : null,
		startedAt: (middle & 131072) !== 0 ? from.time() : null,
		endedAt: (middle & 262144) !== 0 ? from.time() : null,
		updatedAt: (middle & 524288) !== 0 ? from.time() : null,
		durationMs: (middle & 1048576) !== 0 ? from.float() : null,
		usage: readRunUsage(from),
		budget: readBudgetAccount(from)
	};
}
const readId = (from) => from.idInBytes();
const readTools = (from) => from.tools();
var Lookup = class {
	constructor(runtime) {
		this.sessions = /* @__PURE__ */ new Map();
		this.runtime = runtime;
	}
	resolve(actor, target) {
		const id = idOf(target);
		this.runtime.check();
		if (typeof id !== "string") throw invalid("a target", "an id or a handle", id);
		const length = this.runtime.write(isWellFormed(id) ? id.slice(0, 160) : "");
		const { index, generation, run } = actor;
		const found = this.runtime.call((core) => core.find(index, generation, run, length));
		if (found < 0) {
			const refusal = this.runtime.refusal();
			if (refusal.code === "ambiguous_nickname") throw refusal;
			const hint = id !== target && refusal.code === "unknown_task" ? "; a handle must be of this manager, and not of another one or of another copy of the package" : "";
			throw withModelText(new SubAgentError(refusal.code, `${refusal.message}: ${describe(id)}${hint}`, {
				...refusal.details,
				taskId: id
			}), `${modelTextOf(refusal)}: ${describe(id)}`);
		}
		return keyOf(found);
	}
	nameOf(actor, { nickname, taskId }) {
		if (nickname === null) return taskId;
		const length = this.runtime.write(nickname);
		const means = this.runtime.call((core) => core.find(actor.index, actor.generation, actor.run, length));
		if (means < 0) return taskId;
		const { index, generation } = keyOf(means);
		return this.taskId(index, generation) === taskId ? nickname : taskId;
	}
	taskId(index, generation) {
		const { idKey, ownIds } = this.runtime;
		if (idKey === void 0) return this.runtime.view((core) => core.taskId(index, generation), readId);
		return ownIds?.get(packed({
			index,
			generation
		})) ?? taskIdOf(idKey, index, generation);
	}
	tools(index, generation) {
		return this.runtime.view((core) => core.tools(index, generation), readTools);
	}
	snapshot(index, generation) {
		return this.runtime.view((core) => core.get(index, generation, now()), readTaskSnapshot);
	}
	snapshotIf(index, generation) {
		return this.runtime.viewIf((core) => core.get(index, generation, now()), readTaskSnapshot);
	}
	snapshotOf(actor, target) {
		const id = idOf(target);
		this.runtime.check();
		if (typeof id === "string" && id.length <= 160 && isWellFormed(id)) {
			const length = this.runtime.write(id);
			const { index, generation, run } = actor;
			const view = this.runtime.viewIf((core) => core.getNamed(index, generation, run, length, now()), readTaskSnapshot);
			if (view !== void 0) return view;
		}
		const { index, generation } = this.resolve(actor, target);
		this.runtime.ask((core) => core.reaches(actor.index, actor.generation, actor.run, index, generation));
		return this.snapshot(index, generation);
	}
	seen(taskId) {
		const { index, generation } = this.resolve(PROGRAM, taskId);
		return this.snapshot(index, generation);
	}
	about(index, generation) {
		const view = this.snapshotIf(index, generation);
		if (view === void 0) return void 0;
		const { label, parentId, metadata } = view;
		return {
			label,
			parentId,
			metadata,
			sessionKey: this.sessionKey(index, generation)
		};
	}
	sessionKey(index, generation) {
		return this.runtime.call((core) => core.sessionKey(index, generation)) ?? null;
	}
	openSession(key) {
		this.runtime.check();
		const opened = this.runtime.command(PROGRAM, {
			type: "open_session",
			key
		});
		this.runtime.dispatch();
		const session = {
			...opened.key,
			run: 0
		};
		this.sessions.set(session.index, {
			generation: session.generation,
			key
		});
		return session;
	}
	eventId(index, generation) {
		if (this.sessions.get(index)?.generation === generation) return null;
		return this.runtime.call((core) => core.eventId(index, generation)) ?? null;
	}
};
const MOST$1 = 100;
const USAGE = [
	"tokens",
	...TOKEN_KINDS,
	"costUsd",
	"turns"
];
function nearlyInResult(name) {
	return RESULT_NAMES.includes(name) ? void 0 : nearMissOf(name, RESULT_NAMES);
}
var UnknownNames = class {
	constructor(report) {
		this.seen = /* @__PURE__ */ new Set();
		this.report = report;
	}
	inUsage(name) {
		this.once(`usage.${name}`, (argument) => unknownPart(`the \`usage\` of a result has no \`${name}\`, so it is not booked`, name, USAGE, { argument }));
	}
	inResult(name) {
		const suggestion = nearlyInResult(name);
		if (suggestion === void 0) return;
		const message = `a result has no \`${name}\`, so it is not read; did you mean \`${suggestion}\`?`;
		this.once(name, (argument) => new SubAgentError("invalid_argument", message, {
			argument,
			suggestion
		}));
	}
	inReport(name) {
		const message = `\`${name}\` in a report of a main agent must be a number of at least 0: nothing was booked for it`;
		this.once(`report.${name}`, () => new SubAgentError("invalid_argument", message, { argument: name }));
	}
	noUsage(got) {
		this.usageIs(`must be { tokens, costUsd, turns }, got ${describe(got)}`);
	}
	unreadableUsage(thrown) {
		this.usageIs(`can't be read: ${messageOf(thrown)}`, { cause: thrown });
	}
	kindsInUsage(kinds) {
		for (const kind of kinds) this.wrongKind(`usage.${kind}`, kind, "the `usage` of a result");
	}
	kindsInReport(kinds) {
		for (const kind of kinds) this.wrongKind(`report.${kind}`, kind, "a report");
	}
	usageIs(what, options) {
		const message = `the \`usage\` of a result ${what}: what was reserved for the run was booked, and is marked invalid`;
		this.once("usage", (argument) => new SubAgentError("invalid_argument", message, { argument }, options));
	}
	wrongKind(key, kind, where) {
		const message = `\`${kind}\` in ${where} must be a number of at least 0: \`tokens\` was booked without it`;
		this.once(key, () => new SubAgentError("invalid_argument", message, { argument: kind }));
	}
	once(name, errorOf) {
		if (this.seen.has(name) || this.seen.size >= MOST$1) return;
		this.seen.add(name);
		this.report(errorOf(name));
	}
};
function dispatchEffect(parts, effect) {
	switch (effect.type) {
		case "run_retried":
			parts.runs.runRetried(effect.task, effect.run, effect.reason);
			return;
		case "wait_over":
			parts.waits.done(packed(effect.wait), effect.timedOut, effect.targets);
			return;
		case "ask_done":
			parts.runs.askDone(effect.task, effect.run, effect.answer, effect.timedOut);
			return;
		case "timed_out":
			parts.runs.timedOut(effect.task, effect.run, effect.reason === "idle_timeout" ? "idle_timeout" : "timeout");
			return;
		case "approval_over":
			parts.runs.approvalOver(effect.task, effect.run);
			return;
		case "wake":
			parts.wakes.mark(effect.session.index);
			return;
	}
}
var RemoteRuns = class {
	constructor(runtime) {
		this.asked = void 0;
		this.starting = /* @__PURE__ */ new Map();
		this.early = /* @__PURE__ */ new Map();
		this.runtime = runtime;
	}
	start(active, spawnBackgroundSubAgent) {
		this.starting.set(active.index, active);
		active.expectName();
		const outer = this.asked;
		this.asked = active;
		let starting;
		try {
			starting = spawnBackgroundSubAgent(active.params(), active.handedRun());
		} catch (error) {
			this.answered(active);
			throw error;
		} finally {
			this.asked = outer;
		}
		const promise = new Promise((resolve) => resolve(starting));
		this.runtime.alone(promise.then((started) => this.started(active, started), (error) => {
			if (this.answered(active)) this.end(active, threw(messageOf(error), error));
		}));
		this.isElsewhere(active);
	}
	isElsewhere(active) {
		if (!this.runtime.isClosed) this.runtime.performIf(PROGRAM, {
			type: "started_elsewhere",
			task: active,
			run: active.run
		});
	}
	started(active, started) {
		const isUnreported = this.answered(active);
		const id = hostId(started);
		if (typeof id !== "string" || id === "") {
			const invalid = invalidResult(`spawnBackgroundSubAgent must resolve to { taskId }, it resolved to ${describe(started)}`);
			if (isUnreported) this.end(active, invalid);
			return;
		}
		active.hostTaskId = id;
		active.named?.resolve();
		if (this.runtime.isClosed) return;
		this.runtime.performIf(PROGRAM, {
			type: "name_elsewhere",
			task: active,
			run: active.run,
			hostTaskId: id
		});
		const early = this.early.get(id) ?? (active.reported?.hostTaskId === id ? active.reported : void 0);
		this.early.delete(id);
		if (early !== void 0 && active.hostIsOver) this.report(id, early.result);
		else if (early !== void 0) this.end(active, this.runtime.hosts.read(early.result));
		this.refuseEarly();
	}
	answered(active) {
		return this.starting.get(active.index) === active && this.starting.delete(active.index);
	}
	lacksIds() {
		for (const { index, generation } of this.starting.values()) if (this.runtime.call((core) => core.status(index, generation)) < 0) this.starting.delete(index);
		return this.starting.size > 0;
	}
	refuseEarly() {
		if (this.early.size === 0 || this.lacksIds()) return;
		const refused = [...this.early.values()];
		this.early.clear();
		for (const { refusal } of refused) this.runtime.report(refusal);
	}
	report(id, result) {
		if (typeof id !== "string" || id === "") throw invalid("the id", "a task id or the host's own id", id);
		if (typeof result !== "object" || result === null) throw invalid("the result", "{ output, status, usage }", result);
		if (this.asked?.taskId === id) this.isElsewhere(this.asked);
		const length = this.runtime.write(id);
		const found = this.runtime.viewIf((core) => core.findReported(length), readReportedRun);
		if (found === void 0) {
			const refusal = this.refusal(id);
			if (refusal.code === "invalid_argument" || !this.lacksIds()) throw refusal;
			this.early.set(id, {
				result,
				refusal
			});
			return;
		}
		const { task, run, isBegunAnew } = found;
		const { index, generation } = task;
		if (isBegunAnew) this.keep(task, id, result);
		const starting = this.starting.get(index);
		const active = starting?.generation === generation && starting.run === run ? starting : this.runtime.runs.reported(index, generation, run);
		if (active.checking === void 0) this.end(active, this.runtime.hosts.read(result));
		else this.runtime.alone(active.checking.then(() => this.report(id, result)));
	}
	keep({ index, generation }, id, result) {
		const active = this.runtime.runs.activeOf(index, generation);
		if (active === void 0) return;
		const { taskId, hostTaskId } = this.runtime.lookup.snapshot(index, generation);
		active.reported = {
			hostTaskId: id === taskId ? hostTaskId : id,
			result
		};
	}
	refusal(id) {
		const refusal = this.runtime.refusal();
		if (refusal.code === "forgotten") return refusal;
		if (refusal.code !== "ambiguous_nickname") return new SubAgentError("unknown_task", `no background sub-agent goes by ${describe(id)}`, { id });
		return new SubAgentError("invalid_argument", `several sub-agents go by the host id ${describe(id)}: report by task id`, { id });
	}
	clear() {
		this.starting.clear();
		this.early.clear();
	}
	end(active, returned) {
		this.answered(active);
		this.refuseEarly();
		const check = this.runtime.isClosed ? void 0 : active.check;
		const named = {
			...returned,
			hostTaskId: returned.hostTaskId ?? active.hostTaskId
		};
		if (check === void 0) this.runtime.hosts.end(active, named);
		else active.checking = this.runtime.hosts.endOnceChecked(active, named, check);
	}
};
function hostId(started) {
	try {
		return started?.taskId;
	} catch {
		return;
	}
}
var HostCalls = class {
	constructor(runtime, scratch, alarm) {
		this.openHosts = 0;
		this.arrived = [];
		this.endArrived = () => {
			const { arrived } = this;
			if (arrived.length === 0) return;
			this.arrived = [];
			this.endAll(arrived);
		};
		this.runtime = runtime;
		this.scratch = scratch;
		this.alarm = alarm;
		this.elsewhere = new RemoteRuns(runtime);
		this.unknownStatuses = new UnknownStatuses((error) => {
			if (!runtime.isClosed) runtime.report(error);
		});
	}
	noteHost(active, called) {
		this.runtime.unasked(() => this.runtime.commandIf(PROGRAM, {
			type: "note_host",
			task: active,
			run: active.run,
			called
		}));
	}
	start(active) {
		if (active.isAsked === true) this.noteHost(active, true);
		const { resources } = this.runtime;
		if (!resources.areUsed || !resources.lacks(active)) {
			this.callHost(active);
			return;
		}
		const refused = (error) => {
			if (!this.runtime.isClosed) this.runtime.report(error);
			this.end(active, thrown(error));
		};
		const begin = () => {
			if (active.signal.aborted) this.end(active, thrown(active.signal.reason));
			else if (!this.runtime.isClosed) this.callHost(active);
		};
		this.runtime.alone(resources.acquire(active).then(begin, refused));
	}
	callHost(active) {
		const { begun } = active;
		const { resources } = this.runtime;
		if (resources.areUsed && (begun !== void 0 || active.background)) resources.use(active.taskId, this.runtime.runs.untilOver(active));
		if (begun !== void 0) {
			begun.isOver = true;
			this.runtime.runs.taken[active.index] = {
				generation: active.generation,
				run: active.run
			};
			begun.resolve(active);
			return;
		}
		try {
			const { spawnSubAgent, spawnBackgroundSubAgent } = this.runtime.functions;
			if (spawnBackgroundSubAgent !== void 0 && active.background) {
				this.elsewhere.start(active, spawnBackgroundSubAgent);
				return;
			}
			if (spawnSubAgent === void 0) throw new Error("the manager has no `spawnSubAgent`: make it with `new SubAgentManager({ spawnSubAgent })`");
			active.hostOpen = true;
			this.openHosts += 1;
			this.alarm.keepAlive(true);
			const returned = spawnSubAgent(active.params(), active.handedRun());
			const promise = isPlainPromise(returned) ? returned : new Promise((resolve) => resolve(returned));
			if (resources.areUsed) resources.use(active.taskId, promise);
			promise.then((value) => this.hostReturned(active, value), (error) => this.arrive(active, thrown(error)));
		} catch (error) {
			this.end(active, thrown(error));
		}
	}
	end(active, returned) {
		if (active.hostIsOver) return;
		active.returned = returned;
		this.endAll([active]);
	}
	arrive(active, returned) {
		active.returned = returned;
		if (this.arrived.push(active) === 1) Promise.resolve().then(this.endArrived);
	}
	endAll(actives) {
		const at = now();
		const outer = enter(this.runtime);
		try {
			for (const active of actives) this.take(at, active);
		} catch (trap) {
			this.runtime.poison(trap);
		} finally {
			leave(outer);
		}
		for (const { onHostOver } of actives) if (onHostOver !== void 0) for (const callback of onHostOver) callback();
		this.runtime.dispatch();
	}
	take(at, active) {
		if (active.hostIsOver) return;
		active.hostIsOver = true;
		this.runtime.runs.returned(active);
		this.release(active);
		if (this.runtime.isClosed) return;
		const returned = this.bounded(active.returned);
		const { how, tokens, cost, turns, durationMs } = returned;
		const byKind = tokensOrPlain(this.runtime, {
			byKind: returned.byKind,
			tokens,
			costUsd: cost
		});
		if (byKind !== void 0) stageTokens(this.runtime, byKind);
		const { output, beside } = this.scratch.writeLeft(returned);
		const { index, generation, run } = active;
		this.runtime.core.hostReturned(at, index, generation, run, how, output, beside, tokens, cost, turns, durationMs);
	}
	bounded(returned) {
		const { output } = returned;
		if (output.length <= 16777216) return returned;
		return {
			...returned,
			output: output.slice(0, Math.max(MOST_TEXT, limitOf(this.runtime, "maxResultBytes") + 1))
		};
	}
	read(result) {
		return readResult(result, this.unknownStatuses, this.runtime.unknownNames);
	}
	hostReturned(active, value) {
		const returned = this.read(value);
		const check = this.runtime.isClosed ? void 0 : active.check;
		if (check === void 0) this.arrive(active, returned);
		else this.whenChecked(returned, check, (checked) => this.arrive(active, checked));
	}
	endOnceChecked(active, returned, check) {
		return this.whenChecked(returned, check, (checked) => this.end(active, checked));
	}
	whenChecked(returned, check, take) {
		const checked = checkValue(returned, check, limitOf(this.runtime, "maxResultBytes"));
		if (!(checked instanceof Promise)) return void take(checked);
		const taken = checked.then(take);
		this.runtime.alone(taken);
		return taken;
	}
	release(active) {
		if (!active.hostOpen) return;
		active.hostOpen = false;
		this.openHosts -= 1;
	}
	keepAwake() {
		if (this.openHosts > 0 || this.runtime.isClosed) return;
		const queued = this.runtime.unasked((core) => core.hasQueued()) === true;
		if (this.runtime.isClosed) return;
		this.runtime.keepAlive.hasQueued(queued);
		this.alarm.keepAlive(queued || this.runtime.waits.areOpen || this.runtime.readers.areWaiting);
	}
};
function thrown(error) {
	letStackGo(error);
	return threw(messageOf(error), error);
}
function isPlainPromise(value) {
	return value instanceof Promise && value.constructor === Promise && value.then === Promise.prototype.then;
}
var KeepAlive = class {
	constructor(alarm, manager) {
		this.count = 0;
		this.queued = false;
		this.alarm = alarm;
		this.manager = manager;
	}
	begin() {
		this.count += 1;
		if (this.count === 1) this.keep();
	}
	end() {
		this.count -= 1;
		if (this.count === 0) this.keep();
	}
	hasQueued(queued) {
		if (this.queued === queued) return;
		this.queued = queued;
		this.keep();
	}
	clear() {
		this.count = 0;
		this.queued = false;
		this.keep();
	}
	keep() {
		this.alarm.keeps = this.count > 0 || this.queued ? this.manager : void 0;
	}
};
var Readers = class {
	#runtime;
	#read = /* @__PURE__ */ new Map();
	#isQuiet = false;
	#alarm;
	#waiting = /* @__PURE__ */ new Set();
	constructor(runtime) {
		this.#runtime = runtime;
	}
	reads(actor) {
		const { index, generation } = this.#inboxOf(actor);
		this.#read.set(index, generation);
		this.waits();
	}
	waits() {
		this.#isQuiet = true;
		this.#alarm?.stop();
		this.#alarm = void 0;
	}
	isRead(actor) {
		const { index, generation } = this.#inboxOf(actor);
		return this.#read.get(index) === generation;
	}
	noticeWaits(index) {
		if (this.#isQuiet || this.#alarm !== void 0) return;
		const alarm = new Alarm(() => this.#reportUnread(index));
		alarm.set(now() + UNREAD_NOTICE_MS);
		this.#alarm = alarm;
	}
	#reportUnread(index) {
		this.#alarm = void 0;
		if (this.#isQuiet || (this.#runtime.unasked((core) => core.pendingNotices(index)) ?? 0) === 0) return;
		this.#isQuiet = true;
		this.#runtime.report(new SubAgentError("unread_notice", `a background sub-agent ended ${UNREAD_NOTICE_MS / 1e3} s ago, and nothing reads its notice: take it with \`inbox.next()\` or \`inbox.lease()\`, or give \`onWake\``));
	}
	#inboxOf({ index, generation }) {
		const first = DEFAULT_SESSION.index;
		return index === 0 || index === first ? {
			index: first,
			generation: 0
		} : {
			index,
			generation
		};
	}
	get areWaiting() {
		return this.#waiting.size > 0;
	}
	async change(actor, by, signal) {
		const { keepAlive, hosts } = this.#runtime;
		const reply = actor.run === 0 ? void 0 : this.#runtime.performIf(actor, { type: "await_notice" });
		let unfollow;
		let alarm;
		let wake;
		keepAlive.begin();
		try {
			await new Promise((resolve) => {
				wake = resolve;
				this.#waiting.add(wake);
				hosts.keepAwake();
				if (signal !== void 0) unfollow = follow(signal, wake);
				if (Number.isFinite(by)) {
					alarm = new Alarm(wake);
					alarm.keepAlive(true);
					alarm.set(by);
				}
			});
		} finally {
			this.#waiting.delete(wake);
			unfollow?.();
			alarm?.stop();
			if (!this.#runtime.isClosed) {
				keepAlive.end();
				if (reply?.type === "waiting") this.#runtime.performIf(PROGRAM, {
					type: "end_wait",
					wait: reply.wait
				});
				hosts.keepAwake();
			}
		}
	}
	changed() {
		for (const wake of this.#waiting) wake();
	}
	clear() {
		this.changed();
		this.waits();
		this.#read.clear();
	}
};
const LAST_MS = 1e4;
var Resources = class {
	constructor(runtime) {
		this.lanes = /* @__PURE__ */ new Map();
		this.uses = /* @__PURE__ */ new Map();
		this.begun = /* @__PURE__ */ new Set();
		this.last = 0;
		this.isDue = false;
		this.held = /* @__PURE__ */ new Map();
		this.releaseAll = () => {
			const { runtime } = this;
			this.isDue = false;
			if (this.begun.size === 0) this.last = 0;
			while (!runtime.isClosed) {
				const found = runtime.view((core) => core.releaseAfter(this.last), optional(readRelease));
				if (found === void 0) return;
				this.last = found.serial;
				this.begun.add(found.serial);
				const releasing = this.inTurn(found.owner, async () => {
					await this.uses.get(found.owner);
					if (!runtime.isClosed) await this.release(found.owner, found.data ?? this.held.get(found.owner));
					if (!runtime.isClosed) runtime.performIf(PROGRAM, {
						type: "released",
						serial: found.serial
					});
					this.begun.delete(found.serial);
				});
				runtime.alone(releasing);
			}
		};
		this.runtime = runtime;
	}
	get areUsed() {
		const { acquire, release } = this.runtime.functions;
		return acquire !== void 0 || release !== void 0;
	}
	lacks({ index, generation }) {
		return this.runtime.functions.acquire !== void 0 && this.runtime.call((core) => core.acquired(index, generation)) === void 0;
	}
	acquire(active) {
		const { runtime } = this;
		const { taskId } = active;
		return this.inTurn(taskId, async () => {
			if (runtime.isClosed || !this.lacks(active)) return;
			runtime.performIf(PROGRAM, {
				type: "acquire",
				task: active
			});
			await runtime.answer(void 0);
			const data = readJson("what `acquire` returned", await runtime.functions.acquire?.(active.snapshot()) ?? null, MAX_METADATA_CHARS);
			this.held.set(taskId, data);
			if (runtime.isClosed) return;
			runtime.performIf(PROGRAM, {
				type: "acquire",
				task: active,
				data
			});
			await runtime.answer(void 0);
		});
	}
	use(taskId, returned) {
		const all = Promise.allSettled([this.uses.get(taskId), returned]);
		this.uses.set(taskId, all);
		all.then(() => this.uses.get(taskId) === all && this.uses.delete(taskId));
	}
	taskGone() {
		if (!this.areUsed || this.isDue) return;
		this.isDue = true;
		queueMicrotask(() => this.runtime.isClosed || this.runtime.oncePersisted(this.releaseAll));
	}
	async end(isStored) {
		if (!isStored) for (const [owner, data] of this.held) this.inTurn(owner, async () => {
			let timer;
			const last = new Promise((resolve) => {
				timer = setTimeout(resolve, LAST_MS);
			});
			await Promise.race([this.uses.get(owner), last]);
			clearTimeout(timer);
			if (this.held.has(owner)) await this.release(owner, data);
		});
		await Promise.all(this.lanes.values());
	}
	async release(owner, data) {
		this.held.delete(owner);
		try {
			await this.runtime.functions.release?.(owner, data === void 0 ? void 0 : JSON.parse(data));
		} catch (error) {
			this.runtime.report(error);
		}
	}
	inTurn(taskId, body) {
		const before = this.lanes.get(taskId);
		const made = before === void 0 ? body() : before.then(body);
		const over = made.catch(() => void 0).then(() => this.lanes.get(taskId) === over && this.lanes.delete(taskId));
		this.lanes.set(taskId, over);
		return made;
	}
};
function readEnd(scratch, address) {
	const row = scratch.numbersView();
	const at = address / 8;
	const flags = word(row, at + 5);
	return {
		index: word(row, at + 0),
		generation: word(row, at + 1),
		run: word(row, at + 2),
		status: TASK_STATUSES[word(row, at + 3)] ?? "failed",
		reason: STOP_REASONS[word(row, at + 4)] ?? "host_failed",
		tokens: amount(row, at + 6),
		nanos: amount(row, at + 7),
		turns: amount(row, at + 8),
		durationMs: amount(row, at + 9),
		kinds: row[at + 10] === 0 ? void 0 : tokensAt(row, word(row, at + 10) / 8),
		output: row[at + 12] === 0 ? "" : scratch.read(word(row, at + 11), word(row, at + 12)),
		option: row[at + 14] === 0 ? "" : scratch.read(word(row, at + 13), word(row, at + 14)),
		partial: (flags & 1) !== 0,
		hostOpen: (flags & 2) !== 0,
		cut: (flags & 4) !== 0,
		hasText: (flags & 8) !== 0,
		neverStarted: (flags & 16) !== 0,
		withoutValue: (flags & 32) !== 0,
		withoutArtifacts: (flags & 64) !== 0,
		unknown: flags >>> 8,
		invalid: flags >>> 16
	};
}
function word(row, at) {
	return row[at] >>> 0;
}
function amount(row, at) {
	const number = row[at];
	const small = number | 0;
	return small === number ? small : number;
}
function turnOf(code) {
	const reason = code % 512;
	return {
		turn: Math.floor(code / ONE_TURN),
		injects: code % ONE_TURN >= 512,
		wrapUp: reason === 0 ? void 0 : STOP_REASONS[reason - 1]
	};
}
function endText(runtime, { index, generation }, run, facts) {
	const { status, stopReason, output, error, hostStatus, receipts, figures } = facts;
	const did = receipts.length === 0 ? void 0 : receiptsJson(receipts);
	const lengths = runtime.writeLeft({
		output,
		error: error ?? void 0,
		hostStatus: hostStatus ?? void 0,
		receiptsJson: did
	});
	return runtime.call((core) => core.resultText(index, generation, run, TASK_STATUSES.indexOf(status), STOP_REASONS.indexOf(stopReason), figures.turns ?? -1, figures.tokens ?? -1, figures.costUsd ?? -1, figures.durationMs ?? -1, lengths.output, lengths.beside));
}
const NOTIFIES = "I'll notify you when it completes.";
function startedText(task, notifies = true) {
	const { label, taskId } = task;
	return `Subagent [${quoted(label, 80)}] started (id: ${quoted(taskId)}).${notifies ? ` ${NOTIFIES}` : ""}`;
}
const NO_DIMENSIONS = Object.freeze([]);
const NO_RECEIPTS = Object.freeze([]);
const NO_ARTIFACTS = Object.freeze([]);
function dimensions(bits) {
	return (bits & 7) === 0 ? NO_DIMENSIONS : dimensionsOf(bits);
}
function resultOf(source, row, returned) {
	const { status, kinds = NO_KINDS } = row;
	const result = {
		taskId: source.taskId,
		success: status === "completed",
		backgrounded: false,
		run: source.run,
		status,
		stopReason: row.reason,
		output: row.hasText ? row.output : returned?.output ?? "",
		partial: row.partial,
		truncated: row.cut,
		error: returned?.error,
		hostStatus: returned?.hostStatus,
		hostTaskId: returned?.hostTaskId ?? source.hostTaskId,
		hostStillRunning: row.hostOpen,
		artifacts: returned?.artifacts ?? NO_ARTIFACTS,
		receipts: returned?.receipts ?? NO_RECEIPTS,
		value: returned?.valueJson === void 0 ? void 0 : returned.value,
		usage: {
			tokens: row.tokens,
			costUsd: row.nanos / 1e9,
			turns: row.turns,
			inputTokens: kinds.inputTokens,
			outputTokens: kinds.outputTokens,
			cacheReadTokens: kinds.cacheReadTokens,
			cacheWriteTokens: kinds.cacheWriteTokens,
			cacheWrite1hTokens: kinds.cacheWrite1hTokens,
			reasoningTokens: kinds.reasoningTokens,
			estimated: kinds.estimated,
			unknown: dimensions(row.unknown),
			invalid: dimensions(row.invalid)
		},
		durationMs: row.durationMs,
		started: !row.neverStarted,
		raisedBy: row.option || null
	};
	const cause = returned?.cause;
	return cause === void 0 ? result : Object.defineProperty(result, "cause", { value: cause });
}
function movedToBackground(source) {
	const { runtime, index, generation } = source;
	if (!runtime.call((core) => core.isOpen(index, generation, source.run))) return void 0;
	const view = runtime.lookup.snapshot(index, generation);
	return view.background && !view.cancelRequested ? resultFrom({
		...view,
		output: startedText(view)
	}, source) : void 0;
}
function resultFrom(view, { runtime, index, generation, taskId, hostTaskId }) {
	const end = runtime.call((core) => core.lastEnd(index));
	const status = TASK_STATUSES[end % 256];
	return {
		taskId,
		success: status === "completed",
		backgrounded: status === "running" || status === "pending",
		run: view.run,
		status,
		stopReason: STOP_REASONS[end >>> 8],
		output: view.output,
		partial: view.partial,
		truncated: view.truncated,
		error: view.error ?? void 0,
		hostStatus: view.hostStatus ?? void 0,
		hostTaskId: view.hostTaskId ?? hostTaskId,
		hostStillRunning: view.hostStillRunning,
		artifacts: view.artifacts,
		receipts: view.receipts,
		value: view.value ?? void 0,
		usage: view.usage,
		durationMs: view.durationMs ?? 0,
		started: view.startedAt !== null,
		raisedBy: runtime.call((core) => core.raisedBy(index, generation)) ?? null
	};
}
function figuresIn({ usage, started, durationMs }) {
	return figuresOf(usage, started, durationMs);
}
function resultText(result, source, format = source.format) {
	const { runtime, agent } = source;
	const { run, status, stopReason, output, error, hostStatus, receipts } = result;
	const figures = figuresIn(result);
	if (format === "json") return reportText(reportOfResult({
		...result,
		figures
	}, source.run === run ? agent : void 0, runtime, source));
	return endText(runtime, source, run, {
		status,
		stopReason,
		output,
		error,
		hostStatus,
		receipts,
		figures
	});
}
function questionEnded(active, answer, timedOut) {
	const { asking } = active;
	active.asking = void 0;
	if (asking === void 0) return;
	if (answer !== void 0) asking.resolve({
		answered: true,
		answer
	});
	else asking.resolve(timedOut ? {
		answered: false,
		reason: "timeout"
	} : stopped(active));
}
async function stopped(active) {
	await void 0;
	return unanswered(active);
}
function unanswered(active) {
	if (active.isLeft) throw leftBehind("asks");
	return {
		answered: false,
		reason: "stopped"
	};
}
function needsInput(runtime, index, generation) {
	const question = runtime.call((core) => core.question(index, generation));
	const taskId = runtime.lookup.taskId(index, generation);
	const said = `the sub-agent ${taskId} asks and waits for a message`;
	return new SubAgentError("needs_input", question === void 0 ? said : `${said}: '${quoted(question, 500)}'`, {
		taskId,
		question: question ?? null
	});
}
function nameOf$1(index, generation, run) {
	return `${index} ${generation} ${run}`;
}
var RunTable = class {
	constructor() {
		this.newest = [];
		this.displaced = /* @__PURE__ */ new Map();
	}
	put(active) {
		const earlier = this.newest[active.index];
		if (earlier !== void 0) this.displaced.set(nameOf$1(earlier.index, earlier.generation, earlier.run), earlier);
		this.newest[active.index] = active;
	}
	find(index, generation, run) {
		const active = this.newest[index];
		if (active?.run === run && active.generation === generation) return active;
		return this.displaced.size === 0 ? void 0 : this.displaced.get(nameOf$1(index, generation, run));
	}
	newestOf(index, generation) {
		const active = this.newest[index];
		return active?.generation === generation ? active : void 0;
	}
	remove(active, next) {
		const { index, generation, run } = active;
		if (this.newest[index] === active) this.newest[index] = next;
		else {
			this.displaced.delete(nameOf$1(index, generation, run));
			if (next !== void 0) this.displaced.set(nameOf$1(index, generation, next.run), next);
		}
	}
	all() {
		return [...this.newest.filter((active) => active !== void 0), ...this.displaced.values()];
	}
	clear() {
		this.newest.length = 0;
		this.displaced.clear();
	}
};
var Runs = class {
	constructor(runtime) {
		this.open = new RunTable();
		this.endedOpen = /* @__PURE__ */ new Map();
		this.taken = [];
		this.awaited = /* @__PURE__ */ new Map();
		this.putOff = [];
		this.outputs = void 0;
		this.beginning = (active) => this.runtime.following.run(active, this.starting, active);
		this.starting = (active) => {
			const { gates, hosts } = this.runtime;
			if (gates.sub.has("before_start")) gates.start(active);
			else hosts.start(active);
		};
		this.runtime = runtime;
		ActiveRun.standAlone();
	}
	keep(active) {
		this.runtime.keepAlive.begin();
		this.open.put(active);
	}
	startRun(index, generation, run, knowsTools) {
		if (this.runtime.isClosed) return;
		const active = this.open.find(index, generation, run) ?? this.found(index, generation, run);
		if (active === void 0) return;
		if (active.text === void 0) this.readText(active);
		active.knowsTools = knowsTools;
		this.runtime.contexts.take(active);
		this.runtime.contexts.run(active, this.beginning, active);
	}
	found(index, generation, run) {
		const active = this.newActive(index, generation, run);
		if (!this.runtime.call((core) => core.isOpen(index, generation, run))) {
			this.runtime.hosts.end(active, nothing());
			return;
		}
		this.keep(active);
		return active;
	}
	readText(active) {
		active.text = this.runtime.call((core) => core.message(active.index));
	}
	newActive(index, generation, run) {
		const active = new ActiveRun(this.runtime, void 0);
		active.index = index;
		active.generation = generation;
		active.run = run;
		return active;
	}
	findOpen(index, generation, run) {
		return this.open.find(index, generation, run) ?? this.endedOpen.get(nameOf$1(index, generation, run));
	}
	reported(index, generation, run) {
		const known = this.findOpen(index, generation, run) ?? this.awaited.get(nameOf$1(index, generation, run));
		return known === void 0 || known.hostIsOver ? this.newActive(index, generation, run) : known;
	}
	steered({ index, generation }) {
		const active = this.open.newestOf(index, generation);
		if (active !== void 0) this.runtime.gates.steered(active);
	}
	runEnded(address) {
		const { waitSnapshots, scratch } = this.runtime;
		const ended = readEnd(scratch, address);
		const { index, generation, run, reason, hostOpen } = ended;
		this.runtime.readers.changed();
		const active = this.open.find(index, generation, run);
		if (active === void 0) {
			if (!waitSnapshots.has(index)) return false;
			const earlier = this.newActive(index, generation, 0);
			waitSnapshots.ended(index, generation, run, resultOf(earlier, ended, void 0));
			return false;
		}
		this.open.remove(active);
		this.runtime.keepAlive.end();
		if (hostOpen && !active.hostIsOver) {
			this.endedOpen.set(nameOf$1(index, generation, run), active);
			this.runtime.hosts.release(active);
		}
		active.unfollow?.();
		active.agent?.stop();
		const stops = !active.hostIsOver && !active.hostOpen;
		if (stops) this.putOff.push(() => {
			this.stop(active, reason);
			active.release();
		});
		this.runtime.contexts.ended(active, !ended.neverStarted);
		if (active.hostIsOver) active.release();
		let returned = hostOpen ? void 0 : active.returned ?? errorOf(active.before);
		if (reason === "policy" || ended.withoutValue) returned = this.madeByPolicy(active, returned ?? nothing(), ended);
		active.result = resultOf(active, ended, returned);
		waitSnapshots.ended(index, generation, run, active.result);
		if (this.outputs !== void 0) this.outputs[index] = active;
		if (active.followers !== void 0) for (const { resolve } of active.followers) resolve(active.result);
		active.named?.resolve();
		if (active.begun?.isOver === false) active.begun.reject(new SubAgentError("aborted", `the sub-agent ended before it could start: ${reason}`, { reason }));
		const turn = active.turn;
		if (turn !== void 0) {
			active.turn = void 0;
			turn.resolve({
				go: false,
				reason
			});
		}
		return stops;
	}
	batchDelivered() {
		const calls = this.putOff;
		this.putOff = [];
		for (const call of calls) call();
	}
	keepOutputs(on) {
		this.outputs = on ? [] : void 0;
	}
	textOf(index, generation) {
		return this.open.find(index, generation, 1)?.text;
	}
	outputOf(index, generation, run) {
		const active = this.outputs?.[index];
		if (this.outputs === void 0 || active?.run !== run || active.generation !== generation) return void 0;
		this.outputs[index] = void 0;
		return active.result?.output;
	}
	runRetried({ index, generation }, run, reason) {
		const { waitSnapshots, sessionData } = this.runtime;
		sessionData.empty(index, generation);
		waitSnapshots.retried(index, generation, run);
		const active = this.open.find(index, generation, run);
		if (active === void 0) return;
		active.agent?.stop();
		active.turn?.resolve({
			go: false,
			reason
		});
		active.turn = void 0;
		const known = this.open.find(index, generation, run + 1);
		const next = active.nextAttempt(reason, known);
		this.open.remove(active, known === void 0 ? next : void 0);
		if (known !== void 0) this.runtime.keepAlive.end();
	}
	madeByPolicy({ index, generation, agent }, returned, { withoutValue, withoutArtifacts }) {
		const isForgotten = this.runtime.call((core) => core.status(index, generation)) < 0;
		const why = agent?.blockedBecause;
		const error = isForgotten ? why && headOf(why, limitOf(this.runtime, "maxResultBytes")) : this.runtime.lookup.snapshot(index, generation).error ?? void 0;
		return {
			...returned,
			error,
			artifacts: withoutArtifacts ? void 0 : returned.artifacts,
			valueJson: withoutValue ? void 0 : returned.valueJson
		};
	}
	abortRun(index, generation, run, reason) {
		const active = this.findOpen(index, generation, run);
		if (active === void 0) return;
		active.agent?.stop();
		const why = STOP_REASONS[reason] ?? "cancelled";
		this.runtime.contexts.run(active, (why) => this.stop(active, why), why);
		if (active.isLeft) this.runtime.waits.leave(active);
	}
	stop(active, reason) {
		try {
			active.abort(reason);
		} catch (error) {
			this.runtime.report(error);
		}
	}
	timedOut({ index, generation }, run, reason) {
		const active = this.findOpen(index, generation, run);
		if (active !== void 0) this.runtime.contexts.run(active, (why) => this.runtime.gates.timedOut(active, why), reason);
	}
	approvalOver({ index, generation }, run) {
		this.findOpen(index, generation, run)?.agent?.overdue();
	}
	askDone({ index, generation }, run, answer, timedOut) {
		const active = this.open.find(index, generation, run);
		if (active !== void 0) questionEnded(active, answer, timedOut);
	}
	turnReady(index, generation, run) {
		const active = this.open.find(index, generation, run);
		if (active === void 0) return false;
		const start = active.takeStart();
		if (start !== void 0) {
			this.putOff.push(() => this.runtime.contexts.run(active, () => this.runtime.following.run(active, start, void 0), void 0));
			return true;
		}
		const { turn } = active;
		const permit = turn && this.beginTurn(active, turn.estimate);
		if (permit !== void 0) {
			active.turn = void 0;
			turn?.resolve(permit);
		}
		return false;
	}
	activeOf(index, generation) {
		const known = this.open.newestOf(index, generation);
		const isSure = this.runtime.journal?.isSync !== true;
		if (known !== void 0 && (isSure || this.runtime.call((core) => core.isOpen(index, generation, known.run)))) return known;
		const run = this.runtime.call((core) => core.lastRun(index, generation));
		if (run === 0 || !this.runtime.call((core) => core.isOpen(index, generation, run))) return void 0;
		const active = this.newActive(index, generation, run);
		this.keep(active);
		return active;
	}
	undelivered(index, generation) {
		return this.open.newestOf(index, generation);
	}
	takeTurn(active, estimate) {
		const permit = this.beginTurn(active, estimate);
		const answer = permit === void 0 ? new Promise((resolve, reject) => {
			active.turn = {
				estimate,
				resolve,
				reject
			};
		}) : Promise.resolve(permit);
		this.runtime.dispatch();
		return answer;
	}
	beginTurn({ index, generation, run }, { tokens, cost, whole }) {
		const code = this.runtime.call((core) => core.beginTurn(now(), index, generation, run, tokens, cost, whole));
		if (code === 0) return void 0;
		if (code === -1) return {
			go: false,
			reason: "actor_ended"
		};
		if (code < 0) return {
			go: false,
			reason: STOP_REASONS[-2 - code] ?? "cancelled"
		};
		const { turn, injects, wrapUp } = turnOf(code);
		const given = injects ? { inject: this.runtime.view((core) => core.takeInject(), readTexts) } : void 0;
		if (wrapUp === void 0) return {
			go: true,
			turn,
			...given
		};
		return {
			go: true,
			turn,
			wrapUp: true,
			reason: wrapUp,
			...this.runtime.call((core) => ({
				tokens: core.reservedTokens(index),
				costUsd: core.reservedDollars(index)
			})),
			...given
		};
	}
	returned(active) {
		if (this.endedOpen.size + this.awaited.size > 0) {
			const name = nameOf$1(active.index, active.generation, active.run);
			this.endedOpen.delete(name);
			this.awaited.delete(name);
		}
		if (active.result !== void 0) active.release();
	}
	untilOver(active) {
		return new Promise((resolve) => {
			active.onHostOver ??= [];
			active.onHostOver.push(resolve);
			this.awaited.set(nameOf$1(active.index, active.generation, active.run), active);
		});
	}
	batchOver() {
		this.endedOpen.clear();
	}
	close(error) {
		for (const active of this.open.all()) {
			active.turn?.reject(error);
			active.turn = void 0;
			active.asking?.reject(error);
			active.asking = void 0;
			if (active.begun?.isOver === false) active.begun.reject(error);
			for (const { reject } of active.followers ?? []) reject(error);
			active.named?.resolve();
			active.unfollow?.();
			active.agent?.stop();
			this.stop(active, error.code === "disposed" && this.runtime.journal === void 0 ? "cancelled" : "host_lost");
		}
		for (const { onHostOver = [] } of this.awaited.values()) for (const callback of onHostOver) callback();
		this.awaited.clear();
		this.open.clear();
	}
};
function errorOf(before) {
	return before && {
		...nothing(),
		error: before.error,
		cause: before.cause
	};
}
var SessionData = class {
	constructor(runtime) {
		this.kept = /* @__PURE__ */ new Map();
		this.runtime = runtime;
	}
	of(index, generation) {
		return this.keptOf(index, generation).values;
	}
	empty(index, generation) {
		const known = this.kept.get(index);
		if (known?.generation === generation) known.values.clear();
	}
	check(index, generation, check) {
		this.keptOf(index, generation).check = check;
	}
	checkOf(index, generation) {
		if (this.kept.size === 0) return void 0;
		const known = this.kept.get(index);
		return known?.generation === generation ? known.check : void 0;
	}
	keptOf(index, generation) {
		const known = this.kept.get(index);
		if (known?.generation === generation) return known;
		if (this.runtime.call((core) => core.status(index, generation)) < 0) throw new SubAgentError("forgotten", "this sub-agent has been forgotten");
		this.runtime.call((core) => core.notifyForgotten());
		const kept = {
			generation,
			values: /* @__PURE__ */ new Map()
		};
		this.kept.set(index, kept);
		return kept;
	}
	taskForgotten(index, generation) {
		if (this.kept.size > 0 && this.kept.get(index)?.generation === generation) this.kept.delete(index);
	}
	clear() {
		this.kept.clear();
	}
};
var WaitSnapshots = class {
	constructor(runtime) {
		this.open = /* @__PURE__ */ new Map();
		this.places = /* @__PURE__ */ new WeakMap();
		this.runtime = runtime;
	}
	takeAll(targets) {
		const hasty = this.runtime.journal?.isSync === true || limitOf(this.runtime, "retain") < targets.length;
		const pairs = pairsOf(targets);
		const over = [];
		const runs = this.runtime.view((core) => core.lastRuns(pairs), many(readLastRun));
		const waitSnapshots = targets.map(({ index, generation }, at) => {
			const { run, isOpen } = runs[at];
			const waited = {
				index,
				generation,
				run,
				begun: void 0,
				ended: void 0
			};
			if (isOpen) this.keep(waited);
			else over.push(waited);
			return waited;
		});
		for (const waited of over) waited.ended = this.read(waited);
		if (hasty) for (const waited of waitSnapshots) waited.begun ??= waited.ended ?? this.read(waited);
		return waitSnapshots;
	}
	keep(waited) {
		const { index } = waited;
		const known = this.open.get(index);
		if (known === void 0) this.open.set(index, [waited]);
		else known.push(waited);
		return waited;
	}
	has(index) {
		return this.open.has(index);
	}
	ended(index, generation, run, result) {
		if (this.open.size === 0) return;
		const waitSnapshots = this.open.get(index);
		if (waitSnapshots === void 0) return;
		for (const waited of waitSnapshots) if (waited.run === run && waited.generation === generation) waited.ended = this.asEnded(waited, result);
	}
	retried(index, generation, run) {
		for (const waited of this.open.get(index) ?? []) if (waited.run === run && waited.generation === generation) waited.run += 1;
	}
	asEnded(waited, result) {
		const view = this.read(waited);
		if (view?.run === waited.run) return view;
		const before = waited.begun ?? view;
		return before && this.kept(waited, {
			...before,
			...endOf(waited, result, instantOf(this.runtime))
		});
	}
	release(waitSnapshots) {
		for (const waited of waitSnapshots) {
			const others = this.open.get(waited.index)?.filter((other) => other !== waited);
			if (others === void 0) continue;
			if (others.length === 0) this.open.delete(waited.index);
			else this.open.set(waited.index, others);
		}
	}
	resultOf(waitSnapshots, targets, { idle, ids, timedOut }) {
		const over = waitSnapshots.filter((_, at) => targets[at]?.state === "ended");
		const pairs = pairsOf(over);
		const found = this.runtime.view((core) => core.getMany(pairs, now()), many(optional(readTaskSnapshot)));
		const views = new Map(over.map((waited, at) => [waited, found[at]]));
		const result = {
			completed: [],
			pending: [],
			unknown: [],
			timedOut,
			needsInput: []
		};
		waitSnapshots.forEach((waited, at) => {
			const { state, question } = targets[at] ?? PENDING;
			const given = ids?.[at];
			const id = given?.startsWith("sub_") ? given : this.runtime.lookup.taskId(waited.index, waited.generation);
			const view = state === "ended" ? this.endOf(waited, idle, views.get(waited)) : void 0;
			if (view !== void 0) result.completed.push(view);
			else (state === "ended" ? result.unknown : result.pending).push(id);
			if (question !== void 0) result.needsInput.push({
				taskId: id,
				question
			});
			if (state === "moved") result.movedToBackground = [...result.movedToBackground ?? [], id];
		});
		return result;
	}
	endOf(waited, idle, view) {
		const end = idle || view?.run === waited.run ? view ?? waited.ended : waited.ended ?? view;
		return end && this.kept(waited, end);
	}
	read(waited) {
		const { index, generation } = waited;
		const view = this.runtime.lookup.snapshotIf(index, generation);
		return view && this.kept(waited, view);
	}
	kept(waited, snapshot) {
		this.places.set(snapshot, waited);
		return snapshot;
	}
	placeOf(snapshot) {
		return this.places.get(snapshot);
	}
};
function pairsOf(places) {
	const pairs = new Uint32Array(2 * places.length);
	let at = 0;
	for (const { index, generation } of places) {
		pairs[at++] = index;
		pairs[at++] = generation;
	}
	return pairs;
}
const PENDING = {
	state: "pending",
	question: void 0
};
function endOf({ run, begun }, result, endedAt) {
	const { success: _success, backgrounded: _backgrounded, started, artifacts, ...fields } = result;
	const { durationMs, usage } = fields;
	const startedAt = started ? begun?.startedAt ?? endedAt - durationMs : null;
	return {
		...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null])),
		run,
		startedAt,
		endedAt,
		updatedAt: endedAt,
		parked: null,
		question: null,
		turns: usage.turns,
		artifacts: [...artifacts]
	};
}
function claimedEnds(runtime) {
	return runtime.view((core) => core.claimed(), many(readRunKey)).map(({ task: { index, generation }, run }) => {
		return {
			deliveryId: runtime.call((core) => core.deliveryId(index, generation, run)),
			taskId: runtime.lookup.taskId(index, generation),
			run
		};
	});
}
const NO_TARGETS = [];
const STOPPING = "only the waiting was aborted: the sub-agents still stop";
function notEnded(timeoutMs) {
	return new SubAgentError("aborted", `the sub-agent had not ended after ${timeoutMs} ms; it continues`, { timeoutMs });
}
var Waits = class {
	constructor(runtime) {
		this.open = [];
		this.crowded = /* @__PURE__ */ new Map();
		this.count = 0;
		this.untilClosed = /* @__PURE__ */ new Set();
		this.runtime = runtime;
	}
	get areOpen() {
		return this.count > 0 || this.untilClosed.size > 0;
	}
	waitFor(actor, target, timeoutMs, signal, call) {
		this.runtime.check();
		const { index, generation } = target;
		const active = this.runtime.runs.activeOf(index, generation);
		const isTimeless = timeoutMs === Number.POSITIVE_INFINITY && actor.run === 0 && !this.runtime.listeners.listening && this.runtime.following.present === void 0;
		const at = isTimeless ? 0 : now();
		const outer = enter(this.runtime);
		let code;
		try {
			code = this.runtime.core.wait(at, actor.index, actor.generation, actor.run, index, generation, timeoutMs);
		} catch (error) {
			throw this.runtime.poison(error);
		} finally {
			leave(outer);
		}
		if (code === -1) throw this.runtime.refusal();
		if (code < 0) {
			const answer = this.answered(code, target);
			this.runtime.dispatch();
			return answer;
		}
		if (call !== void 0) call.wait = code;
		const answer = this.waiting(code, active, actor, signal);
		if (!isTimeless) this.runtime.dispatch();
		return answer;
	}
	waitForCall(call, target, timeoutMs = Number.POSITIVE_INFINITY) {
		const { index, generation } = target;
		if (call.isAborted && this.runtime.runs.activeOf(index, generation) === void 0) return this.runtime.answer(this.lastResult(target));
		const answer = this.waitFor(call.actor, target, timeoutMs, void 0, call);
		if (call.isAborted) this.abortCall(call, target).catch(() => void 0);
		return answer;
	}
	async abortCall(call, task) {
		call.isAborted = true;
		const reads = this.runtime.readers.isRead(call.actor);
		const wait = call.wait === void 0 ? void 0 : keyOf(call.wait);
		await this.opened(waitOf(this.unasked({
			type: "abort_call",
			task,
			wait,
			reads
		})));
	}
	unasked(command) {
		return this.runtime.unasked(() => this.runtime.commandIf(PROGRAM, command));
	}
	answered(code, target) {
		if (code === -4) return this.runtime.answer(void 0);
		if (code === -3) return this.runtime.answer(Promise.reject(needsInput(this.runtime, target.index, target.generation)));
		return this.runtime.answer(this.lastResult(target));
	}
	waiting(wait, active, actor, signal) {
		let resolve;
		let reject;
		const promise = new Promise((settle, fail) => {
			resolve = settle;
			reject = fail;
		});
		this.keep({
			wait,
			active,
			actor,
			resolve,
			reject
		}, signal);
		this.runtime.hosts.keepAwake();
		return promise;
	}
	pastResult({ index, generation, latest }) {
		const last = this.runtime.call((core) => core.lastRun(index, generation));
		if (latest.result !== void 0 && (last === 0 || latest.run === last)) return latest.result;
		return resultFrom(this.runtime.lookup.snapshot(index, generation), latest);
	}
	async lastResult(target) {
		const { index, generation } = target;
		const undelivered = this.runtime.runs.undelivered(index, generation);
		if (undelivered === void 0 || this.runtime.call((core) => core.lastRun(index, generation)) > 0) return this.pastResult(target);
		return new Promise((resolve, reject) => undelivered.follow({
			resolve,
			reject
		}));
	}
	waitMany(actor, targets, { all, idle, timeoutMs }, read, signal) {
		const reply = this.runtime.command(actor, {
			type: "wait",
			targets,
			all,
			idle,
			timeoutMs
		});
		if (reply.type === "waiting") return this.opened(packed(reply.wait), signal, void 0, read, actor);
		const answer = reply.type === "wait_over" ? read(reply.timedOut, reply.targets) : read(false, []);
		this.runtime.dispatch();
		return Promise.resolve(answer);
	}
	cancel(actor, task, reason, graceMs, signal) {
		return this.stop(actor, {
			type: "cancel",
			task,
			reason,
			graceMs
		}, signal);
	}
	stop(actor, command, signal) {
		const wait = waitOf(this.runtime.command(actor, command));
		const receipt = { acked: claimedEnds(this.runtime) };
		const over = this.opened(wait, signal, STOPPING);
		return wait === -2 ? Promise.resolve(receipt) : over.then(() => receipt);
	}
	opened(wait, signal, aborted, read, actor) {
		const answer = wait === -2 ? Promise.resolve(void 0) : new Promise((resolve, reject) => {
			this.keep({
				wait,
				active: void 0,
				actor,
				read,
				resolve,
				reject
			}, signal, aborted);
		});
		this.runtime.dispatch();
		return answer;
	}
	drain(timeoutMs) {
		this.runtime.mutate((core) => core.startDrain(now(), timeoutMs));
		const drained = this.runtime.call((core) => core.drain(now(), timeoutMs));
		this.runtime.keepAlive.begin();
		return new Promise((resolve, reject) => {
			this.untilClosed.add(reject);
			this.runtime.hosts.keepAwake();
			drained.then((result) => {
				if (this.untilClosed.delete(reject)) this.runtime.keepAlive.end();
				this.runtime.hosts.keepAwake();
				resolve(result);
			}, (error) => reject(this.runtime.poison(error)));
		});
	}
	keep(waiting, signal, aborted = "the wait was aborted; that touches no sub-agent") {
		const { wait } = waiting;
		const index = indexOf(wait);
		if (this.open[index] === void 0) this.open[index] = waiting;
		else this.crowded.set(wait, waiting);
		this.runtime.keepAlive.begin();
		this.count += 1;
		this.parkPresent(waiting);
		if (signal !== void 0) this.follow(waiting, signal, aborted);
	}
	parkPresent({ wait, actor }) {
		const present = (actor?.run ?? 0) === 0 ? this.runtime.following.present : void 0;
		if (present === void 0) return;
		this.unasked({
			type: "waits_within",
			wait: keyOf(wait),
			task: present,
			run: present.run
		});
	}
	take(wait) {
		const index = indexOf(wait);
		const first = this.open[index];
		if (first?.wait === wait) {
			this.open[index] = void 0;
			return first;
		}
		if (this.crowded.size === 0) return void 0;
		const waiting = this.crowded.get(wait);
		this.crowded.delete(wait);
		return waiting;
	}
	done(wait, timedOut, targets = NO_TARGETS) {
		const waiting = this.take(wait);
		if (waiting === void 0) return;
		this.runtime.keepAlive.end();
		this.count -= 1;
		const { resolve, unfollow } = waiting;
		const active = waiting.active?.latest;
		unfollow?.();
		try {
			if (active === void 0) resolve(waiting.read === void 0 ? timedOut : waiting.read(timedOut, targets));
			else if (active.result === void 0 && !timedOut) this.endWithout(waiting, active);
			else resolve(timedOut ? void 0 : active.result);
		} catch (error) {
			waiting.reject(error);
		}
	}
	endWithout({ actor, aborted, resolve, reject }, active) {
		const { index, generation } = active;
		const { runtime } = this;
		if (runtime.call((core) => core.question(index, generation)) !== void 0) {
			resolve(runtime.answer(Promise.reject(needsInput(runtime, index, generation))));
			return;
		}
		const moved = movedToBackground(active);
		if (moved !== void 0) resolve(runtime.answer(moved));
		else if (aborted !== void 0) reject(aborted);
		else if (actor !== void 0) this.waitFor(actor, active, Number.POSITIVE_INFINITY).then(resolve, reject);
	}
	rejectAll(error) {
		for (const waiting of [...this.open, ...this.crowded.values()]) {
			if (waiting === void 0) continue;
			waiting.unfollow?.();
			waiting.reject(error);
		}
		this.open.length = 0;
		this.crowded.clear();
		this.count = 0;
		for (const reject of this.untilClosed) reject(error);
		this.untilClosed.clear();
	}
	leave({ index, generation, run }) {
		for (const waiting of [...this.open, ...this.crowded.values()]) {
			const by = waiting?.actor;
			if (waiting === void 0 || by?.index !== index || by.generation !== generation || by.run !== run) continue;
			this.abort(waiting, leftBehind("waits"));
		}
	}
	abort(waiting, error) {
		waiting.aborted = error;
		if (this.unasked({
			type: "end_wait",
			wait: keyOf(waiting.wait)
		})?.type !== "wait_over") waiting.reject(error);
		this.runtime.dispatch();
	}
	follow(waiting, signal, aborted) {
		const { wait } = waiting;
		const index = indexOf(wait);
		const fire = () => {
			if (this.open[index] !== waiting && this.crowded.get(wait) !== waiting) return;
			const isLeft = isOfMove(this.runtime, signal);
			this.abort(waiting, isLeft ? leftBehind("waits") : new SubAgentError("aborted", aborted, {}, { cause: signal.reason }));
		};
		if (signal.aborted) {
			fire();
			return;
		}
		waiting.unfollow = follow(signal, fire);
	}
};
var Wakes = class {
	#runtime;
	#sleepers = /* @__PURE__ */ new Map();
	#marked = /* @__PURE__ */ new Set();
	#kept = /* @__PURE__ */ new Set();
	constructor(runtime) {
		this.#runtime = runtime;
	}
	register(session, scope, onWake) {
		const { index } = session;
		if (onWake === void 0) this.#sleepers.delete(index);
		else {
			this.#sleepers.set(index, {
				session,
				scope,
				onWake: bound(onWake)
			});
			const { journal } = this.#runtime;
			if (journal?.isStarted === true && (this.#runtime.unasked((core) => core.pendingNotices(index)) ?? 0) > 0) this.mark(index);
		}
	}
	mark(index) {
		this.#runtime.readers.changed();
		if (!this.#sleepers.has(index)) {
			this.#runtime.readers.noticeWaits(index);
			return;
		}
		if (this.#marked.size === 0) queueMicrotask(() => this.#wakeMarked());
		this.#marked.add(index);
		if (this.#kept.has(index)) return;
		this.#kept.add(index);
		this.#runtime.keepAlive.begin();
	}
	review() {
		for (const index of this.#kept) {
			if (this.#sleepers.has(index) && this.#runtime.unasked((core) => core.noticesWait(index)) === true) continue;
			if (this.#kept.delete(index)) this.#runtime.keepAlive.end();
		}
	}
	clear() {
		this.#sleepers.clear();
		this.#kept.clear();
	}
	#wakeMarked() {
		if (this.#runtime.isPutOff(() => this.#wakeMarked())) return;
		const marked = this.#marked;
		this.#marked = /* @__PURE__ */ new Set();
		for (const index of marked) {
			const sleeper = this.#sleepers.get(index);
			const pending = this.#runtime.unasked((core) => core.pendingNotices(index));
			if (sleeper === void 0 || pending === void 0 || pending === 0) continue;
			this.#runtime.notify(() => sleeper.onWake(sleeper.scope, { pending }));
			this.#runtime.unasked(() => this.#runtime.commandIf(PROGRAM, {
				type: "woken",
				session: sleeper.session
			}));
			this.#runtime.dispatch();
		}
		this.review();
	}
};
function notDone(checked) {
	return `Not done: ${toCorrect(checked)}`;
}
function toCorrect({ mistakes }) {
	const said = mistakes.join("; ");
	return `${said}${said.endsWith("?") ? "" : "."} Correct the arguments and call again.`;
}
function schemaOf(fields) {
	return {
		type: "object",
		properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
		required: fields.filter(({ required }) => required).map(({ name }) => name)
	};
}
function fieldsIn(schema) {
	return Object.entries(schema.properties).map(([name, property]) => ({
		means: name,
		name,
		schema: property,
		required: schema.required.includes(name)
	}));
}
function checkFields(fields, args) {
	try {
		return check(fields, args);
	} catch (error) {
		return { mistakes: [`the arguments can't be read: ${quoted(messageOf(error), 300)}`] };
	}
}
function parsedArguments(args) {
	return (typeof args === "string" ? args.trim() === "" ? void 0 : JSON.parse(args) : args) ?? {};
}
function check(fields, args) {
	const given = wellFormedIn(parsedArguments(args));
	if (typeof given !== "object" || Array.isArray(given)) return { mistakes: [`the arguments must be an object, got ${describe(given)}`] };
	const mistakes = [];
	const params = {};
	const leftOut = [];
	for (const field of fields) {
		const { means, name, schema, required } = field;
		const value = valueGiven(name, given);
		if (isLeftOut(field, value)) {
			if (value !== void 0) leftOut.push(name);
			if (required) mistakes.push(`\`${name}\` is missing: it must be ${expected(schema)}`);
		} else if (fits(schema, value)) params[means] = value;
		else {
			const isOther = (entry) => typeof entry !== "string";
			const got = Array.isArray(value) && value.some(isOther) ? `one with ${describe(value.find(isOther))}` : describe(value);
			const meant = typeof value === "string" && schema.enum !== void 0 ? nearestOf(value, schema.enum) : void 0;
			mistakes.push(`\`${name}\` must be ${expected(schema)}, got ${got}${meant === void 0 ? "" : `; did you mean '${meant}'?`}`);
		}
	}
	mistakes.push(...misnamedIn(fields, given));
	return mistakes.length > 0 ? { mistakes } : {
		params,
		given,
		leftOut
	};
}
function valueGiven(name, given) {
	const value = propertyOf(given, name);
	return Array.isArray(value) ? entriesOf$1(`\`${name}\``, value) : value;
}
function isLeftOut({ schema, required }, value) {
	if (value === void 0 || value === null) return true;
	const isNumber = schema.type === "integer" || schema.type === "number";
	return !required && (isBlank(value) || isNumber && value === 0 && !fits(schema, 0));
}
const MOST_BLANKS = 10;
function isBlank(value) {
	if (Array.isArray(value)) return value.length <= MOST_BLANKS && value.every((entry) => typeof entry === "string" && entry.trim() === "");
	return value === void 0 || value === null || typeof value === "string" && value.trim() === "";
}
function unknownIn(fields, given) {
	return Object.keys(given).filter((name) => fields.every((field) => field.name !== name)).filter((name) => !isBlank(Object.getOwnPropertyDescriptor(given, name)?.value));
}
function misnamedIn(fields, given) {
	if (targetOf$1(fields) === void 0) return [];
	return unknownIn(fields, given).flatMap((name) => {
		const target = targetMeantBy(fields, name);
		return target === void 0 ? [] : [`there is no \`${quoted(name)}\` here: did you mean \`${target}\`?`];
	});
}
const ADDRESSED = /^(sub)?agents?$|^targets?$|^handles?$|^recipients?$/;
const ADDRESSES = [
	"id",
	"ids",
	"to",
	"name",
	"nickname",
	"task_id",
	"task_ids"
];
function targetOf$1(fields) {
	return fields.find(({ means }) => means === "target" || means === "targets" || means === "continues");
}
function targetMeantBy(fields, unknown) {
	const target = targetOf$1(fields);
	if (target === void 0) return void 0;
	if (nearestOf(unknown, fields.map(({ name }) => name)) === target.name) return target.name;
	const words = unknown.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/);
	return (target.means === "continues" ? words.at(-1) === "id" : ADDRESSES.includes(words.join("_")) || words.some((word) => ADDRESSED.test(word))) ? target.name : void 0;
}
function fits(schema, value) {
	switch (schema.type) {
		case "string":
			if (typeof value !== "string") return false;
			return schema.enum === void 0 ? schema.minLength === void 0 || value.trim() !== "" : schema.enum.includes(value);
		case "boolean": return typeof value === "boolean";
		case "array": return Array.isArray(value) && value.every((entry) => typeof entry === "string");
		case "integer": return Number.isSafeInteger(value) && inRange(schema, value);
		case "number": return typeof value === "number" && Number.isFinite(value) && inRange(schema, value);
	}
}
function inRange({ minimum, maximum, exclusiveMinimum }, value) {
	return (minimum === void 0 || value >= minimum) && (maximum === void 0 || value <= maximum) && (exclusiveMinimum === void 0 || value > exclusiveMinimum);
}
function expected(schema) {
	switch (schema.type) {
		case "string":
			if (schema.enum !== void 0) return `one of ${schema.enum.join(", ")}`;
			return schema.minLength === void 0 ? "a text" : "a text that is not empty";
		case "boolean": return "true or false";
		case "array": return "a list of texts";
		case "integer":
		case "number": {
			const { minimum, maximum, exclusiveMinimum } = schema;
			const kind = schema.type === "integer" ? "a whole number" : "a number";
			const least = minimum !== void 0 ? ` of at least ${minimum}` : exclusiveMinimum !== void 0 ? ` above ${exclusiveMinimum}` : "";
			return `${kind}${least}${maximum === void 0 ? "" : `${least === "" ? " of" : " and"} at most ${maximum}`}`;
		}
	}
}
const MOST = 5;
function ignoredOf(args, fields) {
	try {
		const given = parsedArguments(args);
		if (typeof given !== "object" || Array.isArray(given)) return "";
		const unknown = unknownIn(fields, given).filter((name) => targetMeantBy(fields, name) === void 0);
		if (unknown.length === 0) return "";
		const open = fields.map(({ name }) => name).filter((name) => isBlank(Object.getOwnPropertyDescriptor(given, name)?.value));
		return `${unknown.slice(0, MOST).map((name) => {
			const meant = nearestOf(name, open);
			return `\`${quoted(name)}\`${meant === void 0 ? "" : ` (did you mean \`${meant}\`?)`}`;
		}).join(", ")}${unknown.length > MOST ? ` and ${unknown.length - MOST} more` : ""}`;
	} catch {
		return "";
	}
}
function withIgnored(text, ignored) {
	const json = jsonIn(text);
	if (json === void 0) return `${text}\nIgnored: ${ignored}.`;
	return jsonForModel({
		...json,
		ignored
	});
}
function jsonIn(text) {
	if (!text.startsWith("{")) return void 0;
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function toolObject(runtime, given) {
	const call = async (args, context) => {
		const ignored = ignoredOf(args, given.fields);
		const { text, details } = await given.call(args, context);
		return {
			text: ignored === "" ? text : withIgnored(text, ignored),
			details
		};
	};
	const body = {
		...given,
		call: (args, context) => runtime.answer(call(args, context))
	};
	const parameters = withStandard({ ...body.schema }, (args) => body.check(args));
	const { name, label, description } = body;
	return Object.defineProperty({
		name,
		label,
		description,
		parameters,
		inputSchema: parameters,
		execute(...given) {
			return given.length > 1 && isCallId(given[0]) ? calledByPi(body, given) : called(runtime, body, given);
		}
	}, "operation", { value: body.operation });
}
function isCallId(first) {
	return typeof first === "string" && !/^\s*[{["]/.test(first);
}
async function calledByPi(body, given) {
	const [toolCallId, args, signal, onUpdate] = given;
	const progress = typeof onUpdate !== "function" ? void 0 : (make) => {
		const update = make();
		const partial = {
			content: [{
				type: "text",
				text: update.text
			}],
			details: body.detailsOf(update)
		};
		return onUpdate(partial);
	};
	const { text, details } = await body.call(args, {
		signal: signalFrom(signal),
		toolCallId,
		notifies: true,
		isDetailed: true,
		progress
	});
	const usage = usageIn(details);
	return {
		content: [{
			type: "text",
			text
		}],
		details,
		...usage && { usage }
	};
}
function usageIn(details) {
	const { tokens, cost, inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, ...more } = details ?? {};
	if (typeof tokens !== "number" || typeof cost !== "number") return void 0;
	const input = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
	const { cacheWrite1hTokens: cacheWrite1h, reasoningTokens: reasoning } = more;
	return {
		input,
		output: outputTokens,
		cacheRead: cacheReadTokens,
		cacheWrite: cacheWriteTokens,
		...cacheWrite1h && { cacheWrite1h },
		...reasoning && { reasoning },
		totalTokens: tokens,
		cost: {
			input: 0,
			output: 0,
			cacheRead: 0,
			cacheWrite: 0,
			total: cost
		}
	};
}
function called(runtime, body, given) {
	const updates = new Updates();
	const answer = (async () => {
		const [args, options] = given;
		const { signal, abortSignal, toolCallId, onUpdate, notifies, onQuestion, onDetails, writer, outputWriter } = readArgument("the options of the call", () => {
			const given = Object(options);
			return {
				signal: ownOf(given, "signal", given.signal),
				abortSignal: ownOf(given, "abortSignal", given.abortSignal),
				toolCallId: ownOf(given, "toolCallId", given.toolCallId),
				onUpdate: ownOf(given, "onUpdate", given.onUpdate),
				notifies: ownOf(given, "notifies", given.notifies),
				onQuestion: ownOf(given, "onQuestion", given.onQuestion),
				onDetails: ownOf(given, "onDetails", given.onDetails),
				writer: ownOf(given, "writer", given.writer),
				outputWriter: ownOf(given, "outputWriter", given.outputWriter)
			};
		});
		const sink = typeof onUpdate === "function" ? onUpdate : sinkOf(writer, outputWriter, toolCallId);
		const progress = (make) => {
			updates.push(make);
			return sink?.(make());
		};
		const context = {
			signal: signalFrom(signal ?? abortSignal),
			toolCallId: typeof toolCallId === "string" ? toolCallId : void 0,
			notifies: notifies !== false,
			isDetailed: typeof onDetails === "function",
			progress,
			onQuestion: typeof onQuestion === "function" ? onQuestion : void 0
		};
		const { text, details } = await body.call(args, context);
		if (typeof onDetails === "function") runtime.notify(() => onDetails(details));
		return text;
	})();
	return Object.defineProperty(answer, Symbol.asyncIterator, { value: () => updates.until(answer) });
}
function signalFrom(signal) {
	return signalOf("`signal`", signal ?? void 0);
}
function sinkOf(writer, outputWriter, toolCallId) {
	if (typeof writer === "function") return (progress) => writer({
		type: "subagent-progress",
		toolCallId,
		...progress
	});
	if (typeof outputWriter !== "function") return void 0;
	return (progress) => {
		Promise.resolve(outputWriter({
			type: "data-subagent-progress",
			data: {
				toolCallId,
				...progress
			}
		})).catch(() => void 0);
	};
}
var Updates = class {
	constructor() {
		this.newest = void 0;
		this.count = 0;
		this.due = 0;
		this.isRead = false;
		this.timer = void 0;
		this.waiting = [];
	}
	push(make) {
		this.newest = make;
		this.count += 1;
		if (this.isRead) this.arm();
	}
	arm() {
		this.timer ??= setTimeout(() => {
			this.timer = void 0;
			this.due = this.count;
			this.wake();
		}, 0);
	}
	wake() {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
	async *until(answer) {
		this.isRead = true;
		if (this.count > this.due) this.arm();
		let over = false;
		let seen = 0;
		const end = () => {
			over = true;
			clearTimeout(this.timer);
			this.wake();
		};
		answer.then(end, end);
		for (;;) if (this.newest !== void 0 && this.due > seen) {
			seen = this.due;
			yield this.newest().text;
		} else if (over) break;
		else await new Promise((resolve) => {
			this.waiting.push(resolve);
		});
		yield await answer;
	}
};
function withStandard(schema, check) {
	const plain = () => JSON.parse(JSON.stringify(schema));
	return Object.defineProperty(schema, "~standard", {
		enumerable: false,
		value: {
			version: 1,
			vendor: "subagents",
			validate(value) {
				const checked = check(value);
				return "params" in checked ? { value: parsedArguments(value) } : { issues: checked.mistakes.map((message) => ({ message })) };
			},
			jsonSchema: {
				input: plain,
				output: plain
			}
		}
	});
}
function targetOf(runtime, actor, target, purpose = "speak to") {
	if (target !== void 0) return runtime.lookup.resolve(actor, target);
	runtime.ask((core) => core.speaks(actor.index, actor.generation, actor.run));
	const packed = runtime.call((core) => core.openChild(actor.index, actor.generation, actor.run));
	if (packed < 0) throw new SubAgentError("unknown_task", `there is no open sub-agent to ${purpose}: spawn one, or name one`);
	return keyOf(packed);
}
function send(runtime, actor, target, message, options) {
	return reportingRefusals(runtime, actor, target, () => sent(runtime, actor, target, message, options));
}
function reportingRefusals(runtime, actor, target, body) {
	try {
		return body();
	} catch (error) {
		runtime.refusals.report("send", actor, () => runtime.lookup.taskId(target.index, target.generation), error);
		throw error;
	}
}
function noMessage(call, got) {
	return invalid("`message`", `a text, as in \`${call}'go on')\``, got);
}
function sent(runtime, actor, target, message, options) {
	runtime.check();
	if (typeof message !== "string") throw noMessage("handle.send(", message);
	const text = textOf("`message`", message);
	const mode = options === void 0 ? "queue" : readArgument("the options of send", () => modeOf(options));
	const { index, generation } = target;
	const { receipt } = runtime.command(actor, {
		type: "send",
		task: target,
		mode,
		text: wellFormed(text)
	});
	if (receipt !== "delivered" && runtime.contexts.matter) runtime.contexts.sent(index, generation, runtime.call((core) => core.lastMessage()));
	runtime.dispatch();
	if (mode === "steer") runtime.runs.steered(target);
	runtime.expectSound();
	return {
		receipt,
		taskId: runtime.lookup.taskId(index, generation)
	};
}
function modeOf(options) {
	const { mode = "queue" } = knownOptions("send", options, ["mode"]);
	if (!MESSAGE_MODES.includes(mode)) throw invalid("`mode`", `one of ${MESSAGE_MODES.join(", ")}`, mode);
	return mode;
}
function interrupt(runtime, actor, target, options) {
	const graceMs = graceOf(options, "interrupt");
	return runtime.waits.stop(actor, {
		type: "interrupt",
		task: target,
		graceMs
	}).then(() => void 0);
}
async function ask(active, question, options) {
	const { runtime } = active;
	runtime.check();
	if (typeof question !== "string") throw invalid("`question`", "a text, as in `ask('Which file?')`", question);
	const text = textOf("`question`", question);
	const timeoutMs = options === void 0 ? void 0 : readArgument("the options of ask", () => askTimeoutOf(options));
	const reply = runtime.command(active, {
		type: "ask",
		question: wellFormed(text),
		timeoutMs
	});
	const answered = new Promise((resolve, reject) => {
		if (reply.type !== "unanswered") active.asking = {
			resolve,
			reject
		};
		else resolve(reply.stopped ? unanswered(active) : {
			answered: false,
			reason: "cannot_answer"
		});
	});
	runtime.dispatch();
	return answered;
}
function askTimeoutOf(options) {
	const { timeoutMs } = knownOptions("ask", options, ["timeoutMs"]);
	return duration("`timeoutMs`", timeoutMs);
}
function howToAnswer(tool) {
	return tool === void 0 ? "Send it a message to answer." : `${tool} answers it.`;
}
const ADVICE = {
	abandoned_limit: "Do the work yourself.",
	budget_exhausted: "Do the work yourself.",
	children_limit: "Wait until one ends, or do the work yourself.",
	concurrency_limit: "Wait until one ends, or do the work yourself.",
	depth_limit: "Do the work yourself.",
	draining: "Do the work yourself.",
	queue_full: "Wait until one ends, or do the work yourself.",
	spawns_limit: "Do the work yourself.",
	tasks_limit: "Do the work yourself."
};
const FULL = /* @__PURE__ */ new Set([
	"abandoned_limit",
	"children_limit",
	"concurrency_limit",
	"queue_full",
	"spawns_limit",
	"tasks_limit"
]);
function textsOf(given) {
	const { started, completed, failed, limitReached, refused, ...unknown } = optionsOf("`texts`", given, "an object such as { refused }");
	noOtherFields("texts", unknown, [
		"started",
		"completed",
		"failed",
		"limitReached",
		"refused"
	]);
	const texts = {
		started,
		completed,
		failed,
		limitReached,
		refused
	};
	for (const [name, text] of Object.entries(texts)) if (text !== void 0 && typeof text !== "function") throw invalid(`\`texts.${name}\``, "a function", text);
	return texts;
}
function said(runtime, name, own, facts) {
	if (own === void 0) return facts.text;
	try {
		const text = own(facts);
		if (typeof text === "string" && text !== "") return text;
		runtime.report(invalid(`what \`texts.${name}\` returns`, "a text that is not empty", text));
	} catch (error) {
		runtime.report(error);
	}
	return facts.text;
}
function shownName(runtime, view) {
	return `${shownId(runtime, view)} [${quoted(view.label, 80)}]`;
}
function shownId(runtime, { taskId, hostTaskId }) {
	if (hostTaskId === null) return taskId;
	const length = runtime.write(taskId);
	const place = runtime.call((core) => core.find(0, 0, 0, length));
	if (place < 0) return taskId;
	const { index, generation } = keyOf(place);
	return runtime.call((core) => core.shownId(index, generation));
}
function standing(runtime, view) {
	const facts = [];
	if (view.run > 0) facts.push(`run ${view.run}`);
	if (view.turns > 0) facts.push(`turn ${view.turns}`);
	if (view.parked !== null) facts.push(`waits: ${view.parked}`);
	if (view.cancelRequested) facts.push("is being cancelled");
	if (view.queueSize > 0) facts.push(`${counted(view.queueSize, "message")} queued`);
	if (view.stopReason !== null && !isOpen(view) && view.stopReason !== "finished") facts.push(view.stopReason);
	return `${shownName(runtime, view)} ${view.status}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}
function isOpen(view) {
	return view.status === "running" || view.status === "pending";
}
function ended(runtime, view, text) {
	const { status, stopReason, error, hostStatus, receipts, usage, startedAt, durationMs } = view;
	const place = runtime.waitSnapshots.placeOf(view) ?? runtime.lookup.resolve(PROGRAM, view.taskId);
	const figures = figuresOf(usage, startedAt !== null, durationMs);
	const left = view.output === "" && error !== null ? {
		output: "",
		error: text
	} : {
		output: text,
		error
	};
	return endText(runtime, place, view.run, {
		status,
		stopReason: stopReason ?? "finished",
		...left,
		hostStatus,
		receipts,
		figures
	});
}
function leftBy(view) {
	if (view.output !== "") return view.output;
	return view.error ?? view.progress ?? "";
}
function pageOf(text, offset, limit) {
	const points = [...text];
	return {
		text: points.slice(offset, offset + limit).join(""),
		total: points.length
	};
}
var Answers = class {
	constructor(runtime, options, others) {
		this.runtime = runtime;
		this.options = options;
		this.others = others;
	}
	why(error) {
		const { argument } = error.details;
		const named = typeof argument === "string" ? this.others.fields?.[argument] : void 0;
		return named === void 0 ? modelTextOf(error) : modelTextOf(error).replaceAll(`\`${argument}\``, `\`${named}\``);
	}
	refused(why, error, full = fullBy(error)) {
		const usual = `No sub-agent was started: ${why}`;
		const { texts } = this;
		const text = full === void 0 ? said(this.runtime, "refused", texts?.refused, {
			reason: why,
			text: usual
		}) : said(this.runtime, "limitReached", texts?.limitReached, {
			...full,
			text: usual
		});
		const details = this.detailsOfNone(error);
		const { taskId, status } = details;
		return {
			text: this.answerOf(text, taskId || null, status, text),
			details
		};
	}
	reported(report) {
		const details = this.detailsOfNone();
		return {
			text: this.isJson && parseReport(report) === void 0 ? reportText({
				...reportOfNone(null, "refused", null),
				output: report
			}) : report,
			details
		};
	}
	started(active, modelId, notifies) {
		const { taskId, hostTaskId, index, generation } = active;
		const id = this.runtime.call((core) => core.shownId(index, generation));
		const view = this.runtime.lookup.snapshot(index, generation);
		const { label } = view;
		const status = underWay(view);
		const usual = `${startedText({
			label,
			taskId: id
		}, notifies)}${this.later(notifies)}`;
		const own = said(this.runtime, "started", this.texts?.started, {
			id,
			taskId,
			hostTaskId,
			label,
			text: usual
		});
		const text = this.answerOf(own, taskId, status);
		const details = {
			taskId,
			background: true,
			status,
			durationMs: null,
			turns: null,
			cost: null
		};
		if (hostTaskId !== void 0) details.hostTaskId = hostTaskId;
		return {
			text,
			details: this.withModel(details, modelId)
		};
	}
	startedBefore(view) {
		const { taskId, status, label, modelId } = view;
		const text = `Subagent [${quoted(label, 80)}] was started before (id: ${shownId(this.runtime, view)}); it is ${status}.`;
		return {
			text: this.answerOf(text, taskId, status),
			details: this.withModel(openDetails(view, true, status), modelId ?? void 0)
		};
	}
	goesOn(view) {
		const status = underWay(view);
		const text = `The call was aborted; sub-agent ${shownId(this.runtime, view)}, which was started before, continues.`;
		return {
			text: this.answerOf(text, view.taskId, status),
			details: this.withModel(openDetails(view, false, status), view.modelId ?? void 0)
		};
	}
	asked(active, question, modelId, notifies) {
		const { index, generation, taskId } = active;
		const said = `${question === void 0 ? `Subagent [${quoted(active.snapshot().label, 80)}] (id: ${this.runtime.call((core) => core.shownId(index, generation))}) asked, and already has its answer.` : `${question}\n${howToAnswer(this.others.answer)}`} It continues in the background${notifies ? `; ${NOTIFIES}` : `.${this.later(notifies)}`}`;
		const text = this.isJson ? reportText({
			...reportOfNone(taskId, "running", null),
			output: said
		}) : said;
		const details = {
			taskId,
			background: true,
			status: "running",
			durationMs: null,
			turns: null,
			cost: null
		};
		return {
			text,
			details: this.withModel(details, modelId)
		};
	}
	later(notifies) {
		const { collect } = this.others;
		if (collect !== void 0) return ` ${collect} gets its result.`;
		return notifies ? "" : " No notice of its end comes here.";
	}
	ended(active, result, modelId, isDetailed = true) {
		const { rest } = this.others;
		const isCut = rest !== void 0 && !this.isJson && this.runtime.write(result.output) > limitOf(this.runtime, "inlineBytes");
		const goesOn = this.others.collect !== void 0 && !this.isJson && this.namesOthers(active);
		const hints = [isCut && `${rest} shows what was left out.`, goesOn && `${this.others.collect} gets the results of those that run below it.`];
		const usual = [resultText(result, active.latest), ...hints.filter((hint) => hint !== false)].join("\n");
		const name = result.success ? "completed" : "failed";
		const own = this.texts?.[name];
		if (!isDetailed && own === void 0) return { text: usual };
		const details = detailsOf(this.runtime, active, result, active.background);
		return {
			text: own === void 0 ? usual : said(this.runtime, name, own, this.factsOf(active, result, details, usual)),
			details: this.withModel(details, modelId)
		};
	}
	forgotten(active, modelId) {
		const { taskId, background } = active;
		const status = "forgotten";
		const text = `Sub-agent ${taskId} was ended before it had done anything, and has been forgotten.`;
		const details = {
			taskId,
			background,
			status,
			durationMs: null,
			turns: null,
			cost: null
		};
		return {
			text: this.answerOf(text, taskId, status, text),
			details: this.withModel(details, modelId)
		};
	}
	detailsOfNone(error) {
		const forgotten = error?.code === "idempotency_forgotten";
		const taskId = forgotten ? error.details.taskId : "";
		const status = forgotten ? "forgotten" : "refused";
		return this.withModel({
			taskId,
			background: false,
			status,
			durationMs: null,
			turns: null,
			cost: null
		});
	}
	get texts() {
		return this.isJson ? void 0 : this.options.texts;
	}
	namesOthers({ index, generation }) {
		return this.runtime.view((core) => core.goingOn(index, generation), readTexts).length > 0;
	}
	get isJson() {
		return this.options.format === "json";
	}
	answerOf(text, taskId, status, error = null) {
		return this.isJson ? reportText(reportOfNone(taskId, status, error)) : text;
	}
	factsOf(active, result, { turns, tokens = null, cost, durationMs }, text) {
		const { taskId, index, generation } = active;
		const { hostTaskId, status, stopReason, output } = result;
		const id = this.runtime.call((core) => core.shownId(index, generation));
		const label = labelOf(active);
		const at = text.indexOf("\n");
		return {
			id,
			taskId,
			hostTaskId,
			label,
			status,
			stopReason,
			turns,
			tokens,
			cost,
			durationMs,
			output,
			fenced: at < 0 ? "" : text.slice(at + 1),
			text
		};
	}
	withModel(details, given) {
		return withModel(this.runtime, details, given);
	}
};
function withModel({ functions }, details, given) {
	try {
		const modelId = given ?? atOnce(functions.getModelId?.());
		return typeof modelId === "string" ? {
			...details,
			modelId
		} : details;
	} catch {
		return details;
	}
}
function detailsOf(runtime, { taskId, index, generation }, result, background) {
	const { status, hostStatus } = result;
	const details = {
		taskId,
		background,
		status,
		...spendingOf(runtime, {
			index,
			generation
		}, result.run, figuresIn(result))
	};
	if (result.hostTaskId !== void 0) details.hostTaskId = result.hostTaskId;
	if (hostStatus !== void 0) details.hostStatus = hostStatus;
	if (result.artifacts.length > 0) details.artifacts = result.artifacts;
	if (result.receipts.length > 0) details.receipts = result.receipts;
	return details;
}
function spendingOf(runtime, task, run, figures) {
	const { turns, durationMs } = figures;
	const { tokens, costUsd: cost, own, kinds } = tookOf(runtime, task, run, figures);
	return {
		durationMs,
		turns,
		cost,
		tokens,
		...tokens !== null && kinds,
		...own && { own: {
			tokens: own.tokens,
			cost: own.costUsd
		} }
	};
}
function openDetails(view, background, status) {
	return {
		...hostIdOf(view),
		taskId: view.taskId,
		background,
		status,
		durationMs: null,
		turns: null,
		cost: null
	};
}
function underWay({ status }) {
	return status === "pending" ? "pending" : "running";
}
function isRefusal(error) {
	return isOurs(error) && error.code !== "disposed" && error.code !== "internal" && !isLeftBehind(error);
}
function labelOf(active) {
	try {
		return active.snapshot().label;
	} catch (error) {
		if (isRefusal(error)) return "";
		throw error;
	}
}
function fullBy(error) {
	if (error === void 0 || !FULL.has(error.code)) return void 0;
	const { active, limit } = error.details;
	return {
		active,
		limit
	};
}
function hostIdOf({ hostTaskId }) {
	return hostTaskId === null ? {} : { hostTaskId };
}
var CallTime = class {
	constructor(ms = Number.POSITIVE_INFINITY, whenOver) {
		this.isOver = false;
		if (ms > 2147483647) return;
		this.timer = setTimeout(() => {
			whenOver?.();
			this.end();
		}, ms);
	}
	get signal() {
		this.over ??= new AbortController();
		if (this.isOver) this.over.abort();
		return this.over.signal;
	}
	end() {
		clearTimeout(this.timer);
		this.isOver = true;
		this.over?.abort();
	}
};
function moveOn(runtime, actor, task) {
	try {
		return !runtime.isClosed && runtime.performIf(actor, {
			type: "move_to_background",
			task
		}) !== void 0;
	} catch (error) {
		runtime.report(error);
		return false;
	}
}
async function answered(runtime, actor, { index, generation }, { onQuestion, signal }, { signal: over }) {
	const question = runtime.call((core) => core.question(index, generation));
	if (onQuestion === void 0 || question === void 0 || over.aborted || signal?.aborted) return false;
	const stop = new AbortController();
	const ended = new Promise((resolve) => {
		const end = () => {
			stop.abort();
			resolve(void 0);
		};
		for (const by of [over, signal]) by?.addEventListener("abort", end, {
			once: true,
			signal: stop.signal
		});
	});
	const { taskId, label } = runtime.lookup.snapshot(index, generation);
	const asking = (async () => onQuestion({
		taskId,
		label,
		question,
		signal: stop.signal
	}))().catch(() => void 0);
	const answer = await Promise.race([asking, ended]);
	stop.abort();
	if (typeof answer !== "string" || !/\S/u.test(answer) || runtime.isClosed) return false;
	try {
		if (runtime.call((core) => core.question(index, generation)) === question) send(runtime, actor, {
			index,
			generation
		}, answer);
		return true;
	} catch (error) {
		if (isRefusal(error)) return true;
		throw error;
	}
}
function watcher(listener) {
	let turn = 0;
	let message = "";
	return (active, news) => {
		turn = news.turn ?? turn;
		message = news.message ?? message;
		const then = {
			turn,
			message
		};
		active.runtime.notify(() => {
			const { label } = active.snapshot();
			return listener(() => progressOf({
				taskId: active.taskId,
				label,
				...then
			}));
		});
	};
}
function progressOf(known) {
	const { label, turn, message } = known;
	const at = turn === 0 ? "has started" : `is at turn ${turn}`;
	const text = `[${quoted(label, 80)}] ${at}${message === "" ? "" : `: ${quoted(message, 500)}`}`;
	return {
		...known,
		text
	};
}
var SpawnCall = class {
	constructor(runtime, actor, options, others = {}, isAlone = false) {
		this.isAlone = isAlone;
		this.runtime = runtime;
		this.actor = actor;
		this.options = Object.assign(Object.create(null), options);
		this.answers = new Answers(runtime, this.options, others);
	}
	async run(checked, context) {
		this.runtime.check();
		return this.told(this.answer(checked, context), context);
	}
	told(answer, { toolCallId }) {
		const { onDetails } = this.options;
		if (onDetails === void 0) return answer;
		return this.runtime.answer(answer).then((given) => {
			this.runtime.notify(() => onDetails(given.details, toolCallId));
			return given;
		});
	}
	async answer(checked, context) {
		const { signal, toolCallId, progress } = context;
		const notifies = context.notifies && this.isNotified;
		const report = (about, error) => this.runtime.refusals.report("spawn", this.actor, about, error);
		if ("mistakes" in checked) {
			report(null, new SubAgentError("invalid_argument", checked.mistakes.join("; ")));
			return this.answers.refused(toCorrect(checked));
		}
		const { params, checked: given } = checked;
		const text = given.instructions ?? null;
		const limit = this.hostLimit();
		if (limit !== void 0) {
			report(text, new SubAgentError("spawn_denied", limit.why));
			return this.answers.refused(limit.why, void 0, limit.full);
		}
		if (signal?.aborted === true) {
			report(text, new SubAgentError("aborted", "the call was aborted before it began"));
			return this.answers.refused("the call was aborted before it began.");
		}
		const isDetailed = context.isDetailed || this.options.onDetails !== void 0;
		const call = {
			...callOf(this.actor, notifies),
			isDetailed
		};
		let active;
		let request;
		const { backgroundTimeoutMs: timeoutMs, onParentEnd, agent = void 0 } = this.options;
		const [key, origin, metadata] = [
			this.keyOf(toolCallId, params),
			this.originOf(),
			this.metadataOf(toolCallId, params)
		];
		try {
			const idempotencyKey = string("what `idempotencyKey` returns", key);
			const options = {
				...given,
				...agent !== void 0 && given.agent === void 0 && { agent },
				...idempotencyKey !== void 0 && { idempotencyKey },
				...origin !== void 0 && { origin },
				...metadata !== void 0 && { metadata }
			};
			request = readSpawn(options, this.runtime, true);
			if (request.background && timeoutMs !== void 0) request = readSpawn({
				...options,
				timeoutMs
			}, this.runtime, true);
			request.signal = signal;
			request.call = call;
			request.answers = this.answerers;
			if (this.options.format === "json") stagedBy(request).json = true;
			if (onParentEnd !== void 0) stagedBy(request).onParentEnd = onParentEnd;
			if (progress !== void 0 && !request.background) request.watch = watcher(progress);
			active = spawn(this.runtime, this.actor, request, params);
		} catch (error) {
			if (!isRefusal(error)) throw error;
			report(text, error);
			return typeof error.details.report === "string" ? this.answers.reported(error.details.report) : this.answers.refused(`${sentence(this.answers.why(error))}${adviceOn(error.code)}`, error);
		}
		const modelId = call.isDetailed ? request.staged?.modelId ?? this.modelOf(active) : void 0;
		try {
			if (request.repeated === true) return await this.repeated(active, request.background, signal, notifies);
			if (!request.background) return await this.foreground(active, modelId, call, context);
			await (active.named && within$2(active.named.promise, limitOf(this.runtime, "graceMs")));
			this.runtime.hosts.endArrived();
			this.runtime.check();
			return hasFired(signal) || this.isAlone && active.result?.success === false ? await this.outcome(active, modelId, call) : this.movedOn(active, modelId, notifies);
		} catch (error) {
			if (isRefusal(error) && active.result !== void 0) return this.answers.ended(active, active.result, modelId, call.isDetailed);
			if (isRefusal(error) && error.code === "forgotten") return this.answers.forgotten(active, modelId);
			throw error;
		}
	}
	async foreground(active, modelId, call, context) {
		const time = new CallTime(this.options.foregroundMs, () => void moveOn(this.runtime, this.actor, active));
		try {
			return await this.outcome(active, modelId, call, () => answered(this.runtime, this.actor, active, context, time));
		} finally {
			time.end();
		}
	}
	async outcome(active, modelId, call, hasAnswer) {
		try {
			const result = await this.runtime.waits.waitForCall(call, active);
			return result.backgrounded ? this.movedOn(active, modelId, call.notifies) : this.answers.ended(active, result, modelId, call.isDetailed);
		} catch (error) {
			if (!(isRefusal(error) && error.code === "needs_input")) throw error;
			return await hasAnswer?.() ? this.outcome(active, modelId, call, hasAnswer) : this.asks(active, modelId, call);
		}
	}
	keyOf(toolCallId, params) {
		const { idempotencyKey } = this.options;
		return idempotencyKey === void 0 ? void 0 : atOnce(idempotencyKey(toolCallId, params));
	}
	metadataOf(toolCallId, params) {
		const { metadata } = this.options;
		return typeof metadata === "function" ? atOnce(metadata(toolCallId, params)) : metadata;
	}
	originOf() {
		const { origin } = this.options;
		return typeof origin === "function" ? atOnce(origin()) : origin;
	}
	async repeated(active, background, signal, notifies) {
		const view = this.runtime.lookup.snapshot(active.index, active.generation);
		const modelId = view.modelId ?? void 0;
		if (background) return this.answers.startedBefore(view);
		try {
			const result = await this.runtime.waits.waitFor(this.actor, active, Number.POSITIVE_INFINITY, signal);
			return result.backgrounded ? this.answers.started(active, modelId, notifies) : this.answers.ended(active, result, modelId);
		} catch (error) {
			if (isRefusal(error) && error.code === "needs_input") return this.asks(active, modelId, {
				...callOf(this.actor, notifies),
				isDetailed: true
			});
			if (!(isRefusal(error) && error.code === "aborted")) throw error;
			return this.answers.goesOn(view);
		}
	}
	get isNotified() {
		return !this.isAlone || this.runtime.functions.spawnBackgroundSubAgent !== void 0;
	}
	get answerers() {
		const { canAnswer } = this.options;
		if (canAnswer === void 0) return 16;
		return canAnswer ? 48 : 32;
	}
	async asks(active, modelId, call) {
		const { index, generation } = active;
		const { actor } = this;
		const question = this.runtime.call((core) => core.questionText(index, generation));
		if (!(this.runtime.performIf(actor, {
			type: "move_to_background",
			task: active
		}) !== void 0)) return this.outcome(active, modelId, call);
		this.letGoOfCall(active);
		return this.answers.asked(active, question, modelId, call.notifies);
	}
	movedOn(active, modelId, notifies) {
		this.letGoOfCall(active);
		return this.answers.started(active, modelId, notifies);
	}
	letGoOfCall(active) {
		active.unfollow?.();
		active.unfollow = void 0;
	}
	hostLimit() {
		const { canSpawn, getConcurrencyInfo } = this.runtime.functions;
		if (canSpawn === void 0) return void 0;
		try {
			const answer = atOnce(canSpawn());
			if (answer === true) return void 0;
			if (answer !== false) throw noBoolean(describe(answer));
			const info = atOnce(getConcurrencyInfo?.());
			return {
				why: `${Number.isFinite(info?.active) && typeof info?.limit === "number" ? `${info.active} of ${counted(info.limit, "sub-agent")} ${info.active === 1 ? "is" : "are"} running` : "the limit of sub-agents is reached"}.${adviceOn("concurrency_limit")}`,
				full: {
					active: info?.active,
					limit: info?.limit
				}
			};
		} catch (error) {
			this.runtime.report(error);
			return { why: `the host could not say whether a sub-agent may start: ${quoted(messageOf(error), 300)}.` };
		}
	}
	modelOf(active) {
		return this.runtime.isClosed ? void 0 : active.snapshotIf()?.modelId ?? void 0;
	}
};
function noBoolean(what) {
	return new SubAgentError("invalid_argument", `\`canSpawn\` must return a boolean at once, it returned ${what}`, { argument: "canSpawn" });
}
function hasFired(signal) {
	return signal?.aborted === true;
}
function sentence(text) {
	return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
function adviceOn(code) {
	return ADVICE[code] === void 0 ? "" : ` ${ADVICE[code]}`;
}
function checkArguments(args, fields) {
	const checked = checkFields(fields, args);
	if ("mistakes" in checked) return checked;
	const { given, params, leftOut } = checked;
	return {
		params: leftOut.length === 0 ? given : without(given, leftOut),
		checked: params
	};
}
function without(args, names) {
	const fields = Object.getOwnPropertyDescriptors(args);
	for (const name of names) delete fields[name];
	return Object.create(Object.getPrototypeOf(args), fields);
}
const READERS$1 = {
	onDetails: (value) => ofType("`onDetails`", "function", value),
	agent: (value) => string("`agent`", value),
	format: (value) => formatOf(value) === "json" ? "json" : void 0,
	backgroundTimeoutMs: (value) => duration("`backgroundTimeoutMs`", value),
	foregroundMs: (value) => duration("`foregroundMs`", value),
	idempotencyKey: (value) => ofType("`idempotencyKey`", "function", value),
	canAnswer: (value) => ofType("`canAnswer`", "boolean", value),
	metadata: (value) => typeof value === "function" ? value : metadataOf(readMetadata("metadata", value)),
	onParentEnd: (value) => onParentEndOf("onParentEnd", value),
	origin(value) {
		if (typeof value !== "function") readSpawn({ origin: value });
		return value;
	},
	texts: (value) => textsOf(value)
};
const TOOL_OPTIONS = /* @__PURE__ */ Object.keys(READERS$1);
function ofType(what, type, value) {
	if (typeof value === type) return value;
	throw invalid(what, `a ${type}`, value);
}
function toolOptionsOf(what, given, expected) {
	const kept = {};
	const others = Object.create(null);
	for (const [name, value] of Object.entries(optionsOf(what, given, expected))) if (!Object.hasOwn(READERS$1, name)) others[name] = value;
	else if (value !== void 0) {
		const read = READERS$1[name](value);
		if (read !== void 0) kept[name] = read;
	}
	return {
		kept,
		others
	};
}
function createTool(runtime, actor, options = {}, isAlone = false) {
	const { kept, others } = readArgument("the options of the tool", () => toolOptionsOf("the options of the tool", options, "an object such as { format: 'json' }"));
	noOtherOptions("createSubAgentTool", others, TOOL_OPTIONS);
	if (kept.agent !== void 0) runtime.agents.expect(kept.agent);
	return toolBy(runtime, (described) => assemble(runtime, actor, kept, described, isAlone));
}
function toolBy(runtime, make) {
	return runtime.call((core) => core.createSubAgentTool(make));
}
function programTool(runtime, described) {
	return assemble(runtime, PROGRAM, {}, described);
}
function assemble(runtime, actor, options, described, isAlone = false) {
	const { description, schema } = withAgents(runtime, described);
	const fields = fieldsIn(schema);
	const check = (args) => checkArguments(args, fields);
	return spawnTool(new SpawnCall(runtime, actor, options, {}, isAlone), {
		name: described.name,
		description,
		schema,
		fields,
		check
	});
}
function withAgents(runtime, { description, parameters }) {
	const { names, descriptions } = runtime.agents;
	const schema = parameters;
	if (names.length === 0) return {
		description,
		schema: { ...schema }
	};
	const agent = {
		type: "string",
		enum: names,
		description: "What kind of sub-agent. Leave it out for a general one."
	};
	return {
		description: `${description}\n\nWhat \`agent\` may name:\n${descriptions}`,
		schema: {
			...schema,
			properties: {
				...schema.properties,
				agent
			}
		}
	};
}
function spawnTool(call, described, instead) {
	const { name, description, schema, fields, check } = described;
	return toolObject(call.runtime, {
		operation: "spawn",
		name,
		label: "Sub-agent",
		description,
		schema,
		fields,
		check: (args) => check(args),
		async call(args, context) {
			const checked = check(args);
			return instead?.(checked, context) ?? call.run(checked, context);
		},
		detailsOf: ({ taskId, turn }) => ({
			taskId,
			background: false,
			status: "running",
			durationMs: null,
			turns: turn,
			cost: null
		})
	});
}
const NANOS = 1e9;
var CommandBytes = class {
	constructor() {
		this.room = /* @__PURE__ */ new Uint8Array(256);
		this.length = 0;
		this.encoder = new TextEncoder();
	}
	begin() {
		this.length = 0;
		return this;
	}
	written() {
		return this.room.subarray(0, this.length);
	}
	byte(value) {
		this.reserve(1);
		this.room[this.length++] = value;
	}
	boolean(value) {
		this.byte(value ? 1 : 0);
	}
	optional(value) {
		this.boolean(value !== void 0);
		return value !== void 0;
	}
	number(value) {
		if (Number.isNaN(value)) throw new TypeError("no number for a command");
		let rest = Math.max(0, value < 2 ** 52 ? Math.floor(value + .5) : value);
		if (rest > Number.MAX_SAFE_INTEGER) {
			for (let at = 0; at < 9; at += 1) this.byte(255);
			this.byte(1);
			return;
		}
		while (rest >= 128) {
			this.byte(rest % 128 | 128);
			rest = Math.floor(rest / 128);
		}
		this.byte(rest);
	}
	text(value) {
		const bytes = this.encoder.encode(value);
		this.number(bytes.length);
		this.reserve(bytes.length);
		this.room.set(bytes, this.length);
		this.length += bytes.length;
	}
	task({ index, generation }) {
		this.number(index);
		this.number(generation);
	}
	amounts({ tokens, costUsd, turns }) {
		this.number(tokens);
		this.number(costUsd * NANOS);
		this.number(turns);
	}
	name(names, value) {
		this.byte(names.indexOf(value));
	}
	list(entries, write) {
		this.number(entries.length);
		for (const entry of entries) write(entry);
	}
	reserve(bytes) {
		const needed = this.length + bytes;
		if (needed <= this.room.length) return;
		const larger = new Uint8Array(Math.max(needed, 2 * this.room.length));
		larger.set(this.room);
		this.room = larger;
	}
};
function writeCommand(to, command) {
	switch (command.type) {
		case "open_session":
			to.byte(0);
			to.text(command.key);
			return;
		case "register_session":
			to.byte(1);
			to.task(command.session);
			return;
		case "set_tools":
			to.byte(2);
			to.task(command.session);
			if (to.optional(command.tools)) to.list(command.tools, (entry) => {
				to.text(entry);
			});
			return;
		case "set_model":
			to.byte(3);
			to.task(command.session);
			if (to.optional(command.modelId)) to.text(command.modelId);
			return;
		case "set_session_budget":
			to.byte(4);
			to.task(command.session);
			to.amounts(command.cap);
			return;
		case "close_session":
			to.byte(5);
			to.task(command.session);
			to.name(STOP_REASONS, command.reason);
			if (to.optional(command.graceMs)) to.number(command.graceMs);
			return;
		case "block_tools":
			to.byte(6);
			to.list(command.tools, (entry) => {
				to.text(entry);
			});
			return;
		case "send":
			to.byte(10);
			to.task(command.task);
			to.name(MESSAGE_MODES, command.mode);
			to.text(command.text);
			return;
		case "interrupt":
			to.byte(11);
			to.task(command.task);
			if (to.optional(command.graceMs)) to.number(command.graceMs);
			return;
		case "ask":
			to.byte(12);
			to.text(command.question);
			if (to.optional(command.timeoutMs)) to.number(command.timeoutMs);
			return;
		case "wait":
			to.byte(13);
			to.list(command.targets, (entry) => {
				to.task(entry);
			});
			to.boolean(command.all);
			to.boolean(command.idle);
			if (to.optional(command.timeoutMs)) to.number(command.timeoutMs);
			return;
		case "await_notice":
			to.byte(14);
			return;
		case "move_to_background":
			to.byte(15);
			to.task(command.task);
			return;
		case "take_run":
			to.byte(16);
			to.task(command.task);
			return;
		case "waits_within":
			to.byte(17);
			to.task(command.wait);
			to.task(command.task);
			to.number(command.run);
			return;
		case "end_wait":
			to.byte(18);
			to.task(command.wait);
			return;
		case "abort_call":
			to.byte(19);
			to.task(command.task);
			if (to.optional(command.wait)) to.task(command.wait);
			to.boolean(command.reads);
			return;
		case "cancel":
			to.byte(20);
			to.task(command.task);
			to.name(STOP_REASONS, command.reason);
			if (to.optional(command.graceMs)) to.number(command.graceMs);
			return;
		case "close":
			to.byte(21);
			to.task(command.task);
			if (to.optional(command.graceMs)) to.number(command.graceMs);
			return;
		case "resume":
			to.byte(22);
			to.task(command.task);
			return;
		case "forget":
			to.byte(23);
			to.task(command.task);
			return;
		case "release_result":
			to.byte(24);
			to.task(command.task);
			return;
		case "add_budget":
			to.byte(25);
			to.task(command.task);
			to.amounts(command.amount);
			return;
		case "woken":
			to.byte(30);
			to.task(command.session);
			return;
		case "replace_host":
			to.byte(40);
			to.boolean(command.resumes);
			return;
		case "note_host":
			to.byte(41);
			to.task(command.task);
			to.number(command.run);
			to.boolean(command.called);
			return;
		case "started_elsewhere":
			to.byte(42);
			to.task(command.task);
			to.number(command.run);
			return;
		case "name_elsewhere":
			to.byte(43);
			to.task(command.task);
			to.number(command.run);
			to.text(command.hostTaskId);
			return;
		case "report_rate_limit":
			to.byte(44);
			to.number(command.retryAfterMs);
			if (to.optional(command.remainingRequests)) to.number(command.remainingRequests);
			if (to.optional(command.remainingTokens)) to.number(command.remainingTokens);
			return;
		case "checkpoint":
			to.byte(45);
			to.text(command.data);
			return;
		case "save":
			to.byte(47);
			to.text(command.data);
			return;
		case "acquire":
			to.byte(48);
			to.task(command.task);
			if (to.optional(command.data)) to.text(command.data);
			return;
		case "released":
			to.byte(49);
			to.number(command.serial);
			return;
		case "todos":
			to.byte(46);
			to.number(command.open);
			to.text(command.todos);
			return;
		case "rule":
			to.byte(50);
			to.name(POLICY_POINTS, command.ruling.point);
			to.name(POLICY_ANSWERS, command.ruling.answer);
			to.name(STOP_REASONS, command.ruling.reason);
			to.text(command.ruling.policy);
			to.text(command.ruling.text);
			return;
		case "await_approval":
			to.byte(51);
			return;
		case "approved":
			to.byte(52);
			to.boolean(command.starting);
			return;
		case "count":
			to.byte(53);
			to.text(command.policy);
			to.number(command.limit);
			to.boolean(command.todos);
			return;
		case "begin_tool":
			to.byte(54);
			to.text(command.name);
			return;
		case "end_tool":
			to.byte(55);
			to.boolean(command.listens);
			return;
		case "begin_main_turn":
			to.byte(56);
			to.number(command.bounds.turns);
			to.number(command.bounds.contextTokens);
			to.number(command.bounds.ms);
			return;
		case "end_main":
			to.byte(57);
			return;
	}
}
function readReply(from) {
	switch (from.byte()) {
		case 0: return { type: "done" };
		case 1: return {
			type: "node",
			key: from.key()
		};
		case 2: return {
			type: "sent",
			receipt: from.name(MESSAGE_RECEIPTS)
		};
		case 3: return { type: "asked" };
		case 4: return {
			type: "unanswered",
			stopped: from.flag()
		};
		case 5: return { type: "needs_input" };
		case 6: return { type: "not_yet" };
		case 7: return {
			type: "go",
			turn: from.number(),
			wrapUp: from.flag() ? from.name(STOP_REASONS) : void 0,
			inject: from.list(() => from.text())
		};
		case 8: return { type: "later" };
		case 9: return {
			type: "stop",
			reason: from.name(STOP_REASONS)
		};
		case 10: return {
			type: "waiting",
			wait: from.key()
		};
		case 15: return {
			type: "counted",
			count: from.number(),
			limit: from.number()
		};
		case 16: return { type: "exhausted" };
		case 17: return {
			type: "steered",
			texts: from.list(() => from.text())
		};
		case 18: return {
			type: "closing",
			previous: from.name(TASK_STATUSES),
			wait: from.flag() ? from.key() : void 0
		};
		case 19: return {
			type: "wait_over",
			timedOut: from.flag(),
			targets: from.list(() => ({
				state: from.name(TARGET_STATES),
				question: from.flag() ? from.text() : void 0
			}))
		};
		default: throw new Error("a reply of an unknown kind");
	}
}
function disposed() {
	return new SubAgentError("disposed", "the manager has been disposed");
}
var CoreCalls = class {
	constructor() {
		this.journal = void 0;
		this.ahead = 0;
		this.closed = void 0;
		this.commands = new CommandBytes();
	}
	check() {
		if (this.closed === void 0) return;
		throw this.isDisposed ? disposed() : this.closed;
	}
	get isClosed() {
		return this.closed !== void 0;
	}
	get isDisposed() {
		return this.closed?.code === "disposed";
	}
	call(body) {
		this.check();
		const outer = enter(this);
		try {
			return body(this.core);
		} catch (error) {
			throw this.poison(error);
		} finally {
			leave(outer);
		}
	}
	dispatch() {
		if (this.closed !== void 0) return;
		if (this.journal?.isSync === true) this.journal.dispatch();
		else if (!this.isPutOff(() => this.dispatch())) {
			const outer = enter(this);
			try {
				this.core.dispatch();
			} catch (error) {
				this.poison(error);
			} finally {
				leave(outer);
			}
		}
		this.hosts.keepAwake();
	}
	mutate(body) {
		const answer = this.call(body);
		this.dispatch();
		this.expectSound();
		return answer;
	}
	mutateOrThrow(body) {
		if (!this.call(body)) throw this.refusal();
		this.dispatch();
		this.expectSound();
	}
	expectSound() {
		if (this.closed !== void 0 && !this.isDisposed) throw this.closed;
	}
	unasked(body) {
		if (this.closed !== void 0) return void 0;
		const outer = enter(this);
		try {
			return body(this.core);
		} catch (error) {
			this.poison(error);
			return;
		} finally {
			leave(outer);
		}
	}
	alone(work) {
		work.catch((error) => {
			if (error !== this.closed && !(this.isDisposed && isSubAgentError(error, "disposed"))) this.report(error);
		});
	}
	refusal() {
		const { code, message, modelText, details } = this.call((core) => core.refusal());
		this.dispatch();
		return withModelText(new SubAgentError(code, message, details), modelText);
	}
	ask(body) {
		if (!this.call(body)) throw this.refusal();
	}
	command(actor, command) {
		const reply = this.commandIf(actor, command);
		if (reply === void 0) throw this.refusal();
		return reply;
	}
	commandIf({ index, generation, run }, command) {
		const { commands, scratch } = this;
		writeCommand(commands.begin(), command);
		return this.viewIf((core) => core.command(now(), index, generation, run, scratch.writeBytes(commands.written())), readReply);
	}
	perform(actor, command) {
		const reply = this.command(actor, command);
		this.dispatch();
		this.expectSound();
		return reply;
	}
	performIf(actor, command) {
		const reply = this.commandIf(actor, command);
		this.dispatch();
		this.expectSound();
		return reply;
	}
	view(show, read) {
		const at = this.call(show);
		if (at === 0) throw this.refusal();
		return this.views.readAt(at, read);
	}
	viewIf(show, read) {
		const at = this.call(show);
		return at === 0 ? void 0 : this.views.readAt(at, read);
	}
	batch(body) {
		if (this.journal?.isSync === true) return this.journal.batch(body);
		const isBuffered = this.call((core) => core.bufferEffects());
		try {
			return body();
		} finally {
			const dispatchAll = () => {
				this.unasked((core) => core.dispatchBuffered());
				this.hosts.keepAwake();
			};
			if (isBuffered && !this.isPutOff(dispatchAll)) {
				this.call((core) => core.dispatchBuffered());
				this.hosts.keepAwake();
			}
		}
	}
	answer(answer) {
		return this.journal === void 0 ? Promise.resolve(answer) : this.journal.answer(answer);
	}
	oncePersisted(body) {
		if (this.journal?.isSync === true) this.alone(this.journal.answer(void 0).then(body));
		else if (!this.isPutOff(body)) body();
	}
	isPutOff(body) {
		return this.journal?.isPutOff(body) === true;
	}
	write(text) {
		try {
			return this.scratch.write(text);
		} catch (error) {
			throw this.poison(error);
		}
	}
	writeLeft(left) {
		try {
			return this.scratch.writeLeft(left);
		} catch (error) {
			throw this.poison(error);
		}
	}
};
var Runtime = class extends CoreCalls {
	constructor(instance, functions, makeRun, following) {
		super();
		this.agents = new Agents(void 0);
		this.profiles = new Profiles(void 0);
		this.seeded = false;
		this.idKey = void 0;
		this.ownIds = void 0;
		this.reporting = (error) => this.report(error);
		this.runs = new Runs(this);
		this.waits = new Waits(this);
		this.lookup = new Lookup(this);
		this.refusals = new Refusals(this);
		this.sessionData = new SessionData(this);
		this.resources = new Resources(this);
		this.contexts = new Contexts({
			answered: (index) => this.call((core) => core.messageNumber(index)),
			waits: (index, generation, number) => this.call((core) => core.messageWaits(index, generation, number)),
			watchTasks: () => this.call((core) => core.notifyForgotten())
		});
		this.waitSnapshots = new WaitSnapshots(this);
		this.wakes = new Wakes(this);
		this.readers = new Readers(this);
		this.signals = new Signals();
		this.unknownNames = new UnknownNames(this.reporting);
		this.denials = new Denials();
		this.following = following;
		this.functions = functions;
		this.runMaker = makeRun;
		this.door = new ManagerRef(this);
		const door = weakly(this.door);
		this.alarm = new Alarm(tickThrough(door), stoodThrough(door), this.contexts.opening);
		this.keepAlive = new KeepAlive(this.alarm, this);
		this.host = attach(this, this.door, this.alarm);
		this.instance = instance;
		this.core = new instance.SubAgentCore(this.host);
		instance.onFailure ??= failing(instance);
		this.scratch = new Scratch(this.core, instance.memory);
		this.views = new ViewBytes(this.scratch);
		this.hosts = new HostCalls(this, this.scratch, this.alarm);
		this.listeners = new Listeners(this, this.scratch);
		this.gates = new Gates(this, {}, {});
	}
	wakeAt(at) {
		if (this.isClosed) return;
		this.alarm.set(at);
	}
	tick() {
		this.unasked((core) => core.tick(now()));
		this.dispatch();
		this.wakes.review();
		this.readers.changed();
		this.runs.batchOver();
	}
	stoodStill(at, ms) {
		this.unasked((core) => core.stoodStill(at, ms));
	}
	makeRun(active) {
		return this.runMaker(this, active);
	}
	consumerGate(params) {
		return askConsumer(this, params);
	}
	makeTool(described, make) {
		return make === void 0 ? programTool(this, described) : make(described);
	}
	effect(at) {
		dispatchEffect(this, this.views.readAt(at, readEffect));
	}
	reportRefusal() {
		const error = this.refusal();
		if (error.code !== "abandoned_limit" || this.functions.onError !== void 0) this.report(error);
	}
	report(error) {
		letStackGo(error);
		const { onError } = this.functions;
		if (onError === void 0) logError(error);
		else notify(onError, logError, error);
	}
	notify(listener, what) {
		notify(listener, this.reporting, what);
	}
	dispose() {
		this.end(disposed(), true);
	}
	fail(error) {
		this.end(error, false);
		this.report(error);
	}
	end(error, keeps) {
		if (this.closed !== void 0) return;
		if (this.journal !== void 0 && keeps) this.unasked((core) => core.stageEffects());
		this.close(error);
		release(this);
		try {
			this.idKey = this.core.idKey();
			this.ownIds = new Map(this.views.readAt(this.core.ownIds(), many(readOwnId)).map(({ task, id }) => [packed(task), id]));
			this.core.dispose();
		} catch {}
		this.freeCore();
	}
	freeCore() {
		if (isInside()) {
			queueMicrotask(() => this.freeCore());
			return;
		}
		this.scratch.free();
		this.core = void 0;
		this.instance = void 0;
	}
	poison(trap) {
		if (this.closed === void 0) {
			const error = new SubAgentError("internal", `the manager's core failed: ${messageOf(trap)}${this.fullness()}`);
			const { instance } = this;
			const isFirst = !instance.hasFailed;
			instance.hasFailed = true;
			this.close(error);
			release(this);
			this.freeCore();
			if (isFirst) failing(instance)(trap);
		}
		return this.closed;
	}
	fullness() {
		const gigabytes = this.scratch.memoryBytes / 1e9;
		if (gigabytes < 1) return "";
		return `; it has ${gigabytes.toFixed(1)} GB of memory, can have 4.3, and may have found no more: acknowledge notices, lower \`maxResultBytes\` or \`retain\`, and read lists and leases in pages`;
	}
	close(error) {
		this.closed = error;
		this.journal?.close(error);
		this.alarm.stop();
		this.keepAlive.clear();
		this.runs.close(error);
		this.gates.close();
		this.waits.rejectAll(error);
		this.listeners.clear();
		this.refusals.clear();
		this.sessionData.clear();
		this.contexts.clear();
		this.hosts.elsewhere.clear();
		this.wakes.clear();
		this.readers.clear();
		this.signals.clear();
	}
};
function failing(instance) {
	return (trap) => {
		for (const runtime of livingIn(instance)) runtime.poison(trap);
	};
}
function tickThrough(door) {
	return () => (door.deref()?.runtime)?.tick();
}
function stoodThrough(door) {
	return (at, ms) => (door.deref()?.runtime)?.stoodStill(at, ms);
}
const FUNCTIONS = [
	"spawnSubAgent",
	"spawnBackgroundSubAgent",
	"acquire",
	"release",
	"checkConsumerSpawn",
	"canSpawn",
	"getConcurrencyInfo",
	"getModelId",
	"onError",
	"countTokens",
	"onWake"
];
const A_HOST = "a function such as async ({ instructions }, run) => ({ output })";
const READERS = {
	agents: (value) => ({ agents: new Agents(value) }),
	asyncContext(value) {
		if (typeof value !== "boolean") throw invalid("`asyncContext`", "a boolean", value);
		return { following: value };
	},
	mainLimits: (value) => ({ mainLimits: mainLimitsOf("mainLimits", value) }),
	modelId(value, { getModelId }, functions) {
		const modelId = string("`modelId`", value);
		if (getModelId !== void 0) throw saidTwice("`modelId` and `getModelId`", "modelId");
		functions.getModelId = () => modelId;
		return {};
	},
	policies: (value) => ({ policies: policySets(value) }),
	profiles: (value) => ({ profiles: new Profiles(value) }),
	tools: (value) => ({ tools: strings("`tools`", value) })
};
const SETTINGS = {
	onParentEnd: (value) => onParentEndOf("onParentEnd", value),
	retry: (value) => readRetry("retry", value)
};
function openRuntime(instance, options, makeRun, opening) {
	const { functions, bounds, settings, tools, agents, profiles, policies, mainLimits, following } = readArgument("the options of a manager", () => read(options));
	const runtime = new Runtime(instance, functions, makeRun, new Following(following));
	runtime.agents = agents;
	runtime.profiles = profiles;
	try {
		const configure = (reopen) => bounds.apply(runtime, settings, reopen);
		if (opening === void 0) configure();
		else opening.begin(runtime, configure);
		runtime.gates = new Gates(runtime, policies, mainLimits);
		if (runtime.resources.areUsed) runtime.call((core) => core.notifyForgotten());
		if (opening !== void 0 && runtime.resources.areUsed) setTimeout(() => runtime.resources.taskGone());
		if (tools !== void 0) runtime.perform(PROGRAM, {
			type: "set_tools",
			session: DEFAULT_SESSION,
			tools
		});
		const { blockedTools } = runtime.gates.sub;
		if (blockedTools.length > 0) runtime.perform(PROGRAM, {
			type: "block_tools",
			tools: blockedTools
		});
		if (tools !== void 0 && blockedTools.length > 0) runtime.denials.report(runtime, deniedInVain(runtime, DEFAULT_SESSION.index), "blockedTools");
	} catch (error) {
		runtime.dispose();
		throw error;
	}
	return runtime;
}
function read(given) {
	const options = optionsOf("the options of a manager", given, "an object such as { spawnSubAgent }");
	const into = {
		functions: {},
		bounds: new Bounds(),
		settings: {},
		tools: void 0,
		agents: new Agents(void 0),
		profiles: new Profiles(void 0),
		policies: {},
		mainLimits: {},
		following: void 0
	};
	for (const [key, value] of Object.entries(options)) {
		if (value === void 0) continue;
		if (FUNCTIONS.includes(key)) {
			if (typeof value !== "function") throw invalid(`\`${key}\``, key === "spawnSubAgent" ? A_HOST : "a function", value);
			into.functions[key] = key === "onWake" ? bound(value) : value;
		} else if (Object.hasOwn(SETTINGS, key)) into.settings[key] = SETTINGS[key]?.(value);
		else if (Object.hasOwn(READERS, key)) Object.assign(into, READERS[key]?.(value, options, into.functions));
		else if (!into.bounds.take(key, value)) {
			if (STORE_OPTIONS.includes(key)) {
				const message = `\`${key}\` is an option of a manager with a store, which \`await SubAgentManager.open({ store, … })\` makes`;
				throw new SubAgentError("invalid_argument", message, { argument: key });
			}
			throw unknownOption("a manager", key, [
				...FUNCTIONS,
				...BOUNDS,
				...Object.keys(SETTINGS),
				...Object.keys(READERS)
			]);
		}
	}
	into.agents.checkProfiles(into.profiles);
	return into;
}
const A_SET = "an object such as { subAgents: [policy], main: [policy] }";
function policySets(value) {
	if (Array.isArray(value)) throw invalid("`policies`", A_SET, value);
	const { subAgents, main, ...unknown } = optionsOf("`policies`", value, A_SET);
	noOtherFields("policies", unknown, ["subAgents", "main"]);
	return {
		...subAgents !== void 0 && { subAgents },
		...main !== void 0 && { main }
	};
}
function mainLimitsOf(name, value) {
	const { maxTurns, maxContextTokens, timeoutMs, ...unknown } = optionsOf(`\`${name}\``, value, "an object such as { maxTurns: 20 }");
	noOtherFields(name, unknown, [
		"maxTurns",
		"maxContextTokens",
		"timeoutMs"
	]);
	const limits = {};
	const turns = count(`\`${name}.maxTurns\``, maxTurns);
	const context = count(`\`${name}.maxContextTokens\``, maxContextTokens);
	const ms = duration(`\`${name}.timeoutMs\``, timeoutMs);
	if (turns !== void 0) limits.maxTurns = turns;
	if (context !== void 0) limits.maxContextTokens = context;
	if (ms !== void 0) limits.timeoutMs = ms;
	return limits;
}
function open(instance, options) {
	return openRuntime(instance, options, (runtime, active) => new BareRun(runtime, active));
}
export { A_HOST, ActiveRun, BOUNDS, CallTime, DEFAULT_LIMITS, DEFAULT_PROFILE, DEFAULT_SESSION, DEFAULT_WAIT_MS, FACT_READERS, FactBytes, FactFields, JSON_SCHEMA_KEYWORDS, LONGEST_TIMER, MAX_METADATA_CHARS, ManagerRef, NOTIFIES, NO_KINDS, NO_TEXT, ON_PARENT_END, PARK_REASONS, POLICY_ANSWERS, POLICY_POINTS, PROGRAM, READING_MISSING, REPORT_FORM, RETRY_REASONS, RETURNED_FAILED, ROOT, SEEDED, SPAWN_OPTIONS, SPEC_FIELDS, STOPPING, STOP_REASONS, SpawnCall, SubAgentError, TASK_ADMITTED, TASK_CHARS, TASK_STATUSES, TOKEN_KINDS, UNREADABLE, WAITING_FOR, abortRun, answered, artifactWriter, ask, attach, batchDelivered, beforeTurn, callOf, checkFields, checkOptions, claimedEnds, consumerGate, count, counted, createTool, deniedInVain, describe, detached, detailsOf, duration, effect, ended, enter, expectMade, facts, fieldsOfResult, fieldsOfUsage, figuresOf, flag, follow, formatOf, given, grace, graceOf, headOf, howToAnswer, idsOf, interrupt, invalid, isInside, isObject, isOpen, isOpenTodo, isRefusal, isSubAgentError, knownOptions, lastRunOf, leave, leftBy, limitOf, limitsOf, listOf, listed, livingIn, logError, madeId, mainLimitsOf, makeTool, managersModel, many, messageOf, metadataOf, modelTextOf, moveOn, movedAway, nameOf, nearlyInResult, noMessage, noOtherOptions, notDone, notEnded, notify, now, onParentEndOf, open, openRuntime, optional, optionsOf, ownError, pageOf, propertyOf, quoted, readArgument, readBudget, readBudgetAccount, readJson, readKey, readLimits, readMetadata, readMissing, readPreviousError, readRateLimit, readReport, readRunLimits, readRunRemaining, readRunUsage, readSpawn, readStoreOptions, readTaskSnapshot, readTexts, receiptsJson, release, reportOfNone, reportOn, reportRefusal, reportText, reportTodos, requested, resultText, runEnded, schemaOf, send, shownName, signalOf, spawn, spawnTool, spendingOf, stageTokens, standing, startRun, startedText, string, strings, targetOf, taskGone, textOf, textsOf, threw, tokensOrPlain, toolBy, toolObject, turnReady, usageFigures, waitDone, waitOf, wakeAt, weakly, withAgents, withModel };
