import type { SavedJob, SavedTimer } from '../../core/saved.js';

/** Of a job, what changes often. */
export type Rest = Omit<SavedJob, 'submission' | 'output' | 'chunks' | 'streamed'>;

/**
 * What changes often, as JSON text. Every change of a job writes it, and this takes a quarter of the time of
 * `JSON.stringify`.
 */
export function restOf(job: Rest): string {
  return (
    `{"id":${textOrNull(job.id)},"endpoint":${textOrNull(job.endpoint)},"op":"${job.op}",` +
    `"status":"${job.status}","submittedMs":${job.submittedMs},"queuedMs":${job.queuedMs},` +
    `"startedMs":${job.startedMs},"endedMs":${job.endedMs},"worker":${textOrNull(job.worker)},` +
    `"place":${job.place},"ranBefore":${job.ranBefore},"ttlTimer":${timerText(job.ttlTimer)},` +
    `"executionTimer":${timerText(job.executionTimer)},` +
    `"retentionTimer":${timerText(job.retentionTimer)}${isPlain(job) ? PLAIN : seldomOf(job)}}`
  );
}

/** What is the same in most jobs. */
type Seldom = Omit<
  Rest,
  | 'id'
  | 'endpoint'
  | 'op'
  | 'status'
  | 'submittedMs'
  | 'queuedMs'
  | 'startedMs'
  | 'endedMs'
  | 'worker'
  | 'place'
  | 'ranBefore'
  | 'ttlTimer'
  | 'executionTimer'
  | 'retentionTimer'
>;

const isPlain = (job: Seldom): boolean =>
  job.waitMs === null &&
  job.error === null &&
  job.chunksRead === 0 &&
  job.retries === 0 &&
  job.redispatches === 0 &&
  !job.crashed &&
  !job.outlivedWait &&
  job.waitedBeforeMs === 0 &&
  job.ranBeforeMs === 0 &&
  job.readMs === null &&
  job.ttlSet === null;

/** Continues a JSON object. */
function seldomOf(job: Seldom): string {
  return (
    `,"waitMs":${job.waitMs},"error":${textOrNull(job.error)},"chunksRead":${job.chunksRead},` +
    `"retries":${job.retries},"redispatches":${job.redispatches},"crashed":${job.crashed},` +
    `"outlivedWait":${job.outlivedWait},"waitedBeforeMs":${job.waitedBeforeMs},` +
    `"ranBeforeMs":${job.ranBeforeMs},"readMs":${job.readMs},` +
    `"ttlSet":${job.ttlSet === null ? 'null' : JSON.stringify(job.ttlSet)}`
  );
}

/** Without what JSON has to escape. */
const PLAIN_TEXT = /^[\w .:-]*$/;

function textOrNull(text: string | null): string {
  if (text === null) return 'null';
  return PLAIN_TEXT.test(text) ? `"${text}"` : JSON.stringify(text);
}

const timerText = (timer: SavedTimer | null): string =>
  timer === null ? 'null' : `[${timer[0]},${timer[1]}]`;

/** Its text in most jobs, which is made once. */
const PLAIN = seldomOf({
  waitMs: null,
  error: null,
  chunksRead: 0,
  retries: 0,
  redispatches: 0,
  crashed: false,
  outlivedWait: false,
  waitedBeforeMs: 0,
  ranBeforeMs: 0,
  readMs: null,
  ttlSet: null,
});
