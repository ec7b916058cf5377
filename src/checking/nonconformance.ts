import { escapeControls, truncated } from '../report/escape.js';
import { formatFailure } from '../report/formats/format-failure.js';
import type { Report } from '../report/index.js';
import { RunproofError } from '../util/runproof-error.js';

/** Causes told with their proof. */
const CAUSES_MAX = 3;
const CHARACTERS_MAX = 400;

/** The verdict, the causes with their proof, and where to read more. */
export function nonconformance(report: Report, folder: string | null): RunproofError {
  const { verdict, causes = [], requirements } = report;
  const proofs = causes.slice(0, CAUSES_MAX).flatMap(({ requirement }) => {
    const { id, text, failures } = requirements.find((one) => one.id === requirement)!;
    // Without a folder, there is no file to replay.
    const [failure] = failures.map((one) => (folder === null ? { ...one, script: null, replay: null } : one));
    return ['', `${id} ${text}`, ...(failure === undefined ? [] : formatFailure(failure, text))];
  });
  const more = causes.length - CAUSES_MAX;
  const lines = [
    verdict,
    ...proofs,
    ...(more > 0 ? ['', `and ${more} more: see causes of the report`] : []),
    ...(folder === null ? [] : ['', `report: ${folder}`]),
  ];
  const message = lines.map((line) => truncated(escapeControls(line), CHARACTERS_MAX)).join('\n');
  return new RunproofError('does-not-conform', message);
}
