#!/usr/bin/env node
/**
 * Checks the proofs of a Runproof report by the recorded calls: `node runproof-verify.mjs REPORT_DIR|report.json`.
 * docs/verify.md says what is checked, and how. Written from it and the document, it shares nothing with Runproof.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';

const [SECOND, MINUTE, DAY, MB] = [1_000, 60_000, 86_400_000, 1_048_576];
const [TTL, EXECUTION, WAIT] = [[10 * SECOND, 7 * DAY], [5 * SECOND, 7 * DAY], [SECOND, 5 * MINUTE]];
// Runproof's numbers: so long a failed job can be retried at least, and a webhook call may travel.
const [KEPT, LATENCY] = [5 * SECOND, SECOND];
const [WINDOW, PAYLOAD] = [10 * SECOND, { runsync: 20 * MB, run: 10 * MB }];
const RATES = {
  ...{ runsync: [2_000, 400], run: [1_000, 200], status: [2_000, 400], stream: [2_000, 400], cancel: [100, 20] },
  ...{ 'purge-queue': [2, Infinity], openai: [2_000, 400], requests: [10, 2] },
};
const [ENDED, TIMES] = [['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'], ['delayTime', 'executionTime']];
const STATUS = ['IN_QUEUE', 'IN_PROGRESS', ...ENDED];
const SHOWN = { TIMED_OUT: ['TIMED_OUT', 'FAILED'], PURGED: ['CANCELLED'], GONE: [] };
const shows = (state, status) => !STATUS.includes(status) || (SHOWN[state] ?? [state]).includes(status);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isGiven = (value) => (value ?? null) !== null;
const isWithin = ([least, most], value) => Number.isInteger(value) && value >= least && value <= most;
const range = (value, limits, usual) => (!isGiven(value) ? usual : isWithin(limits, value) ? [value, value] : limits);
const queried = ({ query }, name) => (query[name] === undefined ? undefined : Number(query[name]));
const told = (said, path) => path.split('.').reduce((all, name) => all?.[name], said);
function whole(string) {
  const pieces = string.startsWith('@runproof/long-text ') ? JSON.parse(string.slice(20)).pieces : undefined;
  return pieces?.map((piece) => (Array.isArray(piece) ? piece[0].repeat(piece[1]) : piece)).join('') ?? string;
}
const sorted = (value) => Object.fromEntries(Object.keys(value).sort().map((name) => [name, value[name]]));
const plain = (_, value) => (isObject(value) ? sorted(value) : typeof value === 'string' ? whole(value) : value);
const text = (value) => JSON.stringify(value, plain);

export function historyOf(events) {
  const of = (wanted) => events.filter(({ kind }) => kind === wanted);
  const byScript = (kind) => new Map(of(kind).map((event) => [event.script, event]));
  const calls = of('call').map((event) => {
    const { op, request, reply, endedTick, receivedMs } = event;
    const [, at, id = ''] = /^\/v2\/([^/]+)\/[^/]+\/?(.*)$/.exec(request.path) ?? [];
    const [status, sent, said] = [reply?.status ?? null, request.body.value, reply?.body.value];
    const [submits, good] = [op === 'run' || op === 'runsync', status >= 200 && status < 300];
    const answer = { status, sent, said, good, isLost: status === null || status >= 500 };
    const ends = { endedTick: endedTick ?? Infinity, endMs: receivedMs ?? Infinity };
    const about = { at, submits, job: submits ? said?.id : decodeURIComponent(id) };
    return { ...event, auth: request.auth, query: request.query, ...about, ...answer, ...ends };
  });
  const [scripts, scaled, ends] = ['script', 'workers', 'script-end'].map(byScript);
  const [webhooks, storages, jobs] = [of('webhook'), of('storage'), new Map()];
  const call = new Map(calls.map((one) => [one.call, one]));
  const own = new Map([...scripts.keys(), -1].map((script) => [script, []]));
  for (const one of calls) own.get(one.script)?.push(one);
  return { run: of('run')[0], calls, call, own, scripts, scaled, ends, webhooks, storages, jobs };
}

function runOf({ input, s3Config = null }, plan, isScripted) {
  const [run, steps] = [{ least: 0, most: 0, ends: [], chunks: [] }, plan === undefined ? [] : [plan].flat()];
  const completed = (output) => ending(run.chunks.length > 0 ? undefined : output, 'COMPLETED');
  const ending = (output, ...ends) => ({ ...run, most: run.least, ends, output });
  if (!isScripted) return { ...run, most: Infinity, ends: ['COMPLETED', 'FAILED', 'IN_QUEUE'] };
  for (const step of steps) {
    const [[name, value] = ['']] = Object.entries(step);
    if (name === 'hang') return { ...run, most: Infinity };
    if (name === 'crash') return ending(undefined, 'FAILED', 'IN_QUEUE');
    if (name === 'returnBytes') return completed({ data: 'x'.repeat(value) });
    if (name === 'return') return completed(value);
    if (name === 'echo' || name === 's3Config') return completed(name === 'echo' ? input : { s3Config });
    const output = name === 'streamBytes' ? 'x'.repeat(value) : name === 'stream' ? value : value?.output;
    if (name === 'sleepMs') run.least += value;
    else if (name.startsWith('stream')) run.chunks.push({ ms: run.least, output });
    else return ending(undefined, 'FAILED');
  }
  return completed(plan === undefined ? { echo: input } : { ok: true });
}

/** A job, what the document and its submission grant it, and the calls about it; null: no submission is known. */
function jobOf(h, id, first) {
  const own = h.own.get(first?.script) ?? [];
  const isFirst = id === undefined || (first?.submits && first.job === id);
  const submit = isFirst ? first : own.find(({ submits, job }) => submits && job === id);
  if (!submit?.submits || h.jobs.has(submit)) return h.jobs.get(submit) ?? null;
  const [{ policy, input, webhook } = {}, { query }] = [submit.sent ?? {}, submit];
  const { fresh, workers: started } = h.scripts.get(submit.script) ?? {};
  const here = own.filter((c) => c.at === submit.at && c !== submit);
  const calls = here.filter(({ op, job }) => op === 'purge-queue' || (op !== null && isGiven(id) && job === id));
  const stated = h.run.executionTimeoutDefaultMs ?? (fresh ? 10 * MINUTE : null);
  const usual = stated === null ? EXECUTION : [stated, stated];
  const workers = fresh && !h.scaled.has(submit.script) ? started : null;
  const rivals = here.filter(({ submits, status }) => submits && !(status >= 400)).length;
  const plans = [input?.plan, input?.planOnRetry ?? input?.plan];
  const isScripted = h.run.capabilities.includes('scripted-worker');
  const job = {
    submit, usual, plans, workers, calls,
    runs: plans.map((plan) => runOf(submit.sent ?? {}, plan, isScripted)),
    retries: calls.filter(({ op, good, isLost }) => op === 'retry' && (good || isLost)),
    hooks: h.webhooks.filter(({ script, url }) => script === submit.script && url === webhook),
    ttl: range(policy?.ttl, TTL, [DAY, DAY]),
    execution: range(policy?.executionTimeout, EXECUTION, usual),
    wait: range(queried(submit, 'wait'), WAIT, [90 * SECOND, 90 * SECOND]),
    keep: submit.op === 'run' ? [30 * MINUTE, 30 * MINUTE] : [MINUTE, query.wait ? 5 * MINUTE : 90 * SECOND],
    startsAtOnce: workers !== null && rivals < workers && policy?.lowPriority !== true,
  };
  h.jobs.set(submit, job);
  return job;
}

