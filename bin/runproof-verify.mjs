#!/usr/bin/env node
/**
 * Checks the proofs of a Runproof report against the recorded calls: `node runproof-verify.mjs REPORT_DIR|report.json`.
 * Written from the document (queue-endpoint-api.md) and the published formats alone, it shares nothing with Runproof:
 * a mistake of Runproof's judge shows here as a refusal. docs/verify.md says what is checked, and how.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
/** The least and the most of section 8, ms. */
const [TTL, EXECUTION, WAIT] = [[10 * SECOND, 7 * DAY], [5 * SECOND, 7 * DAY], [SECOND, 5 * MINUTE]];
/** So long a failed job can be retried at least. The document gives no number; this is Runproof's. */
const KEPT = 5 * SECOND;
const ENDED = ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'];
const STATUS = ['IN_QUEUE', 'IN_PROGRESS', ...ENDED];
/** What a record may show of a state, where that is not its name alone. */
const SHOWN = { TIMED_OUT: ['TIMED_OUT', 'FAILED'], PURGED: ['CANCELLED'], GONE: [] };
const shows = (state, status) => !STATUS.includes(status) || (SHOWN[state] ?? [state]).includes(status);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isOwn = (value, [least, most]) => Number.isInteger(value) && value >= least && value <= most;
/** Between which two a value takes effect: one outside its range is refused, or brought into it. */
const range = (value, limits, usual) =>
  (value ?? null) === null ? usual : isOwn(value, limits) ? [value, value] : limits;
const queried = ({ query }, name) => (query[name] === undefined ? undefined : Number(query[name]));

/** The events of history.ndjson, by what the checks ask for. */
export function historyOf(events) {
  const of = (wanted) => events.filter(({ kind }) => kind === wanted);
  const calls = of('call').map((event) => {
    const { op, request, reply, endedTick, receivedMs } = event;
    const [, at, id = ''] = /^\/v2\/([^/]+)\/[^/]+\/?(.*)$/.exec(request.path) ?? [];
    const [status, sent, said] = [reply?.status ?? null, request.body.value, reply?.body.value];
    const [submits, isLost] = [op === 'run' || op === 'runsync', status === null || status >= 500];
    const about = { at, submits, job: submits ? said?.id : decodeURIComponent(id) };
    const answer = { status, sent, said, isLost, good: status >= 200 && status < 300 };
    const ends = { endedTick: endedTick ?? Infinity, endMs: receivedMs ?? Infinity };
    return { ...event, auth: request.auth, query: request.query, ...about, ...answer, ...ends };
  });
  const byScript = (kind) => new Map(of(kind).map((event) => [event.script, event]));
  const [scripts, scaled] = ['script', 'workers'].map(byScript);
  const call = new Map(calls.map((one) => [one.call, one]));
  return { run: of('run')[0], calls, call, scripts, scaled, webhooks: of('webhook') };
}

/** How long a run takes and how it ends: of a scripted worker as the plan says, of any other as it likes. */
function runOf(steps, isScripted) {
  if (!isScripted) return { least: 0, most: Infinity, ends: ['COMPLETED', 'FAILED', 'IN_QUEUE'] };
  let ms = 0;
  const ending = (...ends) => ({ least: ms, most: ms, ends });
  for (const step of Array.isArray(steps) ? steps : [{}]) {
    const [name = ''] = Object.keys(step);
    if (/^(return|returnBytes|echo|s3Config)$/.test(name)) break;
    if (name === 'hang') return { least: 0, most: Infinity, ends: [] };
    if (name === 'crash') return ending('FAILED', 'IN_QUEUE');
    if (name === 'sleepMs') ms += step.sleepMs;
    else if (!name.startsWith('stream')) return ending('FAILED');
  }
  return ending('COMPLETED');
}

