import type { RuleCases } from './rule-cases.js';
import { answered, cancel, LIMITED, run, runsync, session, status, told } from './session-of.js';

const MB = 1_048_576;
const only = (...calls: Parameters<typeof session>[0]['calls'] & {}) => session({ calls });
const sized = (bytes: number) => ({ body: { bytes, isJson: null } });

export const REQUEST_CASES: readonly RuleCases[] = [
  {
    rule: 'client/key-in-header',
    kept: {
      'sends it with Bearer': only(run(), status(told('COMPLETED'))),
      'sends it bare': only(run(told('IN_QUEUE'), { key: { header: 'bare', elsewhere: null } })),
    },
    violated: {
      'sends it nowhere': [
        only(run(answered(401), { key: { header: 'missing', elsewhere: null } })),
        'is missing',
      ],
      'sends it in the query': [
        only(run(answered(401), { key: { header: 'missing', elsewhere: 'the query' } })),
        'sent in the query',
      ],
      'sends another one': [
        only(run(answered(401), { key: { header: 'wrong', elsewhere: null } })),
        'not the one',
      ],
      'sends none with one of its calls': [
        only(run(), status(answered(401), { key: { header: 'missing', elsewhere: null } })),
        'is missing',
      ],
    },
    open: {
      'calls nothing': only(),
      'has a key that the weather rejects': session({
        weather: 'key-rejected',
        calls: [run(answered(401), { key: { header: 'wrong', elsewhere: null } })],
      }),
      'runs in a browser, which asks first': only(
        run(answered(204), { method: 'OPTIONS', key: { header: 'missing', elsewhere: null } }),
      ),
    },
  },
  {
    rule: 'client/key-not-in-address',
    kept: {
      'sends it in the header': only(run()),
      'sends it in two headers': only(
        run(told('IN_QUEUE'), { key: { header: 'bearer', elsewhere: 'the header x-api-key' } }),
      ),
    },
    violated: {
      'sends it in the query, too': [
        only(run(told('IN_QUEUE'), { key: { header: 'bearer', elsewhere: 'the query' } })),
        'stands in the query',
      ],
    },
    open: { 'calls nothing': only() },
  },
  {
    rule: 'client/json-body',
    kept: { 'sends an object': only(run()), 'sends one of /runsync': only(runsync()) },
    violated: {
      'sends nothing': [only(run(answered(400), { body: { bytes: 0, isJson: null } })), 'no body'],
      'sends a form': [only(run(answered(400), { body: { bytes: 9, isJson: false } })), 'not JSON'],
      'sends a list': [only(run(answered(400), { sent: [1] })), 'not an object'],
    },
    open: {
      'submits nothing': only(status(answered(404))),
      'sends what is too large to be kept': only(run(told('IN_QUEUE'), sized(MB))),
      'is refused before its body is read': only(
        run(LIMITED, { reached: false, body: { bytes: 0, isJson: null } }),
      ),
    },
  },
  {
    rule: 'client/content-type',
    kept: {
      'says so': only(run()),
      'says so with a charset, in capitals': only(
        run(told('IN_QUEUE'), { contentType: 'Application/JSON; charset=utf-8' }),
      ),
      'uses a type that is JSON, too': only(run(told('IN_QUEUE'), { contentType: 'application/job+json' })),
    },
    violated: {
      'does not say': [only(run(told('IN_QUEUE'), { contentType: null })), 'no `content-type`'],
      'says what curl says by itself': [
        only(run(told('IN_QUEUE'), { contentType: 'application/x-www-form-urlencoded' })),
        'x-www-form-urlencoded',
      ],
      'says text': [
        only(runsync(told('COMPLETED'), { contentType: 'text/plain;charset=UTF-8' })),
        'text/plain',
      ],
    },
    open: {
      'submits nothing': only(status(told('COMPLETED'))),
      'sends no body': only(run(answered(400), { contentType: null, body: { bytes: 0, isJson: null } })),
    },
  },
  {
    rule: 'client/input-object',
    kept: {
      'sends an empty one': only(run()),
      'sends one': only(run(told('IN_QUEUE'), { sent: { input: { a: 1 } } })),
    },
    violated: {
      'sends the fields of it bare': [only(run(answered(400), { sent: { prompt: 'x' } })), 'no `input`'],
      'sends text': [only(run(answered(400), { sent: { input: 'x' } })), 'a string'],
      'sends null': [only(run(answered(400), { sent: { input: null } })), 'null'],
      'sends a list': [only(run(answered(400), { sent: { input: [] } })), 'a list'],
    },
    open: {
      'submits nothing': only(status(told('COMPLETED'))),
      'sends no object at all': only(run(answered(400), { sent: [1] })),
    },
  },
  {
    rule: 'client/webhook-url',
    kept: {
      'gives one': only(
        run(told('IN_QUEUE'), { sent: { input: {}, webhook: 'http://127.0.0.1:4000/hook' } }),
      ),
      'gives a host alone': only(
        run(told('IN_QUEUE'), { sent: { input: {}, webhook: 'https://example.org' } }),
      ),
    },
    violated: {
      'gives a path': [only(run(answered(400), { sent: { input: {}, webhook: '/hook' } })), '"/hook"'],
      'gives a host without a scheme': [
        only(run(answered(400), { sent: { input: {}, webhook: 'example.org/hook' } })),
        'example.org/hook',
      ],
      'gives an object': [only(run(answered(400), { sent: { input: {}, webhook: {} } })), 'an object'],
      'gives an empty text': [only(run(answered(400), { sent: { input: {}, webhook: '' } })), '""'],
    },
    open: {
      'gives none': only(run()),
      'gives null': only(run(told('IN_QUEUE'), { sent: { input: {}, webhook: null } })),
    },
  },
  {
    rule: 'client/payload-size',
    kept: {
      'sends 10 MB to /run': only(run(told('IN_QUEUE'), sized(10 * MB))),
      'sends 20 MB to /runsync': only(runsync(told('COMPLETED'), sized(20 * MB))),
    },
    violated: {
      'sends more to /run': [only(run(answered(400), sized(10 * MB + 1))), '10 MB'],
      'sends more to /runsync': [only(runsync(answered(400), sized(21 * MB))), '20 MB'],
    },
    open: { 'submits nothing': only(status(told('COMPLETED'))) },
  },
  {
    rule: 'client/no-body',
    kept: { 'cancels without one': session({ calls: [run(), cancel(told('CANCELLED'))] }) },
    violated: {
      'sends an empty object': [
        session({
          calls: [run(), cancel(told('CANCELLED'), { body: { bytes: 2, value: {}, isJson: true } })],
        }),
        '/cancel was sent a body',
      ],
    },
    open: { 'cancels nothing': session({ calls: [run()] }) },
  },
  {
    rule: 'client/method',
    kept: {
      'uses them': only(run(), status(told('COMPLETED'))),
      'uses POST for reads of a deployed service': session({
        edition: 'runpod',
        calls: [status(told('COMPLETED'), { method: 'POST' })],
      }),
    },
    violated: {
      'uses POST for reads': [
        only(status(answered(405), { method: 'POST' })),
        '/status was called with POST',
      ],
      'uses PUT for /run': [only(run(answered(405), { method: 'PUT' })), 'PUT'],
      'uses GET for /run of a deployed service': [
        session({ edition: 'runpod', calls: [run(answered(405), { method: 'GET' })] }),
        'GET',
      ],
    },
    open: {
      'calls nothing': only(),
      'only asks what is allowed': only(run(answered(204), { method: 'OPTIONS' })),
    },
  },
  {
    rule: 'client/version-in-path',
    kept: { 'calls operations': only(run(), status(told('COMPLETED'))) },
    violated: {
      'leaves it out': [only({ path: '/ep/run', reply: answered(404) }), '/ep/run'],
      'asks for another one': [only(run(), { path: '/v1/ep/status/j1', reply: answered(404) }), '/v1/ep/'],
    },
    open: {
      'calls nothing': only(),
      'calls what is no operation': only({ path: '/v2/ep/jobs', reply: answered(404) }),
      'asks for another service': only({ path: '/v1/models', reply: answered(404) }),
    },
  },
  {
    rule: 'client/known-paths',
    kept: {
      'calls operations': only(run(), status(told('COMPLETED'))),
      'waits as deployed services let it': session({
        edition: 'runpod',
        calls: [run(), status(told('COMPLETED'), { path: '/v2/ep/status-sync/j1' })],
      }),
    },
    violated: {
      'forgets the version': [only({ path: '/ep/run', reply: answered(404) }), '/ep/run'],
      'waits in a way that the document does not have': [
        only(run(), { path: '/v2/ep/status-sync/j1', reply: answered(404) }),
        '/status-sync/',
      ],
    },
    open: {
      'calls nothing': only(),
    },
  },
];
