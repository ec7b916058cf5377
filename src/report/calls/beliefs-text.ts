/** What jobs may have been at an instant of their script, as text for a terminal. */
import type { Belief, BeliefStep, Unexplained, FollowedJob, Moment, RuledOut } from '../../oracle/index.js';
import type { CallEvent, ScriptEvent } from '../../history/events.js';
import { requirement } from '../../spec/index.js';
import { getOrMake } from '../../util/maps.js';
import { entered, exactDuration } from '../../util/duration.js';
import { formatCall } from '../curl.js';
import { escapeControls } from '../escape.js';
import { createColours } from '../terminal/terminal-colours.js';
import type { Report } from '../report.js';
import type { ShowContext } from './show-text.js';

/** The width of the longest state, and a gap. */
const STATE_COLUMNS = 13;

/** An instant of a script, ms from its beginning; that of the end of a call where one is named. */
export interface Instant {
  readonly atMs: number;
  readonly call: CallEvent | null;
  /** When the last call of the script was over. */
  readonly endMs: number;
}

/** As of the end of the call, what is told of each job. */
function momentOf(job: FollowedJob, { atMs, call }: Omit<Instant, 'endMs'>): Moment {
  return job.at(atMs, call?.endedTick ?? undefined);
}

/** The target reports times in a finer unit than ms. */
export const hasFineTimes = ({ openQuestions }: Report): boolean =>
  openQuestions.some(
    ({ id, readings }) => id === '2.4/time-unit' && readings.some((one) => /^(micro|nano)/.test(one)),
  );

/** All of it as data. */
export const beliefsAsJson = (job: FollowedJob, instant: Instant) => ({
  script: job.script,
  job: job.id,
  label: job.submitted.label,
  submittedBy: job.submitted.call,
  at: momentOf(job, instant),
  steps: job.steps,
});

export function showBeliefs(
  { script, scenario, title }: ScriptEvent,
  jobs: readonly FollowedJob[],
  instant: Instant,
  context: ShowContext,
): readonly string[] {
  const { colours, report } = context;
  const { atMs, call, endMs } = instant;
  const failed = report.requirements.filter(
    ({ failures }) => call !== null && failures.some(({ calls }) => calls.at(-1) === call.call),
  );
  return [
    colours.bold(`Script ${script}: ${escapeControls(scenario)}, at ${exactDuration(atMs)}`),
    colours.dim(escapeControls(title)),
    ...(call === null ? [] : [`after ${formatCall(call)}`]),
    ...(atMs <= endMs
      ? []
      : [
          `The last call of the script was over at ${exactDuration(endMs)}: what is said of later follows from the rules alone`,
        ]),
    ...failed.map(({ id, text }) => `which fails ${colours.bold(id)}  ${colours.dim(text)}`),
    ...withoutId(script, instant, jobs, context),
    ...jobs.flatMap((job) => ['', ...jobLines(job, instant, context)]),
  ];
}

/** Submissions by then that gave no id: their jobs, if there are any, cannot be followed. */
function withoutId(
  script: number,
  { atMs }: Instant,
  jobs: readonly FollowedJob[],
  { history }: ShowContext,
): readonly string[] {
  const begin = history.find((event) => event.kind === 'script' && event.script === script);
  const originMs = begin?.kind === 'script' ? begin.atMs : 0;
  return history.flatMap((event) =>
    event.kind === 'call' &&
    event.script === script &&
    (event.op === 'run' || event.op === 'runsync') &&
    event.sentMs - originMs <= atMs &&
    event.reply === null &&
    !jobs.some(({ submitted }) => submitted.call === event.call)
      ? [`${formatCall(event)}: there may be a job of it, whose id was lost`]
      : [],
  );
}

function jobLines(job: FollowedJob, instant: Instant, context: ShowContext): readonly string[] {
  const { colours } = context;
  const { id, submitted, wordsFromMs } = job;
  const moment = momentOf(job, instant);
  const step = job.steps.find(({ call }) => call !== null && call === instant.call?.call);
  const earlier = moment.contradictions.filter(({ call }) => call !== step?.call);
  const from = exactDuration(-wordsFromMs);
  return [
    colours.bold(`Job ${escapeControls(submitted.label ?? id)}`) +
      colours.dim(
        `  ${submitted.label === null ? '' : `${escapeControls(id)}, `}submitted by #${submitted.call}`,
      ),
    ...(wordsFromMs === 0 ? [] : [colours.dim(`  Times in reasons count from ${from} before the script`)]),
    ...earlier.flatMap((one) => contradictionLines(one, context)),
    ...(step === undefined ? [] : stepLines(step, context)),
    ...(step?.contradiction
      ? ['  What follows is judged without that answer and these requirements']
      : momentLines(moment, context)),
  ];
}

