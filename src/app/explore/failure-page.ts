/** The failures of an exploration as the HTML page that `check` writes. */
import type { HistoryEvent } from '../../history/events.js';
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
  const { edition, mutant } = settings;
  const history: HistoryEvent[] = [];
  let calls = 0;
  const reports = failures.map((failure, script): Report => {
    const { found, shrunk } = failure;
    const wanted = shrunk?.violations[0]?.requirement ?? found.requirement;
    const smallest = shrunk?.script ?? found.script;
    const world = shrunk?.environment ?? found.environment;
    const events = testBed.run([smallest], world).map((event): HistoryEvent => {
      if (event.kind === 'run') return event;
      return event.kind === 'call' ? { ...event, script, call: calls++ } : { ...event, script };
    });
    history.push(...(history.length === 0 ? events : events.slice(1)));
    const token = tokenOf(smallest, {
      ...{ requirements: [wanted], edition, scenarios: [], limits: null },
      found: { world, mutant },
    });
    return buildReport({
      findings: judge(events),
      history: events,
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
