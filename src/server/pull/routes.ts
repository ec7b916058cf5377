/**
 * `server/pull/` implements the protocol by which deployed workers fetch their jobs and report on them. It
 * translates between them and the core, and decides nothing about jobs.
 */
import type { CoreRequest } from '../../core/api.js';

interface OfWorker {
  readonly endpoint: string;
  /** The worker's name for itself. */
  readonly worker: string;
}

/** A worker's request. The job is the one that the path names, whatever the body or a header says. */
export type PullRoute = OfWorker &
  (
    | {
        readonly kind: 'claim';
        readonly jobsMax: number;
        readonly inList: boolean;
        /** The worker says that it is running the jobs it was given. */
        readonly atWork: boolean;
      }
    | { readonly kind: 'stops' }
    | { readonly kind: 'ping'; readonly jobs: readonly string[] }
    | { readonly kind: 'chunk' | 'result'; readonly job: string }
  );

const MAY_BE_WORKERS = /job-|ping|%/;

/** The most jobs given to one worker at once. */
const BATCH_MAX = 1_000;

/** Null where the request is not a worker's. */
export function pullRouteOf({ method, path, query }: CoreRequest): PullRoute | null {
  // Most requests are clients' calls. A name may be percent-encoded.
  if (!MAY_BE_WORKERS.test(path)) return null;
  const parts = path.split('/').map(decoded);
  const [root, version, endpoint, name, worker, job, ...more] = parts;
  if (root !== '' || version !== 'v2' || !endpoint || !worker || more.length > 0) return null;
  const of = { endpoint, worker };
  const atWork = query['job_in_progress'] === '1';
  if (method === 'GET' && job === undefined) {
    switch (name) {
      case 'job-take':
        return { ...of, kind: 'claim', jobsMax: 1, inList: false, atWork };
      case 'job-take-batch':
        return { ...of, kind: 'claim', jobsMax: batchSize(query['batch_size']), inList: true, atWork };
      case 'job-stop':
        return { ...of, kind: 'stops' };
      case 'ping':
        // A worker without jobs leaves the parameter out.
        return { ...of, kind: 'ping', jobs: (query['job_id'] ?? '').split(',').filter((id) => id !== '') };
    }
  }
  if (method === 'POST' && job) {
    if (name === 'job-stream') return { ...of, kind: 'chunk', job };
    if (name === 'job-done') return { ...of, kind: 'result', job };
  }
  return null;
}

function batchSize(text: string | undefined): number {
  const size = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(size, 1), BATCH_MAX);
}

/** The whole path is known to be decodable, so each part is. */
const decoded = (part: string): string => (part.includes('%') ? decodeURIComponent(part) : part);