/** What a call did to what its job may have been, or what the jobs may have been that it counted. */
export function callLines(
  jobs: readonly FollowedJob[],
  call: CallEvent,
  originMs: number,
  history: ShowContext['history'],
): readonly string[] {
  const context = { history, colours: createColours(false) };
  for (const job of jobs) {
    const step = job.steps.find((one) => one.call === call.call);
    if (step !== undefined)
      return [...stepLines(step, context), ...listed('After it', step.after.map(beliefLine))].map(outdented);
  }
  if (call.op !== 'health' || call.receivedMs === null) return [];
  return jobs.map((job) => {
    const { beliefs } = momentOf(job, { atMs: call.receivedMs! - originMs, call });
    const states = [...new Set(beliefs.map(({ state }) => state))].join(' or ');
    return `${escapeControls(job.submitted.label ?? job.id)}: ${states || 'not known'}`;
  });
}

const outdented = (line: string): string => line.slice(2);

type Context = Pick<ShowContext, 'history' | 'colours'>;

function stepLines(step: BeliefStep, context: Context): readonly string[] {
  const { contradiction, before, ruledOut, call } = step;
  const head = `#${call} rules ${ruledOut.length === 0 ? 'nothing of that out' : 'out'}`;
  return [
    ...listed(`Before #${call} it ${before.length === 1 ? 'was' : 'may have been'}`, before.map(beliefLine)),
    ...(contradiction === null
      ? [`  ${head}`, ...ruledOutLines(ruledOut, context, false).map((line) => `    ${line}`)]
      : contradictionLines(contradiction, context)),
  ];
}

function momentLines(
  { beliefs, ruledOut, pending, unknown, contradictions }: Moment,
  context: ShowContext,
): readonly string[] {
  const is = beliefs.length === 1 ? 'is' : 'may be';
  const isLost = contradictions.length > 0;
  const calls = pending.map(numberOf).join(', ');
  return [
    ...(pending.length === 0 ? [] : [`  Not answered by then, in effect or not: ${calls}`]),
    ...(unknown === null ? [] : [`  Not known: ${unknown}`]),
    ...(isLost && beliefs.length === 0 ? ['  It is not followed any further'] : []),
    ...listed(
      isLost ? `Without that answer and these requirements it ${is}` : `It ${is}`,
      beliefs.map(beliefLine),
    ),
    ...listed('It cannot be', ruledOutLines(ruledOut, context)),
  ];
}

/** Of recorded traffic, others may have made calls that it does not have. */
export const numberOf = (call: number): string => (call < 0 ? 'a call that was not recorded' : `#${call}`);

const listed = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${head}`, ...lines.map((line) => `    ${line}`)];

function contradictionLines(
  { call, suspects }: Unexplained,
  { colours, history }: Context,
): readonly string[] {
  const [first, ...others] = suspects;
  return [
    colours.bold(`  Nothing explains ${titleOf(call, history)}`),
    ...(first === undefined ? ['    It goes on with what was wrong before'] : []),
    ...(first === undefined ? [] : [`    ${ruleLine(first.requirement, colours)}`]),
    ...(first?.why.map((line) => `      ${escapeControls(line)}`) ?? []),
    ...others.map((one) => `    or ${ruleLine(one.requirement, colours)}`),
  ];
}

function titleOf(call: number | null, history: ShowContext['history']): string {
  const found = history.find((event) => event.kind === 'call' && event.call === call);
  return found?.kind === 'call' ? formatCall(found) : 'a webhook call';
}

const ruleLine = (id: RuledOut['requirement'] & string, colours: ShowContext['colours']): string =>
  `${id}  ${colours.dim(requirement(id).text)}`;

function beliefLine(belief: Belief): string {
  const { state, fromMs, byMs } = belief;
  if (state === 'NOT_YET') return `${'NOT_YET'.padEnd(STATE_COLUMNS)}its submission had not arrived`;
  const cause = causeOf(belief);
  return `${state.padEnd(STATE_COLUMNS)}${entered(fromMs, byMs)}${cause === null ? '' : `, ${cause}`}`;
}

/** What brought it into the state, where that is known. */
export function causeOf({ state, by, call }: Belief): string | null {
  if (by !== null && call === null) return `by its ${by}`;
  if (call === null) return null;
  const since = state === 'PURGED' ? `by ${numberOf(call)}` : `after the retry by ${numberOf(call)}`;
  return by === null ? since : `by its ${by}, ${since}`;
}

/** `titled`: with the calls that ruled them out. States that the same rules out are told together. */
function ruledOutLines(
  all: readonly RuledOut[],
  { colours, history }: Context,
  titled = true,
): readonly string[] {
  const states = new Map<string, string[]>();
  for (const { state, call, requirement: id, why } of all) {
    const reasons = [
      ...(call === null || !titled ? [] : [`by ${titleOf(call, history)}`]),
      ...(why === null ? [] : [escapeControls(why)]),
      ...(id === null ? [] : [ruleLine(id, colours)]),
    ];
    const none = titled ? 'no call and no timer has brought it there' : 'by its answer';
    getOrMake(states, (reasons.length === 0 ? [none] : reasons).join('\n'), () => []).push(state);
  }
  return [...states].flatMap(([reasons, ruled]) => {
    const names = ruled.join(', ').padEnd(STATE_COLUMNS);
    const [first, ...rest] = reasons.split('\n').map((line) => `${' '.repeat(STATE_COLUMNS)}${line}`);
    const isShort = names.length === STATE_COLUMNS;
    return [...(isShort ? [`${names}${first!.trimStart()}`] : [names, first!]), ...rest];
  });
}
