import { describe, expect, it } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const ID = '6/retries-after-silence';
const URL = 'http://here/1';
const MINUTE = 60_000;

const completed = (): TraceBuilder =>
  new TraceBuilder(1, { clock: 'real' }, false)
    .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: URL })
    .seen(10, 'a', 'COMPLETED', { output: 1 });

describe('a webhook call that is never answered', () => {
  it.each<[string, TraceBuilder, string, number?]>([
    [
      'given up and made again',
      completed().unanswered(10, URL, 20_010, 'given-up').webhook(30_010, URL, 200),
      'pass',
    ],
    [
      'made again while it is still held open',
      completed().webhook(40_010, URL, 200).unanswered(10, URL, 50_000, 'cut'),
      'pass',
    ],
    ['abandoned and not repeated', completed().unanswered(10, URL, 20_010, 'given-up'), 'fail'],
    // How long a service waits is not shown.
    [
      'held open to the end of a minute',
      completed().unanswered(10, URL, MINUTE, 'cut'),
      'inconclusive',
      MINUTE,
    ],
    [
      'held open for a quarter of an hour',
      completed().unanswered(10, URL, 16 * MINUTE, 'cut'),
      'fail',
      16 * MINUTE,
    ],
    // The harness closed it: a dropped connection, whose repetition says nothing of silence.
    [
      'closed by the harness, and made again',
      completed().unanswered(10, URL, 10_510, 'cut').webhook(20_510, URL, 200),
      'not-exercised',
    ],
  ])('%s', (_, trace, verdict, endMs = 90_000) => {
    const ends = trace.alive(endMs).judged(endMs);
    expect(verdictOf(ends, ID)).toBe(verdict);
    expect(failed(ends)).toEqual(verdict === 'fail' ? [ID] : []);
  });
});
