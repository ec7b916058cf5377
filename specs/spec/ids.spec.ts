import { describe, expect, it } from 'vitest';
import { idsFor, MAIN_OPERATIONS, RATED_OPERATIONS } from '../../src/spec/index.js';

describe('ids that differ in one word', () => {
  it('are made for each word', () => {
    expect(idsFor('7/no-body-*', ['run', 'runsync'])).toEqual({
      run: '7/no-body-run',
      runsync: '7/no-body-runsync',
    });
    expect(idsFor('1/json-error-body-*', [400])[400]).toBe('1/json-error-body-400');
    expect(idsFor('8/rate-*-below', RATED_OPERATIONS)['purge-queue']).toBe('8/rate-purge-queue-below');
    expect(Object.keys(idsFor('5/missing-key-*', MAIN_OPERATIONS))).toEqual(MAIN_OPERATIONS);
  });

  it('do not compile if they do not exist', () => {
    // @ts-expect-error: /status has no body that could be missing
    idsFor('7/no-body-*', ['run', 'status']);
    // @ts-expect-error: there is nothing to fill in
    idsFor('7/no-body-', ['run']);
    expect(idsFor('4/success-code-*', ['run']).run).toBe('4/success-code-run');
  });
});
