/**
 * Silence is a verdict, too: which musts the scenarios that were played would have decided on a correct target, and
 * what happened instead. What a script decides is no matter of opinion: it is played on the simulator, whose rules
 * follow the readings of open questions that the target has shown, and the history is judged like the target's own.
 */
import type { HistoryEvent, RunEvent, ScriptEndEvent } from '../history/events.js';
import type { Findings, Missed, RequirementFinding } from '../oracle/index.js';
import { LEGAL_HABITS, type Habit } from '../core/habits.js';
import { pluralize, formatDuration } from '../report/formatting.js';
import type { Script } from '../scenario/index.js';
import { QUESTIONS, type Dialect, type Edition, type OpenQuestion } from '../spec/index.js';
import { createRandom } from '../time/random.js';
import { differences } from './differences.js';
import { atSpeedOne, decidedBy, simulated, type Decided } from './simulated-run.js';

/** A script that was played to its end. */
export interface PlayedScript {
  /** Its number in the history. */
  readonly number: number;
  readonly script: Script;
  /** The open musts that its scenario exercises on this target; none: it is one of ordinary use, without which others prove nothing. */
  readonly exercises: readonly string[];
}

/** Why a must that a played scenario exercises is open. */
interface OpenMust {
  readonly reason: string;
  /** Absent: on a correct target with these readings it stays open as well. */
  readonly missed?: Missed;
  /** The readings that the target has shown leave it open, and others would not. */
  readonly openByReading?: true;
}

interface OpenMusts {
  /** By id, of the musts that are open. What rests on a failed must is left out: that failure is the reason. */
  readonly musts: ReadonlyMap<string, OpenMust>;
  /** That some of them are open because the clock of the target runs so fast; null: none is. */
  readonly warning: string | null;
}

export function openMusts(
  events: readonly HistoryEvent[],
  { requirements, openQuestions, edition }: Findings,
  played: readonly PlayedScript[],
): OpenMusts {
  const exercised = new Set(played.flatMap(({ exercises }) => exercises));
  const open = requirements.filter(({ id }) => exercised.has(id));
  const [run] = events;
  if (open.length === 0 || run?.kind !== 'run') return { musts: new Map(), warning: null };
  const { shown, others } = readingsOf(openQuestions, edition);
  const play = (
    dialect: Dialect,
    scripts: readonly PlayedScript[] = played,
    change?: Habit['change'],
  ): Played => {
    const history = simulated(run, scripts, dialect, edition, change);
    return { history, decided: decidedBy(history, edition) };
  };
  const rightly = play(shown);
  const decided = new Set(open.flatMap(({ id }) => (rightly.decided.has(id) ? [id] : [])));
  // Where a question was not answered, or in several ways, no reading may leave it open, and no two together; nor may what a
  // correct service does by habit.
  // In real time nothing that stays open is attributed to the target.
  const together = run.clock === 'real' ? [] : mixed(others, run.seed);
  const otherwise: readonly (readonly [Dialect, Habit['change']?])[] = [
    ...[...others, ...together].map((dialect) => [dialect] as const),
    ...LEGAL_HABITS.map(({ change }) => [shown, change] as const),
  ];
  // What some of the scripts decide, all of them decide: most often one for each must is enough.
  const telling = new Map(open.map(({ id }) => [id, tellingOf(id, played, rightly.decided.get(id) ?? [])]));
  for (const [dialect, change] of otherwise) {
    if (decided.size === 0) break;
    const all = played.filter(
      ({ exercises }) => exercises.length === 0 || exercises.some((id) => decided.has(id)),
    );
    const alone = [...decided].map((id) => telling.get(id) ?? null);
    const few = alone.includes(null) ? all : all.filter((one) => alone.includes(one));
    let still = play(dialect, few, change).decided;
    const unclear = [...decided].filter((id) => !still.has(id));
    if (unclear.length === 0) continue;
    if (all.length > few.length) still = play(dialect, all, change).decided;
    for (const id of unclear)
      if (still.has(id)) telling.set(id, null);
      else decided.delete(id);
  }
  const isPlain = open.every(({ id }) => decided.has(id));
  const plainly = isPlain ? rightly.decided : play({}).decided;
  const { speed = 1 } = run;
  const slowly: Decided =
    isPlain || speed <= 1
      ? new Map()
      : decidedBy(simulated(atSpeedOne(run, speed), played, shown, edition), edition);
  const isOpenBySpeed = ({ id }: RequirementFinding): boolean =>
    slowly.has(id) && !decided.has(id) && !plainly.has(id);
  const bySpeed = open.filter(isOpenBySpeed).length;
  const isAgainstAdvice = requirements.some(isFailedAdvice);
  const musts = new Map(
    open.map((finding): readonly [string, OpenMust] => {
      const { id } = finding;
      const own = played.filter(({ exercises }) => exercises.includes(id));
      if (decided.has(id)) return [id, missedBy(finding, own, run, events, rightly.history, isAgainstAdvice)];
      const reason = finding.verdict === 'inconclusive' ? finding.reason : null;
      const notSo = isOpenBySpeed(finding)
        ? `at speed ${speed} what would decide it may be mere lateness`
        : NOT_SO + (run.capabilities.includes('scripted-worker') ? '' : NEEDS_PLANS);
      return [
        id,
        {
          reason: `${playedIn(own)}: ${reason ?? (plainly.has(id) ? READ_SO : notSo)}`,
          ...(plainly.has(id) && !rightly.decided.has(id) && { openByReading: true }),
        },
      ];
    }),
  );
  return { musts, warning: bySpeed === 0 ? null : openBySpeed(bySpeed, run, speed) };
}

