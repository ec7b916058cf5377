/** What an upstream may answer, and what a client of the proxy sees of it. */
import {
  ANSWERED,
  END,
  RESET,
  BODY,
  EXPECT,
  GET,
  HEALTH,
  LAST,
  length,
  piece,
  post,
  withLine,
  type Exchange,
  type Part,
  type UpstreamAnswer,
} from './written.js';

const ANSWER = (head: string, body = ''): Part[] => [`${head}\r\n\r\n${body}`];
const answered = (found: { readonly [name: string]: UpstreamAnswer | Part[] }, sent: string | Part[] = GET) =>
  Object.entries(found).map(([name, answer]) => ({
    name: `answer: ${name}`,
    parts: typeof sent === 'string' ? [sent] : sent,
    upstream: [Array.isArray(answer) ? { parts: answer } : answer],
  }));

export const ANSWERS: readonly Exchange[] = [
  ...answered({
    'no content': ANSWER('HTTP/1.1 204 No Content'),
    'not modified': ANSWER('HTTP/1.1 304 Not Modified\r\nETag: "a"'),
    'its own words': ANSWER('HTTP/1.1 299 Fairly Good\r\nContent-Length: 2', 'ok'),
    'no words': ANSWER('HTTP/1.1 200 \r\nContent-Length: 2', 'ok'),
    'words above ASCII': ANSWER('HTTP/1.1 200 d\u00e9j\u00e0\r\nContent-Length: 2\r\nX-A: \u00e9', 'ok'),
    'an unknown code': ANSWER('HTTP/1.1 799 Odd\r\nContent-Length: 0'),
    'until it closes': [...ANSWER('HTTP/1.1 200 OK', 'all of it'), 20, END],
    chunked: ANSWER('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', `${piece('ab')}${piece('cd')}${LAST}`),
    trailers: ANSWER(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A',
      `2\r\nab\r\n0\r\nX-A: 1\r\n\r\n`,
    ),
    'its own date': ANSWER('HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0'),
    'of the connection': ANSWER(
      'HTTP/1.1 200 OK\r\nConnection: X-A\r\nX-A: 1\r\nKeep-Alive: timeout=5\r\nContent-Length: 0',
    ),
    'its last': [...ANSWER('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2', 'ok'), END],
    'of HTTP/1.0': [...ANSWER('HTTP/1.0 200 OK\r\nContent-Length: 2', 'ok'), END],
    'half of it': [...ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 20', 'ok'), 20, END],
    'half of it, chunked': [...ANSWER('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', piece('ab')), 20, END],
    'a broken chunk': ANSWER('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', `${piece('ab')}zz\r\n`),
    'half of a head': ['HTTP/1.1 200 OK\r\nContent', 20, END],
    'no head': ['garbage\r\n\r\n'],
    'a long head': ANSWER(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: ${'a'.repeat(60_000)}`),
    none: [END],
    'a reset': { parts: [RESET] },
    'early hints': [
      ...ANSWER('HTTP/1.1 103 Early Hints\r\nLink: </a>'),
      20,
      ...ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 0'),
    ],
    continue: [...ANSWER('HTTP/1.1 100 Continue'), 20, ...ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 0')],
    'other protocols': ANSWER('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x'),
    'cookies twice': ANSWER('HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0'),
    'two lengths': ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3', 'okk'),
  }),
  ...answered(
    {
      'to a head': ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 20'),
      'to a head, chunked': ANSWER('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked'),
    },
    withLine(`HEAD ${HEALTH} HTTP/1.1`),
  ),
  ...answered(
    {
      'to HTTP/1.0, chunked': ANSWER(
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked',
        `${piece('ab')}${LAST}`,
      ),
      'to HTTP/1.0, hints': [
        ...ANSWER('HTTP/1.1 103 Early Hints\r\nLink: </a>'),
        ...ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 0'),
      ],
    },
    withLine(`GET ${HEALTH} HTTP/1.0`),
  ),
  ...answered(
    {
      'before the body': { early: true, parts: ANSWER('HTTP/1.1 413 Too Large\r\nContent-Length: 2', 'no') },
      'before the body, closed': {
        early: true,
        parts: [...ANSWER('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2', 'no'), 20, END],
      },
    },
    [post([length(BODY)], BODY.slice(0, 5)), ANSWERED, BODY.slice(5)],
  ),
  ...answered(
    {
      'expected, and continued': {
        early: true,
        parts: [...ANSWER('HTTP/1.1 100 Continue'), 60, ...ANSWER('HTTP/1.1 200 OK\r\nContent-Length: 0')],
      },
      'expected, and refused': {
        early: true,
        parts: ANSWER('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0'),
      },
    },
    [post([length(BODY), EXPECT], ''), ANSWERED, BODY],
  ),
];
