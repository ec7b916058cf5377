/** What a run counts itself in real time, before its scripts and after them, on an endpoint that nothing else uses. */
import { describe, expect, it } from 'vitest';
import { RUN_ITSELF, type HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { flatten, steps as s } from '../../src/scenario/steps.js';
import { httpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { startNaive } from '../naive/server.js';
import { verdictOf } from '../oracle/support/trace-builder.js';
import { scriptOf } from './support.js';

const SCRIPTS = [
  // A job runs and another one waits while they are counted; the harness ends them.
  scriptOf(
    flatten([
      s.blocker('runs'),
      s.awaitStarted('runs'),
      s.run('waits', { plan: s.works(100) }),
      s.health({ at: s.wait(3_000) }),
      s.status('runs'),
      s.status('waits'),
    ]),
  ),
  scriptOf(flatten([s.health(), s.run('done', { plan: s.works(100) })])),
];

const IDS = ['4.8/counts-in-queue', '4.8/counts-in-progress'] as const;

/** On a machine that is busy the harness may run late, and then counts may be older. */
function onTime(event: HistoryEvent): HistoryEvent {
  if (event.kind !== 'script-end') return event;
  const { harnessLagMs: _, harnessLags: __, ...end } = event;
  return end;
}

async function played(
  fault: string | null,
  dedicated: boolean,
  times = 1,
): Promise<{ readonly events: readonly HistoryEvent[]; readonly verdicts: readonly unknown[] }> {
  const naive = await startNaive({
    clock: 'real',
    endpoints: false,
    workers: 1,
    ...(fault === null ? {} : { fault: fault as never }),
  });
  try {
    const { url, apiKey, endpointId: endpoint } = naive;
    const target = await httpTarget({ url, apiKey, endpoint, worker: 'scripted', dedicated });
    try {
      const how = { seed: 1, edition: 'document', runproof: '0' } as const;
      for (let time = 1; time < times; time += 1) await runScripts(target, SCRIPTS, how);
      const { events } = await runScripts(target, SCRIPTS, how);
      const findings = judge(events.map(onTime));
      return { events, verdicts: IDS.map((id) => verdictOf(findings, id)) };
    } finally {
      await target.close();
    }
  } finally {
    await naive.close();
  }
}

describe('on an endpoint that nothing else uses', { timeout: 60_000 }, () => {
  it.concurrent.each<readonly [string, string | null, readonly string[]]>([
    ['counts that are right pass', null, ['pass', 'pass']],
    ['a leak of running jobs fails', 'health-progress-leaks-on-cancel', ['pass', 'fail']],
    ['a leak of waiting jobs fails', 'health-queue-not-freed-on-cancel', ['fail', 'pass']],
  ])('%s', async (_, fault, wanted) => {
    expect((await played(fault, true)).verdicts).toEqual(wanted);
  });

  it.concurrent('counts that are right pass after an earlier run', async () => {
    expect((await played(null, true, 2)).verdicts).toEqual(['pass', 'pass']);
  });

  it.concurrent('a leak fails after an earlier run that leaked as well', async () => {
    expect((await played('health-progress-leaks-on-cancel', true, 2)).verdicts).toEqual(['pass', 'fail']);
  });
});

it(
  'counts nothing itself where others may use the endpoint, and decides nothing',
  { timeout: 60_000 },
  async () => {
    const { events, verdicts } = await played('health-progress-leaks-on-cancel', false);
    expect(events.filter((event) => event.kind === 'call' && event.script === RUN_ITSELF)).toEqual([]);
    expect(verdicts).toEqual(['untestable', 'untestable']);
  },
);