/** A script that decides the must on a correct target; null: none does so alone, as far as is known. */
function tellingOf(
  id: string,
  played: readonly PlayedScript[],
  decidedIn: readonly string[],
): PlayedScript | null {
  return (
    played.find(({ exercises, script }) => exercises.includes(id) && decidedIn.includes(script.scenario)) ??
    null
  );
}

const openBySpeed = (count: number, { graceMs }: RunEvent, speed: number): string =>
  `${count === 1 ? 'one required rule stays' : `${count} required rules stay`} undecided because of speed ${speed} (-v names ${count === 1 ? 'it' : 'them'}): its timers may be ${formatDuration(graceMs)} late on its clock, ` +
  `and calls take ${speed} times as long there. Check it at a lower speed, or say by --grace how late its timers are at most, on its clock`;

/** These say that the server broke, not that it chose another way. */
const NO_CHOICE: readonly string[] = ['7/no-500-in-normal-use', '7/no-500-for-client-errors'];

/** The target does not follow advice: it may do so, and whatever is tried may stay open by it. */
const isFailedAdvice = ({ id, level, verdict }: RequirementFinding): boolean =>
  level !== 'must' && verdict === 'fail' && !NO_CHOICE.includes(id);

/** What scripts do on a correct target. */
interface Played {
  readonly history: readonly HistoryEvent[];
  readonly decided: Decided;
}

/**
 * The readings that the target has shown, and others that it may follow where it has shown none, or several: few dialects
 * that hold each of these readings once.
 */
export function readingsOf(
  seen: Findings['openQuestions'],
  edition: Edition,
): { readonly shown: Dialect; readonly others: readonly Dialect[] } {
  const questions: readonly OpenQuestion[] = QUESTIONS;
  const shown: { [question: string]: string } = {};
  const left = new Map<string, readonly string[]>();
  for (const { id, readings } of questions) {
    const [first, ...more] = seen.find((one) => one.id === id)?.readings ?? [];
    if (first !== undefined) shown[id] = first;
    const possible = readings.filter(({ onlyIn }) => onlyIn === undefined || onlyIn.includes(edition));
    const isOpen = first === undefined || isHidden(id, seen);
    const others = isOpen ? possible.map((reading) => reading.id) : more;
    if (others.length > 0) left.set(id, others);
  }
  const most = Math.max(0, ...[...left.values()].map(({ length }) => length));
  const others = Array.from({ length: most }, (_, nth) => ({
    ...shown,
    ...Object.fromEntries([...left].map(([id, readings]) => [id, readings[nth % readings.length]])),
  }));
  return { shown: shown as Dialect, others: others as Dialect[] };
}

/** What /status does not show of cancelled jobs, it does not show of purged jobs that count as cancelled either. */
const isHidden = (id: string, seen: Findings['openQuestions']): boolean =>
  id === '4.7/purged-job-status' &&
  seen.some(
    (one) => one.id === '3/status-after-cancel' && one.readings.some((reading) => reading === 'not-found'),
  );

