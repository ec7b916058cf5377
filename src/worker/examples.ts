/** Bodies of `/run` whose plans show what a client must handle, by the event: the emulator's page and `trigger` submit them. */

const job = (...plan: readonly object[]) => ({ input: { plan } });
const sleep = (s: number) => ({ sleepMs: 1_000 * s });

export interface Example {
  /** What its job does. */
  readonly label: string;
  readonly body: object;
}

export const EXAMPLES = {
  completed: { label: 'works for 5 s, then returns', body: job(sleep(5), { return: 'done' }) },
  stream: {
    label: 'streams three results',
    body: job({ stream: 'one' }, sleep(2), { stream: 'two' }, sleep(2), { stream: 'three' }),
  },
  failed: {
    label: 'fails, and succeeds when retried',
    body: { input: { plan: [{ fail: 'out of memory' }], planOnRetry: [{ return: 'done' }] } },
  },
  crashed: { label: 'crashes its worker', body: job(sleep(2), { crash: true }) },
  'timed-out': {
    label: 'hangs until executionTimeout',
    body: { ...job({ hang: true }), policy: { executionTimeout: 10_000 } },
  },
  expired: { label: 'expires by ttl', body: { ...job({ hang: true }), policy: { ttl: 10_000 } } },
  webhook: {
    label: 'calls a webhook',
    body: { ...job({ return: 'done' }), webhook: 'http://127.0.0.1:9000/webhook' },
  },
  input: { label: 'any input', body: { input: { prompt: 'hello' } } },
} satisfies { readonly [event: string]: Example };
