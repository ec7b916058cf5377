/** A gateway that lets few calls in, whatever they call: the run slows down after its first refusal, and is judged. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import type { Report } from '../../src/report/index.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { createFakeIo } from '../cli/fake-io.js';
import { listen } from '../support/servers.js';

/** Lets so many calls in within a second, and answers 429 to all others. */
function gateway(to: string, perSecond: number) {
  let tokens = perSecond;
  let lastMs = performance.now();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const nowMs = performance.now();
    tokens = Math.min(perSecond, tokens + ((nowMs - lastMs) / 1_000) * perSecond);
    lastMs = nowMs;
    if (tokens < 1) {
      request.resume();
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":"slow down"}');
      return;
    }
    tokens -= 1;
    const { method, url, headers } = request;
    const passed = ask(to + (url ?? ''), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  };
}

it(
  'comes to a verdict behind one, says how many calls it makes, and keeps what was refused',
  { timeout: 240_000 },
  async () => {
    const service = await startServer({ endpoints: ['test'], workers: 6 });
    await using front = await listen(gateway(service.url, 15));
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: LOCAL_API_KEY } });
    const scope = ['--profile', 'quick', '--only', '4.5', '4.2', '4.4', '--seed', '1'];
    const exit = await runCli(['check', `${front.url}/v2/test`, ...scope, '--out', 'out'], io);
    await service.close();
    expect(exit, io.printed()).toBe(0);
    const told = io
      .complained()
      .match(/the target refused calls with 429; calls are now spaced at [\d.]+ a second/g);
    expect(told).toHaveLength(1);
    const { warnings, requirements } = JSON.parse(
      readFileSync(join(io.cwd, 'out/report.json'), 'utf8'),
    ) as Report;
    expect(warnings.join('\n')).toMatch(/no limit of section 8 explains.*--calls-per-second \d/);
    expect(warnings.join('\n')).not.toContain('stopped early');
    expect(requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(10);
    const events = readFileSync(join(io.cwd, 'out/history.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryEvent);
    const calls = events.filter((event): event is CallEvent => event.kind === 'call');
    const refused = calls.filter(({ reply }) => reply?.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(0.2 * calls.length);
  },
);
