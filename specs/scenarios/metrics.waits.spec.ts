/** `2.5/metrics-of-the-worker`: what is decided by it, and what is left open where a worker or its host knows no metrics. */
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { addedBy } from '../../src/judging/decidable.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { LOCAL_API_KEY, startServer, type HandlerFunction } from '../../src/server/index.js';
import { httpTarget } from '../../src/target/http/index.js';
import { named } from '../../scenarios/index.js';
import { runHeader } from '../support/run-header.js';

type Metrics = { readonly [name: string]: number | string };

/** Carries out the plan's streaming steps, each as given. */
function worker(
  produce: (output: unknown, metrics: Metrics, context: Parameters<HandlerFunction>[1]) => void,
): HandlerFunction {
  return ({ input }, context) => {
    const { plan = [] } = input as { readonly plan?: readonly { readonly [step: string]: unknown }[] };
    for (const { stream, streamWithMetrics } of plan) {
      if (stream !== undefined) produce(stream, {}, context);
      if (streamWithMetrics === undefined) continue;
      const { output, metrics } = streamWithMetrics as {
        readonly output: unknown;
        readonly metrics: Metrics;
      };
      produce(output, metrics, context);
    }
    return 'end';
  };
}

async function judged(handler: HandlerFunction) {
  const server = await startServer({ apiKeys: [LOCAL_API_KEY], clock: 'controlled', endpoints: [], handler });
  const target = await httpTarget({
    url: server.url,
    apiKey: LOCAL_API_KEY,
    controlUrl: server.controlUrl,
    worker: 'scripted',
  });
  try {
    const { capabilities, limits } = target;
    const scenarios = named.filter(({ name }) => name === '2.5/metrics-of-the-worker');
    const { scripts } = drawPlan(scenarios, { capabilities, limits }, 1, 1);
    const run = runHeader({
      target: { kind: 'http', name: target.name },
      capabilities,
      graceMs: limits.graceMs,
    });
    const events: HistoryEvent[] = [];
    const append = (event: HistoryEvent): void => void events.push(event);
    await target.run(scripts, { append }, { firstScript: 0 });
    const { decided, failed } = addedBy(run, [])(events);
    const ofMetrics = (id: string): boolean => id.startsWith('2.5/metrics');
    return { decided: decided.filter(ofMetrics), failed, shown: JSON.stringify(events) };
  } finally {
    await target.close();
    await server.close();
  }
}

describe('metrics that the worker sets', () => {
  it('are judged where they arrive', async () => {
    const { decided, failed } = await judged(
      worker((output, metrics, { produce }) => produce(output, metrics)),
    );
    expect(failed).toEqual([]);
    expect(decided.toSorted()).toEqual([
      '2.5/metrics-optional-object',
      '2.5/metrics-unchanged',
      '2.5/metrics-values',
    ]);
  });

  it('are distinguished from others in progress', async () => {
    const rounded = (metrics: Metrics): Metrics =>
      Object.fromEntries(
        Object.entries(metrics).map(([name, one]) => [name, typeof one === 'number' ? Math.round(one) : one]),
      );
    const { failed } = await judged(
      worker((output, metrics, { produce }) => produce(output, rounded(metrics))),
    );
    expect(failed).toEqual(['2.5/metrics-unchanged']);
  });

  it('are not kept for the next chunk', async () => {
    let last: Metrics = {};
    const { failed } = await judged(
      worker((output, metrics, { produce }) => {
        if (Object.keys(metrics).length > 0) last = metrics;
        return produce(output, last);
      }),
    );
    expect(failed).toEqual(['2.5/metrics-unchanged']);
  });

  it('may be omitted, or be set by the service', async () => {
    for (const metrics of [{}, { tokens: 1, model: 'x' }]) {
      const { decided, failed } = await judged(worker((output, _, { produce }) => produce(output, metrics)));
      expect(failed).toEqual([]);
      expect(decided).not.toContain('2.5/metrics-unchanged');
    }
  });

  it('decide nothing where the worker does not know the step', async () => {
    const { decided, failed, shown } = await judged(
      worker(() => {
        throw new Error('unknown step "streamWithMetrics"');
      }),
    );
    expect(shown).toContain('FAILED');
    expect(failed).toEqual([]);
    expect(decided).toEqual([]);
  });
});