/** The states into which a call with this answer may bring a job; none where the document does not allow it. */
function outcomes(state, isStrict, { op, status, good, said, isLost, query }) {
  const [isUp, isOver] = [state.startsWith('IN_'), state === 'FAILED' || state === 'TIMED_OUT'];
  const isMalformed = status === 400 && query.ttl !== undefined;
  const removed = isLost ? [state, 'PURGED'] : [good ? 'PURGED' : state];
  if (status === 401 || status === 429 || (isLost && state === 'GONE')) return [state];
  if (op === 'purge-queue') return state === 'IN_QUEUE' ? removed : [state];
  if (state === 'NONE') return [];
  if (state === 'GONE') return status === 404 || isMalformed ? [state] : [];
  if (op === 'cancel' && (isLost || !isUp)) return good || isLost ? [state, 'CANCELLED'] : [state];
  if (op === 'cancel') return good && shows('CANCELLED', said?.status) ? ['CANCELLED'] : [];
  if (op === 'retry' && !isOver) return good && isStrict ? [] : [state];
  if (op === 'retry') return isLost ? [state, 'IN_QUEUE'] : good ? ['IN_QUEUE'] : [];
  if (isLost || isMalformed) return [state];
  return (good ? op !== 'status' || shows(state, said?.status) : state === 'PURGED') ? [state] : [];
}

