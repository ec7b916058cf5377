/** What recorded traffic leaves out. Jobs of before its beginning may be asked for in any. @public */
export interface Capture {
  /** Other clients may have used the endpoints, too: cancelled, retried or purged jobs, or read their streams. */
  readonly others: boolean;
  /** No call of the recorded clients is missing. */
  readonly complete: boolean;
  /** No worker crashes, as the user states; absent: one may, and then its job may run again. */
  readonly crashes?: false;
  /** The clocks of several files may differ by so much, ms, and the times of their calls allow for it. Absent: there was one clock. */
  readonly clockSkewMs?: number;
  /** Payloads are replaced by digests. Absent: they are not. */
  readonly digests?: true;
}
