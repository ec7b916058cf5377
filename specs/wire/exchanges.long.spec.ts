/**
 * The servers of this package, byte by byte: each is sent hundreds of exchanges over sockets, and what came back is held
 * against what stands in kept/. `npx vitest run specs/wire -u` writes it anew.
 */
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ANSWERS } from './answers.js';
import { EXCHANGES, FEW } from './exchanges.js';
import { sendParts } from './send-parts.js';
import * as sides from './sides.js';
import type { Exchange } from './written.js';

const AT_ONCE = 12;
/** Without a kept answer, or with another one: nothing came so many times, 5 ms apart. A busy machine counts slower. */
const QUIET_LOOKS = 200;
/** After the kept answer nothing else may come. */
const AFTER_MS = 15;
const LONGEST_MS = 20_000;

describe('exchanges byte by byte', () => {
  it.each<[string, sides.Open, readonly Exchange[]]>([
    ['serve', sides.serveSide, EXCHANGES],
    ['proxy', sides.proxySide, [...EXCHANGES.filter(isSmall), ...ANSWERS]],
    ['front', sides.frontSide, EXCHANGES],
    ['webhook-relay', sides.relaySide, FEW],
    ['webhook-receiver', sides.receiverSide, FEW],
    ['proxy-status', sides.statusSide, FEW],
    ['scheduled-checks', sides.checksSide, FEW],
  ])(
    '%s answers as it has always done',
    async (name, open, exchanges) => {
      const file = new URL(`kept/${name}.txt`, import.meta.url);
      const kept = keptIn(file);
      const texts: string[] = [];
      const left = exchanges.map((exchange, at) => ({ exchange, at }));
      const work = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift())
          texts[next.at] = await played(open, next.exchange, kept.get(next.exchange.name));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const all = exchanges.map((exchange, at) => `${TITLE}${exchange.name}\n${texts[at]}`);
      await expect(all.join('')).toMatchFileSnapshot(file.pathname);
    },
    300_000,
  );
});

/** What passes is held whole here. How the proxy passes large bodies, specs/proxy/ says. */
const isSmall = ({ parts }: Exchange): boolean =>
  parts.every((part) => typeof part !== 'string' || part.length < 3_000_000);

const TITLE = '=== ';

function keptIn(file: URL): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const parts = readFileSync(file, 'utf8').split(/^=== /mu).slice(1);
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
}

/** What came back, and how it ended. */
async function played(open: sides.Open, { name, parts, upstream }: Exchange, kept?: string): Promise<string> {
  const side = await open({ name, parts, ...(upstream && { upstream }) });
  const socket = connect({ port: side.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  let end = 'open';
  socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
  socket.once('end', () => (end = 'ended'));
  socket.on('error', () => (end = end === 'ended' ? end : 'broken off'));
  const text = (): string => {
    const behind = side.behind?.() ?? '';
    return `${written(received)}. ${end}\n${behind === '' ? '' : `behind it\n${written(behind)}`}`;
  };
  const sent = sendParts(socket, parts, () => received);
  let last = '';
  let looks = 0;
  for (const sinceMs = performance.now(); performance.now() - sinceMs < LONGEST_MS;) {
    const now = text();
    if (now === kept) break;
    looks = now === last ? looks + 1 : 0;
    last = now;
    if (looks > QUIET_LOOKS) break;
    await sleep(5);
  }
  await sent;
  await sleep(AFTER_MS);
  const found = text();
  socket.destroy();
  await side.close();
  return found;
}

/** Lines, without what differs each time: instants, ids, ports, keys. */
function written(raw: string): string {
  const text = shortened(raw)
    .replace(/^(date: )(?!Sun, 06 Nov 1994).*$/gimu, '$1(date)')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(-\w+)?/gu, '(id)')
    .replace(/127\.0\.0\.1:\d+/gu, '127.0.0.1:(port)')
    .replace(/[^\n\r -~]/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/\r(?!\n)/gu, '\\r')
    .replace(/(?<!\r)\n/gu, '\\n\n')
    .replaceAll('\r\n', '\n');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Runs of one letter, which long bodies are made of, and of one line. */
const shortened = (text: string): string =>
  text
    .replace(/a{100,}|j{100,}|x{100,}|\0{30,}/gu, (run) => `${run[0]}*${run.length}`)
    .replace(
      /^(.{1,20}\r\n)\1{9,}/gmu,
      (run, line: string) => `${line.trim()} *${run.length / line.length}\r\n`,
    );
