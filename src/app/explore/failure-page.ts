/** The failures of an exploration as the HTML page that `check` writes. */
import type { CallEvent, HistoryEvent } from '../../history/events.js';
import { judge } from '../../oracle/index.js';
import { documentText, packageVersion } from '../../package-files.js';
import { buildReport, mergeReports, renderFormat, type Report } from '../../report/index.js';
import { QUESTIONS, REQUIREMENTS } from '../../spec/index.js';
import { tokenOf } from '../files/replay-token.js';
import type { ExploreOutcome, ShrunkFailure } from './outcome-files.js';
import { createTestBed } from './test-bed.js';

/**
 * Runs the smallest script of each failure once more, in its own environment, and shows what came of it.
 *
 * @param fileOf the file to replay, relative to the folder of the page
 */
export function failurePage(
  { settings, failures, summary }: ExploreOutcome,
  fileOf: (failure: ShrunkFailure) => string,
): string {
  const testBed = createTestBed(settings);
  const history: HistoryEvent[] = [];
  const reports = failures.map((failure, script): Report => {
    const { found, shrunk } = failure;
    const wanted = shrunk?.violations[0]?.requirement ?? found.requirement;
    const shown = shrunk?.script ?? found.script;
    const world = shrunk?.environment ?? found.environment;
    const events = testBed.run([shown], world);
    const numbered = renumbered(events, script, history);
    history.push(...(history.length === 0 ? numbered : numbered.slice(1)));
    const { edition, mutant } = settings;
    const about = { requirements: [wanted], edition, scenarios: [], limits: null, found: { world, mutant } };
    const token = tokenOf(shown, about);
    return buildReport({
      findings: judge(numbered),
      history: numbered,
      url: null,
      runproof: packageVersion(),
      at: null,
      wallMs: 0,
      ending: 'finished',
      minDecided: { count: 0 },
      scriptFiles: new Map([[script, fileOf(failure)]]),
      replayTokens: new Map(token === null ? [] : [[script, token]]),
      // What else the script shows belongs to the failure of another script.
      selected: (id) => id === wanted,
    });
  });
  const merged = mergeReports(reports, { minDecided: { count: 0 }, scriptOf: (_, script) => script });
  const about = `an exploration: of each of ${failures.length} requirements that failed in ${summary.runs} random scripts, the smallest script; explore.json says what was tried`;
  return renderFormat(
    'html',
    { ...merged, warnings: [about, ...merged.warnings] },
    { documentText: documentText(), requirements: REQUIREMENTS, questions: QUESTIONS, history },
  ).content;
}

/** The events with the number of this script, their calls numbered after those of `before`. */
function renumbered(
  events: readonly HistoryEvent[],
  script: number,
  before: readonly HistoryEvent[],
): readonly HistoryEvent[] {
  const calls = before.filter((event): event is CallEvent => event.kind === 'call');
  const firstCall = calls.length;
  const firstTick = Math.max(-1, ...calls.map(({ sentTick, endedTick }) => endedTick ?? sentTick)) + 1;
  return events.map((event) => {
    if (event.kind === 'run') return event;
    if (event.kind !== 'call') return { ...event, script };
    const { call, sentTick, endedTick } = event;
    return {
      ...event,
      script,
      call: call + firstCall,
      sentTick: sentTick + firstTick,
      endedTick: endedTick === null ? null : endedTick + firstTick,
    };
  });
}
