import { describe, expect, test } from 'vitest';
import { PARTS, partOfCommit } from './parts.js';
import type { FileReport, RunReport } from './report.js';
import { problemOf } from './vitest.js';

const file = (failed: readonly string[]): FileReport => ({
  file: 'a',
  passed: 1,
  failed,
  skipped: 0,
  took: null,
});
const report = (of: Partial<RunReport>): RunReport => ({
  files: [file([])],
  unhandled: 0,
  interrupted: false,
  ...of,
});

describe('a run of vitest', () => {
  test.each([
    ['all passed', report({}), 0, null],
    ['a spec failed, which is told by itself', report({ files: [file(['one'])] }), 1, null],
    ['no report', null, 1, 'pure: vitest came to no report (exit code 1)'],
    ['killed without a report', null, null, 'pure: vitest came to no report (exit code none)'],
    ['errors between specs', report({ unhandled: 2 }), 1, 'pure: 2 errors between specs'],
    ['ended from outside', report({ interrupted: true }), 1, 'pure: interrupted'],
    ['a failure that no spec explains', report({}), 1, 'pure: vitest exited with 1'],
  ])('%s', (_, told, code, problem) => {
    expect(problemOf('pure', told, code)).toBe(problem);
  });
});

test.each([1, PARTS, 40])('each commit draws a part of %d, and all of them are drawn', (parts) => {
  const hashes = Array.from({ length: parts }, (_, nth) => nth.toString(16).padStart(8, '0').padEnd(40, 'f'));
  expect(hashes.map((hash) => partOfCommit(parts, hash))).toEqual(hashes.map((_, nth) => nth));
  expect(partOfCommit(parts, 'ffffffff00')).toBeLessThan(parts);
  expect(partOfCommit(parts, null)).toBe(0);
});
