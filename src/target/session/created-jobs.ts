/**
 * Where jobs are written down as they come into being, so that a run that was killed can be cleaned up after.
 *
 * @internal
 */
export interface CreatedJobs {
  /** Called when the reply that names the job has come, before anything is done with it. */
  created(endpoint: string, jobId: string): void;
  /** The job is known to have ended. */
  ended(endpoint: string, jobId: string): void;
  /** A submission before the run was given up without an answer: it may have created a job that nothing names. */
  unanswered(): void;
}
