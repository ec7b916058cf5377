/** `runproof show`: failures, scripts, jobs and calls of a report, as text for a terminal. */
import { exactDuration } from '../../util/duration.js';
import type { CallEvent, HistoryEvent, ScriptEvent } from '../../history/events.js';
import type { BasePath } from '../../history/served-path.js';
import { causesFirst } from '../causes.js';
import { withKey } from '../curl.js';
import { jobSegmentIn } from '../../spec/operation-of.js';
import { beforeSending, callAgain } from './call-again.js';
import { keysFor } from './shell-prelude.js';
import { escapeControls, quoteForShell } from '../escape.js';
import { formatFailed, intermittentLine, pluralize } from '../formatting.js';
import { headlines } from '../headline.js';
import { forReader, replayLine } from '../replay-line.js';
import type { Report, ReportFailure, ReportRequirement } from '../report.js';
import type { Colours } from '../terminal/terminal-colours.js';
import { callDetails, type Message } from './call-details.js';
import { jobOf } from './job-of.js';
import { scriptSteps, type StepLine } from './script-steps.js';
import { returnedId } from './shell-script.js';

/** A script with more steps is shown around those that matter. */
const STEPS_SHOWN_MAX = 60;
const STEPS_AROUND = 3;

export interface ShowContext {
  /** With harmless texts, as `escapedTexts` makes them. */
  readonly report: Report;
  readonly history: readonly HistoryEvent[];
  readonly basePath: BasePath | null;
  readonly colours: Colours;
  /** How the reader starts this program, and the report's folder: for the commands it names. */
  readonly program: string;
  readonly directory: string;
}

const callsOf = (history: readonly HistoryEvent[]): readonly CallEvent[] =>
  history.filter((event) => event.kind === 'call');

/** The failing requirements, causes first, with the calls of their first failure. */
export function showFailures(context: ShowContext): readonly string[] {
  const { report, colours } = context;
  const failing = causesFirst(report).filter(({ verdict }) => verdict === 'fail');
  if (failing.length === 0) return ['No requirement failed.', '', ...showable(context)];
  const titles = headlines(report);
  return [
    ...failing.flatMap(({ id, text, failures }) => {
      const calls = evidenceOf(failures[0]).map((call) => `#${call}`);
      const rate = intermittentLine({ failures });
      const shownBy = [calls.slice(0, 6).join(', '), ...(rate === null ? [] : [rate])].join('  ');
      return [`${id}  ${colours.dim(shownBy)}`, `    ${titles.get(id)?.[0] ?? text}`];
    }),
    '',
    ...showable(context),
  ];
}

/** The same as data, the likeliest cause first: of each requirement its first failure. */
export function failuresAsJson({ report }: Pick<ShowContext, 'report'>) {
  return causesFirst(report)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id, level, text, failed, decided, failures: [first] }) => ({
      ...{ id, level, text, failed, decided },
      ...(first && {
        ...{ scenario: first.scenario, expected: first.expected, actual: first.actual, proof: first.proof },
        ...{ calls: evidenceOf(first), replay: first.replay, curl: first.curl },
      }),
    }));
}

/** The largest number: a history has more calls than a function takes arguments. */
export const lastOf = (numbers: readonly number[]): number =>
  numbers.reduce((most, number) => Math.max(most, number), 0);

/** What `show` can open in this report. */
function showable({ history, program, directory }: ShowContext): readonly string[] {
  const lastCall = lastOf(callsOf(history).map(({ call }) => call));
  const lastScript = lastOf(history.flatMap((event) => (event.kind === 'script' ? [event.script] : [])));
  return [
    `"${program} show ${quoteForShell(directory)} WHAT" opens a requirement, a scenario, a job by its id or the start of it,`,
    `a call (#0 to #${lastCall}) or a script (script:0 to script:${lastScript}); with --at 12s, what its jobs may have been then;`,
    'with --as vitest, pytest or go, a failed requirement as a test; with --as dispute, as a text that disputes it',
  ];
}

/** The smallest part of the history that shows a failure. */
const evidenceOf = (failure: ReportFailure | undefined): readonly number[] =>
  failure === undefined ? [] : (failure.shrunk?.calls ?? failure.calls);

