import { scenarioOf } from '../formatting.js';
import type { ReportFailure } from '../report.js';

/** A failure of a report that is `forReader`, as raw lines; the caller escapes them. `sentence`: what was said of its requirement. */
export function formatFailure(failure: ReportFailure, sentence: string | null = null): readonly string[] {
  return [
    `${failure.about === undefined ? 'scenario' : 'condition'}: ${scenarioOf(failure)}`,
    ...(failure.steps ?? []).map((step, nth) => `${nth === 0 ? 'steps:   ' : '         '} ${step}`),
    ...(failure.expected === sentence ? [] : [`expected: ${failure.expected}`]),
    `actual:   ${failure.actual}`,
    ...failure.proof.map((line) => `  ${line}`),
    ...(failure.curl === null ? [] : [failure.curl]),
    ...(failure.replay === null ? [] : [`replay:   ${failure.replay}`]),
  ];
}
