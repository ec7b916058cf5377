/** Judges a recorded history again, without a target, and reports on it as `checkTarget` does. */
import { TARGET_GONE, type HistoryEvent, type RunEvent } from '../../history/events.js';
import { WHOLE } from '../../history/selection.js';
import { hasStoppedAnswering, lostKeyIn } from '../../oracle/index.js';
import type { ReportedClient } from '../../report/client/seen.js';
import type { Ending } from '../../report/index.js';
import { REQUIREMENTS, type Edition } from '../../spec/index.js';
import type { Exchange } from '../../history/exchange.js';
import { Hints } from '../../traffic/index.js';
import type { CheckTargetOptions } from '../../checking/check-options.js';
import { concludeParts, type PartsConcluded, type RunOfPart } from '../../judging/conclude-parts.js';
import { reportOn, type Reported } from '../../judging/conclude.js';
import { exercisedBy } from '../../judging/played-scripts.js';
import { select } from '../../checking/selectors.js';
import { shippedScenarios } from '../../files/shipped-scenarios.js';
import { whyStoppedEarly } from '../../checking/stop-early.js';

/** Long, because judging is all that is done; the user can interrupt it. */
const JUDGE_MS = 600_000;

export interface JudgeHistoryOptions extends Pick<
  CheckTargetOptions,
  | 'only'
  | 'skip'
  | 'dialect'
  | 'out'
  | 'formats'
  | 'minDecided'
  | 'baseline'
  | 'onBaseline'
  | 'signal'
  | 'onPhase'
  | 'cwd'
  | 'timestamp'
> {
  /** Default: the recorded one. */
  readonly edition?: Edition | undefined;
  /** Judges the clients of the calls. Default: they are not judged. */
  readonly clients?: (() => readonly ReportedClient[]) | undefined;
  /** The lateness of timers that is allowed. Default: the recorded one. */
  readonly graceMs?: number | undefined;
}

/** What is judged. */
export interface RecordedHistory {
  /** The first event of each part. */
  readonly run: RunEvent;
  /** Each can be judged by itself; `onEvent` is called with each event once. */
  parts(onEvent: (event: HistoryEvent) => void): Iterable<readonly HistoryEvent[]>;
  /** What a reader of the report has to know of how the history came about: they become warnings. */
  readonly notes: readonly string[];
  /** Of recorded traffic: its calls as they were recorded. */
  readonly exchanges?: () => Iterable<Exchange>;
  /** The same, with those that are not judged, and the number of the file. */
  readonly clientCalls?: () => Iterable<{ readonly exchange: Exchange; readonly file: number }>;
  /** Whether one clock made all files. */
  readonly isOneClock?: boolean;
  /** When calls were made that are missing, ms since 1970: those of which it is known. */
  readonly missing?: readonly { readonly fromMs: number; readonly byMs: number }[];
  /** How much longer a call may seem than it was, ms. */
  readonly widenedMs?: number;
  /** False: calls are missing, whatever is said of the recording. */
  readonly isWhole: boolean;
}

export type JudgedHistory = PartsConcluded & Reported;

/** @throws {UsageError} when `only` or `skip` match nothing, or the folder `out` cannot be written */
export async function judgeHistory(
  { run, parts, notes, isWhole, widenedMs = 0 }: RecordedHistory,
  options: JudgeHistoryOptions = {},
): Promise<JudgedHistory> {
  const { only = [], skip = [], edition, graceMs, signal = new AbortController().signal } = options;
  const isSelected = only.length + skip.length > 0;
  // The scripts of recorded traffic are of no scenario.
  const scenarios = isSelected || run.capture === undefined ? await shippedScenarios() : [];
  const asked = isSelected ? select(only, skip, REQUIREMENTS, scenarios).asked : (run.selection ?? WHOLE);
  const { out, cwd, formats, onPhase } = options;
  const how = { out, cwd, formats, onPhase, secrets: [], signal, judgeMs: JUDGE_MS };
  const runOf = (events: readonly HistoryEvent[]): RunOfPart => ({
    events,
    scripts: [],
    ...addressOf(run, events),
    replayArguments: [],
    at: null,
    wallMs: 0,
    ...endingOf(events, notes),
    asked,
    exercisedBy: exercisedBy(scenarios, {
      capabilities: run.capabilities,
      limits: { maxWaitMs: Infinity },
    }),
    minDecided: options.minDecided,
    baseline: options.baseline,
    onBaseline: options.onBaseline,
    today: (options.timestamp?.() ?? new Date().toISOString()).slice(0, 10),
    dialect: options.dialect,
    weighs: { isWhole },
    // The smallest history of a failure names what is given here.
    judgeOptions: {
      ...(edition && { edition }),
      ...(graceMs !== undefined && { graceMs: graceMs + widenedMs }),
    },
  });
  const hints = run.capture === undefined ? null : new Hints(widenedMs);
  return reportOn(how, async (concluding) => {
    const events = parts((event) => {
      concluding.folder?.append(event);
      hints?.see(event);
    });
    const concluded = await concludeParts(events, runOf, concluding, (phase, decided) =>
      onPhase?.(phase, decided),
    );
    const clients = options.clients?.();
    const more = { ...(hints !== null && { hints: hints.found }), ...(clients && { clients }) };
    return { ...concluded, report: { ...concluded.report, ...more } };
  });
}

/** Where the calls of one address went; null for several, and for a server that a run had started for itself. */
function addressOf(
  { target: { name } }: RunEvent,
  events: readonly HistoryEvent[],
): Pick<RunOfPart, 'url' | 'basePath'> {
  if (!/^https?:\/\/[^\s,]+$/.test(name) || !URL.canParse(name)) return { url: null };
  const { origin, pathname } = new URL(name);
  const prefix = /^(.*?)(?:\/v2(?:\/[^/]+)?)?\/*$/.exec(pathname)![1]!;
  if (pathname !== prefix) return { url: origin + prefix };
  const first = events.find((event) => event.kind === 'call');
  return { url: origin, ...(first && { basePath: { endpoint: first.endpoint, path: pathname } }) };
}

function endingOf(
  events: readonly HistoryEvent[],
  notes: readonly string[],
): { ending: Ending; warnings: readonly string[] } {
  // Of recorded traffic, that the service was lost at the end says nothing of what came before.
  const [begin] = events;
  if (begin?.kind === 'run' && begin.capture !== undefined) return { ending: 'finished', warnings: notes };
  if (begin?.kind === 'run' && lostKeyIn(begin, events) !== null)
    return { ending: 'key-refused', warnings: notes };
  const isGone = events.some((event) => event.kind === 'script-end' && event.reason === TARGET_GONE);
  if (isGone || hasStoppedAnswering(events)) return { ending: 'target-gone', warnings: notes };
  const reason = whyStoppedEarly(events);
  return reason === null
    ? { ending: 'finished', warnings: notes }
    : { ending: 'stopped-early', warnings: [...notes, `the run stopped early: ${reason}`] };
}