/** A job, what the document and its submission grant it, and the calls about it; null: its submission is not known. */
function jobOf({ run, calls, scripts, scaled }, id, first) {
  const own = calls.filter(({ script }) => script === first?.script);
  const submit = id === null ? first : own.find(({ submits, job }) => submits && job === id);
  if (!submit?.submits) return null;
  const { policy, input } = submit.sent ?? {};
  const [script, isSync] = [scripts.get(submit.script), submit.op === 'runsync'];
  const here = own.filter((call) => call.at === submit.at && call !== submit);
  const stated = run.executionTimeoutDefaultMs ?? (script.fresh ? 10 * MINUTE : null);
  const usual = stated === null ? EXECUTION : [stated, stated];
  const workers = script.fresh && !scaled.has(submit.script) ? script.workers : null;
  const rivals = here.filter(({ submits, status }) => submits && !(status >= 400)).length;
  const plans = [input?.plan ?? [], input?.planOnRetry ?? input?.plan ?? []];
  return {
    submit, usual, plans,
    calls: here.filter(({ op, job }) => op === 'purge-queue' || (op !== null && id !== null && job === id)),
    ttl: range(policy?.ttl, TTL, [DAY, DAY]),
    execution: range(policy?.executionTimeout, EXECUTION, usual),
    wait: range(queried(submit, 'wait'), WAIT, [90 * SECOND, 90 * SECOND]),
    keep: isSync ? [MINUTE, submit.query.wait ? 5 * MINUTE : 90 * SECOND] : [30 * MINUTE, 30 * MINUTE],
    runs: plans.map((plan) => runOf(plan, run.capabilities.includes('scripted-worker'))),
    // Whatever other jobs do, a worker is free, or there is none.
    startsAtOnce: workers !== null && rivals < workers && policy?.lowPriority !== true,
    neverStarts: workers === 0,
  };
}

/** The states into which a call with this answer may bring a job; none where the document does not allow it. */
function outcomes(state, { op, status, good, said, isLost, query }) {
  const isUp = state === 'IN_QUEUE' || state === 'IN_PROGRESS';
  if (status === 401 || status === 429 || (isLost && state === 'GONE')) return [state];
  if (op === 'purge-queue' && state !== 'IN_QUEUE') return [state];
  if (op === 'purge-queue') return isLost ? [state, 'PURGED'] : [good ? 'PURGED' : state];
  const isMalformed = status === 400 && query.ttl !== undefined;
  if (state === 'NONE') return [];
  if (state === 'GONE') return status === 404 || isMalformed ? [state] : [];
  if (op === 'cancel') {
    if (isLost || !isUp) return good || isLost ? [state, 'CANCELLED'] : [state];
    return good && shows('CANCELLED', said?.status) ? ['CANCELLED'] : [];
  }
  if (op === 'retry' && state !== 'FAILED' && state !== 'TIMED_OUT') return [state];
  if (op === 'retry') return isLost ? [state, 'IN_QUEUE'] : good ? ['IN_QUEUE'] : [];
  if (isLost || isMalformed) return [state];
  return (good ? op !== 'status' || shows(state, said?.status) : state === 'PURGED') ? [state] : [];
}

const by = (a, b, ms) => [a, b, ms];
const after = (a, b, ms) => [b, a, -ms];
/** Adds an instant, and differences `[a, b, ms]`: b is at most ms after a. Null where they cannot all hold. */
function constrain({ edges, t }, more) {
  const net = { edges: [...edges, ...more.filter(([, , ms]) => ms < Infinity)], t: [...t, 0] };
  for (let round = 0; round <= net.t.length; round += 1) {
    const wrong = net.edges.filter(([a, b, ms]) => net.t[a] + ms < net.t[b]);
    if (wrong.length === 0) return net;
    for (const [a, b, ms] of wrong) net.t[b] = Math.min(net.t[b], net.t[a] + ms);
  }
  return null;
}

/**
 * Whether the document allows a story of the job in which its calls are answered so: all orders of overlapping calls
 * and all moves of the job between them are tried, with an instant for each. Null: there are too many.
 */
