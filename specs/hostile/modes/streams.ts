/** Streams that never come to an end, or are no streams. */
import type { Mode } from '../mode.js';
import { body, bodyTo, endlessly, large, MB, mode, to, untold } from './helpers.js';
import { bytesOf } from '../server.js';
import type { Socket } from 'node:net';

const onlyStream =
  (writes: (socket: Socket) => void | Promise<void>): NonNullable<Mode['writes']> =>
  (call, socket, plain) => {
    if (call.operation === 'stream') return writes(socket);
    for (const part of bytesOf(plain)) socket.write(part);
  };

const EVENTS = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
const chunks = large(() => `[${'{"output":1},'.repeat(1_000_000)}{"output":1}]`);
const chunk20 = large(() => `[{"output":"${'x'.repeat(20 * MB)}"}]`);

export const STREAMS: readonly Mode[] = [
  // Raw bytes carry no count of what was told.
  untold('stream-endless', 'streams an array without end', {
    writes: onlyStream(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[');
      await endlessly(socket, '{"output":1},', 5);
    }),
  }),
  untold('stream-of-events', 'streams server-sent events without end', {
    writes: onlyStream(async (socket) => {
      socket.write(EVENTS);
      await endlessly(socket, 'data: {"output":1}\n\n', 20);
    }),
  }),
  untold('stream-silent', 'opens streams and sends nothing', {
    writes: onlyStream((socket) => void socket.write(EVENTS)),
  }),
  mode('stream-million-chunks', 'streams a million chunks', { answers: to(['stream'], body(chunks)) }),
  mode('stream-20-mb', 'streams one chunk of 20 MB', { answers: to(['stream'], body(chunk20)) }),
  mode('stream-same-for-ever', 'gives the same chunk at every reading and never ends the job', {
    hangs: 'later',
    answers: bodyTo(['stream'], () => '{"status":"IN_PROGRESS","stream":[{"output":"again"}]}'),
  }),
  mode('stream-of-nothing', 'streams lists of null, of lists and of texts', {
    answers: bodyTo(
      ['stream'],
      (_t, call) =>
        ['[null]', '[[[]]]', '["a"]', '{"stream":null}', '[{}]', '[{"output":{"__proto__":1}}]'][
          call.number % 6
        ]!,
    ),
  }),
  mode('stream-metrics', 'streams metrics that are no numbers', {
    answers: bodyTo(
      ['stream'],
      () => '[{"output":1,"metrics":{"tokens":1e999,"<b>":"\\u001b[2J","__proto__":[]}},{"metrics":null}]',
    ),
  }),
];
