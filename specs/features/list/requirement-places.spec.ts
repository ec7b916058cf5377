import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { idsIn } from '../../../src/features/list/ids-in-source.js';
import { requirementPlaces, type RequirementPlaces } from '../../../src/features/list/requirement-places.js';
import { shippedScenarios } from '../../../src/files/shipped-scenarios.js';
import { createFakeIo } from '../../cli/fake-io.js';

describe('what a source names', () => {
  const text = `
// not '1/told-in-a-comment'
const KEY = idsFor('5/missing-key-*', ['run', 'status']);
/* nor '1/told-in-another' */
check('4.6/same-id', true);
const BODY = idsFor(
  '1/json-error-body-*',
  [400, 401],
);
const ALL = idsFor('8/rate-*-below', [...SUBMISSIONS, 'status']); const EXISTS = idsFor('4.9/*-exists', OF_ITS_OWN);
check('4.6/same-id', false);
const ROWS = [...family('7/ttl-expired-*', JOB_OPERATIONS, { text: 'x' })];
`;
  it('is found by id and by pattern, at its first place', () => {
    expect([...idsIn({ path: 'x.ts', text })].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['1/json-error-body-400', 'x.ts:6'],
      ['1/json-error-body-401', 'x.ts:6'],
      ['4.6/same-id', 'x.ts:5'],
      ['4.9/openai-exists', 'x.ts:10'],
      ['4.9/requests-exists', 'x.ts:10'],
      ['5/missing-key-run', 'x.ts:3'],
      ['5/missing-key-status', 'x.ts:3'],
      ['7/ttl-expired-cancel', 'x.ts:12'],
      ['7/ttl-expired-retry', 'x.ts:12'],
      ['7/ttl-expired-status', 'x.ts:12'],
      ['7/ttl-expired-stream', 'x.ts:12'],
      ['8/rate-run-below', 'x.ts:10'],
      ['8/rate-runsync-below', 'x.ts:10'],
      ['8/rate-status-below', 'x.ts:10'],
    ]);
  });
});

describe('list requirements --where', () => {
  it('tells programs where each sentence, scenario and fault is', async () => {
    const io = createFakeIo();
    expect(await runCli(['list', 'requirements', '--where', '--json'], io)).toBe(0);
    const all = JSON.parse(io.printed()) as readonly RequirementPlaces[];
    expect(all.filter(({ sentence }) => !/^src\/spec\/requirements\/.+:\d+$/.test(sentence ?? ''))).toEqual(
      [],
    );
    const faults = all.flatMap((one) => one.faults);
    expect(faults.filter(({ place }) => place === null)).toEqual([]);
    expect(all).toEqual(requirementPlaces(await shippedScenarios()));
  });

  it('tells people of the check, what brings it about, and what breaks it', async () => {
    const io = createFakeIo();
    expect(await runCli(['list', 'requirements', '--where'], io)).toBe(0);
    const printed = io.printed();
    const told = printed.slice(printed.indexOf('6/pause-not-shorter  '));
    expect(told.split('\n').map((line) => line.replace(/(?<=src\/oracle\/).*|:\d+.*/, ''))).toEqual(
      expect.arrayContaining([
        '         sentence  src/spec/requirements/section-6.ts',
        '         check     src/oracle/',
        '         fault     src/mutants/section-5.ts',
      ]),
    );
  });

  it('goes with requirements, and alone', async () => {
    const other = createFakeIo();
    expect(await runCli(['list', 'scenarios', '--where'], other)).toBe(2);
    expect(other.complained()).toContain('--where is for requirements');
    expect(await runCli(['list', 'requirements', '--where', '--decidable'], createFakeIo())).toBe(2);
  });
});