function hasStory(job, calls, { run: { graceMs: late, earlyMs: early, clock } }, claims = []) {
  let tries = calls.length > 150 ? 0 : 4_000;
  /** The job at its next instant, in this state: as late as the state before allows, and within the bounds. */
  const next = (at, state, bounds, more = {}) => {
    const n = at.net.t.length;
    const running = Math.min(at.execution[1], at.run?.most);
    const stays = { IN_QUEUE: job.startsAtOnce ? 0 : Infinity, IN_PROGRESS: running, COMPLETED: at.keep[1] };
    const all = [after(at.last, n, 0), by(at.since, n, (stays[at.state] ?? Infinity) + late), ...bounds];
    if (at.state !== 'NONE' && at.state !== 'GONE') all.push(by(at.ttl.until, n, at.ttl.most + late));
    const net = constrain(at.net, all);
    const isRun = state === 'IN_PROGRESS' && at.state === 'IN_QUEUE';
    const begun = isRun ? { runs: at.runs + 1, run: job.runs[Math.min(at.runs, 1)] } : {};
    const since = state === at.state ? at.since : n;
    const had = [...at.had, state];
    return net === null ? [] : [{ ...at, net, last: n, state, since, had, ...begun, ...more }];
  };
  /** What may become of the job without a call. */
  const moves = (at) => {
    const { state, since, ttl, last, run, net } = at;
    if (state === 'NONE' || state === 'GONE') return [];
    const kept = { COMPLETED: at.keep[0], FAILED: KEPT, TIMED_OUT: KEPT, CANCELLED: 0, PURGED: 0 }[state];
    const to = [['GONE', ttl.from, ttl.least], ['GONE', since, kept ?? Infinity]];
    if (state === 'IN_QUEUE' && !job.neverStarts) to.push(['IN_PROGRESS', last, 0]);
    if (state === 'IN_QUEUE' && run?.ends.includes('IN_QUEUE')) to.push(['FAILED', last, 0]);
    if (state === 'IN_PROGRESS') to.push(['TIMED_OUT', since, at.execution[0]]);
    if (state === 'IN_PROGRESS') to.push(...run.ends.map((end) => [end, since, run.least]));
    const possible = to.filter(([other, , ms]) => ms < Infinity && (other !== 'IN_QUEUE' || at.runs < 4));
    return possible.flatMap(([other, from, ms]) => next(at, other, [after(from, net.t.length, ms - early)]));
  };
  /** What the job may be after this point of a call. */
  const told = (at, { kind, call, holds, from, until }) => {
    const [{ state, submitted }, n] = [at, at.net.t.length];
    const when = [after(0, n, from), by(0, n, until)];
    const to = (then, more, ...bounds) => next(at, then, [...when, ...bounds], more);
    if (kind === 'claim') return holds(at) ? to(state) : [];
    const ttl = { from: n, least: job.ttl[0], until: n, most: job.ttl[1] };
    if (kind === 'submit') return state === 'NONE' ? to('IN_QUEUE', { submitted: n, ttl }) : [];
    if (kind === 'answer' && call.good && state !== 'NONE') {
      const [waited, notEarly] = [by(submitted, n, job.wait[1] + late), after(submitted, n, job.wait[0] - early)];
      if (!ENDED.includes(call.said?.status)) return to(state, {}, waited, notEarly);
      const promptly = by(at.since, n, state === 'COMPLETED' ? late : Infinity);
      return shows(state, call.said.status) ? to(state, {}, waited, promptly) : [];
    }
    // 6 s is the example of 4.3. A ttl that is over deletes the job at once.
    const given = range(queried(call, 'ttl'), [6 * SECOND, TTL[1]], TTL);
    const isThere = state !== 'NONE' && state !== 'GONE';
    if (isThere && call.op === 'status' && call.query.ttl !== undefined && call.status === 404)
      return to('GONE', {}, after(submitted, n, given[0] - early));
    return outcomes(state, call).flatMap((then) => {
      const limits = [...job.execution, ...job.usual];
      const again = { execution: [Math.min(...limits), Math.max(...limits)], keep: [at.keep[0], 30 * MINUTE] };
      if (call.op === 'retry' && then !== state) return to(then, { ...again, run: undefined });
      if (call.op !== 'status' || call.query.ttl === undefined || call.status >= 400) return to(then);
      const [least, most] = given;
      const applied = to(then, { ttl: { from: submitted, least, until: n, most } });
      const isSure = least === most && least >= TTL[0] && call.good && !ENDED.includes(state);
      return isSure ? applied : [...applied, ...to(then)];
    });
  };
  const explore = (at, left) => {
    tries -= 1;
    if (left.length === 0 || tries < 0) return true;
    const ready = left.filter((one) => !left.some(({ endedTick }) => endedTick < one.sentTick));
    const rest = (point) => left.filter((other) => other !== point);
    const then = (point) => told(at, point).some((one) => explore(one, rest(point)));
    return ready.some(then) || moves(at).some((one) => explore(one, left));
  };
  const begin = { ...job, net: { edges: [], t: [0] }, last: 0, state: 'NONE', since: 0, runs: 0, had: [] };
  const points = [job.submit, ...calls].flatMap((call) => pointsOf(call, clock));
  const isFound = explore(begin, [...points, ...claims]);
  return tries < 0 ? null : isFound;
}

