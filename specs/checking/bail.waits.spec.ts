/** `--bail` ends a run when calls so far show a failure, not only when their script has ended. */
import { expect, it, vi } from 'vitest';
import { Bail } from '../../src/checking/bail.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { REAL_CLOCK, StepDeadlines } from '../../src/judging/deadlines.js';
import { drawScript } from '../../src/scenario/draw.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { named } from '../../scenarios/index.js';

const target = simulatorTarget({ seed: 1 });
const scenario = named.find(({ name }) => name === '2.2/ttl-removes-a-cancelled-job')!;
const script = drawScript(scenario, 1, target.limits);

/** Until the first read after the cancel, which shows the job as FAILED. */
async function untilFailed(): Promise<readonly HistoryEvent[]> {
  const how = { seed: 1, runproof: '0', edition: 'document' } as const;
  const { events } = await runScripts(target, [script], how);
  const cancel = events.findIndex((event) => event.kind === 'call' && event.op === 'cancel');
  const read = events.findIndex((one, at) => at > cancel && one.kind === 'call' && one.op === 'status');
  return events.slice(0, read + 1).map((event, at) => {
    if (at !== read || event.kind !== 'call' || event.reply?.body.as !== 'json') return event;
    const value = { ...(event.reply.body.value as object), status: 'FAILED' };
    return { ...event, reply: { ...event.reply, body: { ...event.reply.body, value } } };
  });
}

it.each([
  ['one after the other', script, true],
  ['at once, which may explain each other', { ...script, steps: lanes(script.steps) }, false],
])('of a script whose calls are made %s', { timeout: 20_000 }, async (_, played, ends) => {
  const about = { asked: {}, edition: 'document', baseline: null, isShared: true } as const;
  const deadlines = new StepDeadlines(REAL_CLOCK, new AbortController().signal, null);
  const bail = new Bail({ ...about, scripts: [played] }, deadlines);
  const failed: string[] = [];
  for (const event of await untilFailed()) bail.see(event, (id) => failed.push(id));
  if (ends) await vi.waitFor(() => expect(failed.length).toBe(1), 10_000);
  else await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(failed.length).toBe(ends ? 1 : 0);
  await bail.end();
});

function lanes(steps: typeof script.steps): typeof script.steps {
  return steps.map((step, at) => ({ ...step, lane: `lane ${at}` }));
}
