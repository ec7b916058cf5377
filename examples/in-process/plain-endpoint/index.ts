/**
 * A small implementation of the queue-based endpoint job API with plain timers, as a fetch handler: an
 * example of what `fetchTarget` checks in process. It uses nothing of the suite except the scripted worker,
 * and is not fast.
 */
import type { HandlerInstance, Json } from 'runproof';
import { Jobs, recordOf, type Job } from './jobs.js';
import { Rates } from './rates.js';
import { BadRequest, readSubmission, readTtl, readWait } from './submission.js';

export interface PlainEndpointOptions {
  readonly endpoints: readonly string[];
  readonly workers: number;
  readonly apiKey: string;
  /** Where the jobs of an endpoint are kept. */
  readonly createJobs?: (workers: number) => Jobs;
}

interface Endpoint {
  readonly jobs: Jobs;
  readonly rates: Rates;
}

const METHODS: { readonly [operation: string]: string } = {
  run: 'POST',
  runsync: 'POST',
  status: 'GET',
  stream: 'GET',
  cancel: 'POST',
  retry: 'POST',
  'purge-queue': 'POST',
  health: 'GET',
  openai: 'POST',
  requests: 'GET',
};
const OF_ONE_JOB = new Set(['status', 'stream', 'cancel', 'retry']);

export function plainEndpoint(options: PlainEndpointOptions): HandlerInstance {
  const { workers, apiKey, createJobs = (count) => new Jobs(count) } = options;
  const endpoints = new Map<string, Endpoint>(
    options.endpoints.map((id) => [id, { jobs: createJobs(workers), rates: new Rates() }]),
  );
  return {
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const [, id = '', operation = '', rest = ''] =
        /^\/v2\/([^/]+)\/([a-z-]+)(?:\/(.+))?$/.exec(pathname) ?? [];
      const key = request.headers.get('authorization')?.replace(/^Bearer /, '');
      if (key !== apiKey) return refuse(401, 'unauthorized');
      const endpoint = endpoints.get(id);
      const isWhole = OF_ONE_JOB.has(operation) || operation === 'openai' ? rest !== '' : rest === '';
      if (endpoint === undefined || !Object.hasOwn(METHODS, operation) || !isWhole) {
        return refuse(404, 'not found');
      }
      if (request.method !== METHODS[operation]) return refuse(405, 'method not allowed');
      const leave = endpoint.rates.admit(operation);
      if (leave === null) return refuse(429, 'too many requests');
      try {
        return await answer(endpoint.jobs, operation, rest, request, searchParams);
      } catch (error) {
        if (error instanceof BadRequest) return refuse(400, error.message);
        throw error;
      } finally {
        leave();
      }
    },
    setWorkers(count, id) {
      const jobs = endpoints.get(id)?.jobs;
      if (jobs === undefined) return;
      jobs.workers = count;
      jobs.dispatch();
    },
    close() {
      for (const { jobs } of endpoints.values()) jobs.clear();
    },
  };
}

async function answer(
  jobs: Jobs,
  operation: string,
  rest: string,
  request: Request,
  query: URLSearchParams,
): Promise<Response> {
  switch (operation) {
    case 'run': {
      const { id } = jobs.submit(await readSubmission(request, null));
      return reply({ id, status: 'IN_QUEUE' });
    }
    case 'runsync': {
      const waitMs = readWait(query.get('wait'));
      return runsync(jobs, jobs.submit(await readSubmission(request, waitMs)), waitMs);
    }
    case 'purge-queue':
      return reply({ removed: jobs.purge(), status: 'completed' });
    case 'health':
      return reply(jobs.health());
    case 'openai':
    case 'requests':
      return reply({});
    default: {
      const job = jobs.get(decodeURIComponent(rest));
      return job === undefined ? refuse(404, 'no such job') : ofOneJob(jobs, operation, job, query);
    }
  }
}

function ofOneJob(jobs: Jobs, operation: string, job: Job, query: URLSearchParams): Response {
  switch (operation) {
    case 'status': {
      const ttlMs = readTtl(query.get('ttl'));
      if (ttlMs !== null) jobs.expireAt(job, job.submittedAt + ttlMs);
      return reply(recordOf(job));
    }
    case 'stream':
      return reply(job.chunks.splice(0).map((output) => ({ output })));
    case 'cancel':
      jobs.cancel(job);
      return reply({ id: job.id, status: job.status });
    default:
      if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') return refuse(400, `it is ${job.status}`);
      jobs.retry(job);
      return reply({ id: job.id, status: 'IN_QUEUE' });
  }
}

/** Answers when the job ends or is deleted, or when the wait is over. */
async function runsync(jobs: Jobs, job: Job, waitMs: number): Promise<Response> {
  if (job.endedAt === null) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      job.watchers.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return jobs.get(job.id) === undefined ? refuse(404, 'the job is gone') : reply(recordOf(job));
}

function reply(body: Json, status = 200): Response {
  return Response.json(body, { status });
}

function refuse(status: number, error: string): Response {
  return reply({ error }, status);
}
