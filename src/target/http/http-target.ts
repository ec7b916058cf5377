import type { Latency } from '../../schedule/latency.js';
import type { Target } from '../port.js';
import type { AuthForm } from './probes/probe-auth.js';

/** A target over HTTP, with what was found out when it was connected. @public */
export interface HttpTarget extends Target, AsyncDisposable {
  /** How the target accepts the key. */
  readonly auth: AuthForm;
  /** Workers of the endpoint; null when unknown, or when each script has an endpoint of its own. */
  readonly workers: number | null;
  /** How quick it was found to be; as if it were at once where its clock can be advanced. */
  readonly latency: Latency;
  /**
   * Where its clock is moved over a network: how long a reply takes, median, real ms, and whether endpoints have clocks of
   * their own, so that scripts play at once. Null elsewhere.
   */
  readonly network: { readonly replyMs: number; readonly hasEndpointClocks: boolean } | null;
  /** All keys that it calls with: no output may hold one. */
  readonly keys: readonly string[];
  /** What was taken for granted or found odd while connecting, one sentence each, for people. */
  readonly notes: readonly string[];
}
