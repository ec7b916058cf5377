import { describe, expect, it } from 'vitest';
import { driftSince } from '../../src/report/compare/drift.js';
import type { Report } from '../../src/report/index.js';

type Verdicts = { readonly [id: string]: 'pass' | 'fail' | 'not-exercised' };

const reportOf = (
  verdicts: Verdicts,
  readings: Report['openQuestions'][number]['readings'] = [],
  ttlMs = 0,
): Report =>
  ({
    requirements: Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict })),
    openQuestions: [{ id: '7/error-body', readings }],
    lateness: { ttl: { maxMs: ttlMs, samples: 3 } },
  }) as unknown as Report;

/** The drift of each check in turn. */
function drifts(...reports: readonly (Report | null)[]): readonly (readonly string[])[] {
  let facts: Parameters<typeof driftSince>[0] = null;
  return reports.map((report) => {
    const next = driftSince(facts, report, report === null ? 3 : 0);
    facts = next.facts;
    return next.drift;
  });
}

describe('drift', () => {
  it('is nothing in the first check, and nothing if nothing changes', () => {
    const report = reportOf({ a: 'pass', b: 'fail' }, ['text']);
    expect(drifts(report, report)).toEqual([[], []]);
  });

  it('is a verdict that differs from the last one, however long ago', () => {
    expect(
      drifts(
        reportOf({ a: 'pass', b: 'fail' }),
        reportOf({ a: 'not-exercised' }),
        reportOf({ a: 'fail', b: 'pass' }),
      ),
    ).toEqual([[], [], ['a: pass → fail', 'b: fail → pass']]);
  });

  it('is a failure of what was never decided, but not its first pass', () => {
    expect(drifts(reportOf({}), reportOf({ a: 'fail', b: 'pass' }))).toEqual([[], ['a: undecided → fail']]);
  });

  it('is another reading, in whatever order they were seen', () => {
    expect(
      drifts(reportOf({}, ['x', 'y']), reportOf({}, ['y', 'x']), reportOf({}, []), reportOf({}, ['z'])),
    ).toEqual([[], [], [], ['reading of 7/error-body: x, y → z']]);
  });

  it('is a lateness of more than twice that of the last ten checks, by a second at least', () => {
    const late = [100, 900, 1_700, 3_600].map((ttlMs) => reportOf({}, [], ttlMs));
    expect(drifts(...late)).toEqual([[], [], [], ['lateness of ttl: at most 1700 ms → 3600 ms']]);
  });

  it('is a target that cannot be reached any more, and one that can again', () => {
    const report = reportOf({ a: 'pass' });
    expect(drifts(report, null, null, report)).toEqual([[], ['exit code: 0 → 3'], [], ['exit code: 3 → 0']]);
  });
});
