/** Faults of section 4.4: `/stream`. */
import { refuse } from '../call.js';
import { hasEnded, type Job } from '../job.js';
import type { Json, JsonObject } from '../json.js';
import { MINUTE_MS } from '../submission.js';
import { perEndpoint, perJob, nowIn, later } from './memory.js';
import { crossedAnswers, isSame } from './steps.js';
import { breaking } from './fault.js';

export const STREAM_FAULTS = [
  breaking('4.4', 'delivering incremental results as produced', {
    'stream-loses-first': {
      does: 'the first chunk is never delivered',
      unread: (page, from) => (from === 0 ? page.slice(1) : page),
    },
    'stream-loses-last': {
      does: 'the last chunk of a finished job is never delivered',
      unread: (page, from, job) =>
        hasEnded(job) ? page.filter((_, index) => from + index + 1 < job.chunks.length) : page,
    },
    'stream-latest-only': {
      does: 'a read delivers the newest chunk only; those before it are lost',
      shownOutputs: (outputs) => outputs.slice(-1),
    },
    'stream-duplicates': {
      does: 'every chunk is delivered twice',
      shownOutputs: (outputs) => outputs.flatMap((output) => [output, output]),
    },
    'stream-reversed': {
      does: 'the chunks of one read come in reverse order',
      shownOutputs: (outputs) => outputs.reverse(),
    },
    'stream-only-at-end': {
      does: 'nothing is delivered before the job has ended',
      streamClosed: (job) => !hasEnded(job),
    },
    'stream-gone-at-end': {
      does: 'nothing is delivered once the job has ended',
      counted: (job) => void (job.chunks = []),
    },
    'stream-falsy-lost': {
      does: 'chunks whose output is 0, false, "" or null are lost',
      shownOutputs: (outputs) => outputs.filter(Boolean),
    },
    'stream-mixes-jobs': {
      does: 'chunks go to the stream of the job submitted last',
      chunks: (_chunks, { job }) => job.endpoint.latest ?? job,
    },
    'stream-lost-on-failure': {
      does: 'a failed job loses the chunks not yet read',
      counted(job, status) {
        if (status === 'FAILED') job.chunks = [];
      },
    },
    'stream-every-tenth-lost': {
      does: 'every tenth chunk is lost',
      unread: (page, from) => page.filter((_, index) => (from + index + 1) % 10 > 0),
    },
    'stream-repeats-merged': {
      does: 'a chunk equal to the one before it is dropped',
      chunks(chunks, { job }) {
        if (chunks.length === 1 && isSame(chunks[0], job.chunks.at(-1))) chunks.length = 0;
        return job;
      },
    },
    'stream-sorted-as-text': {
      does: 'the chunks of one read are sorted by their numbers as text: 0, 1, 10, 11, 2',
      unread(page, _from, job) {
        const place = (output: Json): string => String(job.chunks.indexOf(output));
        return page.sort((one, other) => (place(one) < place(other) ? -1 : 1));
      },
    },
    'stream-position-shared': {
      does: 'where a reader has got to is kept for the endpoint, not for the job',
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
      does: 'a chunk not read within a minute is dropped',
      chunks(_chunks, { job }) {
        later(job.endpoint, MINUTE_MS, () => job.chunksRead === 0 && job.chunks.shift());
        return job;
      },
    },
    'stream-of-cancelled-in-next': {
      does: 'what a cancelled job streamed and nobody read comes with the next job',
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
    'status-drains-stream': {
      does: 'a /status takes away what /stream has not delivered yet',
      statusRead(record, job) {
        job.chunksRead = job.chunks.length;
        return record;
      },
    },
    'stream-read-at-most-ten': {
      does: 'a read delivers the first ten new chunks; the others are lost',
      unread: (page) => page.slice(0, 10),
    },
    'stream-one-per-instant': {
      does: 'of the chunks of one millisecond one is kept',
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
      does: 'a large result that is split comes after the small one that follows it',
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
    'stream-second-read-repeats-last': {
      does: 'each read begins with the last chunk of the read before',
      streamFrom: (from) => Math.max(0, from - 1),
    },
    'stream-first-worker-only': {
      does: 'what a job streams that starts while another runs is lost',
      keepsChunk: (run) => !run.beside,
    },
    'stream-from-first-read': {
      does: 'what was streamed before the first read is not delivered',
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
      does: 'once a read has found nothing new, nothing is delivered any more',
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
      does: 'a read of a waiting job ends its stream',
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
    'stream-answers-crossed': {
      does: 'of two reads under way both are answered with the job of the later',
      with: () => ({ answerStream: crossedAnswers() }),
    },
  }),
  breaking('4.4', 'Response: JSON array of stream chunks (2.5)', {
    'stream-in-object': {
      does: 'the array is wrapped in an object',
      shownChunks: (chunks) => ({ stream: [...chunks] }),
    },
    'stream-ndjson': {
      does: 'one chunk per line, no array',
      streamReply: (_reply, outputs) => ({
        code: 200,
        text: outputs.map((output) => `${JSON.stringify({ output })}\n`).join(''),
      }),
    },
    'stream-answers-409': {
      does: 'every read is answered 409',
      streamReply: () => refuse(409, 'the handler does not stream'),
    },
    'stream-of-running-answers-409': {
      does: 'a read is answered 409 as long as the job runs',
      hidden: (_endpoint, job, operation) =>
        operation === 'stream' && job.status === 'IN_PROGRESS' ? refuse(409, 'the job runs') : null,
    },
    'stream-resets-connection': {
      does: 'every read ends with a lost connection',
      streamReply: () => ({ code: 500, hangUp: true }),
    },
    'stream-of-running-resets-connection': {
      does: 'a read of a running job ends with a lost connection',
      hidden: (_endpoint, job, operation) =>
        operation === 'stream' && job.status === 'IN_PROGRESS' ? { code: 500, hangUp: true } : null,
    },
    'stream-single-object': {
      does: 'a read with one chunk answers the chunk without array',
      shownChunks: (chunks) => (chunks.length === 1 ? (chunks[0] as JsonObject) : [...chunks]),
    },
  }),
  breaking('4.4', 'A single streamed chunk is at most 1 MB; larger outputs are split over several chunks.', {
    'stream-not-split': { does: 'a large output is one chunk', split: (_parts, result) => [result] },
    'stream-cut': { does: 'a large output is cut off at the limit', split: (parts) => parts.slice(0, 1) },
    'stream-dropped-when-large': { does: 'a large output is not delivered', split: () => [] },
    'stream-split-loses-byte': {
      does: 'splitting loses one character at each cut',
      split: (parts) => parts.map((part, index) => (index > 0 ? part.slice(1) : part)),
    },
    'stream-split-overlaps': {
      does: 'splitting repeats one character at each cut',
      split: (parts) => parts.map((part, index) => `${parts[index - 1]?.at(-1) ?? ''}${part}`),
    },
    'stream-split-reversed': { does: 'the parts come in reverse order', split: (parts) => parts.reverse() },
    'stream-split-at-two': { does: 'the limit is 2 MB', chunkBytesMax: () => 2_097_152 },
    'stream-large-fails-job': {
      does: 'a large output fails the job',
      chunks(chunks, run) {
        if (chunks.length > 1) {
          chunks.length = 0;
          run.job.endpoint.workers.failed(run, 'chunk too large');
        }
        return run.job;
      },
    },
  }),
  breaking('4.4', 'larger outputs are split over several chunks', {
    'stream-limit-in-characters': {
      does: 'a chunk may have a million characters, whatever their bytes',
      split: (parts, result, bytesMax) => (JSON.stringify(result).length <= bytesMax ? [result] : parts),
    },
    'stream-split-inside-character': {
      does: 'splitting by bytes breaks the character at each cut',
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
      does: 'a rest of less than a tenth of the limit is lost',
      split: (parts, _result, bytesMax) =>
        String(parts.at(-1)).length < bytesMax / 10 ? parts.slice(0, -1) : parts,
    },
    'stream-list-cut': {
      does: 'a large list is cut, not split',
      split: (parts, result) => (Array.isArray(result) ? parts.slice(0, 1) : parts),
    },
    'stream-second-large-lost': {
      does: 'of several large results of a job only the first is split, the others are cut',
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
  }),
];
