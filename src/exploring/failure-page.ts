/** The failures of an exploration as the HTML page that `check` writes. */
import { packageVersion } from '../package-files.js';
import { renderFormat } from '../report/formats/index.js';
import { buildReport, type Cause, type Reader, type Report } from '../report/index.js';
import { mergeReports } from '../report/compare/merge.js';
import { renderContext } from '../judging/render-context.js';
import { tokenOf } from '../files/replay-token.js';
import type { JudgedFailure } from './found-causes.js';
import type { ExploreOutcome, ShrunkFailure } from './outcome-files.js';

/**
 * Shows what the smallest script of each failure did.
 *
 * @param fileOf the file to replay, relative to the folder of the page
 * @param reader for whom it is written
 */
export function failurePage(
  { settings, summary }: ExploreOutcome,
  judged: readonly JudgedFailure[],
  causes: readonly Cause[],
  fileOf: (failure: ShrunkFailure) => string,
  reader: Reader,
): string {
  const { edition, mutant } = settings;
  const reports = judged.map(({ failure, requirement, history, findings }, script): Report => {
    const { found, shrunk } = failure;
    const world = shrunk?.environment ?? found.environment;
    const token = tokenOf(shrunk?.script ?? found.script, {
      ...{ requirements: [requirement], edition, scenarios: [], limits: null },
      found: { world, mutant },
    });
    return buildReport({
      findings,
      history,
      url: null,
      runproof: packageVersion(),
      program: reader.program,
      at: null,
      wallMs: 0,
      ending: 'finished',
      minDecided: { count: 0 },
      scriptFiles: new Map([[script, fileOf(failure)]]),
      replayTokens: new Map(token === null ? [] : [[script, token]]),
      // What else the script shows belongs to the failure of another script.
      asked: { only: [requirement] },
    });
  });
  const merged = mergeReports(reports, { minDecided: { count: 0 }, scriptOf: (_, script) => script });
  const about = `an exploration: of each of ${judged.length} requirements that failed in ${summary.runs} random scripts, the smallest script; explore.json says what was tried`;
  return renderFormat(
    'html',
    {
      ...merged,
      causes,
      warnings: [about, ...merged.warnings],
    },
    renderContext(
      judged.flatMap(({ history }, index) => (index === 0 ? history : history.slice(1))),
      reader,
    ),
  ).content;
}
