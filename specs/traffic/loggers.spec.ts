/** What loggers do to bodies and times: no service is accused for it, and what is lost by it is said. */
import { describe, expect, test } from 'vitest';
import { AT_MS, entry, har, JOB, judged, LIFE, line, ndjson, type Told } from './recordings.js';

const text = ({ reply }: Told): string => JSON.stringify(reply);
const cutTo = (one: Told, mark = ''): object => line(one, { body: text(one).slice(0, 60) + mark });
const LAST = LIFE.at(-1)!;
const CUT = 'left out: 1 message whose body the recorder has cut off';
/** The reply of the last call, as the recording has it. */
const lastOf = (one: object) => judged([ndjson([...LIFE.slice(0, -1).map((told) => line(told)), one])]);

describe('a body that was cut', () => {
  test.each<[string, object]>([
    ['in the middle', cutTo(LAST)],
    ['and marked', cutTo(LAST, '…')],
    ['and marked with words', cutTo(LAST, '... (truncated)')],
    ['where its length says so', line(LAST, { body: '{}', headers: { 'content-length': '190' } })],
  ])('%s, is not recorded', (_, one) => {
    const { failed, notes, calls } = lastOf(one);
    expect(failed).toEqual([]);
    expect(notes).toContain(CUT);
    expect(calls.at(-1)).toMatchObject({ reply: null, lost: 'aborted' });
  });

  test('a submission of which only the beginning is recorded is left out', () => {
    const [run, ...polls] = LIFE.map((one) => line(one));
    const { failed, notes } = judged([ndjson([{ ...run, requestBody: '{"input":{"prom' }, ...polls])]);
    expect(failed).toEqual([]);
    expect(notes).toEqual(expect.arrayContaining([CUT, 'left out: 1 submission without a recorded body']));
  });

  test('a HAR whose text is smaller than its size', () => {
    const cut = entry(LAST, {}, { content: { size: 500, mimeType: 'application/json', text: '{}' } });
    const { failed, notes } = judged([har([...LIFE.slice(0, -1).map((one) => entry(one)), cut])]);
    expect(failed).toEqual([]);
    expect(notes).toContain(CUT);
  });

  test.each<[string, object]>([
    ['no JSON at all', line(LAST, { body: 'Internal error' })],
    ['JSON with something behind it', line(LAST, { body: '{"id":1}}' })],
    ['as long as its header says', line(LAST, { body: '{"id":', headers: { 'content-length': '6' } })],
  ])('%s is what the service has sent', (_, one) => {
    const { failed, notes } = lastOf(one);
    expect(failed).toContain('1/json-body-status');
    expect(notes).toEqual([]);
  });
});

describe('times', () => {
  test.each([1e3, 1e6])('%s parts of a millisecond', (perMs) => {
    const at = (ms: number): string => `${BigInt(AT_MS + ms) * BigInt(perMs)}`;
    const lines = LIFE.map((one) => line(one, { start: at(one.atMs), end: at(one.atMs + 40) }));
    const { failed, calls } = judged([ndjson(lines)]);
    expect(failed).toEqual([]);
    expect(calls.at(-1)!.sentMs).toBeGreaterThan(4_990);
    expect(calls.at(-1)!.sentMs).toBeLessThan(5_010);
  });

  /** A call of /runsync that waits for 1.5 s of a longer job, in whole units of a clock. */
  const waited = (unitMs: number): readonly object[] => {
    const floored = (ms: number): object => ({ end: undefined, ms: Math.floor(ms / unitMs) * unitMs });
    const reply = { id: JOB, status: 'IN_PROGRESS', delayTime: 10 };
    const body = { input: { prompt: 'x' } };
    return [
      line({ atMs: 0, op: 'runsync?wait=1500', body, reply }, floored(1_503)),
      ...[2_000, 3_000].map((atMs) => line({ atMs, op: `status/${JOB}`, reply }, floored(7))),
    ];
  };

  test.each([1_000, 100, 1])('`ms` that is cut to units of %d ms', (unitMs) => {
    const { failed, calls } = judged([ndjson(waited(unitMs))], { others: false });
    expect(failed).toEqual([]);
    const [{ sentMs, receivedMs }] = calls as [(typeof calls)[number]];
    expect(receivedMs! - sentMs).toBeGreaterThanOrEqual(1_503);
    expect(receivedMs! - sentMs).toBeLessThan(1_503 + 2 * unitMs + 5);
  });

  test('a reply of which is not recorded when it came is said to be left out', () => {
    const endless = LIFE.map((one) => line(one, { end: undefined }));
    expect(judged([ndjson(endless)]).notes).toEqual([
      `left out: ${LIFE.length} answers without a recorded time (\`end\` or \`ms\`, in a HAR \`time\`)`,
    ]);
  });
});

test('two jobs with one id in the same millisecond are no repetition', () => {
  const [run] = LIFE;
  const other = line({ ...run!, body: { input: { prompt: 'another' } } });
  const twice = judged([ndjson([line(run!), other])]);
  expect(twice.failed).toContain('2.4/id-unique');
  expect(judged([ndjson([line(run!), line(run!)])])).toMatchObject({
    ...{ failed: [], notes: ['left out: 1 exchange recorded more than once'] },
  });
});