/** A failing requirement: its script in words, and the calls that show the failure in full. */
export function showRequirement(
  requirement: ReportRequirement,
  context: ShowContext,
  clues: readonly string[] = [],
): readonly string[] {
  const { id, text, decided, failures } = requirement;
  const { colours, history } = context;
  const [first] = failures;
  if (first === undefined)
    return [`${colours.bold(id)}  ${text}`, `decided ${pluralize(decided, 'time')}, no failure is recorded`];
  const evidence = evidenceOf(first);
  const calls = callsOf(history).filter(({ call }) => evidence.includes(call));
  const script = calls[0]?.script;
  return [
    `${colours.bold(id)}  ${text}`,
    colours.dim(`${formatFailed(requirement)}; this is the first`),
    '',
    ...(first.expected === text ? [] : [`Expected: ${first.expected}`]),
    `  Actual: ${first.actual}`,
    ...first.proof.map((line) => `          ${line}`),
    ...clues.map((line, at) => `${at === 0 ? '   Clues: ' : '          '}${line}`),
    '',
    ...(script === undefined ? [] : showScript(script, new Set(evidence), context)),
    ...calls.flatMap((call) => ['', ...showCall(call, context, 'brief')]),
    ...calls.slice(-1).flatMap((call) => again(call, context, first.shell)),
  ];
}

/** A script in words; the calls in `evidence` are marked. */
export function showScript(
  script: number,
  evidence: ReadonlySet<number>,
  { history, colours }: ShowContext,
): readonly string[] {
  const found = scriptSteps(history, script);
  if (found === null) return [];
  const { scenario, title, endpoint, workers } = found.script;
  const marked = (step: StepLine): boolean => step.call !== null && evidence.has(step.call);
  const lines: string[] = [];
  let left = 0;
  const sayLeft = (): void => {
    if (left > 0) lines.push(colours.dim(`    … ${pluralize(left, 'step')} …`));
    left = 0;
  };
  found.steps.forEach((step, index) => {
    const near = found.steps.slice(Math.max(0, index - STEPS_AROUND), index + STEPS_AROUND + 1).some(marked);
    if (found.steps.length > STEPS_SHOWN_MAX && !near && evidence.size > 0) {
      left += 1;
      return;
    }
    sayLeft();
    const number = step.call === null ? '' : `#${step.call}`;
    const line = `${number.padStart(7)} ${exactDuration(step.atMs).padStart(10)}  ${step.text}`;
    lines.push(marked(step) ? colours.bold(`> ${line}`) : `  ${line}`);
  });
  sayLeft();
  return [
    colours.bold(`Script ${script}: ${escapeControls(scenario)}`),
    colours.dim(
      `${escapeControls(title)}; endpoint ${escapeControls(endpoint)}${workers === null ? '' : `, ${pluralize(workers, 'worker')}`}`,
    ),
    ...lines,
  ];
}

const scriptOf = ({ script }: CallEvent, history: readonly HistoryEvent[]): ScriptEvent | undefined =>
  history.filter((event) => event.kind === 'script').find((event) => event.script === script);

/** Every call that names the job, or returned its id. */
export function callsOfJob(history: readonly HistoryEvent[], id: string): readonly CallEvent[] {
  return callsOf(history).filter((call) => jobOf(call) === id);
}

/** The id of the job with this id; otherwise of each job whose id begins so. */
export function jobsNamed(history: readonly HistoryEvent[], name: string): readonly string[] {
  const ids = new Set(callsOf(history).flatMap((call) => jobOf(call) ?? []));
  return ids.has(name) ? [name] : [...ids].filter((id) => name !== '' && id.startsWith(name));
}

/**
 * One call in full. `whole` adds the failures that rest on it, the other calls of its job, and the call as a
 * `curl` command.
 */
