/** The run as a whole: its scripts in time, and which operation met which state of a job. */
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { segmentOf } from '../../history/job-path.js';
import { MAIN_OPERATIONS } from '../../spec/operations.js';
import { JOB_STATUSES } from '../../spec/states.js';
import { isObject } from '../../util/json.js';
import { ANSWERS_TITLE, answerTable } from '../answer-times.js';
import { formatDuration, pluralize } from '../formatting.js';
import type { Report } from '../report.js';
import { figure } from './drawings/figure.js';
import { h, type Markup } from './markup.js';

/** The longest scripts; a page with all of them would be endless. */
const SCRIPTS_SHOWN_MAX = 60;
const WIDTH = 860;
const LABEL_WIDTH = 330;
const NOTE_WIDTH = 110;
const ROW_HEIGHT = 16;

interface ScriptRow {
  readonly script: number;
  readonly scenario: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
}

export function runView(report: Report, history: readonly HistoryEvent[]): Markup {
  if (history.length === 0) return h``;
  return h`<section id="run" aria-labelledby="run-title"><h2 id="run-title">The run</h2>
${waterfall(report, history)}
${answers(report)}
${stateTable(history)}</section>`;
}

function scriptRows(history: readonly HistoryEvent[]): readonly ScriptRow[] {
  const ends = new Map<number, number>();
  const calls = new Map<number, number>();
  for (const event of history) {
    if (event.kind === 'script-end') ends.set(event.script, event.atMs);
    if (event.kind === 'call') calls.set(event.script, (calls.get(event.script) ?? 0) + 1);
  }
  return history.flatMap((event) =>
    event.kind !== 'script'
      ? []
      : [
          {
            ...{ script: event.script, scenario: event.scenario, fromMs: event.atMs },
            toMs: ends.get(event.script) ?? event.atMs,
            calls: calls.get(event.script) ?? 0,
          },
        ],
  );
}

/** On a real clock each script stands where it ran; on another, scripts run one by one and only lengths count. */
function waterfall(report: Report, history: readonly HistoryEvent[]): Markup {
  const all = scriptRows(history);
  const longest = all.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs)).slice(0, SCRIPTS_SHOWN_MAX);
  const isReal = report.target.clock === 'real';
  const rows = isReal ? longest.toSorted((a, b) => a.fromMs - b.fromMs) : longest;
  if (rows.length === 0) return h``;
  const failed = new Set(
    report.requirements.flatMap(({ verdict, failures }) =>
      verdict === 'fail' ? failures.map(({ scenario }) => scenario) : [],
    ),
  );
  const room = WIDTH - LABEL_WIDTH - NOTE_WIDTH;
  const startMs = isReal ? Math.min(...rows.map(({ fromMs }) => fromMs)) : 0;
  const spanMs = isReal
    ? Math.max(...rows.map(({ toMs }) => toMs)) - startMs
    : Math.max(...rows.map(({ fromMs, toMs }) => toMs - fromMs));
  const along = (ms: number): number => (spanMs === 0 ? 0 : (ms / spanMs) * room);
  const height = rows.length * ROW_HEIGHT + 4;
  return h`<details class="fold waterfall"><summary>${
    all.length > rows.length
      ? `The ${rows.length} longest of ${all.length} scripts`
      : pluralize(all.length, 'script')
  }, by time of the target's clock; red: with a failure listed above</summary>
${figure(
  { width: WIDTH, height, text: 'Scripts in time' },
  rows.map((row, index) => {
    const x = LABEL_WIDTH + (isReal ? along(row.fromMs - startMs) : 0);
    const width = Math.max(along(row.toMs - row.fromMs), 1.5);
    const y = index * ROW_HEIGHT + 2;
    return h`<g><title>script ${row.script}: ${row.scenario}, ${formatDuration(row.toMs - row.fromMs)}, ${pluralize(row.calls, 'call')}</title>
<text x="${LABEL_WIDTH - 8}" y="${y + 11}" text-anchor="end">${row.scenario.slice(0, 48)}</text>
<rect${failed.has(row.scenario) ? h` class="fail"` : h``} x="${x.toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 6}" rx="2" />
<text x="${(x + width + 5).toFixed(1)}" y="${y + 11}">${formatDuration(row.toMs - row.fromMs)}</text></g>`;
  }),
)}</details>`;
}

function answers(report: Report): Markup {
  const [heads = [], ...rows] = answerTable(report);
  if (rows.length === 0) return h``;
  return h`<details class="fold"><summary>${ANSWERS_TITLE}</summary>
<div class="scroll"><table class="answers"><thead><tr>${heads.map((head, at) => h`<th scope="col"${at > 0 ? h` class="number"` : h``}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([op, ...figures]) =>
      h`<tr><th scope="row">${op!}</th>${figures.map((each) => h`<td class="number">${each}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

const NOT_SEEN = 'not seen yet';

/** How often each operation met a job that was last seen in each state. */
function stateTable(history: readonly HistoryEvent[]): Markup {
  const seen = new Map<string, string>();
  const counts = new Map<string, number>();
  const calls = history.filter((event) => event.kind === 'call').toSorted((a, b) => a.sentTick - b.sentTick);
  for (const call of calls) {
    const job = jobOf(call);
    if (call.op === null || job === null) continue;
    if (call.op !== 'run' && call.op !== 'runsync') {
      const key = `${seen.get(job) ?? NOT_SEEN} ${call.op}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const status = statusIn(call);
    if (status !== null) seen.set(job, status);
    else if (call.reply?.status === 404) seen.set(job, 'not found');
  }
  const operations = MAIN_OPERATIONS.filter((op) => [...counts.keys()].some((key) => key.endsWith(` ${op}`)));
  const states = [NOT_SEEN, ...JOB_STATUSES, 'not found'].filter((state) =>
    operations.some((op) => counts.has(`${state} ${op}`)),
  );
  if (operations.length === 0) return h``;
  return h`<details class="fold"><summary>States × operations: how often each operation met a job last seen in each state</summary>
<div class="scroll"><table class="matrix"><thead><tr><th scope="col">last seen</th>${operations.map((op) => h`<th scope="col" class="number">/${op}</th>`)}</tr></thead>
<tbody>${states.map(
    (state) =>
      h`<tr><th scope="row">${state}</th>${operations.map((op) => h`<td class="number">${counts.get(`${state} ${op}`) ?? '–'}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

function statusIn({ reply }: CallEvent): string | null {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return isObject(value) && typeof value['status'] === 'string' ? value['status'] : null;
}

/** By the path, or by the id that a submission returned. */
function jobOf({ op, request, reply }: CallEvent): string | null {
  if (op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry')
    return request.path.slice(request.path.lastIndexOf('/') + 1);
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return isObject(value) && typeof value['id'] === 'string' ? segmentOf(value['id']) : null;
}
