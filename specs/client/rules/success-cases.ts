import type { RuleCases } from './rule-cases.js';
import {
  ABANDONED,
  answered,
  cancel,
  failed,
  GONE,
  LOST,
  run,
  runsync,
  session,
  status,
  stopped,
  stream,
  told,
} from './session-of.js';

const CHUNK = [{ output: 'a' }];

/** A client that streams a job of four chunks, of which it reads so many. */
const streams = (chunksRead: number, more: Parameters<typeof session>[0] = {}) =>
  session({
    weather: 'chunks-in-parts',
    calls: [run(), stream(answered(200, CHUNK)), stream(answered(200, []))],
    jobs: [{ chunks: 4, chunksRead }],
    ...more,
  });

/** A client that streams a job of six chunks, all of which it reads. */
const prints = (printed: string) => streams(6, { jobs: [{ chunks: 6, chunksRead: 6 }], printed });

export const SUCCESS_CASES: readonly RuleCases[] = [
  {
    rule: 'client/success-is-completed',
    kept: {
      'polls until COMPLETED': session({
        calls: [run(), status(told('IN_QUEUE')), status(told('COMPLETED'))],
      }),
      'is told by /runsync': session({ calls: [runsync()] }),
      'is told by a webhook': session({ calls: [run()], webhooks: [{}] }),
      'is told by a webhook although the reply was lost': session({ calls: [run(LOST)], webhooks: [{}] }),
      'has several jobs, of which one fails': session({
        calls: [run(), run(), status(told('FAILED')), status(told('COMPLETED'), { job: 'j2' })],
      }),
    },
    violated: {
      'waits for the first of two jobs': [
        session({
          calls: [
            run(),
            run(told('IN_QUEUE', { id: 'j2' })),
            status(told('IN_PROGRESS', { id: 'j2' }), { job: 'j2' }),
            status(told('COMPLETED')),
          ],
          jobs: [{}, { id: 'j2', call: 2, state: 'IN_PROGRESS' }],
        }),
        'job j2, which it read, is still IN_PROGRESS',
      ],
      'takes the page of a proxy for the result': [
        session({
          weather: 'read-answered-by-a-page',
          calls: [run(), status(answered(200))],
          jobs: [{ state: 'IN_PROGRESS' }],
        }),
        'the last reply that it read was not JSON',
      ],
      'takes FAILED for the end it wants': [
        session({
          weather: 'job-fails',
          calls: [run(), status(told('IN_PROGRESS')), status(told('FAILED'))],
        }),
        'told FAILED',
      ],
      'takes what a webhook brings for success': [
        session({ weather: 'job-fails', calls: [run()], webhooks: [{ state: 'FAILED' }] }),
        'told FAILED',
      ],
      'takes what a webhook brings for success although the reply was lost': [
        session({ calls: [run(LOST)], webhooks: [{ state: 'FAILED' }] }),
        'told FAILED',
      ],
      'gave a webhook that could not be called': [
        session({
          calls: [run(), status(told('IN_PROGRESS'))],
          webhooks: [{ status: null, fate: 'undeliverable' }],
        }),
        'IN_PROGRESS, never COMPLETED',
      ],
      'takes what /runsync answers for success': [
        session({ weather: 'runsync-unfinished', calls: [runsync(told('IN_PROGRESS'))] }),
        'IN_PROGRESS, never COMPLETED',
      ],
      'takes 404 for success': [
        session({ weather: 'no-worker', calls: [run(), status(told('IN_QUEUE')), status(GONE)] }),
        'IN_QUEUE, never COMPLETED',
      ],
      'never got an answer to its reads': [
        session({ weather: 'reads-fail-for-ever', calls: [run(), status(answered(500))] }),
        'no state',
      ],
      'ends with success although all was refused': [
        session({ weather: 'key-rejected', calls: [run(answered(401))] }),
        'none of its submissions was accepted',
      ],
      'takes the first empty read of a stream for its end': [
        session({
          weather: 'chunks-in-parts',
          calls: [run(), stream(answered(200, []))],
          jobs: [{ state: 'IN_PROGRESS' }],
        }),
        'is still IN_PROGRESS',
      ],
      'streams, but is told FAILED by a read': [
        session({ calls: [run(), stream(answered(200, CHUNK)), status(told('FAILED'))] }),
        'told FAILED',
      ],
    },
    open: {
      'submits a job and leaves it to others': session({ calls: [run()] }),
      'ends without success': session({ calls: [run(), status(told('FAILED'))], end: failed }),
      'is stopped': session({ calls: [run(), status(told('FAILED'))], end: stopped(100) }),
      'only streams, so that it cannot know': session({
        weather: 'fails-after-chunks',
        calls: [run(), stream(answered(200, CHUNK)), stream(answered(200, []))],
      }),
      'cancels its own job': session({ calls: [run(), status(told('IN_QUEUE')), cancel(told('CANCELLED'))] }),
      'may have had a webhook which it did not answer': session({
        weather: 'job-fails',
        calls: [run(), status(told('IN_PROGRESS'))],
        webhooks: [{ status: null }],
      }),
      'finds the result gone': session({ weather: 'result-gone', calls: [run(), status(GONE)] }),
      'does not wait for the reply': session({ calls: [run(ABANDONED)] }),
      'calls nothing': session({}),
    },
  },
  {
    rule: 'client/reads-all-chunks',
    kept: {
      'reads all four': streams(4),
      'prints none as they are': prints('{"parts":6}'),
      'prints all six': prints(
        'part 1 of 6 part 2 of 6 part 3 of 6, "part 4 of 6", part 5 of 6, part 6 of 6',
      ),
    },
    violated: {
      'stops at the first empty read': [streams(2), '2 of the 4 chunks'],
      'prints only what the last reply brought': [
        prints('part 5 of 6\npart 6 of 6'),
        'printed 2 of 6 chunks',
      ],
    },
    open: {
      'does not stream': streams(0, { calls: [run(), status(told('COMPLETED'))] }),
      'ends without success': streams(2, { end: failed }),
      'loses a reply with chunks': streams(2, { weather: 'stream-reply-lost' }),
      'has the whole output of a read': streams(2, {
        calls: [run(), stream(answered(200, CHUNK)), status(told('COMPLETED', { output: [1, 2, 3, 4] }))],
      }),
      'streams a job that fails': streams(2, { jobs: [{ state: 'FAILED', chunks: 4, chunksRead: 2 }] }),
    },
  },
];
