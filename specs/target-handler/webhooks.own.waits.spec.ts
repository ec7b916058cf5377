import { request as httpRequest } from 'node:http';
import { request as undiciRequest } from 'undici';
import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { checkTarget, fetchTarget, type FetchHandler, type Json } from '../../src/index.js';
import { failuresOf, plain, play } from './support.js';

type Call = (url: string) => Promise<unknown>;

const byHttp: Call = (url) =>
  new Promise((resolve, reject) => {
    const call = httpRequest(url, { method: 'POST' }, (response) => response.resume().on('end', resolve));
    call.on('error', reject).end('{}');
  });

/** Calls the webhook of each submission five seconds later, and tries again after ten. */
const caller =
  (call: Call): FetchHandler =>
  async (request) => {
    const { webhook } = (await request.json()) as { webhook: string };
    const attempt = (): void => {
      void call(webhook).catch(() => undefined);
    };
    setTimeout(attempt, 5_000);
    setTimeout(attempt, 15_000);
    return Response.json({ id: 'a', status: 'IN_QUEUE' } satisfies Json);
  };

describe('webhook calls', () => {
  it.each<[string, Call]>([
    ['fetch', (url) => fetch(url, { method: 'POST', body: '{}' })],
    ['undici', (url) => undiciRequest(url, { method: 'POST', body: '{}' })],
    ['node:http', byHttp],
  ])('by %s arrive at the instant they are made at', async (_, call) => {
    const { history } = await play(
      () => caller(call),
      [
        { do: 'run', job: 'a', webhook: [{ status: 500 }, { close: true }] },
        { do: 'pause', at: { waitMs: 60_000 } },
      ],
      { apiKey: null },
    );
    const webhooks = history.filter((event) => event.kind === 'webhook');
    expect(webhooks.map(({ arrivedMs, endedMs, answered }) => [arrivedMs, endedMs, answered])).toEqual([
      [5_000, 5_000, 500],
      [15_000, 15_000, null],
    ]);
    expect(webhooks.every(({ sinceMs }) => sinceMs === undefined)).toBe(true);
  });

  it('made while something else is answered arrive at that instant, too', async () => {
    const lazy = (): FetchHandler => {
      let due: string | null = null;
      setInterval(() => undefined, 100);
      return async (request) => {
        if (request.method === 'POST') {
          due = ((await request.json()) as { webhook: string }).webhook;
          return Response.json({ id: 'a', status: 'IN_QUEUE' });
        }
        void byHttp(due!).catch(() => undefined);
        return Response.json({ id: 'a', status: 'COMPLETED' });
      };
    };
    const { history } = await play(
      lazy,
      [
        { do: 'run', job: 'a', webhook: [{ status: 200 }] },
        { do: 'status', job: 'a', at: { waitMs: 5_000 } },
        { do: 'pause', at: { waitMs: 1_000 } },
      ],
      { apiKey: null },
    );
    const webhooks = history.filter((event) => event.kind === 'webhook');
    expect(webhooks.map(({ arrivedMs }) => arrivedMs)).toEqual([5_000]);
  });

  it('that are never answered end when their caller gives up, by its own time', async () => {
    const impatient: Call = (url) => fetch(url, { method: 'POST', signal: AbortSignal.timeout(3_000) });
    const { history } = await play(
      () => caller(impatient),
      [
        { do: 'run', job: 'a', webhook: [{ never: true }, { status: 200 }] },
        { do: 'pause', at: { waitMs: 60_000 } },
      ],
      { apiKey: null },
    );
    const webhooks = history.filter((event) => event.kind === 'webhook');
    expect(webhooks.map(({ arrivedMs, endedMs, answered }) => [arrivedMs, endedMs, answered])).toEqual([
      [5_000, 8_000, null],
      [15_000, 15_000, 200],
    ]);
  });

  it('of section 6 are all judged', { timeout: 60_000 }, async () => {
    const target = fetchTarget({ fresh: plain }, { worker: 'scripted' });
    const scenarios = named.filter(({ name }) => name.startsWith('6/'));
    const result = await checkTarget(target, { seed: 3, runs: 3, scenarios });
    await target.close();
    expect(failuresOf(result)).toEqual([]);
    const decided = result.findings.requirements.filter(
      ({ section, verdict }) => section === '6' && verdict === 'pass',
    );
    expect(decided.length).toBeGreaterThan(10);
  });
});
