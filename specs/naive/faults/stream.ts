/** Faults of section 4.4: `/stream`. */
import { refuse } from '../call.js';
import { hasEnded, type Job } from '../job.js';
import type { Json, JsonObject } from '../json.js';
import { MINUTE_MS } from '../submission.js';
import { perEndpoint, perJob, nowIn, later } from './memory.js';
import { crossedAnswers, isSame } from './steps.js';
import type { Faults } from './fault.js';

export const STREAM_FAULTS = {
  'stream-loses-first': { unread: (page, from) => (from === 0 ? page.slice(1) : page) },
  'stream-loses-last': {
    unread: (page, from, job) =>
      hasEnded(job) ? page.filter((_, index) => from + index + 1 < job.chunks.length) : page,
  },
  'stream-newest-only': { shownOutputs: (outputs) => outputs.slice(-1) },
  'stream-duplicates': { shownOutputs: (outputs) => outputs.flatMap((output) => [output, output]) },
  'stream-reversed': { shownOutputs: (outputs) => outputs.reverse() },
  'stream-only-after-end': { streamClosed: (job) => !hasEnded(job) },
  'stream-gone-at-end': { counted: (job) => void (job.chunks = []) },
  'stream-falsy-lost': { shownOutputs: (outputs) => outputs.filter(Boolean) },
  'stream-mixes-jobs': { chunks: (_chunks, { job }) => job.endpoint.latest ?? job },
  'stream-lost-on-failure': {
    counted(job, status) {
      if (status === 'FAILED') job.chunks = [];
    },
  },
  'stream-every-tenth-lost': {
    unread: (page, from) => page.filter((_, index) => (from + index + 1) % 10 > 0),
  },
  'stream-repeats-merged': {
    chunks(chunks, { job }) {
      if (chunks.length === 1 && isSame(chunks[0], job.chunks.at(-1))) chunks.length = 0;
      return job;
    },
  },
  'stream-sorted-as-text': {
    unread(page, _from, job) {
      const place = (output: Json): string => String(job.chunks.indexOf(output));
      return page.sort((one, other) => (place(one) < place(other) ? -1 : 1));
    },
  },
  'stream-position-shared': {
    with: () => {
      const positionOf = perEndpoint(() => ({ chunksRead: 0 }));
      return {
        streamFrom: (_from, { endpoint }) => positionOf(endpoint).chunksRead,
        unread(page, from, { endpoint }) {
          positionOf(endpoint).chunksRead = from + page.length;
          return page;
        },
      };
    },
  },
  'stream-chunk-lives-a-minute': {
    chunks(_chunks, { job }) {
      later(job.endpoint, MINUTE_MS, () => job.chunksRead === 0 && job.chunks.shift());
      return job;
    },
  },
  'stream-of-cancelled-in-next': {
    with: () => {
      const unreadOf = perEndpoint(() => ({ chunks: [] as Json[] }));
      return {
        cancelsRunning({ job }) {
          unreadOf(job.endpoint).chunks = job.chunks.slice(job.chunksRead);
          return false;
        },
        started: ({ job }) => void job.chunks.push(...unreadOf(job.endpoint).chunks.splice(0)),
      };
    },
  },
  'stream-only-new-to-nobody': {
    statusRead(record, job) {
      job.chunksRead = job.chunks.length;
      return record;
    },
  },
  'stream-read-at-most-ten': { unread: (page) => page.slice(0, 10) },
  'stream-one-per-instant': {
    with: () => {
      const latestMs = new WeakMap<Job, number>();
      return {
        chunks(_chunks, { job }) {
          if (latestMs.get(job) === nowIn(job.endpoint)) job.chunks.pop();
          latestMs.set(job, nowIn(job.endpoint));
          return job;
        },
      };
    },
  },
  'stream-large-after-small': {
    with: () => {
      const heldOf = perJob(() => ({ chunks: [] as Json[] }));
      return {
        chunks(chunks, { job }) {
          const held = heldOf(job);
          const before = held.chunks.splice(0);
          if (chunks.length > 1) held.chunks = chunks.splice(0);
          chunks.push(...before);
          return job;
        },
        finishes: ({ job }) => void job.chunks.push(...heldOf(job).chunks.splice(0)),
      };
    },
  },
  'stream-second-read-repeats-last': { streamFrom: (from) => Math.max(0, from - 1) },
  'stream-first-worker-only': { keepsChunk: (run) => !run.beside },
  'stream-from-first-read': {
    with: () => {
      const read = new WeakSet<Job>();
      return {
        keepsChunk: ({ job }) => read.has(job),
        answerStream(reply, job, answer) {
          read.add(job);
          answer(reply);
        },
      };
    },
  },
  'stream-closes-when-empty': {
    with: () => {
      const over = new WeakSet<Job>();
      return {
        keepsChunk: ({ job }) => !over.has(job),
        unread(page, _from, job) {
          if (page.length === 0) over.add(job);
          return page;
        },
      };
    },
  },
  'stream-read-while-waiting-stays-empty': {
    with: () => {
      const over = new WeakSet<Job>();
      return {
        keepsChunk: ({ job }) => !over.has(job),
        unread(page, _from, job) {
          if (job.status === 'IN_QUEUE') over.add(job);
          return page;
        },
      };
    },
  },
  'stream-answers-crossed': { with: () => ({ answerStream: crossedAnswers() }) },
  'stream-wrapped': { shownChunks: (chunks) => ({ stream: [...chunks] }) },
  'stream-ndjson': {
    streamReply: (_reply, outputs) => ({
      code: 200,
      text: outputs.map((output) => `${JSON.stringify({ output })}\n`).join(''),
    }),
  },
  'stream-answers-409': { streamReply: () => refuse(409, 'the handler does not stream') },
  'stream-of-running-answers-409': {
    hidden: (_endpoint, job, operation) =>
      operation === 'stream' && job.status === 'IN_PROGRESS' ? refuse(409, 'the job runs') : null,
  },
  'stream-resets-connection': { streamReply: () => ({ code: 500, hangUp: true }) },
  'stream-of-running-resets-connection': {
    hidden: (_endpoint, job, operation) =>
      operation === 'stream' && job.status === 'IN_PROGRESS' ? { code: 500, hangUp: true } : null,
  },
  'stream-single-object': {
    shownChunks: (chunks) => (chunks.length === 1 ? (chunks[0] as JsonObject) : [...chunks]),
  },
  'stream-not-split': { split: (_parts, result) => [result] },
  'stream-large-cut': { split: (parts) => parts.slice(0, 1) },
  'stream-dropped-when-large': { split: () => [] },
  'stream-split-loses-byte': {
    split: (parts) => parts.map((part, index) => (index > 0 ? part.slice(1) : part)),
  },
  'stream-split-overlaps': {
    split: (parts) => parts.map((part, index) => `${parts[index - 1]?.at(-1) ?? ''}${part}`),
  },
  'stream-split-reversed': { split: (parts) => parts.reverse() },
  'stream-split-at-two': { chunkBytesMax: () => 2_097_152 },
  'stream-large-fails-job': {
    chunks(chunks, run) {
      if (chunks.length > 1) {
        chunks.length = 0;
        run.job.endpoint.workers.failed(run, 'chunk too large');
      }
      return run.job;
    },
  },
  'stream-limit-in-characters': {
    split: (parts, result, bytesMax) => (JSON.stringify(result).length <= bytesMax ? [result] : parts),
  },
  'stream-split-inside-character': {
    split(_parts, result, bytesMax) {
      const bytes = Buffer.from(typeof result === 'string' ? result : JSON.stringify(result));
      const count = Math.ceil(bytes.length / (bytesMax / 2));
      return Array.from({ length: count }, (_, index) => {
        const first = Math.floor((index * bytesMax) / 2);
        return bytes.toString('utf8', first, Math.floor(((index + 1) * bytesMax) / 2));
      });
    },
  },
  'stream-split-drops-short-rest': {
    split: (parts, _result, bytesMax) =>
      String(parts.at(-1)).length < bytesMax / 10 ? parts.slice(0, -1) : parts,
  },
  'stream-list-cut': { split: (parts, result) => (Array.isArray(result) ? parts.slice(0, 1) : parts) },
  'stream-second-large-lost': {
    with: () => {
      const seen = new WeakSet<Job>();
      return {
        chunks(chunks, { job }) {
          if (chunks.length > 1) {
            if (seen.has(job)) chunks.length = 1;
            seen.add(job);
          }
          return job;
        },
      };
    },
  },
} satisfies Faults;