/** When a call took effect and, of one that waits for its job, when it was answered. */
function pointsOf(call, clock) {
  const { sentTick, endedTick, sentMs, endMs, arrivedByMs, op, status, submits } = call;
  const point = { kind: 'call', call, sentTick, endedTick, from: sentMs, until: endMs };
  const submit = { ...point, kind: 'submit', until: arrivedByMs ?? endMs };
  if (op !== 'runsync' || status === null) return [submits ? submit : point];
  return [submit, { ...point, kind: 'answer', from: clock === 'real' ? sentMs : endMs }];
}
/** This was true of the job when the call took effect. */
const claim = (call, holds) => ({ ...pointsOf(call)[0], kind: 'claim', holds });

const verified = (how) => ({ result: 'verified', how });
const refused = (how) => ({ result: 'REFUSED', how });
const unchecked = (how) => ({ result: 'not checkable', how });

/** The numbers of ms that the document, the submission and the answers give to rules with such an id. */
function termsOf({ ttl, execution, usual, keep, wait, plans, calls }, id, cited) {
  const sums = plans.flatMap((plan) => plan.map((_, n) => runOf(plan.slice(0, n + 1), true).most));
  if (id.startsWith('2.4/')) return cited.flatMap(({ said }) => [said?.delayTime, said?.executionTime]);
  if (/ttl|outlives/.test(id)) return [...ttl, ...TTL, DAY, 0, ...calls.map((call) => queried(call, 'ttl'))];
  if (/execution-timeout|keeps-policy/.test(id)) return [...execution, ...usual, ...EXECUTION];
  if (/retention|expired|-stays/.test(id)) return [...keep, MINUTE, 5 * MINUTE, 30 * MINUTE, KEPT, 0];
  if (/crash/.test(id)) return sums.flatMap((ms) => [ms, ms + usual[1]]);
  return /wait-/.test(id) ? [...wait, ...WAIT, 90 * SECOND, 0] : [10 * SECOND, 0, ...sums];
}

/** Why the bounds are not a cycle of the calls, of the document and of what the history grants; null: they are. */
function cycleError({ bounds, overMs, job: id }, origin, job, { call: callBy, run }, cited) {
  const ends = ({ limit, from, to }) => (limit === 'at-most' ? [from, to] : [to, from]);
  let [place, sum] = [ends(bounds.at(-1))[1], 0];
  for (const bound of bounds) {
    const { from, to, limit, ms, requirement, call: number } = bound;
    const [[start, end], isMost] = [ends(bound), limit === 'at-most'];
    if (place !== start) return `the cycle breaks between ${place} and ${start}`;
    [place, sum] = [end, sum + (isMost ? ms : -ms)];
    if (number !== null) {
      const { sentMs, arrivedByMs, receivedMs, job: about, op } = callBy.get(number) ?? {};
      const all = [sentMs, arrivedByMs, receivedMs];
      const times = op === 'runsync' || to === 'sent' ? all : isMost ? all.slice(1) : [sentMs];
      if (from !== 'clock' || !times.includes(ms + origin)) return `#${number} was not at ${ms} ms`;
      if (to.startsWith('#') && to !== `#${number}`) return `${to} is not #${number}`;
      if (id !== null && op !== 'purge-queue' && (about ?? id) !== id) return `#${number} is not about ${id}`;
    } else if (from !== 'clock' && requirement !== null && job !== null) {
      const terms = termsOf(job, requirement, cited);
      // What a first run took may count.
      const isAgain = job.calls.some(({ op }) => op === 'retry');
      const isRest = isAgain && !isMost && /execution-timeout/.test(requirement) && ms < Math.max(...terms);
      if (!isRest && !terms.includes(ms)) return `${requirement} does not say ${ms} ms`;
    } else if (from !== 'clock' && requirement === null) {
      const isGranted = isMost ? ms >= (from === 'due' ? run.graceMs : 0) : ms <= 0;
      if (!isGranted) return `nothing grants ${ms} ms from ${from} to ${to}`;
    }
  }
  return -sum === overMs && sum < 0 ? null : `the bounds add up to ${sum} ms, not to ${-overMs} ms`;
}

