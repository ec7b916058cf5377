/** The calls of a client under a condition, as the proxy would have recorded them. */
import type { Session, WebhookDelivery, WholeCall } from '../../src/client/session.js';
import type { Exchange } from '../../src/history/exchange.js';

/** When the recording begins, ms since 1970. */
export const ORIGIN_MS = 1_764_000_000_000;
const ADDRESS = 'http://127.0.0.1:8090';

export interface Recorded {
  /** Default: the first of the recording. */
  readonly fromMs?: number;
  readonly agent?: string;
  readonly key?: string;
}

/** In the order in which they were over, as the proxy tells them. */
export function recordingOf(
  { calls, webhooks, end }: Session,
  { fromMs = ORIGIN_MS, agent = 'client/1', key = 'a1b2c3' }: Recorded = {},
): readonly Exchange[] {
  const instant = (ms: number): number => fromMs + ms;
  const ofCall = ({ request, names, outcome, ...call }: WholeCall): Exchange => ({
    id: call.id,
    fromMs: Math.floor(instant(call.fromMs)),
    byMs: Math.ceil(instant(call.byMs)),
    names: names === null ? null : { ...names, base: `${ADDRESS}${names.base}` },
    request: {
      ...{ method: request.method, target: `${ADDRESS}${request.target}` },
      headers: {
        ...request.headers,
        'user-agent': agent,
        ...(call.key.header !== 'missing' && { authorization: 'Bearer ***' }),
      },
      body: textOf(request.body),
    },
    // What was open when the client ended it has left.
    outcome:
      outcome.kind === 'open'
        ? { kind: 'abandoned' }
        : outcome.kind === 'answer'
          ? { ...outcome, body: textOf(outcome.body) }
          : outcome,
    client: {
      key: call.key.header === 'missing' ? null : call.key.header === 'wrong' ? `${key}-wrong` : key,
      ...(call.key.elsewhere === 'the query' && call.key.header !== 'missing' && { isKeyInQuery: true }),
      ...{ address: '127.0.0.1', connection: `${key}.${call.connection}` },
    },
  });
  const ofWebhook = (delivery: WebhookDelivery): Exchange => ({
    id: `webhook ${delivery.number}`,
    fromMs: Math.floor(instant(delivery.startedMs)),
    byMs: Math.ceil(instant(delivery.endedMs ?? end.atMs)),
    names: null,
    webhook: delivery.address,
    request: {
      ...{ method: 'POST', target: delivery.address, headers: {} },
      body: JSON.stringify({ id: delivery.job, ...(delivery.state && { status: delivery.state }) }),
    },
    outcome:
      delivery.status === null
        ? { kind: 'lost', why: 'lost' }
        : { kind: 'answer', status: delivery.status, headers: {}, body: undefined },
  });
  const delivered = webhooks.filter(({ fate }) => fate === 'delivered');
  return [...calls.map(ofCall), ...delivered.map(ofWebhook)].sort((one, other) => one.byMs! - other.byMs!);
}

function textOf(body: WholeCall['request']['body']): string | null | undefined {
  if (body === null || body === undefined || body.as === 'none') return body === undefined ? undefined : null;
  return body.as === 'json' ? JSON.stringify(body.value) : `${body.text || '*'}`;
}
