/** Kills a server in the middle of a run, in real time: it is not accused of what it can do no more. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { TARGET_GONE } from '../../src/history/events.js';
import { hasStoppedAnswering, judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { httpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { createRandom } from '../../src/time/random.js';
import { compileCommandLine, type Compiled } from '../server/kill/compiled.js';

const SEED = Number(process.env['LOST_SEED'] ?? Date.now() % 1_000_000);
const API_KEY = 'a-key';
/** Silences and waits: what is due later than the server lives. */
const SCENARIOS =
  /^(6\/(fails-once|fails-always|drops-the-connection|called-at-completion)|4\.1\/wait-(elapses|default)|2\.2\/ttl)/;
const LONGEST_WAIT_MS = 30_000;
/** The run of these scripts takes about half a minute. */
const KILLED_FROM_MS = 300;
const KILLED_TO_MS = 12_000;

let compiled: Compiled;
beforeAll(async () => {
  compiled = await compileCommandLine();
}, 120_000);
afterAll(() => compiled.dispose());

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
}

async function serve(port: string, afterwards: (end: () => void) => void): Promise<Served> {
  const child = spawn(process.execPath, [compiled.script, 'serve', '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, RUNPROOF_API_KEY: API_KEY },
  });
  afterwards(() => child.kill('SIGKILL'));
  let printed = '';
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(text);
    const url = /serving (\S+)/.exec(printed)?.[1];
    if (url !== undefined && printed.includes('try:')) return { child, url };
  }
  throw new Error(`serve has ended: ${printed}`);
}

/**
 * Resolves when the suite meets the outage. Scripts may wait for many seconds without a call, and a service that forgets
 * all its jobs in such a moment is rightly accused: nothing says that it was lost.
 */
async function nextConnection(port: number): Promise<void> {
  const listener = createServer().listen(port, '127.0.0.1');
  const [socket] = await once(listener, 'connection');
  socket.destroy();
  listener.close();
  await once(listener, 'close');
}

describe.concurrent('a server that is lost in the middle of a run', () => {
  it.for([
    ['killed', 'SIGKILL', false],
    ['killed, and started again', 'SIGKILL', true],
    ['ended by SIGTERM', 'SIGTERM', false],
    ['ended by SIGTERM, and started again', 'SIGTERM', true],
  ] as const)(`is not accused: %s (LOST_SEED=${SEED})`, async ([name, signal, again], { onTestFinished }) => {
    const { child, url } = await serve('0', onTestFinished);
    const ended = once(child, 'exit');
    const target = await httpTarget({ url, apiKey: API_KEY, maxWaitMs: LONGEST_WAIT_MS });
    onTestFinished(() => target.close());
    const scenarios = named.filter((scenario) => SCENARIOS.test(scenario.name));
    const { scripts } = drawPlan(scenarios, target, SEED, 1);
    expect(scripts.length).toBeGreaterThan(5);
    const running = runScripts(target, scripts, { seed: SEED, edition: 'document', runproof: '0' });
    await sleep(createRandom(SEED).fork(name).intBetween(KILLED_FROM_MS, KILLED_TO_MS));
    child.kill(signal);
    await ended;
    if (again) {
      const { port } = new URL(url);
      await nextConnection(Number(port));
      await serve(port, onTestFinished);
    }
    const { events, summary } = await running;
    const { requirements } = judge(events);
    const failed = requirements.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id, failures }) => ({ id, failures }))).toEqual([]);
    const isGivenUp = summary.aborted.some(({ reason }) => reason === TARGET_GONE);
    if (!again) expect(isGivenUp || hasStoppedAnswering(events)).toBe(true);
  });
}, 180_000);