const [by, after] = [(a, b, ms) => [a, b, ms], (a, b, ms) => [b, a, -ms]];
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
    const [n, running] = [at.net.t.length, Math.min(at.execution[1], at.run?.most)];
    const stays = { IN_QUEUE: job.startsAtOnce ? 0 : Infinity, IN_PROGRESS: running, COMPLETED: at.keep[1] };
    const all = [after(at.last, n, 0), by(at.since, n, (stays[at.state] ?? Infinity) + late), ...bounds];
    if (at.state !== 'NONE' && at.state !== 'GONE') all.push(by(at.ttl.until, n, at.ttl.most + late));
    const net = constrain(at.net, all);
    const isRun = state === 'IN_PROGRESS' && at.state === 'IN_QUEUE';
    const begun = isRun ? { runs: at.runs + 1, run: job.runs[Math.min(at.runs, 1)] } : {};
    const [since, had] = [state === at.state ? at.since : n, [...at.had, state]];
    return net === null ? [] : [{ ...at, net, last: n, state, since, had, ...begun, ...more }];
  };
  /** What may become of the job without a call. */
  const moves = (at) => {
    const { state, since, ttl, last, run, net } = at;
    if (state === 'NONE' || state === 'GONE') return [];
    const kept = { COMPLETED: at.keep[0], FAILED: KEPT, TIMED_OUT: KEPT, CANCELLED: 0, PURGED: 0 }[state];
    const to = [['GONE', ttl.from, ttl.least], ['GONE', since, kept ?? Infinity]];
    if (state === 'IN_QUEUE' && job.workers !== 0) to.push(['IN_PROGRESS', last, 0]);
    if (state === 'IN_QUEUE' && run?.ends.includes('IN_QUEUE')) to.push(['FAILED', last, 0]);
    if (state === 'IN_PROGRESS') to.push(['TIMED_OUT', since, at.execution[0]]);
    if (state === 'IN_PROGRESS') to.push(...run.ends.map((end) => [end, since, run.least]));
    const possible = to.filter(([other, , ms]) => ms < Infinity && (other !== 'IN_QUEUE' || at.runs < 4));
    return possible.flatMap(([other, from, ms]) => next(at, other, [after(from, net.t.length, ms - early)]));
  };
  /** What the job may be after this point of a call. */
  const passing = (at, { kind, call, holds, from, until }) => {
    const [{ state, submitted }, n] = [at, at.net.t.length];
    const to = (then, more, ...bounds) => next(at, then, [after(0, n, from), by(0, n, until), ...bounds], more);
    const held = kind === 'claim' && holds(at, n);
    if (kind === 'claim') return held === false ? [] : to(state, {}, ...(held === true ? [] : [held]));
    const ttl = { from: n, least: job.ttl[0], until: n, most: job.ttl[1] };
    if (kind === 'submit') return state === 'NONE' ? to('IN_QUEUE', { submitted: n, ttl }) : [];
    if (kind === 'answer' && call.good && state !== 'NONE') {
      const [waited, notEarly] = [by(submitted, n, job.wait[1] + late), after(submitted, n, job.wait[0] - early)];
      if (!ENDED.includes(call.said?.status)) return to(state, {}, waited, notEarly);
      const promptly = by(at.since, n, state === 'COMPLETED' ? late : Infinity);
      return shows(state, call.said.status) ? to(state, {}, waited, promptly) : [];
    }
    // 6 s is the example of 4.3. A ttl that is over deletes the job at once.
    const [least, most] = range(queried(call, 'ttl'), [6 * SECOND, TTL[1]], TTL);
    const isThere = state !== 'NONE' && state !== 'GONE';
    const sets = call.op === 'status' && call.query.ttl !== undefined;
    if (sets && isThere && call.status === 404) return to('GONE', {}, after(submitted, n, least - early));
    return outcomes(state, job.isStrict, call).flatMap((then) => {
      const limits = [...job.execution, ...job.usual];
      const again = { execution: [Math.min(...limits), Math.max(...limits)], keep: [at.keep[0], 30 * MINUTE] };
      if (call.op === 'retry' && then !== state) return to(then, { ...again, run: undefined });
      if (!sets || call.status >= 400) return to(then);
      const applied = to(then, { ttl: { from: submitted, least, until: n, most } });
      const isSure = least === most && (job.isStrict || least >= TTL[0]) && call.good && !ENDED.includes(state);
      return isSure ? applied : [...applied, ...to(then)];
    });
  };
  const explore = (at, left) => {
    tries -= 1;
    if (left.length === 0 || tries < 0) return true;
    const ready = left.filter((one) => !left.some(({ endedTick }) => endedTick < one.sentTick));
    const rest = (point) => left.filter((other) => other !== point);
    const then = (point) => passing(at, point).some((one) => explore(one, rest(point)));
    return ready.some(then) || moves(at).some((one) => explore(one, left));
  };
  const begin = { ...job, net: { edges: [], t: [0] }, last: 0, state: 'NONE', since: 0, runs: 0, had: [] };
  const isFound = explore(begin, [...[job.submit, ...calls].flatMap((call) => pointsOf(call, clock)), ...claims]);
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
/** Whether some story has the job so when the call takes effect. */
const mayAt = (h, job, call, holds, calls = job.calls) =>
  hasStory(job, calls, h, [{ ...pointsOf(call)[0], kind: 'claim', holds }]) !== false;
/** Whether some story has the job so at an instant between these, after the calls that were answered before. */
function may(h, job, from, until, holds) {
  const ticks = [job.submit, ...job.calls].filter(({ endMs }) => endMs <= from).map(({ endedTick }) => endedTick);
  const at = { kind: 'claim', holds, from, until, sentTick: 1 + Math.max(-1, ...ticks), endedTick: Infinity };
  return hasStory(job, job.calls, h, [at]) !== false;
}

const result = (word) => (how) => ({ result: word, how });
const [verified, refused, unchecked] = ['verified', 'REFUSED', 'not checkable'].map(result);

/** The numbers of ms that the document, the submission and the answers give to rules about the job. */
function termsOf({ ttl, execution, usual, keep, wait, plans, calls, submit }, cited) {
  const prefixes = plans.filter(Array.isArray).flatMap((plan) => plan.map((_, n) => plan.slice(0, n + 1)));
  const sums = prefixes.map((plan) => runOf(submit.sent, plan, true).most);
  const times = cited.flatMap(({ said }) => TIMES.map((name) => said?.[name]));
  const limits = [...TTL, ...EXECUTION, ...WAIT, DAY, MINUTE, 30 * MINUTE, 90 * SECOND, KEPT, 0];
  const given = calls.map((c) => queried(c, 'ttl'));
  return [ttl, execution, usual, keep, wait, limits, sums, sums.map((ms) => ms + usual[1]), times, given].flat();
}

