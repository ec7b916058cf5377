import { assumptionLines } from '../assumptions.js';
import { truncated, escapeWorkflowMessage, escapeWorkflowProperty } from '../escape.js';
import { formatDrift } from '../dialect.js';
import { causesFirst } from '../causes.js';
import { headlines } from '../headline.js';
import { hintLines } from '../hints.js';
import { openMustsLine } from '../open-musts.js';
import type { Report } from '../report.js';
import { intermittentLine, MARK_WORDS, markOf, type Mark } from '../formatting.js';

const COMMAND: { readonly [mark in Mark]?: string } = { fail: 'error', known: 'notice' };
const MESSAGE_CHARACTERS_MAX = 1_000;

/**
 * GitHub workflow commands, causes first, since GitHub shows ten errors, ten warnings and ten notices of a step: an error for
 * each failed `must`, a warning for each failed `should` and each warning of the run.
 */
export function renderGithub(report: Report): string {
  const titles = headlines(report);
  const findings = causesFirst(report)
    .filter(({ verdict }) => verdict === 'fail')
    .map((requirement) => {
      const { id, text, known, failures } = requirement;
      const first = failures[0];
      const lines = [
        ...(titles.get(id) ?? [text]),
        ...(known === null ? [] : [`${MARK_WORDS.known}: ${known}`]),
        ...[intermittentLine(requirement) ?? []].flat(),
        ...(first === undefined ? [] : [`Expected: ${first.expected}`, `Actual: ${first.actual}`]),
      ];
      // A truncated token could not be replayed.
      const replay = typeof first?.replay !== 'string' ? [] : [`Replay: ${first.replay}`];
      const message = [...lines.map((line) => truncated(line, MESSAGE_CHARACTERS_MAX)), ...replay].join('\n');
      return `::${COMMAND[markOf(requirement)] ?? 'warning'} title=${escapeWorkflowProperty(id)}::${escapeWorkflowMessage(message)}`;
    });
  const drift = (report.dialect?.drift ?? []).map(
    (one) =>
      `::error title=dialect::${escapeWorkflowMessage(truncated(formatDrift(one), MESSAGE_CHARACTERS_MAX))}`,
  );
  const warnings = report.warnings.map(
    (warning) =>
      `::warning title=runproof::${escapeWorkflowMessage(truncated(warning, MESSAGE_CHARACTERS_MAX))}`,
  );
  const open = openMustsLine(report);
  const assumptions = [...(open === null ? [] : [open]), ...assumptionLines(report)].map(
    (line) => `::notice title=recording::${escapeWorkflowMessage(line)}`,
  );
  const hints = hintLines(report).map((line) => `::notice title=hint::${escapeWorkflowMessage(line)}`);
  const verdict = `::notice title=runproof::${escapeWorkflowMessage(report.verdict)}`;
  return `${[...findings, ...drift, ...warnings, ...assumptions, ...hints, verdict].join('\n')}\n`;
}