/** Of a webhook that was called too soon: its job cannot have ended by then. */
function checkWebhook(job, history) {
  const instants = history.webhooks.filter(({ url }) => url === job.submit.sent?.webhook);
  const holds = ({ had }) => had.some((state) => ENDED.includes(state));
  const isTooSoon = ({ arrivedMs: ms }) => {
    const then = { ...claim(job.submit, holds), from: ms, until: ms, sentTick: 0, endedTick: Infinity };
    return hasStory(job, job.calls, history, [then]) === false;
  };
  return instants.some(isTooSoon) ? verified('no other explanation') : unchecked('the job may have ended by then');
}

/** Requirements that depend on what else is on the endpoint. */
const OF_OTHERS = /^1\/|^4\.7\/|frees-worker|-this-job-only|other-jobs/;
/** Of a contradiction in time or order, or of an answer that is wrong for the job that it is about. */
function checkJob(id, { contradiction, calls: numbers, shrunk, originMs: origin = 0 }, history) {
  const about = { job: history.call.get(numbers.at(-1))?.job };
  const { job: jobId, bounds = [], seen = [] } = contradiction ?? about;
  const cited = [...numbers, ...(shrunk?.calls ?? []), ...seen.map(({ call }) => call)];
  const calls = cited.map((number) => history.call.get(number) ?? {});
  if (jobId === undefined) return unchecked('it takes several answers');
  const job = jobOf(history, jobId, calls[0]);
  const isTime = contradiction?.kind === 'time';
  const error = isTime ? cycleError(contradiction, origin, job, history, calls) : null;
  if (error !== null) return refused(error);
  for (const { call: number, showed, atMs } of seen) {
    const { sentMs, receivedMs, arrivedByMs, job, op, said, status } = history.call.get(number) ?? {};
    if (job !== jobId && op !== 'purge-queue') return refused(`#${number} is not about ${jobId}`);
    const isShown = showed.includes(said?.status) || showed.includes(status);
    const isThen = [sentMs, receivedMs, arrivedByMs].includes(atMs + origin);
    if (!isShown || !isThen) return refused(`#${number} did not show ${showed} at ${atMs} ms`);
  }
  const rules = [id, ...bounds.map(({ requirement }) => requirement ?? '')];
  if (job === null) return unchecked('the submission of the job is not known');
  if (rules.some((rule) => /^2\.4\/.*time/.test(rule)))
    return bounds.length === 0 ? unchecked('it takes several answers') : verified('the times as told');
  if (id === '6/no-call-before-completion') return checkWebhook(job, history);
  if (id.startsWith('6/')) return unchecked('it rests on webhook calls');
  if (rules.includes('4.6/keeps-policy')) job.usual = job.execution;
  const isChange = ({ op, query }) => /cancel|retry|purge/.test(op) || query.ttl !== undefined;
  // An answer that is wrong by itself has to be the one that leaves no story.
  const last = contradiction === null ? calls.at(-1) : undefined;
  const until = job.calls.filter(({ sentTick }) => last === undefined || sentTick <= last.sentTick);
  const before = until.filter((call) => call !== last);
  if (last !== undefined && hasStory(job, before, history) !== true) return unchecked('it takes several answers');
  const some = until.filter((call) => cited.includes(call.call) || isChange(call));
  const told = hasStory(job, some, history) && hasStory(job, until, history);
  if (told === false) return verified('no other explanation');
  if (told === null) return unchecked('the calls may have been in too many orders');
  if (contradiction === null) return unchecked('it takes several answers');
  const other = bounds.find(({ from, call }) => from === 'clock' && call === null);
  if (other !== undefined) return unchecked(`no call shows that ${other.why}`);
  const isWaiting = job.calls.every(({ said }) => ![...ENDED, 'IN_PROGRESS'].includes(said?.status));
  const [kept, mayWait] = [{ ...job, neverStarts: true }, isWaiting && !job.startsAtOnce];
  const isKept = mayWait && hasStory(kept, some, history) === false;
  if (isKept || rules.some((rule) => OF_OTHERS.test(rule))) return unchecked('rests on other jobs');
  return refused(`the document allows these answers about ${jobId}`);
}