/** Readings that leave a must open only together with another one are drawn together. */
const MIXED = 40;

function mixed(others: readonly Dialect[], seed: number): readonly Dialect[] {
  if (others.length < 2) return [];
  const random = createRandom(seed).fork('mixed readings');
  const questions = Object.keys(others[0]!) as (keyof Dialect)[];
  return Array.from({ length: MIXED }, () =>
    Object.fromEntries(
      questions.map((question) => [question, others[random.intBetween(0, others.length - 1)]![question]]),
    ),
  );
}

const READ_SO =
  'the target follows a reading of an open question with which it stays undecided; the document allows this';
const NOT_SO = 'these scripts do not decide it on a correct target either';
const NEEDS_PLANS = '; a worker that follows plans would show more';

/** Open, and not because of a failed must. */
export function isOpenMust({
  level,
  verdict,
  reason,
}: Pick<RequirementFinding, 'level' | 'verdict' | 'reason'>): boolean {
  if (level !== 'must' || (verdict !== 'inconclusive' && verdict !== 'not-exercised')) return false;
  return reason?.startsWith('because ') !== true;
}

function missedBy(
  { verdict, reason }: RequirementFinding,
  own: readonly PlayedScript[],
  { clock }: RunEvent,
  events: readonly HistoryEvent[],
  rightly: readonly HistoryEvent[],
  isAgainstAdvice: boolean,
): OpenMust {
  const numbers = new Set(own.map(({ number }) => number));
  const lagMs = Math.max(0, ...endsOf(events, numbers).map(({ harnessLagMs = 0 }) => harnessLagMs));
  const isTold = verdict === 'inconclusive' && reason !== null;
  const others = isTold ? [] : differences(events, rightly, numbers);
  const calls = webhooksIn(events, numbers);
  const rightCalls = webhooksIn(rightly, numbers);
  const missing = `${calls === 0 ? 'no webhook was' : `webhooks were ${pluralize(calls, 'time')}`} called, and by a correct target ${pluralize(rightCalls, 'time')}`;
  const said = [
    ...(isTold || calls >= rightCalls ? [] : [missing]),
    ...(isTold ? [reason] : others.map(({ text }) => text)),
    ...(lagMs > 0 ? [`Runproof itself ran late, by up to ${formatDuration(lagMs)}`] : []),
  ];
  const happened =
    said.length === 0 ? 'its answers were those of a correct target, at other times' : said.join('; ');
  // In real time, where the harness ran late, and where a machine may be too slow for thousands of calls at once, there are
  // other explanations than the target.
  const isLoad = own.every(({ script }) => script.needs.includes('load-allowed'));
  // Whether a submission may be refused is judged by itself, and often open: then there is no job to decide anything by.
  const isRefused = others.length > 0 && others.every((one) => one.isRefusal);
  const isExplained = clock === 'real' || lagMs > 0 || isLoad || isRefused || isAgainstAdvice;
  const missed = isExplained ? 'explained' : 'unexplained';
  return { reason: `${playedIn(own)}: ${happened}`, missed };
}

const webhooksIn = (events: readonly HistoryEvent[], numbers: ReadonlySet<number>): number =>
  events.filter((event) => event.kind === 'webhook' && numbers.has(event.script)).length;

const endsOf = (events: readonly HistoryEvent[], numbers: ReadonlySet<number>): readonly ScriptEndEvent[] =>
  events.filter((event) => event.kind === 'script-end').filter(({ script }) => numbers.has(script));

const SCENARIOS_NAMED_MAX = 2;

/** `4.6/x was played 3 times`. */
function playedIn(own: readonly PlayedScript[]): string {
  const names = [...new Set(own.map(({ script }) => script.scenario))];
  const more = names.length - SCENARIOS_NAMED_MAX;
  const named = names.slice(0, SCENARIOS_NAMED_MAX).join(', ');
  const times = own.length === 1 ? 'once' : pluralize(own.length, 'time');
  return `${named}${more > 0 ? ` and ${more} more` : ''} ${names.length === 1 ? 'was' : 'were'} played ${times}`;
}
