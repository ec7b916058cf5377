/** What `trigger` makes happen: which job it submits, how that ends, and what an application sees of it. */
import type { EXAMPLES } from '../../worker/examples.js';

export interface TriggerEvent {
  /** Whose body is submitted. */
  readonly example: keyof typeof EXAMPLES;
  /** The last state of the job; null: it is deleted. Of the job that --job names, any. */
  readonly ends: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | null;
  readonly sees: string;
  /** It calls the receiver, so many of whose first answers the emulator does not get. */
  readonly lostAnswers?: number;
  /**
   * What is called besides: /cancel while the job runs; at its end /stream, /status until its rate is used up, or its receiver
   * once more.
   */
  readonly calls?: 'cancel' | 'stream' | 'status' | 'receiver';
}

const ends = (
  example: TriggerEvent['example'],
  state: TriggerEvent['ends'],
  sees: string,
  more: Pick<TriggerEvent, 'lostAnswers' | 'calls'> = {},
): TriggerEvent => ({ example, ends: state, sees, ...more });

export const EVENTS: ReadonlyMap<string, TriggerEvent> = new Map([
  ['completed', ends('completed', 'COMPLETED', 'after 5 s, /status says COMPLETED, with the output')],
  ['stream', ends('stream', 'COMPLETED', '/stream has three results within 4 s', { calls: 'stream' })],
  ['failed', ends('failed', 'FAILED', '/status says FAILED, with the error; after /retry, COMPLETED')],
  ['crashed', ends('crashed', 'FAILED', 'after 2 s, /status says FAILED: the worker died')],
  [
    'cancelled',
    ends('completed', 'CANCELLED', '/status says CANCELLED: another client cancelled the job', {
      calls: 'cancel',
    }),
  ],
  ['timed-out', ends('timed-out', 'TIMED_OUT', 'after 10 s, /status says TIMED_OUT: executionTimeout ended')],
  ['expired', ends('expired', null, 'after 10 s, /status answers 404: the ttl ended')],
  [
    'webhook',
    ends(
      'webhook',
      'COMPLETED',
      'your receiver is called: that of --webhook, or of serve --forward-webhooks',
      { lostAnswers: 0 },
    ),
  ],
  [
    'webhook-retried',
    ends('webhook', 'COMPLETED', 'your receiver (--webhook) is called, and again after 10 s', {
      lostAnswers: 1,
    }),
  ],
  [
    'resend-webhook',
    ends('webhook', 'COMPLETED', 'your receiver is called again for the job of --job', {
      calls: 'receiver',
    }),
  ],
  ['rate-limited', ends('input', 'COMPLETED', 'for 10 s, /status answers 429', { calls: 'status' })],
]);
