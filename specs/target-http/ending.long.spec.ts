/** A run that is told to end does so in about a second, whatever the target does, and names the jobs that it could not end. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { httpTarget, TargetError, type HttpTarget } from '../../src/target/http/index.js';
import { KEY } from './fake-endpoint.js';
import { playOn, scriptOf, type Played } from './support.js';
import { listen } from '../support/servers.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const jobs = (answer: Answer): Answer => {
  let count = 0;
  return (request, response) => {
    request.resume();
    const { url = '' } = request;
    if (/\/(run|health)$/.test(url))
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: `job-${(count += 1)}`, status: 'IN_QUEUE' }));
    else answer(request, response);
  };
};

async function served<T>(answer: Answer, work: (url: string) => Promise<T>): Promise<T> {
  await using server = await listen(answer);
  return await work(`${server.url}/v2/test`);
}

const connected = (url: string, signal?: AbortSignal): Promise<HttpTarget> =>
  httpTarget({
    url,
    apiKey: KEY,
    worker: 'opaque',
    timeoutMs: 2_000,
    ...(signal === undefined ? {} : { signal }),
  });

const FIVE = scriptOf([
  ...[1, 2, 3, 4, 5].map((job) => ({ do: 'run' as const, job: `${job}`, input: {} })),
  { do: 'runsync' as const, job: '6', input: {} },
  { do: 'health' as const, at: { waitMs: 60_000 } },
]);

async function interrupted(answer: Answer): Promise<Played & { readonly tookMs: number }> {
  const enough = new AbortController();
  let isPlaying = false;
  let abortedMs = 0;
  /** Once five jobs have been submitted and the next call has come. */
  const heard: Answer = (request, response) => {
    if (isPlaying && abortedMs === 0 && request.url?.includes('/runsync') === true)
      setTimeout(() => {
        abortedMs = performance.now();
        enough.abort('interrupted');
      }, 100);
    answer(request, response);
  };
  return served(jobs(heard), async (url) => {
    const target = await connected(url);
    isPlaying = true;
    const played = await playOn(target, [FIVE], { signal: enough.signal });
    const tookMs = performance.now() - abortedMs;
    await target.close();
    return { ...played, tookMs };
  });
}

describe('a run that is told to end', () => {
  it.each<[string, Answer]>([
    ['never answers', () => undefined],
    ['refuses every call as too many', (_, response) => void response.writeHead(429).end()],
    ['fails', (_, response) => void response.writeHead(500).end()],
  ])('is over where the target %s, and names what is left', async (_, answer) => {
    const { tookMs, summary, ends } = await interrupted(answer);
    expect(tookMs).toBeLessThan(2_000);
    expect(summary.leftBehind).toHaveLength(5);
    expect(new Set(summary.leftBehind).size).toBe(5);
    expect(ends).toMatchObject([{ outcome: 'aborted', reason: 'interrupted' }]);
  });

  it('leaves nothing where the target cancels them', async () => {
    const cancelled: string[] = [];
    const { tookMs, summary } = await interrupted(({ url = '' }, response) => {
      if (!url.includes('/cancel/')) return;
      cancelled.push(url.split('/').at(-1)!);
      response.writeHead(200).end('{"status":"CANCELLED"}');
    });
    expect(tookMs).toBeLessThan(2_000);
    expect(summary.leftBehind).toEqual([]);
    expect(cancelled.length).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ['names what a target without /cancel goes on with', 404, 200, 'IN_PROGRESS', 5],
    ['names what a target refuses to cancel', 400, 200, 'IN_PROGRESS', 5],
    ['names what a target does not cancel, though it says 200', 200, 200, 'IN_PROGRESS', 5],
    ['names what is refused where /status is, too', 400, 403, 'COMPLETED', 5],
    ['leaves nothing where a target refuses to cancel what has ended', 400, 200, 'COMPLETED', 0],
    ['leaves nothing where a target that knows no job is asked', 404, 404, 'IN_PROGRESS', 0],
  ])('%s', async (_, cancelCode, statusCode, status, left) => {
    const { tookMs, summary } = await interrupted(({ url = '' }, response) => {
      const code = url.includes('/status/') ? statusCode : url.includes('/cancel/') ? cancelCode : 404;
      response
        .writeHead(code, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: url.split('/').at(-1), status }));
    });
    expect(tookMs).toBeLessThan(2_000);
    expect(summary.leftBehind).toHaveLength(left);
  });

  it('does not wait for the answers of a probe', async () => {
    const begunMs = performance.now();
    await served(
      (request) => void request.resume(),
      (url) => expect(connected(url, AbortSignal.timeout(200))).rejects.toThrow(TargetError),
    );
    expect(performance.now() - begunMs).toBeLessThan(2_500);
  });
});
