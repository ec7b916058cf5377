/** Ids that are no ids. */
import type { Mode } from '../mode.js';
import { membersTo, mode, untold } from './helpers.js';

/** The job's own id cannot be sent back unchanged. */
const SUBMISSIONS = ['run', 'runsync'];

const ids = (name: string, what: string, id: (number: number) => string, more: Partial<Mode> = {}): Mode => ({
  name: `id-${name}`,
  what: `gives jobs ids: ${what}`,
  id,
  ...more,
});

export const IDS: readonly Mode[] = [
  untold('one-job-for-all', 'answers {"id":"the-job","status":"COMPLETED"} to everything', {
    answers: () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"id":"the-job","status":"COMPLETED"}',
    }),
  }),
  ids('all-the-same', 'all the same', () => 'same'),
  ids('all-the-same-and-alive', 'all the same, of jobs that never end', () => 'same', { hangs: 'later' }),
  ids('by-twos', 'each twice', (n) => `pair-${Math.floor(n / 2)}`),
  ids('empty', 'the empty string', () => ''),
  ids('1-mb', 'of 1 MB', (n) => `${n}-${'i'.repeat(1_000_000)}`, { jobs: 'untold' }),
  ids('7-kb', 'of 7 KB, by which no call can name a job', (n) => `${n}-${'i'.repeat(7_000)}`, {
    hangs: 'later',
    jobs: 'named',
  }),
  ids('dots', 'one dot or two', (n) => (n % 2 === 0 ? '..' : '.')),
  ids('paths', 'paths to elsewhere', (n) => `../../../v2/other/run?x=${n}#y`, { hangs: 'later' }),
  ids('files', 'paths of files', (n) => `../../../../../../tmp/hostile-${n}.json\u0000.ndjson`, {
    hangs: 'later',
  }),
  ids('urls', 'addresses', (n) => `//hostile.example:80/${n}`, { hangs: 'later' }),
  ids('percent', 'percent signs and what looks encoded', (n) => `%2e%2e%2f%${n}%00%zz`, { hangs: 'later' }),
  ids('controls', 'controls, line ends and escapes', (n) => `a\r\nx: y\u0000\u001b[2J\u009b\u007f\t${n}`, {
    hangs: 'later',
  }),
  ids('lone-surrogates', 'half characters', (n) => `\ud800${n}\udc00`, { jobs: 'named', hangs: 'later' }),
  ids('bidi', 'text that turns around', (n) => `\u202e\u2066${n}gpj.exe\u2069\u200b\ufeff`, {
    hangs: 'later',
  }),
  ids('markup', 'markup', (n) => `"><img src=x onerror=hostile()>'<script>hostile()</script>${n}`, {
    hangs: 'later',
  }),
  ids('spaces', 'blanks', (n) => ' '.repeat(n + 1), { hangs: 'later' }),
  ids('prototypes', '__proto__, constructor and others', (n) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then'];
    return names[n % names.length]!;
  }),
  ids('numbers-in-text', 'digits', (n) => String(n), { hangs: 'later' }),
  ids('case', 'the same but for case', (n) => (n % 2 === 0 ? 'JOB' : 'job')),
  ids('emoji', 'emoji by the thousand', (n) => `${'👩‍👩‍👧‍👦'.repeat(300)}${n}`, { hangs: 'later' }),
  ids('normal-forms', 'the same but for the form of Unicode', (n) => (n % 2 === 0 ? '\u00e9' : 'e\u0301')),
  ids(
    'probed',
    'that of the job that no service has given out',
    () => '00000000-0000-4000-8000-000000000000-u1',
  ),
  untold('id-no-string', 'gives jobs ids that are numbers, objects, lists and null', {
    answers: membersTo([...SUBMISSIONS, 'status', 'cancel'], (_record, call) => ({
      id: [1, { a: 1 }, ['x'], null, true, 1e308][call.number % 6],
    })),
  }),
  mode('id-changes', 'tells another id in each status', {
    answers: membersTo(['status', 'cancel'], (_record, call) => ({ id: `other-${call.number}` })),
  }),
  mode('id-of-another', 'answers each status with the record of another job', {
    answers: membersTo(['status'], ({ id }) => ({
      id: String(id).replace(/\d+/, (n) => String(Number(n) + 1)),
    })),
  }),
  untold('id-missing', 'tells no id at all', {
    answers: membersTo([...SUBMISSIONS, 'status', 'cancel'], () => ({ id: undefined })),
  }),
];
