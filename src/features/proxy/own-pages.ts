/** What the proxy tells of itself, at an address of its own: a page, the same as JSON, and metrics for Prometheus. */
import { scriptPath, type Failing } from '../../judging/live/failing-calls.js';
import { pageOf } from './live-page.js';
import type { ProxyMetrics } from './proxy-metrics.js';
import type { RecentCall } from './recent-calls.js';
import type { JudgingLag } from './judge-thread.js';
import type { LiveState } from '../../judging/live/live-judge.js';

export interface ProxyState {
  readonly upstream: string;
  /** ms since 1970. */
  readonly beganMs: number;
  readonly nowMs: number;
  /** Calls that passed, also those that are none of the API. */
  readonly passed: number;
  /** Why nothing is judged; null: it is. */
  readonly trouble: string | null;
  readonly lag: JudgingLag;
  /** Null before anything was judged. */
  readonly live: LiveState | null;
  /** The last calls of the API, the newest first. */
  readonly calls: readonly RecentCall[];
}

export async function answerOwn(
  request: Request,
  state: ProxyState,
  failing: Failing,
  metrics: ProxyMetrics,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const answer = (type: string, text: string): Response =>
    new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  const [, calls] = [...failing].find(([requirement]) => pathname === scriptPath(requirement)) ?? [];
  if (calls !== undefined && calls.file !== null) return answer('application/json', calls.text);
  switch (pathname.replace(/\/$/u, '')) {
    case '':
      return answer('text/html; charset=utf-8', pageOf(state, failing));
    case '/state':
      return answer('application/json', `${JSON.stringify(state)}\n`);
    case '/metrics':
      return answer('text/plain; version=0.0.4; charset=utf-8', await metrics.text(state));
    default:
      return new Response('/, /state and /metrics are here\n', { status: 404 });
  }
}
