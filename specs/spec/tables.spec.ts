import { describe, expect, it } from 'vitest';
import {
  API_VERSION,
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  DAY_MS,
  HEALTH_JOB_COUNTERS,
  HEALTH_WORKER_COUNTERS,
  JOB_STATUSES,
  OPERATIONS,
  OTHER_OPERATIONS,
  PURGE_STATUS,
  RATES,
  RATE_WINDOW_MS,
  RUN_PAYLOAD_MAX,
  RUN_RETENTION_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUNSYNC_RETENTION_MS,
  RUNSYNC_RETENTION_WITH_WAIT_MAX_MS,
  S3_CONFIG_FIELDS,
  STREAM_CHUNK_MAX,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_DEFAULT_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
  type Operation,
} from '../../src/spec/index.js';
import { readSections } from './document.js';

const sections = readSections();

/** The rows of the tables of a section, headings left out, each as its cells without backticks. */
function rows(section: string): readonly (readonly string[])[] {
  const lines = sections.get(section) ?? [];
  return lines
    .filter(
      (line, at) => line.startsWith('|') && !line.startsWith('|---') && !lines[at + 1]?.startsWith('|---'),
    )
    .map((line) => line.slice(1, -1).split(' | '))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()));
}

/** The words in backticks at the beginnings of the rows of a section. */
const firstCells = (section: string): readonly string[] => rows(section).map(([first = '']) => first);

/** The text of a section's row whose first cell is this. */
const cellAfter = (section: string, first: string): string =>
  rows(section).find((row) => row[0] === first)?.[1] ?? '';

const operationNames: { readonly [title: string]: Operation } = {
  'Synchronous job': 'runsync',
  'Asynchronous job': 'run',
  'Job status': 'status',
  'Stream output': 'stream',
  Cancel: 'cancel',
  Retry: 'retry',
  'Purge queue': 'purge-queue',
  Health: 'health',
};

describe('the data and the tables of the document', () => {
  it('agree on methods and paths (4)', () => {
    const inDocument = rows('4').map(([title = '', method, path]) => [operationNames[title], method, path]);
    const inData = OPERATIONS.map(({ op, method, path }) => [op, method, path]);
    expect(inData).toEqual(inDocument);
    for (const { path } of [...OPERATIONS, ...OTHER_OPERATIONS]) expect(path).toContain(`/${API_VERSION}/`);
  });

  it('agree on rates and concurrency (8)', () => {
    const limited = rows('8').filter((row) => row.length === 4);
    expect(limited).toHaveLength(8);
    for (const [path = '', , rate, concurrency] of limited) {
      const op = path.replace('/', '').replace('/*', '') as Operation;
      expect(rate, path).toBe(`${RATES[op]?.requests} requests per ${RATE_WINDOW_MS / 1000} seconds`);
      expect(concurrency, path).toBe(String(RATES[op]?.concurrency ?? 'not applicable'));
    }
    const named = Object.values(RATES).filter((rate) => rate !== null);
    expect(named).toHaveLength(limited.length);
  });

  it('agree on limits and defaults (8)', () => {
    const days = (ms: number): string => `${ms / DAY_MS} days`;
    expect(cellAfter('8', '/runsync payload')).toBe(`${RUNSYNC_PAYLOAD_MAX.megabytes} MB`);
    expect(cellAfter('8', '/run payload')).toBe(`${RUN_PAYLOAD_MAX.megabytes} MB`);
    expect(cellAfter('8', 'Streamed chunk')).toBe(`${STREAM_CHUNK_MAX.megabytes} MB`);
    expect(cellAfter('8', '/runsync wait')).toBe(
      `${WAIT_MIN_MS} to ${WAIT_MAX_MS} ms, default ${WAIT_DEFAULT_MS}`,
    );
    expect(cellAfter('8', 'Result retention')).toBe(
      `${RUN_RETENTION_MS / 60_000} minutes (/run); ${RUNSYNC_RETENTION_MS / 60_000} minute (/runsync), ` +
        `up to ${RUNSYNC_RETENTION_WITH_WAIT_MAX_MS / 60_000} minutes with wait`,
    );
    expect(cellAfter('8', 'executionTimeout')).toBe(
      `default ${EXECUTION_TIMEOUT_DEFAULT_MS} ms; min ${EXECUTION_TIMEOUT_MIN_MS / 1000} s; ` +
        `max ${days(EXECUTION_TIMEOUT_MAX_MS)}`,
    );
    expect(cellAfter('8', 'ttl')).toBe(
      `default ${TTL_DEFAULT_MS} ms; min ${TTL_MIN_MS / 1000} s; max ${days(TTL_MAX_MS)}`,
    );
  });

  it('agree on the states (3)', () => {
    const [line = ''] = sections.get('3') ?? [];
    const named = line.slice(0, line.indexOf('. ')).match(/[A-Z]+_?[A-Z]+/g);
    expect(named).toEqual([...JOB_STATUSES]);
  });

  it('agree on the fields of s3Config, purge result and health record (2)', () => {
    expect(firstCells('2.3')).toEqual([...S3_CONFIG_FIELDS]);
    expect(cellAfter('2.6', 'status')).toContain(`the value ${PURGE_STATUS}`);
    expect(firstCells('2.7')).toEqual([
      ...HEALTH_JOB_COUNTERS.map((name) => `jobs.${name}`),
      ...HEALTH_WORKER_COUNTERS.map((name) => `workers.${name}`),
    ]);
  });
});
