/**
 * `kill/` promises that nothing is lost when a server with a data folder is killed repeatedly at random
 * moments under load. It judges by the answers that clients received: it reads no folder.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { ServerOptions } from '../../../src/server/index.js';
import { createRandom } from '../../../src/time/random.js';
import type { Compiled } from './compiled.js';
import { createKnownJobs, type KnownJob, type KnownJobs, type JobRecord } from './known-jobs.js';
import { HEADERS, startLoad } from './load.js';
import { killWhileStarting, startChildServer } from './child-server.js';

export interface Killed {
  readonly kills: number;
  readonly accepted: number;
  /** Ends that were reported to clients. */
  readonly ends: number;
  readonly webhooks: number;
  /** Records that were read and held to what was known. */
  readonly checks: number;
  readonly faults: readonly string[];
  /** Jobs without a known end when all should have ended. */
  readonly endless: readonly KnownJob[];
  /** Jobs that ended well and whose webhook was never called. */
  readonly uncalled: readonly KnownJob[];
}

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  readonly data: string;
  readonly compiled: Compiled;
  readonly clients?: number;
  readonly onKill?: (done: number, knownJobs: KnownJobs) => void;
}

/** A result that is unique to the run, so that two runs of one job cannot pass for one. */
const HANDLER = `
import { randomUUID } from 'node:crypto';
async function handler(job, { sleep }) {
  if (job.input.fail && !job.ranBefore) throw new Error('as asked');
  if (job.input.ms) await sleep(job.input.ms);
  return { run: randomUUID() };
}
export { handler as default };
`;
const UP_MIN_MS = 20;
const UP_MAX_MS = 900;
/** Of a thousand: kills of a server that has only begun to start. */
const KILLED_EARLY = 100;
const CHECKS_PER_START = 250;
/** For the last jobs, and for the pause of a webhook call that was broken off. */
const REST_MAX_MS = 90_000;

export async function killAgainAndAgain(options: KillOptions): Promise<Killed> {
  const { kills, data, compiled, clients = 16 } = options;
  const random = createRandom(options.seed);
  const knownJobs = createKnownJobs();
  let webhooks = 0;
  const receiver = createServer((incoming, answer) => {
    let text = '';
    incoming.on('data', (part: Buffer) => (text += part.toString()));
    incoming.on('end', () => {
      webhooks++;
      knownJobs.called(JSON.parse(text) as JobRecord);
      answer.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const handler = join(dirname(compiled.script), 'handler.mjs');
  writeFileSync(handler, HANDLER);
  const serve: ServerOptions = { data, handler, workers: 60 };

  for (let done = 1; done <= kills; done++) {
    if (random.chance(KILLED_EARLY)) {
      await killWhileStarting(compiled, serve, random.intBetween(0, 800));
    } else {
      const served = await startChildServer(compiled, serve);
      await check(
        served.url,
        knownJobs,
        pick(knownJobs, random.shuffle([...knownJobs.jobs]), CHECKS_PER_START),
      );
      const load = startLoad({
        url: served.url,
        knownJobs,
        random,
        clients,
        webhook,
      });
      await pause(random.intBetween(UP_MIN_MS, UP_MAX_MS));
      await served.kill();
      await load.stop();
      if (served.errors() !== '') throw new Error(served.errors());
    }
    options.onKill?.(done, knownJobs);
  }

  const last = await startChildServer(compiled, serve);
  const endless = (): KnownJob[] =>
    knownJobs.jobs.filter(
      ({ end, ttlMs, sentMs }) => end === null && !(ttlMs !== null && Date.now() - sentMs > ttlMs),
    );
  const untilMs = Date.now() + REST_MAX_MS;
  while ((endless().length > 0 || knownJobs.uncalled().length > 0) && Date.now() < untilMs) {
    await check(last.url, knownJobs, endless().slice(0, CHECKS_PER_START));
    await pause(1_500);
  }
  for (let at = 0; at < knownJobs.jobs.length; at += CHECKS_PER_START) {
    await check(last.url, knownJobs, knownJobs.jobs.slice(at, at + CHECKS_PER_START));
    // Within the rate limit.
    if (at > 0) await pause(1_500);
  }
  await last.kill();
  receiver.close();
  const { jobs, ends, checks, faults } = knownJobs;
  return {
    kills,
    accepted: jobs.length,
    ends,
    webhooks,
    checks,
    faults,
    endless: endless(),
    uncalled: knownJobs.uncalled(),
  };
}

/** Jobs without a known end, and some others. */
function pick(knownJobs: KnownJobs, shuffled: readonly KnownJob[], most: number): readonly KnownJob[] {
  const open = knownJobs.jobs.filter(({ end }) => end === null);
  return [...open.slice(-most / 2), ...shuffled].slice(0, most);
}

async function check(url: string, knownJobs: KnownJobs, jobs: readonly KnownJob[]): Promise<void> {
  await Promise.all(
    jobs.map(async (job) => {
      const reply = await fetch(`${url}/v2/test/status/${job.id}`, {
        headers: HEADERS,
      });
      const told = (await reply.json()) as JobRecord;
      if (reply.status !== 429) knownJobs.shown(job, reply.status, told, Date.now());
    }),
  );
}
