import type { Log, Region, ReportingDescriptor, Result } from 'sarif';
import { causesFirst } from '../causes.js';
import { extrasOf, type Extra } from '../extras.js';
import { locateQuote } from '../document-lines.js';
import { jsonText } from '../escape.js';
import { headlines } from '../headline.js';
import type { Report, ReportRequirement } from '../report.js';
import { formatFailure } from './format-failure.js';
import { intermittentLine, isBinding, isIntermittent, seedsOf } from '../formatting.js';
import type { RenderContext } from './context.js';

/** The document is in this package, and not in the repository whose server is checked. */
const PACKAGE = 'RUNPROOF';
const DOCUMENT = { uri: 'docs/queue-endpoint-api.md', uriBaseId: PACKAGE };

/** SARIF 2.1.0: each failed requirement is a result, causes first, that points at its sentence in the document. */
export function renderSarif(report: Report, { documentText, requirements }: RenderContext): string {
  const quotes = new Map(requirements.map(({ id, quote }) => [id, quote]));
  const quoteOf = ({ id, rule }: ReportRequirement): string | undefined =>
    rule?.source?.kind === 'document' ? rule.source.quote : quotes.get(id);
  const extras = extrasOf(report);
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
              ...report.requirements.map((one) => ruleOf(one.id, one.text, levelOf(one))),
              ...(report.dialect === null ? [] : [EXTRA_RULES.dialect]),
              ...(extras.some(({ suite }) => suite === 'self-check') ? [EXTRA_RULES['self-check']] : []),
            ],
          },
        },
        results: [
          ...failed.map((requirement) =>
            result(requirement, titles.get(requirement.id) ?? [], quoteOf(requirement), documentText),
          ),
          ...extras.map(extraResult),
        ],
        originalUriBaseIds: { [PACKAGE]: { description: { text: 'the folder of the package runproof' } } },
        properties: { target: report.target.name, edition: report.edition, ...seedsOf(report) },
      },
    ],
  };
  return `${jsonText(value, 2)}\n`;
}

const levelOf = (requirement: ReportRequirement): 'error' | 'warning' =>
  isBinding(requirement) ? 'error' : 'warning';

const ruleOf = (id: string, text: string, level: 'error' | 'warning'): ReportingDescriptor => ({
  id,
  shortDescription: { text },
  defaultConfiguration: { level },
});

const EXTRA_RULES: { readonly [suite in Extra['suite']]: ReportingDescriptor } = {
  dialect: ruleOf('dialect-drift', 'The target answers open questions as in the dialect given.', 'error'),
  'self-check': ruleOf('self-check', 'The emulator that the client calls is right.', 'error'),
};

function extraResult({ suite, text }: Extra): Result {
  return {
    ruleId: EXTRA_RULES[suite].id,
    level: 'error',
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: DOCUMENT, region: { startLine: 1 } } }],
  };
}

function result(
  finding: ReportRequirement,
  lead: readonly string[],
  quote: string | undefined,
  documentText: string,
): Result {
  const place = quote === undefined ? null : locateQuote(documentText, finding.section, quote);
  const region: Region =
    place === null
      ? { startLine: 1 }
      : { startLine: place.line, startColumn: place.from + 1, endColumn: place.to + 1 };
  const lines = finding.failures.slice(0, 1).flatMap((failure) => formatFailure(failure));
  return {
    ruleId: finding.id,
    level: levelOf(finding),
    message: { text: [...lead, ...[intermittentLine(finding) ?? []].flat(), ...lines].join('\n') },
    locations: [{ physicalLocation: { artifactLocation: DOCUMENT, region } }],
    // The same failure in the next run is no new alert.
    partialFingerprints: { 'runproof/requirement': finding.id },
    ...(finding.known === null ? {} : { suppressions: [{ kind: 'external', justification: finding.known }] }),
    occurrenceCount: Math.max(finding.failed, 1),
    ...(isIntermittent(finding) && { properties: { tags: ['flaky'] } }),
  };
}
