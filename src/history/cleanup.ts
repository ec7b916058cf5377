/**
 * The harness has cancelled jobs of a script that is over, on an endpoint that continues to be used. Its calls use up limits
 * like any others; only their number is recorded.
 *
 * @public
 */
export interface CleanupEvent {
  readonly kind: 'cleanup';
  /** -1: the job was one of the run itself. */
  readonly script: number;
  readonly endpoint: string;
  /** All answers had come by then. */
  readonly atMs: number;
  /** Jobs of which the target says that they have ended. Of the others nothing is known. */
  readonly ended: readonly string[];
  /** When the first was sent; absent in older histories, as the other two are. */
  readonly fromMs?: number;
  /** Calls of `/cancel`, and how many of them were answered with 429. */
  readonly cancels?: number;
  readonly limited?: number;
}

/** So many calls a cleanup sends at once: below the documented concurrency of `/cancel` (section 8: 20). */
export const CLEANUP_AT_ONCE = 8;