/** Why a bound is neither of a call, nor of the document, nor what the history grants; null: it is one of these. */
function boundError({ from, to, limit, ms, requirement, call: number }, id, origin, job, h, cited) {
  const { sentMs, arrivedByMs, receivedMs, job: about = id, op } = h.call.get(number) ?? {};
  const [all, isMost] = [[sentMs, arrivedByMs, receivedMs], limit === 'at-most'];
  const times = op === 'runsync' || to === 'sent' ? all : isMost ? all.slice(1) : [sentMs];
  if (number !== null && (from !== 'clock' || !times.includes(ms + origin))) return `#${number} was not at ${ms} ms`;
  if (number !== null && to.startsWith('#') && to !== `#${number}`) return `${to} is not #${number}`;
  if (number !== null && ![null, about].includes(id) && op !== 'purge-queue') return `#${number} is not about ${id}`;
  if (from === 'clock') return null;
  const isGranted = isMost ? ms >= (from === 'due' ? h.run.graceMs : 0) : ms <= 0;
  if (requirement === null) return isGranted ? null : `nothing grants ${ms} ms from ${from} to ${to}`;
  // What a first run took may count.
  const isRest = job?.retries.length > 0 && !isMost && /execution-timeout/.test(requirement) && ms < job.execution[1];
  return job === null || isRest || termsOf(job, cited).includes(ms) ? null : `${requirement} does not say ${ms} ms`;
}
/** Why the bounds are no such cycle; null: they are. */
function cycleError({ bounds, overMs, job: id }, origin, job, h, cited) {
  const ends = ({ limit, from, to }) => (limit === 'at-most' ? [from, to] : [to, from]);
  const places = bounds.map(ends);
  const broken = places.find(([start], n) => start !== places.at(n - 1)[1]);
  if (broken !== undefined) return `the cycle breaks before ${broken[0]}`;
  const sum = bounds.reduce((all, { limit, ms }) => all + (limit === 'at-most' ? ms : -ms), 0);
  const errors = bounds.map((bound) => boundError(bound, id, origin, job, h, cited));
  const isSum = -sum === overMs && sum < 0;
  return errors.find(isGiven) ?? (isSum ? null : `the bounds add up to ${sum} ms, not to ${-overMs} ms`);
}

const isIt = (...states) => ({ state }) => states.includes(state);
const was = (...states) => ({ had }) => had.some((state) => states.includes(state));
const [queued, runs, completed] = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'].map((state) => isIt(state));
const not = (holds) => (at) => !holds(at);
/** The jobs that calls of this endpoint submitted; null: one of a submission without an answer. */
const jobsAt = (h, { script, at }, isWanted) =>
  h.calls
    .filter((c) => c.submits && c.script === script && c.at === at && (c.good || c.isLost) && isWanted(c))
    .map((c) => (c.good ? jobOf(h, c.job, c) : null));
const most = (jobs, can) => jobs.filter((job) => job === null || can(job)).length;
const least = (jobs, canBeOtherwise) => jobs.filter((job) => job !== null && !canBeOtherwise(job)).length;

/** Whether a bound by no call is certain: by webhook calls, by the job's calls, or by those of the other jobs. */
function isCertain({ to, ms, limit }, { bounds }, origin, job, h) {
  const [at, states] = [ms + origin, { completed: ['COMPLETED'], ended: ENDED }[to]];
  if (job.hooks.some(({ arrivedMs, endedMs }) => at === arrivedMs || at === endedMs)) return true;
  if (to === 'called') return job.hooks.length === 0 && h.ends.get(job.submit.script)?.atMs >= at;
  if (states !== undefined) return limit === 'at-most' && !may(h, job, at, at, not(was(...states)));
  const { sentMs, endMs } = h.call.get(bounds.find(({ call }) => call !== null)?.call) ?? {};
  const others = jobsAt(h, job.submit, (c) => c !== job.submit && c.sentMs <= endMs);
  if (to === 'due' && at < sentMs) return most(others, (other) => may(h, other, at, sentMs, runs)) < job.workers;
  const isBusy = (other) => may(h, other, sentMs, endMs, not(runs));
  return to === 'started' && endMs < at && job.workers !== null && least(others, isBusy) >= job.workers;
}

/** Of a contradiction in time or order, or of an answer that is wrong for the job that it is about. */
function checkJob(id, { contradiction, calls: numbers, shrunk, originMs: origin = 0 }, h) {
  const about = { job: h.call.get(numbers.at(-1))?.job };
  const { job: jobId, bounds = [], seen = [], kind } = contradiction ?? about;
  const cited = [...numbers, ...(shrunk?.calls ?? []), ...seen.map(({ call }) => call)];
  const calls = cited.map((number) => h.call.get(number) ?? {});
  const known = jobId === undefined ? null : jobOf(h, jobId ?? undefined, calls[0]);
  const error = kind === 'time' ? cycleError(contradiction, origin, known, h, calls) : null;
  if (error !== null) return refused(error);
  for (const { call: number, showed, atMs } of seen) {
    const { sentMs, receivedMs, arrivedByMs, job, op, said, status } = h.call.get(number) ?? {};
    const isShown = showed.includes(said?.status) || showed.includes(status);
    const isThen = [sentMs, receivedMs, arrivedByMs].includes(atMs + origin);
    if (job !== jobId && op !== 'purge-queue') return refused(`#${number} is not about ${jobId}`);
    if (!isShown || !isThen) return refused(`#${number} did not show ${showed} at ${atMs} ms`);
  }
  if (known === null) return unchecked('the submission of the job is not known');
  const rules = [id, ...bounds.map(({ requirement }) => requirement ?? '')];
  const names = (pattern) => rules.some((rule) => pattern.test(rule));
  if (names(/^2\.4\/.*time/)) return bounds.length > 0 ? verified('the times as told') : unchecked('several times');
  const uncalled = bounds.filter(({ from, call }) => from === 'clock' && call === null);
  const isSure = uncalled.length > 0 && uncalled.every((bound) => isCertain(bound, contradiction, origin, known, h));
  const isHook = kind === 'order' && isHookWrong(calls[0], h, [id]) === true;
  if (isSure || isHook) return verified('each of its instants');
  if (id.startsWith('6/')) return unchecked('the webhook calls do not show it');
  const usual = names(/^4\.6\/keeps-policy/) ? known.execution : known.usual;
  const job = { ...known, usual, isStrict: /^4\.6|example/.test(id) };
  // An answer that is wrong by itself has to be the one that leaves no story.
  const last = contradiction === null ? calls.at(-1) : undefined;
  const prior = job.calls.filter((c) => last === undefined || (c !== last && c.sentTick <= last.sentTick));
  const isPossible = last === undefined || hasStory(job, prior, h) === true;
  const before = isPossible ? prior : prior.filter((c) => c.good || c.status !== last.status);
  if (last !== undefined && hasStory(job, before, h) !== true) return unchecked('it takes several answers');
  const until = job.calls.filter((c) => c === last || before.includes(c));
  const isChange = ({ op, query }) => /cancel|retry|purge/.test(op) || query.ttl !== undefined;
  const some = until.filter((c) => cited.includes(c.call) || isChange(c));
  const found = hasStory(job, some, h) && hasStory(job, until, h);
  if (found === false) return verified('no other explanation');
  if (found === null) return unchecked('the calls may have been in too many orders');
  if (contradiction === null) return unchecked('it takes several answers');
  if (uncalled.length > 0) return unchecked(`no call shows that ${uncalled[0].why}`);
  const isTravel = ({ from, limit, requirement, ms }) =>
    limit === 'at-most' && requirement === null && ms > 0 && from !== 'clock' && from !== 'due';
  if (bounds.some(isTravel)) return unchecked('rests on how long the network took');
  const ran = ({ said }) => [...ENDED, 'IN_PROGRESS'].includes(said?.status);
  const isWaiting = !job.startsAtOnce && !job.calls.some(ran);
  const isKept = isWaiting && hasStory({ ...job, workers: 0 }, some, h) === false;
  if (isKept || names(/^1\/|^4\.7\/|frees-worker|-this-job-only|other-jobs/)) return unchecked('rests on other jobs');
  return refused(`the document allows these answers about ${jobId}`);
}

