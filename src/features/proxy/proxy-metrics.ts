/** What the proxy tells Prometheus. Clients choose no label value but, with `--clients`, the name of their program, in at most 200 ways. */
import { answerOf, type Exchange } from '../../history/exchange.js';
import { createMetrics, type Metrics } from '../../wire/metrics.js';
import type { ProxyState } from './own-pages.js';

const BUCKETS_S = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export interface ProxyMetrics {
  /** Takes what was seen; never throws. */
  take(exchange: Exchange<unknown>): void;
  /** In Prometheus' text format. */
  text(state: ProxyState): Promise<string>;
}

/** Loads the Prometheus library. */
export async function createProxyMetrics(): Promise<ProxyMetrics> {
  // The delay of the event loop is among those of the process: what the proxy adds to a call.
  const metrics = await createMetrics({ ofProcess: true });
  const answers = metrics.counter(
    'runproof_calls_total',
    'Calls of the API by operation and status code; "none" where there was no whole answer',
    ...['operation', 'code'],
  );
  const durations = metrics.histogram(
    'runproof_call_duration_seconds',
    'From the head of a call to the end of its answer, as the proxy sees it, waits included',
    BUCKETS_S,
    'operation',
  );
  let underWay = 0;
  return {
    take(exchange) {
      const { fromMs, byMs, outcome } = exchange;
      underWay += outcome.kind === 'open' ? 1 : -1;
      if (outcome.kind === 'open') return;
      const operation = operationOf(exchange);
      const answer = answerOf(exchange);
      answers.inc({ operation, code: answer?.status ?? 'none' });
      if (answer !== null) durations.observe({ operation }, (byMs! - fromMs) / 1_000);
    },
    async text(state) {
      const now = await createMetrics();
      tell(state, now);
      now.gauge('runproof_calls_under_way', 'Calls of the API that have begun and not ended').set(underWay);
      return `${await metrics.text()}\n${await now.text()}`;
    },
  };
}

function operationOf({ names, webhook }: Exchange<unknown>): string {
  if (webhook !== undefined) return 'webhook';
  return names?.hasItsMethod === true ? names.operation : 'other';
}

/** Of what is known elsewhere, the value of now. */
function tell({ passed, trouble, lag, live }: ProxyState, { counter, gauge }: Metrics): void {
  counter(
    'runproof_proxied_calls_total',
    'Requests that passed, including those that are not calls of the API',
  ).inc(passed);
  counter('runproof_judged_calls_total', 'Calls of the API that are judged').inc(live?.judged ?? 0);
  gauge('runproof_judging', 'Whether calls can be judged').set(trouble === null ? 1 : 0);
  gauge('runproof_judging_lag_seconds', 'How long the oldest unjudged call has waited').set(
    lag.behindMs / 1_000,
  );
  gauge('runproof_judging_waiting', 'Begins and ends of calls that wait to be judged').set(lag.waiting);
  gauge('runproof_open_jobs', 'Jobs that are not over').set(live?.open ?? 0);
  gauge('runproof_decided_musts', 'Required rules with at least one decision').set(live?.decided ?? 0);
  const unjudged = counter(
    'runproof_unjudged_calls_total',
    'Calls of the API that passed and are not judged, by the reason',
    'reason',
  );
  for (const [reason, count] of Object.entries({ ...live?.unjudged, missed: lag.missed }))
    unjudged.inc({ reason }, count);
  const webhooks = counter(
    'runproof_webhook_calls_total',
    'Calls of webhooks that were passed on, by how the receiver answered',
    'answer',
  );
  for (const [answer, count] of Object.entries(live?.webhooks ?? {})) webhooks.inc({ answer }, count);
  const violations = counter(
    'runproof_violations_total',
    'Jobs and calls that violated a requirement',
    'requirement',
  );
  for (const [requirement, times] of Object.entries(live?.violations ?? {}))
    violations.inc({ requirement }, times);
  if (live?.clients === undefined) return;
  const ofClients = counter(
    'runproof_client_violations_total',
    'How often clients broke a rule for clients',
    ...['rule', 'client'],
  );
  for (const { client, violated } of live.clients)
    for (const { rule, times } of violated) ofClients.inc({ rule, client }, times);
}
