/** Section 4.4: what a read of a job's stream is answered. */
import type { Json } from '../history/events.js';
import type { CoreReply } from './api.js';
import { noteJob } from './changes.js';
import { jsonBytesOf, splitOutput } from './chunks.js';
import { refusal } from './http/refusal.js';
import { jsonReply } from './machine.js';
import type { Machine } from './machine.js';
import type { Job } from './state.js';

/** The handler has produced an incremental result. */
export function produce(m: Machine, job: Job, output: Json, metrics?: Json): void {
  job.streamed.push(output);
  addChunks(m, job, output, metrics);
  noteJob(m, job);
}

/** The metrics of a result that is split stand in its last chunk. */
export function addChunks(m: Machine, job: Job, output: Json, metrics?: Json): void {
  const told = metrics !== undefined && jsonBytesOf(metrics) <= METRICS_BYTES_MAX ? metrics : undefined;
  const pieces = splitOutput(m.rules, output, told);
  for (const [index, piece] of pieces.entries()) {
    const chunk = m.rules.chunkOf(piece, index === pieces.length - 1 ? told : undefined);
    job.chunks.splice(m.rules.chunkPlace(job.chunks.length), 0, chunk);
  }
}

/** Metrics are optional: larger ones are left out, so that every chunk keeps below its limit. */
const METRICS_BYTES_MAX = 65_536;

export function streamReply(m: Machine, job: Job): CoreReply {
  const found = m.rules.streamAnswer(job);
  if (found === 'not-found') return refusal(m, 'no-such-job', 'stream', `job not found: ${job.id}`);
  if (found === 'error')
    return refusal(m, 'no-stream', 'stream', `there is no stream of job ${job.id}: ${job.status}`);
  return jsonReply(m, m.rules.successCode('stream'), m.rules.streamBody(job, chunksFor(m, job, found)));
}

function chunksFor(m: Machine, job: Job, found: 'chunks' | 'all-chunks' | 'empty'): readonly Json[] {
  if (found === 'empty') return [];
  if (found === 'all-chunks') return [...job.chunks];
  const to = m.rules.chunksTo(job);
  const chunks = job.chunks.slice(m.rules.chunksFrom(job), to);
  if (to > job.chunksRead) {
    job.chunksRead = to;
    noteJob(m, job);
  }
  return chunks;
}