export function showCall(
  call: CallEvent,
  context: ShowContext,
  extent: 'whole' | 'brief',
): readonly string[] {
  const { history, report, basePath, colours } = context;
  const begin = scriptOf(call, history);
  const originMs = begin?.atMs ?? 0;
  const { title, times, request, reply, lost } = callDetails(call, originMs, basePath);
  const about = `script ${call.script}${begin === undefined ? '' : `, ${begin.scenario}`}`;
  const lines = [
    colours.bold(title),
    colours.dim(`${escapeControls(about)}; ${times}`),
    ...message('>', request, colours),
    ...(reply === null ? [`< no reply: ${escapeControls(lost ?? '')}`] : message('<', reply, colours)),
  ];
  if (extent === 'brief') return lines;
  const resting = report.requirements.filter(({ failures }) =>
    failures.some((failure) => [...failure.calls, ...evidenceOf(failure)].includes(call.call)),
  );
  const job = jobOf(call);
  // Endpoints that runs make for their scripts may give the same ids.
  const isAlike = (other: CallEvent): boolean =>
    begin?.fresh === true ? other.script === call.script : other.endpoint === call.endpoint;
  const others =
    job === null ? [] : callsOfJob(history, job).filter((other) => other !== call && isAlike(other));
  return [
    ...lines,
    ...(resting.length === 0
      ? []
      : ['', colours.bold('Failures that rest on this call'), ...resting.map(({ id }) => `  ${id}`)]),
    ...(others.length === 0
      ? []
      : [
          '',
          colours.bold(`Other calls of job ${escapeControls(job ?? '')}`),
          ...others.slice(0, STEPS_SHOWN_MAX).map((other) => {
            const at = exactDuration(other.sentMs - originMs).padStart(10);
            return `  ${at}  ${callDetails(other, originMs, basePath).title}`;
          }),
          ...(others.length > STEPS_SHOWN_MAX
            ? [colours.dim(`  … and ${others.length - STEPS_SHOWN_MAX} more`)]
            : []),
        ]),
    ...again(call, context),
  ];
}

/**
 * The call as a command, which reaches no endpoint that was made for its script, and how its key is set.
 *
 * @param shell the script that makes all calls, in the folder of the report
 */
function again(call: CallEvent, context: ShowContext, shell: string | null = null): readonly string[] {
  const { report, history, basePath, colours, directory } = context;
  const { url, isRecorded } = report.target;
  if (url === null) return [];
  const begin = scriptOf(call, history);
  const line = callAgain(isRecorded === true ? withKey(call) : call, history, url, basePath);
  const isGone = begin?.fresh === true;
  const busy = isGone ? null : beforeSending(line);
  const id = jobSegmentIn(call.request.path);
  // Its line does not submit one alike.
  const isOfOldJob =
    !isGone &&
    !isRecorded &&
    busy === null &&
    callsOf(history).some((one) => id !== null && returnedId(one) === id);
  const saved = isOfOldJob ? failuresBy(call, context).flatMap((failure) => failure.shell ?? []) : [];
  const file = shell ?? saved[0] ?? null;
  const lines = [
    ...(isGone ? [] : [line]),
    ...(file === null ? [] : [`bash ${quoteForShell(`${directory}/${file}`)}`]),
  ];
  const why = `No curl line: the run made endpoint ${begin?.endpoint} for this script, and removed it`;
  if (lines.length === 0) {
    const [words, command] = insteadOf(call, context);
    return ['', colours.dim(why), colours.dim(words), colours.cyan(command)];
  }
  const keys = lines.length === 0 ? [] : keysFor(line, url).map((words) => `First ${words}`);
  const old = `The curl line may get another answer: the job that it names may be gone${file === null ? '' : '. The .sh file makes all calls of the script again'}`;
  return [
    '',
    ...[...(isGone ? [why] : isOfOldJob ? [old] : []), ...keys, ...(busy === null ? [] : [busy])].map(
      (words) => colours.dim(words),
    ),
    ...lines.map((one) => colours.cyan(one)),
  ];
}

/** The command that makes all calls of the script again, if a failure of it was saved; otherwise the one that shows them. */
function insteadOf(call: CallEvent, context: ShowContext): readonly [words: string, command: string] {
  const { report, program, directory } = context;
  const replay = failuresBy(call, { ...context, report: forReader(report, context) })
    .map((failure) => replayLine(failure, report, program))
    .find((line) => line !== null);
  return replay === undefined
    ? ['All calls of this script:', `${program} show ${quoteForShell(directory)} script:${call.script}`]
    : ['To make all calls of this script again, at an endpoint of their own:', replay];
}

/** What the script of the call showed. */
function failuresBy({ script }: CallEvent, { report, history }: ShowContext): readonly ReportFailure[] {
  const own = new Set(callsOf(history).flatMap((call) => (call.script === script ? [call.call] : [])));
  return report.requirements
    .flatMap(({ failures }) => failures)
    .filter(({ calls }) => calls.some((call) => own.has(call)));
}

function message(
  mark: string,
  { start, headers, body, bytes }: Message,
  colours: Colours,
): readonly string[] {
  return [
    `${mark} ${start}`,
    ...headers.map(([name, value]) => colours.dim(`${mark} ${name}: ${value}`)),
    ...(body === null
      ? []
      : [
          colours.dim(`${mark} (${pluralize(bytes, 'byte')})`),
          ...body.split('\n').map((line) => `  ${line}`),
        ]),
  ];
}
