/** Webhooks at addresses where the run does not listen. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

test('a call that never came is missed at an address of the run alone', () => {
  const silent = (webhooksAt?: string): readonly string[] =>
    failed(
      new TraceBuilder(1, webhooksAt === undefined ? {} : { webhooksAt })
        .submitted(0, 'a', [{ return: 1 }], {}, { webhook: 'https://hooks.example/a' })
        .seen(500, 'a', 'COMPLETED', { output: 1 })
        .judged(900_000),
    );
  expect(silent()).toContain('6/called-on-completion-run');
  expect(silent('https://hooks.example/')).toContain('6/called-on-completion-run');
  expect(silent('http://127.0.0.1:4711/0815/')).toEqual([]);
});
