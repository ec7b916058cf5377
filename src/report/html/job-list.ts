/** The jobs of a run as a list: how each ended and after what time; each opens to its calls, its input and its output. */
import { exactDuration } from '../../util/duration.js';
import type { CallEvent, HistoryEvent, Json } from '../../history/events.js';
import { segmentOf } from '../../history/job-path.js';
import { truncated } from '../escape.js';
import { formatDuration, pluralize } from '../formatting.js';
import type { CallIndex } from './call-list.js';
import { h, type Markup } from './markup.js';
import { figure } from './drawings/figure.js';
import { drawSegment } from './drawings/proof-drawing.js';
import { jobOf, lanesOf, memberOf, stateIn, type Lane } from './drawings/proof-lanes.js';
import { AXIS_HEIGHT, scale, ticks } from './drawings/scale.js';

/** More make a page slow; jobs of scripts that failed come first. */
const JOBS_MAX = 200;
const EVENTS_MAX = 40;
const VALUE_CHARACTERS_MAX = 600;
const [WIDTH, HEIGHT] = [860, AXIS_HEIGHT + 24];

interface ListedJob {
  readonly lane: Lane;
  readonly scenario: string;
  readonly script: number;
  readonly originMs: number;
}

export function jobList(history: readonly HistoryEvent[], { scripts, listed }: CallIndex): Markup {
  const all = jobsIn(history);
  if (all.length === 0) return h``;
  const failed = new Set(scripts.map(({ script }) => script));
  const isOfFailed = ({ script }: ListedJob): boolean => failed.has(script);
  const shown = all.toSorted((a, b) => Number(isOfFailed(b)) - Number(isOfFailed(a))).slice(0, JOBS_MAX);
  const left = all.length - shown.length;
  return h`<section id="jobs" aria-labelledby="jobs-title"><h2 id="jobs-title">Jobs</h2>
<p>${pluralize(all.length, 'job')}${failed.size === 0 ? '' : ', those of scripts that failed first'}: the last state seen, and how long after its submission that was seen first.${left === 0 ? '' : ` ${pluralize(left, 'job')} not listed: history.ndjson has all.`}</p>
<details class="fold"><summary>The list</summary><ul class="jobs-list">${shown.map((job) => jobItem(job, listed))}</ul></details></section>`;
}

function jobsIn(history: readonly HistoryEvent[]): readonly ListedJob[] {
  const byScript = new Map<number, CallEvent[]>();
  for (const event of history)
    if (event.kind === 'call') {
      const own = byScript.get(event.script);
      if (own === undefined) byScript.set(event.script, [event]);
      else own.push(event);
    }
  return history.flatMap((event) => {
    if (event.kind !== 'script') return [];
    const calls = byScript.get(event.script) ?? [];
    const { script, scenario, atMs: originMs } = event;
    const lanes = lanesOf(
      calls,
      calls.map(({ call }) => call),
      originMs,
      false,
    );
    return lanes
      .filter(({ calls: own }) => own.some(isSubmission))
      .map((lane) => ({ lane, scenario, script, originMs }));
  });
}

const isSubmission = ({ op }: CallEvent): boolean => op === 'run' || op === 'runsync';

function jobItem({ lane, scenario, originMs }: ListedJob, listed: ReadonlySet<number>): Markup {
  const { calls, marks, name } = lane;
  const seen = calls.flatMap((call) => {
    const state = stateIn(call);
    return state === null ? [] : [{ state, atMs: call.receivedMs ?? call.sentMs }];
  });
  const last = seen.at(-1)?.state ?? 'not seen';
  // Since when without another state between.
  const since = seen[seen.findLastIndex(({ state }) => state !== last) + 1]?.atMs;
  const submission = calls.find(isSubmission)!;
  const after = since === undefined ? '' : ` after ${exactDuration(Math.max(0, since - submission.sentMs))}`;
  const input = memberOf(bodyOf(submission.request.body), 'input');
  const output = calls.flatMap(({ reply }) => memberOf(bodyOf(reply?.body), 'output') ?? []).at(-1);
  const id = `job-${jobOf(submission)}`;
  return h`<li class="job" id="${id}"><details><summary><span class="badge ${last === 'COMPLETED' ? 'pass' : last === 'FAILED' || last === 'TIMED_OUT' ? 'advice' : ''}">${truncated(last, 30)}</span>${after} <b>${truncated(name, 30)}</b> <span class="meta">${scenario} · ${pluralize(calls.length, 'call')} · ${truncated(jobOf(submission), 50)}</span></summary>
<p class="meta"><a href="#${segmentOf(id)}">Link to this job</a></p>${life(lane)}
<ol class="steps">${marks.slice(0, EVENTS_MAX).map(({ fromMs, toMs, text }, at) => {
    const { call } = calls[at]!;
    const took = toMs - fromMs < 1 ? '' : ` (${formatDuration(toMs - fromMs)})`;
    return h`<li><time>${exactDuration(fromMs + originMs - submission.sentMs)}</time> ${listed.has(call) ? h`<a href="#call-${call}">${truncated(text, 120)}</a>` : truncated(text, 120)}${took}</li>`;
  })}</ol>${marks.length > EVENTS_MAX ? h`<p class="meta">${pluralize(marks.length - EVENTS_MAX, 'call')} more</p>` : h``}
<dl>${value('Input', input)}${value('Output', output)}</dl></details></li>`;
}

/** When it was in which state, as far as calls showed that. */
function life({ name, segments }: Lane): Markup {
  const instants = segments.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  if (segments.length === 0 || segments.length > EVENTS_MAX) return h``;
  const x = scale(instants, WIDTH);
  const states = segments.map(
    ({ from, to, toMs }) => `${from === to ? from : `${from} → ${to}`} by ${exactDuration(toMs)}`,
  );
  return figure(
    {
      kind: 'proofs jobs',
      width: WIDTH,
      height: HEIGHT,
      text: truncated(`${name} in time: ${states.join('; ')}`, VALUE_CHARACTERS_MAX),
    },
    ticks(instants, x, { width: WIDTH, bottom: HEIGHT }),
    segments.map((segment) => drawSegment(segment, x, AXIS_HEIGHT + 2)),
  );
}

function value(name: string, json: Json | undefined): Markup {
  return json === undefined
    ? h``
    : h`<dt>${name}</dt><dd><code>${truncated(JSON.stringify(json), VALUE_CHARACTERS_MAX)}</code></dd>`;
}

const bodyOf = (body: CallEvent['request']['body'] | undefined): Json =>
  body?.as === 'json' ? body.value : null;