/** When a job certainly counts, and when it may. */
const COUNTED = {
  ...{ removed: [queued, queued], 'jobs.inQueue': [queued, queued], 'jobs.inProgress': [runs, runs] },
  ...{ 'jobs.completed': [completed, was('COMPLETED')], 'jobs.failed': [isIt('FAILED'), was('FAILED', 'TIMED_OUT')] },
};
function isMiscounted(c, of, h) {
  const [value, [counts, mayCount]] = [told(c.said, of), COUNTED[of]];
  const jobs = jobsAt(h, c, (one) => one.sentTick < c.endedTick);
  // What is not found later may have been removed by this call.
  const isKept = (one) => one !== c && (of !== 'removed' || one.sentTick < c.sentTick || one.good);
  const can = (holds) => (job) => mayAt(h, job, c, holds, job.calls.filter(isKept));
  return value > jobs.length || value > most(jobs, can(mayCount)) || value < least(jobs, can(not(counts)));
}
function checkNumber(id, { contradiction: { of, told: number, least, most, parts }, calls }, h) {
  const [call, sum] = [h.call.get(calls.at(-1)), (bound) => parts.reduce((all, part) => all + part[bound], 0)];
  if (sum('least') !== least || sum('most') !== most) return refused('the parts do not add up');
  if (number >= least && number <= most) return refused(`${number} is between ${least} and ${most}`);
  if (told(call?.said, of) !== number) return refused(`${of} is not ${number}`);
  if (COUNTED[of] === undefined) return unchecked(`${of} counts more than the states of jobs`);
  return isMiscounted(call, of, h) ? verified('the state of each job') : unchecked('jobs may count otherwise');
}

/** A shape is a condition, or an object of shapes; a member whose name ends in `?` may be absent. */
function fits(value, shape) {
  if (typeof shape === 'function') return shape(value);
  const isFit = (name) => fits(value[name.replace('?', '')], shape[name]);
  const isAbsent = (name) => name.endsWith('?') && !isGiven(value[name.slice(0, -1)]);
  return isObject(value) && Object.keys(shape).every((name) => isAbsent(name) || isFit(name));
}
const is = (type) => (value) => typeof value === type;
const oneOf = (...values) => (value) => values.includes(value);
const isText = (value) => typeof value === 'string' && value !== '';
const isCount = (value) => Number.isInteger(value) && value >= 0;
const POLICY = { 'ttl?': Number.isInteger, 'executionTimeout?': Number.isInteger, 'lowPriority?': is('boolean') };
const SUBMISSION = { input: isObject, 'webhook?': is('string'), 'policy?': POLICY, 's3Config?': isObject };
const [QUEUED, RECORD] = [{ id: isText, status: oneOf('IN_QUEUE') }, { id: isText, status: oneOf(...STATUS) }];
const TIMED = { ...RECORD, 'delayTime?': isCount, 'executionTime?': isCount };
const JOBS = { completed: isCount, failed: isCount, inProgress: isCount, inQueue: isCount, retried: isCount };
const isMetrics = (value) => isObject(value) && Object.values(value).every((each) => /str|num/.test(typeof each));
const CHUNK = { output: (value) => value !== undefined, 'metrics?': isMetrics };
const SHAPES = {
  ...{ run: QUEUED, retry: QUEUED, cancel: RECORD, runsync: TIMED, status: TIMED },
  stream: (said) => Array.isArray(said) && said.every((each) => fits(each, CHUNK)),
  'purge-queue': { removed: isCount, status: oneOf('completed') },
  health: { jobs: JOBS, workers: { idle: isCount, running: isCount } },
};
const isMisshapen = ({ op, good, said }) => good && SHAPES[op] !== undefined && !fits(said, SHAPES[op]);
const isNot = ({ status }, wanted) => ![null, wanted, 429].includes(status);
const hasKey = ({ auth }) => ['bare', 'bearer', 'none-needed'].includes(auth);
const hasBody = ({ reply }) => reply !== null && reply.body.as !== 'none';
const isJson = ({ reply: { body, contentType } }, what) =>
  what === 'body' ? body.as === 'json' : /^application\/json\s*(;|$)/i.test(contentType ?? '');
