import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/history/events.js';
import { drawPlan } from '../../../src/schedule/draw-plan.js';
import type { Step } from '../../../src/scenario/script.js';
import { named as shippedScenarios } from '../../../scenarios/index.js';
import { startServer } from '../../../src/server/index.js';
import { httpTarget } from '../../../src/target/http/index.js';
import { simulatorTarget } from '../../../src/target/simulator/simulator-target.js';

/** Bodies of megabytes and thousands of calls are the business of other specs. */
const LIGHT_CALLS_MAX = 30;
const SHARE = 2;

/** What does not depend on ids, on ties between replies, or on how a target names its endpoints. */
function outlineOf(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind === 'call') {
      const { script, lane, op, sentMs, arrivedByMs, receivedMs, reply, lost } = event;
      const times = `${sentMs} ${op === 'runsync' ? (arrivedByMs ?? receivedMs) : ''} ${receivedMs}`;
      return [`${script} ${lane} ${op} ${times} ${reply?.status ?? lost}`];
    }
    if (event.kind === 'webhook') {
      return [`${event.script} webhook ${event.arrivedMs} ${event.answered} ${event.sinceMs ?? ''}`];
    }
    return event.kind === 'script-end' ? [`${event.script} ${event.outcome} ${event.atMs}`] : [];
  });
}

/** A webhook that is never answered fails after ten seconds, in which a controlled clock stands still. */
function isComparable(step: Step): boolean {
  if (step.do === 'burst') return step.count <= LIGHT_CALLS_MAX;
  return step.do !== 'run' && step.do !== 'runsync'
    ? true
    : (step.webhook ?? []).every((answer) => !('never' in answer));
}

describe('a history made over HTTP under a controlled clock', () => {
  it('has the calls, times and answers of one made in the simulator', async () => {
    const server = await startServer({ clock: 'controlled', endpoints: [] });
    const http = await httpTarget({
      url: server.url,
      controlUrl: server.controlUrl ?? '',
      apiKey: server.apiKeys[0] ?? null,
    });
    const simulator = simulatorTarget({ seed: 1 });
    const { scripts } = drawPlan(shippedScenarios, http, 1, 1);
    const light = scripts.filter((script, index) => index % SHARE === 0 && script.steps.every(isComparable));
    const outlines = [];
    for (const target of [http, simulator]) {
      const events: HistoryEvent[] = [];
      await target.run(light, { append: (event) => void events.push(event) }, { concurrency: 1 });
      outlines.push([...outlineOf(events)].sort());
    }
    await http.close();
    await server.close();
    expect(light.length).toBeGreaterThan(50);
    expect(outlines[0]).toEqual(outlines[1]);
  });
});
