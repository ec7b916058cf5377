/** A failure as a text to file: everything by which a reader can judge it, and room for another reading. */
import type { HistoryEvent } from '../../../history/events.js';
import { showCall, showScript, type ShowContext } from '../../../report/calls/show-text.js';
import type { Report, ReportFailure, ReportRequirement } from '../../../report/report.js';
import { createColours } from '../../../report/terminal/terminal-colours.js';
import { QUESTIONS, type Dialect, type OpenQuestion } from '../../../spec/index.js';
import { isRequirementId, requirement as knownRequirement } from '../../../spec/requirement-by-id.js';
import type { Check, Expected, Must } from './expectation.js';
import { answerOf } from './message.js';
import { callsIn } from './recorded.js';
import { rightRun } from './right-run.js';

/** More calls are left to the file of the failure. */
const CALLS_MAX = 12;

/** @param expected what the judge accepts in the place of what was seen; null: that is not known */
export function disputeText(
  report: Report,
  { id, section, text }: ReportRequirement,
  failure: ReportFailure,
  history: readonly HistoryEvent[],
  expected: Expected | null,
  dialect: Dialect,
): string {
  const evidence = failure.shrunk?.calls ?? failure.calls;
  const calls = history
    .filter((event) => event.kind === 'call')
    .filter(({ call }) => evidence.includes(call));
  const script = calls.at(-1)?.script;
  const context: ShowContext = {
    ...{ report, history, basePath: null, colours: createColours(false), program: '', directory: '' },
  };
  const quote = isRequirementId(id) ? knownRequirement(id).quote : null;
  const readings = expected === null ? [] : readingLines(expected, dialect);
  return [
    `# Dispute: ${id}`,
    '',
    `Runproof ${report.runproof}, edition ${report.edition}, seed ${report.seed}, clock ${report.target.clock}.`,
    '',
    '## The document says',
    '',
    `Section ${section}:`,
    '',
    `> ${quote ?? text}`,
    '',
    '## How Runproof reads it',
    '',
    text,
    '',
    `- Expected: ${failure.expected}`,
    `- Seen: ${failure.actual}`,
    ...(expected === null
      ? []
      : [`- With the same calls before, the judge accepts: ${inWords(expected.check)}`]),
    '',
    '## Other readings that the document allows',
    '',
    ...(readings.length > 0
      ? readings
      : ['With no reading of an open question does a correct service answer these calls otherwise.']),
    '',
    '## Your reading',
    '',
    '_Which sentence of the document allows what was seen, or why does none forbid it?_',
    '',
    '## Proof',
    '',
    ...fenced(failure.proof),
    '',
    '## Calls',
    '',
    ...fenced([
      ...(script === undefined ? [] : showScript(script, new Set(evidence), context)),
      ...calls.slice(-CALLS_MAX).flatMap((call) => ['', ...showCall(call, context, 'brief')]),
    ]),
    '',
  ].join('\n');
}

const fenced = (lines: readonly string[]): readonly string[] => ['````text', ...lines, '````'];

/** Each reading of an open question with which a correct service answers these calls otherwise. */
function readingLines({ recorded, right }: Expected, dialect: Dialect): readonly string[] {
  const answers = (events: readonly HistoryEvent[]): readonly string[] =>
    callsIn(events).map(({ reply }) => (reply === null ? 'nothing' : answerOf(reply)));
  const usual = answers(right);
  const { edition } = recorded.run;
  return (QUESTIONS as readonly OpenQuestion[]).flatMap(({ id, question, readings }) =>
    readings
      .filter(({ onlyIn }) => onlyIn === undefined || onlyIn.includes(edition))
      .flatMap((reading) => {
        const others = answers(rightRun(recorded, { ...dialect, [id]: reading.id }));
        const differing = usual.flatMap((answer, nth) =>
          answer === others[nth] ? [] : [`call ${nth + 1} answers ${others[nth]}, not ${answer}`],
        );
        return differing.length === 0
          ? []
          : [`- ${question} (${id}) If ${reading.text}: ${differing.join('; ')}`];
      }),
  );
}

/** `CANCELLED or 404 as the answer of call 4`. */
function inWords({ subject, must }: Check): string {
  const of = subject.of;
  const what = typeof of === 'object' ? `\`${of.member.join('.')}\`` : of;
  const place =
    subject.hook === undefined && 'nth' in subject
      ? `call ${subject.nth + 1} of the test`
      : `the webhook calls at ${subject.hook}`;
  return `${what} of ${place}: ${mustInWords(must)}`;
}

function mustInWords(must: Must): string {
  switch (must.is) {
    case 'among':
    case 'none-of': {
      const values = must.values.map((value) =>
        'idOf' in value ? `the id of call ${value.idOf + 1}` : JSON.stringify(value.json),
      );
      return `${must.is === 'among' ? '' : 'anything but '}${values.join(' or ')}`;
    }
    case 'between':
      return `${must.least ?? 'anything'} to ${must.most ?? 'anything'}`;
    case 'of-type':
      return `any ${must.type}`;
    case 'absent':
      return 'nothing';
  }
}
