import type { Log, Region, ReportingDescriptor, Result } from 'sarif';
import { causesFirst } from '../causes.js';
import { formatDrift, type Drift } from '../dialect.js';
import { locateQuote } from '../document-lines.js';
import type { Requirement } from '../../spec/types.js';
import { jsonText } from '../escape.js';
import { headlines } from '../headline.js';
import type { Report, ReportRequirement } from '../report.js';
import { formatFailure } from './format-failure.js';
import type { RenderContext } from './context.js';

const DOCUMENT = 'docs/queue-endpoint-api.md';

/** SARIF 2.1.0: each failed requirement is a result, causes first, that points at its sentence in the document. */
export function renderSarif(report: Report, { documentText, requirements }: RenderContext): string {
  const catalogue = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const failed = causesFirst(report).filter(({ verdict }) => verdict === 'fail');
  const titles = headlines(report);
  const value: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'runproof',
            version: report.runproof,
            rules: [
              ...report.requirements.map(({ id, text, level }): ReportingDescriptor => ({
                id,
                shortDescription: { text },
                defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
              })),
              ...(report.dialect === null ? [] : [DRIFT_RULE]),
            ],
          },
        },
        results: [
          ...failed.map((requirement) =>
            result(
              requirement,
              titles.get(requirement.id) ?? [],
              catalogue.get(requirement.id),
              documentText,
            ),
          ),
          ...(report.dialect?.drift ?? []).map(driftResult),
        ],
        properties: { target: report.target.name, edition: report.edition, seed: report.seed },
      },
    ],
  };
  return `${jsonText(value, 2)}\n`;
}

const DRIFT_RULE: ReportingDescriptor = {
  id: 'dialect-drift',
  shortDescription: { text: 'The target answers open questions as in the dialect given.' },
  defaultConfiguration: { level: 'error' },
};

function driftResult(drift: Drift): Result {
  return {
    ruleId: DRIFT_RULE.id,
    level: 'error',
    message: { text: formatDrift(drift) },
    locations: [{ physicalLocation: { artifactLocation: { uri: DOCUMENT }, region: { startLine: 1 } } }],
  };
}

function result(
  finding: ReportRequirement,
  lead: readonly string[],
  requirement: Requirement | undefined,
  documentText: string,
): Result {
  const place =
    requirement === undefined ? null : locateQuote(documentText, finding.section, requirement.quote);
  const region: Region =
    place === null
      ? { startLine: 1 }
      : { startLine: place.line, startColumn: place.from + 1, endColumn: place.to + 1 };
  const lines = finding.failures.slice(0, 1).flatMap((failure) => formatFailure(failure));
  return {
    ruleId: finding.id,
    level: finding.level === 'must' ? 'error' : 'warning',
    message: { text: [...lead, ...lines].join('\n') },
    locations: [{ physicalLocation: { artifactLocation: { uri: DOCUMENT }, region } }],
    ...(finding.known === null ? {} : { suppressions: [{ kind: 'external', justification: finding.known }] }),
    occurrenceCount: Math.max(finding.failed, 1),
  };
}
