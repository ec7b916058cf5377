import { describe, expect, it } from 'vitest';
import type { Capability } from '../../../src/spec/types.js';
import { TraceBuilder, verdictOf } from '../support/trace-builder.js';

const ID = '2.3/service-does-not-use-it';
const STORAGE = 'http://harness/secret/0/job-storage';
const WEBHOOK = 'http://harness/secret/0/job';

function trace(
  endpointUrl: string,
  run: { readonly capabilities?: readonly Capability[] } = {},
): TraceBuilder {
  const more = { webhook: WEBHOOK, s3Config: { bucketName: 'b', endpointUrl } };
  return new TraceBuilder(1, run)
    .submitted(0, 'job', [{ return: 1 }], undefined, more)
    .seen(10, 'job', 'COMPLETED', { output: 1 });
}

const verdict = (story: TraceBuilder): string | undefined => verdictOf(story.judged(5_000), ID);

describe(ID, () => {
  it('fails if a call reaches the storage of a job whose worker does not use it', () => {
    expect(verdict(trace(STORAGE).stored(5, STORAGE).webhook(10, WEBHOOK, 200))).toBe('fail');
  });

  it('passes if the webhook arrived and the storage at the same server was not called', () => {
    expect(verdict(trace(STORAGE).webhook(10, WEBHOOK, 200))).toBe('pass');
  });

  it('is undecided if the target may not reach the harness', () => {
    expect(verdict(trace(STORAGE))).toBe('not-exercised');
  });

  it('is undecided for a storage that is not observed', () => {
    expect(verdict(trace('https://s3.example.com').webhook(10, WEBHOOK, 200))).toBe('not-exercised');
  });

  it('is undecided if the worker may call the storage itself', () => {
    const story = trace(STORAGE, { capabilities: ['webhook-reachable', 'dedicated'] });
    expect(verdict(story.stored(5, STORAGE).webhook(10, WEBHOOK, 200))).toBe('untestable');
  });
});
