/** Section 4.4: the stream of a job. */
import type { Json } from '../history/events.js';
import type { CoreReply } from './api.js';
import { noteJob } from './saved/changes.js';
import { jsonBytesOf, splitOutput } from './chunks.js';
import { refusal } from './http/refusal.js';
import { jsonReply } from './state.js';
import type { ServiceState } from './state.js';
import { NO_RESULTS, type Job } from './entities.js';

/** Adds an incremental result of the handler. */
export function addResult(state: ServiceState, job: Job, output: Json, metrics?: Json): void {
  if (job.streamed === NO_RESULTS) job.streamed = [];
  job.streamed.push(output);
  addChunks(state, job, output, metrics);
  noteJob(state, job);
}

/** Adds the chunks of a result. When it is split, its metrics are in the last chunk. */
export function addChunks(state: ServiceState, job: Job, output: Json, metrics?: Json): void {
  const kept = metrics !== undefined && jsonBytesOf(metrics) <= METRICS_BYTES_MAX ? metrics : undefined;
  const pieces = splitOutput(state.rules, output, kept);
  for (const [index, piece] of pieces.entries()) {
    const chunk = state.rules.chunkOf(piece, index === pieces.length - 1 ? kept : undefined);
    if (job.chunks === NO_RESULTS) job.chunks = [];
    job.chunks.splice(state.rules.chunkPlace(job.chunks.length), 0, chunk);
  }
}

/** Metrics are optional (2.5): larger ones are left out, so that each chunk stays within its limit. */
const METRICS_BYTES_MAX = 65_536;

export function streamReply(state: ServiceState, job: Job): CoreReply {
  const found = state.rules.streamAnswer(job);
  if (found === 'not-found') return refusal(state, 'no-such-job', 'stream', `job not found: ${job.id}`);
  if (found === 'error')
    return refusal(state, 'no-stream', 'stream', `there is no stream of job ${job.id}: ${job.status}`);
  return jsonReply(
    state,
    state.rules.successCode('stream'),
    state.rules.streamBody(job, chunksFor(state, job, found)),
  );
}

function chunksFor(state: ServiceState, job: Job, found: 'chunks' | 'all-chunks' | 'empty'): readonly Json[] {
  if (found === 'empty') return [];
  if (found === 'all-chunks') return [...job.chunks];
  const to = state.rules.chunksTo(job);
  const chunks = job.chunks.slice(state.rules.chunksFrom(job), to);
  if (to > job.chunksRead) {
    job.chunksRead = to;
    noteJob(state, job);
  }
  return chunks;
}