const COUNTED = { 'jobs.inQueue': 'IN_QUEUE', 'jobs.inProgress': 'IN_PROGRESS', removed: 'IN_QUEUE' };
/** Of a number that is not the sum of its parts: each job counts as its own calls say. */
function checkNumber(id, { contradiction: { of, told, least, most, parts }, calls }, history) {
  const call = history.call.get(calls.at(-1));
  const sum = (bound) => parts.reduce((all, part) => all + part[bound], 0);
  if (sum('least') !== least || sum('most') !== most) return refused('the parts do not add up');
  if (told >= least && told <= most) return refused(`${told} is between ${least} and ${most}`);
  const value = of.split('.').reduce((all, name) => all?.[name], call?.said);
  if (value !== told) return refused(`${of} is not ${told}`);
  if (COUNTED[of] === undefined) return unchecked(`${of} counts more than the states of jobs`);
  const isHere = ({ submits, script, at }) => submits && script === call.script && at === call.at;
  const isBefore = ({ sentTick, good, isLost }) => sentTick < call.endedTick && (good || isLost);
  for (const submit of history.calls.filter(isHere).filter(isBefore)) {
    if (submit.isLost) return unchecked('a submission was not answered');
    const part = parts.find(({ what }) => what === `job ${submit.job}`) ?? { least: 0, most: 0 };
    const job = jobOf(history, submit.job, submit);
    const others = job.calls.filter((one) => of !== 'removed' || one !== call);
    const can = (counts) => {
      const then = claim(call, ({ state }) => (state === COUNTED[of]) === counts);
      return hasStory(job, others, history, [then]) !== false;
    };
    const isOpen = told < least ? part.least > 0 && can(false) : part.most < 1 && can(true);
    if (isOpen) return unchecked(`${submit.job} may count otherwise`);
  }
  return verified('the state of each job');
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
const isNot = ({ status }, wanted) => status !== null && status !== wanted && status !== 429;
const camel = (words) => words.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const hasKey = ({ auth }) => ['bare', 'bearer', 'none-needed'].includes(auth);
const isGiven = (value) => (value ?? null) !== null;
const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isJson = ({ reply: { body, contentType } }, what) =>
  what === 'body' ? body.as === 'json' : /^application\/json\s*(;|$)/i.test(contentType ?? '');
const hasBody = ({ reply }) => reply.body.as !== 'none';
const isPlain = (value) => typeof value === 'string' || typeof value === 'number';
const hasAll = ({ said }, ...names) => names.every((name) => isGiven(said[name]));
const isRefusal = ({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 429;
const chunks = ({ op, good, said }) => (op === 'stream' && good && Array.isArray(said) ? said : []);
/** The optional fields of a submission, with the type of each, and the kinds of an `input` that is none. */
const FIELDS = {
  ...{ webhook: ['webhook', 'string'], policy: ['policy', 'object'], s3config: ['s3Config', 'object'] },
  ...{ ttl: ['policy.ttl', 'number'], 'execution-timeout': ['policy.executionTimeout', 'number'] },
  'low-priority': ['policy.lowPriority', 'boolean'],
};
const fieldOf = ({ sent }, name) => FIELDS[name][0].split('.').reduce((value, key) => value?.[key], sent);
const isTyped = (call, name) => [FIELDS[name][1], 'undefined'].includes(typeOf(fieldOf(call, name)));
const INPUTS = { missing: /undefined/, null: /null/, array: /array/, scalar: /string|number|boolean/ };
/** Nothing in the document allows a service to refuse it. */
function isValid(call) {
  const { input, policy } = call.sent ?? {};
  const asked = [[queried(call, 'ttl'), TTL], [queried(call, 'wait'), WAIT]];
  const limited = [...asked, [policy?.ttl, TTL], [policy?.executionTimeout, EXECUTION]];
  if (!hasKey(call) || !limited.every(([value, limits]) => value === undefined || isOwn(value, limits))) return false;
  return !call.submits || (isObject(input) && Object.keys(FIELDS).every((name) => isTyped(call, name)));
}
const TIMES = ['delayTime', 'executionTime'];
const OP = '(?<op>runsync|run|status|stream|cancel|retry|purge-queue|health)';
/**
 * What one answer breaks by itself: requirements by a pattern, and whether call c breaks them, given the groups of the
 * pattern. OP stands for an operation, which the call has to be of.
 */
const ANSWERS = [
  ['1/json-(body|content-type)-OP', (c, what) => c.good && !isJson(c, what)],
  ['1/json-error-(body|content-type)-(.+)', (c, what, code) => `${c.status}` === code && hasBody(c) && !isJson(c, what)],
  ['2.1/input-(.+)-refused-OP', (c, kind) => isObject(c.sent) && INPUTS[kind].test(typeOf(c.sent.input)) && isNot(c, 400)],
  ['2.[12]/(.+)-type-checked(?:-OP)?', (c, name) => c.good && isGiven(fieldOf(c, name)) && !isTyped(c, name)],
  ['2.2/(.+)-integer', (c, name) => c.good && !Number.isInteger(fieldOf(c, name) ?? 0)],
  ['(?:2.[123]|4.[13])/.+-(?:accepted|optional|validated)(?:-OP|-true|-false)?', (c) => isValid(c) && isRefusal(c)],
  ['2.4/id-matches-OP', (c) => c.good && c.said?.id !== undefined && c.said.id !== c.job],
  ['2.4/(id|status)-in-OP', (c, name) => c.good && (typeof c.said?.[name] !== 'string' || c.said[name] === '')],
  ['2.4/status-known-OP', (c) => c.good && typeof c.said?.status === 'string' && !STATUS.includes(c.said.status)],
  ['2.4/(.+-time)-in-failed', (c, name) => ENDED.indexOf(c.said?.status) > 0 && !isGiven(c.said[camel(name)])],
  ['2.4/(output|.+-time)-in-OP', (c, name) => c.said?.status === 'COMPLETED' && c.said[camel(name)] === undefined],
  ['4.1/complete-result-.+', (c) => c.said?.status === 'COMPLETED' && !hasAll(c, 'id', 'output', ...TIMES)],
  ['2.4/(.+-time)-integer-OP', (c, name) => c.good && !isCount(c.said?.[camel(name)] ?? 0)],
  ['2.4/times-in-every-state', (c) => /^IN_(QUEUE|PROGRESS)$/.test(c.said?.status) && !hasAll(c, ...TIMES)],
  ['2.5/chunk-is-object', (c) => !chunks(c).every(isObject)],
  ['2.5/chunk-has-output', (c) => chunks(c).some((chunk) => chunk?.output === undefined)],
  ['2.5/metrics-optional-object', (c) => !chunks(c).every((chunk) => isObject(chunk?.metrics ?? {}))],
  ['2.5/metrics-values', (c) => chunks(c).some(({ metrics }) => !Object.values(metrics ?? {}).every(isPlain))],
  ['2.6/removed-integer', (c) => c.op === 'purge-queue' && c.good && !isCount(c.said?.removed)],
  ['2.6/status-completed', (c) => c.op === 'purge-queue' && c.good && c.said?.status !== 'completed'],
  ['2.7/(jobs|workers)-(.+)', (c, group, name) => c.op === 'health' && c.good && !isCount(c.said?.[group]?.[camel(name)])],
  ['4.2/status-in-queue', (c) => c.op === 'run' && c.good && c.said?.status !== 'IN_QUEUE'],
  ['4.6/status-in-queue', (c) => c.op === 'retry' && c.good && c.said?.status !== 'IN_QUEUE'],
  ['4.4/answer-is-array', (c) => c.op === 'stream' && c.good && !Array.isArray(c.said)],
  ['5/(missing|wrong|empty|other-scheme)(?:-key)?(?:-OP)?', (c, kind) => c.auth.startsWith(kind) && isNot(c, 401)],
  ['5/key-compared-whole', (c) => /^(truncated|extended|followed|other-case)/.test(c.auth) && isNot(c, 401)],
  ['5/key-without-permission', (c) => /^(unpermitted|other-user)/.test(c.auth) && isNot(c, 401)],
  ['5/(?:key-accepted-OP|bare-or-bearer|bearer-accepted)', (c) => hasKey(c) && c.status === 401],
  ['5/key-only-in-header', (c) => c.auth === 'in-query' && c.good],
  ['7/(?:malformed-json|body-not-object|no-body)-OP', (c) => c.submits && !isObject(c.sent) && isNot(c, 400)],
  ['7/(?:status-ttl|wait)-not-integer', (c) => c.good && ['ttl', 'wait'].some((name) => Number.isNaN(queried(c, name)))],
  ['7/no-500-.+', (c) => c.status >= 500],
  ['9/.+', (c) => c.good && !c.request.path.startsWith('/v2/')],
].map(([pattern, isBroken]) => [new RegExp(`^${pattern.replace('OP', OP)}$`), isBroken]);

/** Of a wrong answer: one of its calls breaks the sentence by itself. */
function checkAnswer(id, failure, history) {
  const [pattern, isBroken] = ANSWERS.find(([each]) => each.test(id)) ?? [];
  if (pattern === undefined) return checkJob(id, failure, history);
  const { groups, 1: one, 2: other } = pattern.exec(id);
  const calls = failure.calls.map((number) => history.call.get(number)).filter((call) => call !== undefined);
  const isShown = calls.some((call) => (groups?.op ?? call.op) === call.op && isBroken(call, one, other));
  return isShown ? verified('one answer') : refused('no call breaks the sentence by itself');
}

const CHECKS = { answer: checkAnswer, time: checkJob, order: checkJob, number: checkNumber };
/** Every listed failure of a report, and what becomes of it. */
export const checkReport = ({ requirements }, history) =>
  requirements.flatMap(({ id, failures }) =>
    failures.map((failure, nth) => {
      const kind = failure.contradiction?.kind ?? 'answer';
      return { id, nth: nth + 1, kind, ...CHECKS[kind](id, failure, history) };
    }),
  );

function parsed(where, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${where} is damaged: it is not JSON. Run the check again, or name another report`);
  }
}

/** The program. 0: no proof is refused; 1: at least one is; 2: a file cannot be read. */
export function main([path], write, complain) {
  let rows;
  try {
    if (path === undefined) throw new Error('usage: runproof-verify.mjs REPORT_DIR|report.json');
    const file = statSync(path).isDirectory() ? `${path}/report.json` : path;
    const report = parsed('the report', readFileSync(file, 'utf8'));
    if (report.subject === 'client') throw new Error('it is a report on a client, which has no proofs');
    const lines = readFileSync(`${file.replace(/[^/\\]*$/, '')}history.ndjson`, 'utf8').split('\n');
    const events = lines.filter((line) => line !== '').map((line) => parsed('history.ndjson', line));
    rows = checkReport(report, historyOf(events));
  } catch (error) {
    complain(`${path}: ${error.message}\n`);
    return 2;
  }
  const plain = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?');
  for (const { id, nth, kind, result, how } of rows)
    write(`${plain(`${result}: ${id} ${nth} (${kind}): ${how}`)}\n`);
  const count = (wanted) => rows.filter(({ result }) => result === wanted).length;
  const [good, bad, open] = ['verified', 'REFUSED', 'not checkable'].map(count);
  write(`${rows.length} failures: ${good} verified, ${bad} refused, ${open} not checkable\n`);
  return bad > 0 ? 1 : 0;
}

if (argv[1] !== undefined && realpathSync(argv[1]) === import.meta.filename)
  exit(main(argv.slice(2), (text) => stdout.write(text), (text) => stderr.write(text)));