const isRefusal = ({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 429;
/** Nothing in the document allows a service to refuse it. */
function isValid(c) {
  const { ttl, executionTimeout } = c.sent?.policy ?? {};
  const asked = [[TTL, queried(c, 'ttl')], [WAIT, queried(c, 'wait')], [TTL, ttl], [EXECUTION, executionTimeout]];
  const isLegal = asked.every(([limits, value]) => value === undefined || isWithin(limits, value));
  const { webhook = 'https:', s3Config } = c.sent ?? {};
  const isPlain = /^https?:/.test(webhook) && Object.values(s3Config ?? {}).every(isText) && !isGiven(c.request?.illegal);
  const isClear = fits(c.sent, SUBMISSION) && isPlain && !text({ ...c.sent, input: 0 }).includes(':null');
  const isSmall = c.request?.body.bytes <= PAYLOAD[c.op];
  return isLegal && hasKey(c) && (!c.submits || (isClear && isSmall));
}

const isRecord = ({ op }) => op === 'status' || op === 'runsync';
/** The output of a completed job is one that no run of its plan gives. Null, as of all conditions: unknown. */
function isOutputOther(c, h, [rule]) {
  const [job, must] = [jobOf(h, c.job, c), /agrees|large-output/.test(rule)];
  const mayFail = !rule.endsWith('whole') || job?.runs.some(({ ends }) => !ends.includes('COMPLETED'));
  const isEnded = c.said?.status === 'COMPLETED' || (c.said?.status === 'FAILED' && !mayFail);
  if (job === null || !isRecord(c) || !isEnded || (c.said.output === undefined && !must)) return false;
  const mayRepeat = job.retries.length > 0 || job.runs[0].ends.includes('IN_QUEUE');
  const runs = job.runs.slice(0, mayRepeat ? 2 : 1).filter(({ ends }) => ends.includes('COMPLETED'));
  if (runs.length === 0 || runs.some(({ output }) => output === undefined)) return null;
  return !runs.some(({ output }) => text(output) === text(c.said?.output));
}

/** The reads of a stream, up to this one, are no parts of what the plan produces: continued, or from its start. */
function isStreamOther(c, h) {
  const job = jobOf(h, c.job, c);
  if (job === null || !Array.isArray(c.said)) return false;
  const own = job.calls.filter(({ op, good }) => good && (op === 'stream' || op === 'retry'));
  const reads = own.filter(({ sentTick }) => sentTick <= c.sentTick);
  let [places, run, count] = [[0], job.runs[0], 0];
  for (const [n, read] of reads.entries()) {
    if (reads[n + 1]?.sentTick < read.endedTick) return null;
    if (read.op === 'retry') [places, run, count] = [[0], job.runs[1], 0];
    if (read.op === 'retry') continue;
    const large = run.chunks.filter(({ output }) => Buffer.byteLength(text(output) ?? '') > 1_000_000);
    const isLarge = large.length > 0;
    // How anything but a text is split is open.
    if (large.some(({ output }) => typeof output !== 'string')) return null;
    const joined = (list) => list.map(({ output }) => (isLarge ? whole(output) : `${text(output)}\n`)).join('');
    const [all, shown] = [joined(run.chunks), joined(read.said)];
    const starts = [...new Set([0, ...places])].filter((place) => all.startsWith(shown, place));
    places = starts.map((place) => place + shown.length);
    if (places.length === 0) return read === c || null;
    const ended = ({ said, endedTick }) => ['COMPLETED', 'FAILED'].includes(said?.status) && endedTick < c.sentTick;
    if (read === c && shown === '' && job.calls.some(ended)) return !places.includes(all.length);
    if (read !== c) count += read.said.length;
  }
  // Nothing, although the job certainly runs, and has for so long that the next result was produced.
  const next = c.said.length === 0 ? run.chunks[count] : undefined;
  const isTooNew = ({ state, since }, n) => state !== 'IN_PROGRESS' || by(since, n, next.ms + h.run.graceMs);
  return (next !== undefined && !mayAt(h, job, c, isTooNew)) || null;
}

/** Refused with 429 although at most as many calls were made as section 8 allows, in 10 s and at once. */
function isRefusedEarly(c, h) {
  const [[rate, atOnce], first] = [RATES[c.op] ?? [0, 0], c.sentMs - WINDOW - h.run.earlyMs];
  const before = h.calls.filter(({ op, at, sentTick }) => op === c.op && at === c.at && sentTick <= c.endedTick);
  const recent = before.filter(({ endMs }) => endMs >= first);
  const together = recent.filter(({ endedTick }) => endedTick >= c.sentTick);
  return c.status === 429 && ((recent.length <= rate && together.length <= atOnce) || null);
}
/** More calls than section 8 allows passed within 10 s, on an endpoint without workers. */
function isLetIn(c, h) {
  const passes = ({ op, at, status }) => op === c.op && at === c.at && ![400, 401, 429, null].includes(status);
  const [passed, ms] = [h.calls.filter(passes), WINDOW - h.run.earlyMs];
  const within = (from) => passed.filter(({ sentMs, endMs }) => sentMs >= from && endMs < from + ms);
  const starts = [...new Set(passed.map(({ sentMs }) => sentMs))];
  const isFull = passed.includes(c) && starts.some((from) => within(from).length > RATES[c.op]?.[0]);
  return h.scripts.get(c.script)?.workers === 0 && !h.scaled.has(c.script) && isFull;
}

const givesUrl = (url, script) => (c) => c.submits && c.script === script && c.sent?.webhook === url;
/** What the calls of a job's webhook show, by the names of requirements; end: of the script. */
const HOOKS = [
  [/at-most-three/, ({ hooks, retries }) => hooks.length > 3 * (1 + retries.length)],
  [/stops-after/, ({ hooks, retries }) => retries.length === 0
    && hooks.some((one) => one.answered === 200 && hooks.some(({ arrivedMs }) => arrivedMs > one.endedMs))],
  [/retries-after|three-attempts/, ({ hooks }, { run }, end) => hooks.every(({ answered }) => answered === null || answered >= 400)
    && (hooks.length === 1 || hooks.length === 2) && end > hooks.at(-1).endedMs + WINDOW + LATENCY + run.graceMs],
  [/called-on/, (job, h, end) => {
    const due = end - LATENCY - h.run.graceMs;
    return (job.hooks.length === 0 && !may(h, job, due, due, not(was('COMPLETED')))) || null;
  }],
  [/own-url/, ({ hooks, submit }) => hooks.some(({ body }) => ![undefined, submit.job].includes(body.value?.id))],
  [/no-c/, (job, h) => job.hooks.some(({ arrivedMs: ms }) => !may(h, job, ms, ms, was(...ENDED))) || null],
];
function isHookWrong(c, h, [rule]) {
  const [job, [, isWrong]] = [jobOf(h, c.job, c), HOOKS.find(([pattern]) => pattern.test(rule)) ?? []];
  const url = job?.submit.good ? job.submit.sent.webhook : undefined;
  const isKnown = isText(url) && h.calls.filter(givesUrl(url, c.script)).length === 1;
  return isKnown && isWrong !== undefined ? isWrong(job, h, h.ends.get(c.script)?.atMs) : null;
}

const isStranger = (c, h) => jobsAt(h, c, ({ job }) => job === c.job).length === 0;
const isOfJob = ({ op }) => /^(status|stream|cancel|retry)$/.test(op);
const isElsewhere = ({ at, script }, h) =>
  ![h.scripts.get(script)?.endpoint, h.scripts.get(script)?.secondEndpoint].includes(at);
const isUnfitAccepted = (c, h) =>
  c.submits && hasKey(c) && !isElsewhere(c, h) && !fits(c.sent, SUBMISSION) && isNot(c, 400);
/** 404 may tell that the job is gone, or the endpoint unknown. */
const isValidRefused = (c) =>
  isValid(c) && isRefusal(c) && c.status !== 404 && (c.submits || (c.op === 'status' && c.status === 400));
const hasAll = ({ said }, ...names) => names.every((name) => isGiven(said?.[name]));
const isComplete = (c) => c.said.output !== undefined && hasAll(c, 'id', ...TIMES);
const isChanged = (c) => ({ job, script, said, endedTick }) =>
  job === c.job && script === c.script && endedTick < c.sentTick && said?.status === c.said?.status &&
  ENDED.includes(said?.status) && TIMES.some((name) => isGiven(said[name]) && isGiven(c.said[name]) && said[name] !== c.said[name]);
const secretIn = (sent) => sent?.s3Config?.accessSecret;
const showsSecret = ({ script, said }) => ({ script: other, sent }) =>
  script === other && isText(secretIn(sent)) && text({ ...said, output: 0 }).includes(secretIn(sent));
/** Of the endpoint; a job that may have run again by itself counts as often as it likes. */
function retriesBefore(c, h) {
  const mayRepeat = (job) => job === null || job.runs[0].ends.includes('IN_QUEUE');
  const before = ({ op, at, sentTick }) => op === 'retry' && at === c.at && sentTick < c.endedTick;
  return jobsAt(h, c, () => true).some(mayRepeat) ? Infinity : h.calls.filter(before).length;
}
const countsOther = (c, h) =>
  Object.keys(COUNTED).some((of) => isGiven(told(c.said, of)) && isMiscounted(c, of, h)) || null;
const chunksOf = ({ op, said }) => (op === 'stream' && Array.isArray(said) ? said : []);
const isNumber = (c) => (name) => !Number.isNaN(queried(c, name));
const OPS = '(?:runsync|run|status|stream|cancel|retry|purge-queue|health)';
/** What a call c breaks by itself: requirements by a pattern, and a condition. OP: the operation of the call. */
const ANSWERS = [
  ['1/json-(?:error-)?(body|content-type)-(.+)', (c, _, [, what, of]) =>
    [c.op, `${c.status}`].includes(of) && (c.good || hasBody(c)) && !isJson(c, what)],
  ['1/endpoints-isolatedOP', (c, h) => c.good && isOfJob(c) && isStranger(c, h)],
  ['2.1/input-.+-refusedOP|2.[12]/.+-(?:type-checkedOP|integer)', isUnfitAccepted],
  ['7/(?:malformed-json|body-not-object|no-body)OP', isUnfitAccepted],
  ['4.[12]/payload-above-limit-refused', (c) => c.good && c.request.body.bytes > PAYLOAD[c.op]],
  ['4.[12]/payload-up-to-limit-accepted', isValidRefused],
  ['(?:2.[123]|4.[13])/.+-(?:accepted|optional|validated)OP(?:-true|-false)?', isValidRefused],
  ['2.3/secret-not-shown', (c, h) => h.calls.some(showsSecret(c))],
  ['2.3/service-does-not-use-it', (c, h) => h.storages.some(({ url }) => url === c.sent?.s3Config?.endpointUrl)],
  ['2.4/id-matchesOP', (c) => c.good && c.said?.id !== undefined && c.said.id !== c.job],
  ['2.4/(?:output|.+-time)-inOP|4.1/complete-result-.+', (c) => c.said?.status === 'COMPLETED' && !isComplete(c)],
  ['2.4/(?:.+-time-in-failed|times-in-every-state)', (c) => c.good && isRecord(c) && !hasAll(c, ...TIMES)],
  ['2.4/times-settled', (c, h) => jobOf(h, c.job, c)?.retries.length === 0 && h.calls.some(isChanged(c))],
  ['2.4/(?:id|status)-(?:in|known)OP|2.4/.+-time-integerOP', isMisshapen],
  ['2.5/(?:chunk-is|chunk-has|metrics-opt|metrics-val).+|4.4/answer-is-array', isMisshapen],
  ['2.6/(?:removed-integer|status-completed)|2.7/.+-.+|4.[256]/status-.+', isMisshapen],
  ['2.4/no-output-while-queued|4.6/removes-output', (c) => c.said?.status !== 'COMPLETED' && isGiven(c.said?.output)],
  ['2.[134]/.*(?:unchanged|worker|output|passed|mixed|across).*|4.6/keeps-input', isOutputOther],
  ['3/no-return-to-queue|4.1/answer-agrees.*', isOutputOther],
  ['4.4/chunk-size', (c) => chunksOf(c).some(({ output }) => Buffer.byteLength(text(output)) > MB) || null],
  ['4.4/(?:chunks|large).*|2.5/.+-unchanged|4.6/removes-stream', isStreamOther],
  ['4.8/failed-not-completed|8/refused-call-has-no-effect|2.6/removed-counts.*', countsOther],
  ['4.8/retried-counts.*', (c, h) => told(c.said, 'jobs.retried') > retriesBefore(c, h)],
  ['5/(?:key-acceptedOP|bare-or-bearer|bearer-accepted)', (c) => hasKey(c) && c.status === 401],
  ['5/(?!unauth).+OP', (c) => !hasKey(c) && c.auth !== 'lower-bearer' && isNot(c, 401)],
  ['6/called-at-given-url', (_, h) => h.webhooks.some(({ url, script }) => !h.calls.some(givesUrl(url, script)))],
  ['6/(?!pause).*', isHookWrong],
  ['7/(?:status-ttl|wait)-not-integer', (c) => c.good && !['ttl', 'wait'].every(isNumber(c))],
  ['7/unknown-endpointOP', (c, h) => isNot(c, 404) && isElsewhere(c, h)],
  ['7/unknown-jobOP', (c, h) => isNot(c, 404) && isStranger(c, h)],
  ['7/no-500-.+', (c) => c.status >= 500],
  ['8/.*(?:below|recovers|per-.*)', isRefusedEarly],
  ['8/rate-.*above', isLetIn],
  ['9/.+', (c) => c.good && !c.request.path.startsWith('/v2/')],
].map(([ids, ...row]) => [new RegExp(`^(?:${ids.replaceAll('OP', `(?:-${OPS})?`)})$`), ...row, ids.includes('OP')]);

/** Of a wrong answer: one of its calls breaks the sentence by itself. */
function checkAnswer(id, failure, h) {
  const [pattern, isBroken, isOfOp] = ANSWERS.find(([each]) => each.test(id)) ?? [];
  const { status } = h.call.get(failure.calls.at(-1)) ?? {};
  const isNone = status === null || (status === 429 && !id.startsWith('8/'));
  if (pattern === undefined) return isNone ? refused('its last call has no such answer') : checkJob(id, failure, h);
  const [, op] = (isOfOp && new RegExp(`-(${OPS})(?:-true|-false)?$`).exec(id)) || [];
  const cited = failure.calls.length === 0 ? [{}] : failure.calls.flatMap((number) => h.call.get(number) ?? []);
  const calls = cited.filter((c) => c.op === (op ?? c.op));
  const found = calls.map((c) => isBroken(c, h, pattern.exec(id)));
  if (found.includes(true)) return verified('one answer');
  return found.includes(null) ? unchecked('it takes other calls') : refused('no call breaks the sentence by itself');
}

const CHECKS = { answer: checkAnswer, time: checkJob, order: checkJob, number: checkNumber };
/** Every listed failure of a report, and what becomes of it. */
export function checkReport({ requirements }, h) {
  const all = requirements.flatMap(({ id, failures }) => failures.map((failure, n) => ({ id, nth: n + 1, failure })));
  return all.map(({ id, nth, failure }) => {
    const kind = failure.contradiction?.kind ?? 'answer';
    return { id, nth, kind, ...CHECKS[kind](id, failure, h) };
  });
}

function parsed(where, json) {
  try {
    return JSON.parse(json);
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
    const lines = readFileSync(`${file.replace(/[^/\\]*$/, '')}history.ndjson`, 'utf8').split('\n').filter(isText);
    rows = checkReport(report, historyOf(lines.map((line) => parsed('history.ndjson', line))));
  } catch (error) {
    complain(`${path}: ${error.message}\n`);
    return 2;
  }
  const lineOf = ({ id, nth, kind, result, how }) => `${result}: ${id} ${nth} (${kind}): ${how}`;
  for (const row of rows) write(`${lineOf(row).replace(/[\p{Cc}\p{Cf}]/gu, '?')}\n`);
  const results = ['verified', 'REFUSED', 'not checkable'];
  const [good, bad, open] = results.map((each) => rows.filter(({ result }) => result === each).length);
  write(`${rows.length} failures: ${good} verified, ${bad} refused, ${open} not checkable\n`);
  return bad > 0 ? 1 : 0;
}

if (argv[1] !== undefined && realpathSync(argv[1]) === import.meta.filename)
  exit(main(argv.slice(2), (line) => stdout.write(line), (line) => stderr.write(line)));
