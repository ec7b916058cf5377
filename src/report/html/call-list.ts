/** The steps of failing scripts in words; each call opens to its request and its reply. */
import { exactDuration } from '../../util/duration.js';
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import type { FollowedJob } from '../../oracle/index.js';
import { callLines } from '../calls/beliefs-text.js';
import { callDetails, type Message } from '../calls/call-details.js';
import { scriptSteps, type StepLine } from '../calls/script-steps.js';
import { quoteForShell } from '../escape.js';
import type { RenderContext } from '../formats/context.js';
import { pluralize } from '../formatting.js';
import type { Report, ReportFailure } from '../report.js';
import { jobRows } from './job-rows.js';
import { h, type Markup } from './markup.js';

/** Failures of one requirement shown in full; the others are counted. */
export const SHOWN_MAX = 3;
/** Scripts whose steps are on the page; `runproof show` has the others. */
const SCRIPTS_MAX = 60;
/** Of a longer script, the steps nearest to the evidence are listed. */
const STEPS_MAX = 60;

/** Which calls of the history the page contains, and where. */
export interface CallIndex {
  /** The script of each call. */
  readonly scriptOf: ReadonlyMap<number, number>;
  readonly evidence: ReadonlySet<number>;
  /** Calls with an entry of their own. */
  readonly listed: ReadonlySet<number>;
  readonly scripts: readonly {
    readonly script: number;
    readonly scenario: string;
    readonly title: string;
    readonly steps: readonly (StepLine & { readonly event: CallEvent | null })[];
    readonly left: number;
    readonly originMs: number;
  }[];
}

/** The smallest part of the history that shows a failure. */
export const evidenceOf = ({ shrunk, calls }: ReportFailure): readonly number[] => shrunk?.calls ?? calls;

export function indexCalls(report: Report, history: readonly HistoryEvent[]): CallIndex {
  const calls = new Map(
    history.filter((event) => event.kind === 'call').map((event) => [event.call, event] as const),
  );
  const shown = report.requirements.flatMap(({ failures }) => failures.slice(0, SHOWN_MAX));
  const evidence = new Set(shown.flatMap((failure) => [...failure.calls, ...evidenceOf(failure)]));
  const numbers = [...new Set([...evidence].map((call) => calls.get(call)?.script))]
    .filter((script) => script !== undefined)
    .slice(0, SCRIPTS_MAX);
  const scripts = numbers.flatMap((script) => {
    const found = scriptSteps(history, script);
    if (found === null) return [];
    const { scenario, title, atMs } = found.script;
    const steps = nearest(found.steps, evidence).map((step) => ({
      ...step,
      event: step.call === null ? null : (calls.get(step.call) ?? null),
    }));
    return [{ script, scenario, title, steps, left: found.steps.length - steps.length, originMs: atMs }];
  });
  const scriptOf = new Map([...calls].map(([number, { script }]) => [number, script]));
  const listed = new Set(scripts.flatMap(({ steps }) => steps.flatMap(({ call }) => call ?? [])));
  return { scriptOf, evidence, listed, scripts };
}

function nearest(steps: readonly StepLine[], evidence: ReadonlySet<number>): readonly StepLine[] {
  if (steps.length <= STEPS_MAX) return steps;
  const at = steps.flatMap(({ call }, index) => (call !== null && evidence.has(call) ? [index] : []));
  const far = steps.map((_, index) => Math.min(...at.map((one) => Math.abs(one - index))));
  const kept = steps
    .map((_, index) => index)
    .sort((a, b) => (far[a] ?? 0) - (far[b] ?? 0) || a - b)
    .slice(0, STEPS_MAX);
  const keeps = new Set(kept);
  return steps.filter((_, index) => keeps.has(index));
}

export function callSection(
  { scripts, evidence }: CallIndex,
  report: Report,
  { history, program, directory }: RenderContext,
  jobs: readonly FollowedJob[],
): Markup {
  if (scripts.length === 0) return h``;
  const unit = report.openQuestions.find(({ id }) => id === '2.4/time-unit');
  const inMs = unit?.readings.join() === 'milliseconds';
  return h`<section id="calls" aria-labelledby="calls-title"><h2 id="calls-title">Scripts that failed, step by step</h2>
<p>Open a call to see its request and its reply. Marked: the calls that show the failure.${jobs.length === 0 ? h`` : h` Below each call: what its job may have been. <kbd>←</kbd> and <kbd>→</kbd> open the call before and after.`}</p>
${scripts.map(
  ({ script, scenario, title, steps, left, originMs }) => h`<details class="script" id="script-${script}">
<summary><strong>${scenario}</strong> <span class="meta">script ${script} · ${title} · ${pluralize(steps.length + left, 'step')}</span></summary>
${left > 0 ? h`<p class="meta">${pluralize(left, 'step')} far from the failure ${left === 1 ? 'is' : 'are'} left out${directory === null ? h`` : h`: <code>${program} show ${quoteForShell(directory)} script:${script}</code>`}</p>` : h``}
${jobRows(history, script, inMs) ?? h``}
<ol class="steps">${steps.map((step) => {
    const own = step.event === null ? [] : jobs.filter((job) => job.script === script);
    const believed = step.event === null ? [] : callLines(own, step.event, originMs, history);
    return stepItem(step, step.event, originMs, evidence, believed);
  })}</ol></details>`,
)}</section>`;
}

function stepItem(
  { atMs, text, call }: StepLine,
  event: CallEvent | null,
  originMs: number,
  evidence: ReadonlySet<number>,
  believed: readonly string[],
): Markup {
  const time = h`<time>${exactDuration(atMs)}</time>`;
  if (call === null || event === null) return h`<li>${time} ${text}</li>`;
  const { times, request, reply, lost } = callDetails(event, originMs, null);
  return h`<li${evidence.has(call) ? h` class="evidence"` : h``}><details id="call-${call}"><summary>${time} <b>#${call}</b> ${text}</summary>
<p class="meta">${times}</p>
${believed.length === 0 ? h`` : h`<p class="message-title">What the job may have been</p><div class="message">${inLines(believed)}</div>`}
${message('Request', request)}
${reply === null ? h`<p>No reply: ${lost}</p>` : message('Reply', reply)}</details></li>`;
}

/** A `pre` keeps lines, which escaped text cannot hold: each line is a part of its own. */
const inLines = (lines: readonly string[]): readonly Markup[] => lines.map((line) => h`${line}<br />`);

function message(title: string, { start, headers, body, bytes }: Message): Markup {
  const fields = headers.map(([name, value]) => `\n${name}: ${value}`).join('');
  return h`<p class="message-title">${title}</p><div class="message">${inLines((start + fields).split('\n'))}${
    body === null
      ? h``
      : h`<span class="meta">${pluralize(bytes, 'byte')}</span><br />${inLines(body.split('\n'))}`
  }</div>`;
}

/** Text in which each `#17` is a link, if the page contains that call. */
export function withCallLinks(text: string, { listed }: CallIndex): Markup {
  const parts = text.split(/(#\d+)/);
  return h`${parts.map((part) =>
    /^#\d+$/.test(part) && listed.has(Number(part.slice(1)))
      ? h`<a href="#call-${part.slice(1)}">${part}</a>`
      : part,
  )}`;
}
