/** Answers that repeat what only the two sides may know, in all the forms that find their way into files. */
import type { Call, Mode } from '../mode.js';
import { headers, laterAnswers, members, membersTo, mode, post, recordText, untold } from './helpers.js';

/** The key in every form in which a service could show it and a reader could use it. */
const formsOf = (key: string): readonly string[] => [
  key,
  key.toUpperCase(),
  key.toLowerCase(),
  encodeURIComponent(key),
  JSON.stringify(key),
  Buffer.from(key).toString('base64'),
  Buffer.from(`user:${key}`).toString('base64'),
  Buffer.from(key).toString('base64url'),
  [...key].map((character) => `&#${character.codePointAt(0)};`).join(''),
];

const echo = (call: Call): string => formsOf(call.key).join(' ');
/** The second call of a run sends the key in its other form, and so on: everything received is repeated. */
const seen = new Set<string>();
const remembered = (call: Call): readonly string[] => {
  seen.add(call.key);
  return [...seen].slice(-30);
};

const RECORDS = ['run', 'runsync', 'status', 'cancel', 'retry', 'stream'];

export const ECHOES: readonly Mode[] = [
  mode('echo-headers', 'sends back all headers of the request as headers', {
    answers: headers((_plain, call) => ({
      'x-echo': call.key,
      'x-bearer': `Bearer ${call.key}`,
      'x-all': encodeURIComponent(call.head),
      'set-cookie': [`key=${call.key}`, `key64=${Buffer.from(call.key).toString('base64')}`],
      'www-authenticate': `Bearer realm="${call.key}"`,
    })),
  }),
  mode('echo-body', 'puts the headers of the request into every record', {
    answers: members((_record, call) => ({
      request: call.head,
      headers: call.headers,
      [call.key]: call.key,
    })),
  }),
  mode('echo-forms', 'puts the key in all its forms into every record and header', {
    answers: (call, plain) =>
      headers(() => ({ 'x-forms': echo(call) }))(
        call,
        members(() => ({ error: echo(call), forms: formsOf(call.key) }))(call, plain),
      ),
  }),
  mode('echo-text', 'answers bad requests with a page that shows the request', {
    answers: laterAnswers((call, plain) =>
      plain.status === 200 && call.operation !== 'status'
        ? plain
        : {
            status: plain.status,
            headers: { 'content-type': 'text/html' },
            body: `<pre>${call.head}\n${echo(call)}</pre>`,
          },
    ),
  }),
  mode('echo-cut', 'places the key where long texts are cut', {
    answers: (call, plain) => {
      const parts = [40, 60, 80, 100, 120, 160, 200, 240, 400, 500, 1_000, 2_000, 4_000].map(
        (at) => `${'-'.repeat(Math.max(0, at - 10))}${call.key}`,
      );
      return call.number % 2 === 0
        ? members(() => ({ error: parts[call.number % parts.length], output: parts }))(call, plain)
        : { ...plain, body: plain.status === 200 ? plain.body : parts[call.number % parts.length]! };
    },
  }),
  mode('echo-status', 'tells the key as the status and the output of jobs', {
    answers: laterAnswers(
      membersTo(RECORDS, (_r, call) => ({ status: call.key, output: { [call.key]: [call.key] } })),
    ),
  }),
  mode('echo-type', 'tells the key as the type of its content', {
    answers: headers((_plain, call) => ({ 'content-type': `application/json; key=${call.key}` })),
  }),
  mode('echo-location', 'redirects to an address that holds the key', {
    answers: laterAnswers((call, plain) =>
      call.operation === 'status'
        ? {
            status: 302,
            headers: { location: `http://${encodeURIComponent(call.key)}@127.0.0.1/?api_key=${call.key}` },
            body: '',
          }
        : plain,
    ),
  }),
  mode('echo-all-that-came', 'tells each caller the keys of all callers before', {
    answers: members((_record, call) => ({ seen: remembered(call) })),
  }),
  mode('echo-reversed-cases', 'tells the key with its case changed, without its ends, and in pieces', {
    answers: members((_record, call) => {
      const key = call.key;
      return {
        'truncated-start': key.slice(1),
        cut: key.slice(0, -1),
        both: key.slice(1, -1),
        swapped: [...key].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join(''),
        followed: `${key}x`,
      };
    }),
  }),
  untold('echo-id', 'gives jobs ids that hold the key', {
    answers: laterAnswers(membersTo(RECORDS, ({ id }, call) => ({ id: `${String(id)}-${call.key}` }))),
  }),
  mode('echo-webhook', 'calls webhooks with the key, which it has seen, in headers, body and address', {
    answers: (call, plain) => {
      if (call.operation === 'health') seen.add(call.key);
      return plain;
    },
    async calls(url, job) {
      const key = [...seen].at(0) ?? '';
      await post(
        `${url}?key=${encodeURIComponent(key)}`,
        JSON.stringify({ ...job.record, key, error: key }),
        {
          authorization: key,
          'x-key': key.slice(1),
        },
      );
      await post(url, recordText(job).replace('"id"', JSON.stringify(key)));
    },
  }),
];
