/** A worker that follows no plans is sent the one input that its owner says it accepts, in every scenario. */
import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { PROFILE_WAIT_MS } from '../../src/judging/profiles.js';
import { rulesFor } from '../../src/core/rules.js';
import type { CallEvent, HistoryEvent, Json } from '../../src/history/events.js';
import { judge, type Findings } from '../../src/oracle/index.js';
import { createScriptRunner } from '../../src/runner/script-runner.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';
import { httpTarget } from '../../src/target/http/index.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { isObject } from '../../src/util/json.js';

const SAMPLE = { prompt: 'hi' };

/** What these scenarios ask is how the service treats the input, whatever the worker makes of it. */
const ABOUT_INPUT = /^(2\.1\/(any-worker-any-input|input-is-an-object)|7\/malformed-bodies)/;

const target = simulatorTarget({ seed: 1 });
const capabilities = target.capabilities.filter((one) => one !== 'scripted-worker');
const places = [
  ['with a clock that is moved', { capabilities, limits: target.limits }],
  [
    'in real time',
    {
      capabilities: capabilities.filter((one) => one !== 'test-control' && one !== 'worker-count-known'),
      limits: { ...target.limits, maxWaitMs: PROFILE_WAIT_MS.full, preferredWaitMaxMs: 6_000 },
    },
  ],
] as const;

function callsOf(
  scripts: Parameters<typeof target.runSynchronously>[0],
): readonly (CallEvent & { scenario: string })[] {
  const events: HistoryEvent[] = [];
  target.runSynchronously(
    scripts,
    { append: (event) => void events.push(event) },
    { createRunner: (script, context) => createScriptRunner(script, { ...context, sampleInput: SAMPLE }) },
  );
  const scenarios = new Map(
    events.flatMap((event) => (event.kind === 'script' ? [[event.script, event.scenario]] : [])),
  );
  return events.flatMap((event) =>
    event.kind === 'call' ? [{ ...event, scenario: scenarios.get(event.script) ?? '' }] : [],
  );
}

/** The input of a submission; undefined where its body holds none that a worker could get. */
function inputOf({ request: { body } }: CallEvent): Json | undefined {
  if (body.as !== 'json' || !isObject(body.value)) return undefined;
  const { input } = body.value as { input?: Json };
  if (!isObject(input)) return input;
  // A member that makes the body large.
  const { pad: _, ...rest } = input as { readonly [name: string]: Json };
  return rest;
}

describe.each(places)('%s', (_, place) => {
  const { scripts } = drawPlan(named, place, 1, 2);

  it('every submission holds the sample, save where a scenario is about the input itself', () => {
    const submissions = callsOf(scripts).filter(
      ({ request: { method, path } }) => method === 'POST' && /\/run(sync)?$/.test(path),
    );
    const others = submissions.filter((call) => JSON.stringify(inputOf(call)) !== JSON.stringify(SAMPLE));
    // A body that is not JSON reaches no worker.
    const notAboutInput = others.filter(
      ({ scenario, request: { body, illegal } }) =>
        !ABOUT_INPUT.test(scenario) && body.as !== 'text' && !(illegal ?? '').startsWith('input-'),
    );
    expect(submissions.length).toBeGreaterThan(100);
    expect(
      notAboutInput.map(({ scenario, request }) => `${scenario}: ${JSON.stringify(request.body)}`),
    ).toEqual([]);
  });
});

describe('a service whose worker checks its input before the job is created', () => {
  const base = rulesFor({}, 'document');
  const rules = {
    ...base,
    inputAllowed: (input: Json | undefined) =>
      base.inputAllowed(input) && JSON.stringify(Object.keys(input as object)) === '["prompt"]',
  };
  const scenarios = named.filter(({ name }) => /^(1\/every-|2\.1|4\.1|4\.5|6)/.test(name));

  async function checked(sampleInput: Json | undefined): Promise<Findings> {
    const server = await startServer({ rules, apiKeys: [LOCAL_API_KEY], clock: 'controlled', endpoints: [] });
    const opaque = await httpTarget({
      url: server.url,
      apiKey: LOCAL_API_KEY,
      controlUrl: server.controlUrl,
      worker: 'opaque',
      ...(sampleInput === undefined ? {} : { sampleInput }),
    });
    try {
      const { scripts } = drawPlan(scenarios, opaque, 1, 1);
      const { events } = await runScripts(opaque, scripts, { seed: 1, edition: 'document', runproof: '0' });
      return judge(events);
    } finally {
      await opaque.close();
      await server.close();
    }
  }

  const failed = ({ requirements }: Findings): readonly string[] =>
    requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

  it('is judged by the sample: nothing fails, and webhooks are decided', { timeout: 120_000 }, async () => {
    const findings = await checked(SAMPLE);
    expect(failed(findings)).toEqual([]);
    const passed = findings.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        '4.1/wait-min-accepted',
        '6/called-on-completion-run',
        '6/retries-after-error-status',
      ]),
    );
    expect(findings.warnings.join()).not.toContain('--sample-input');
  });

  it('is not accused without a sample, and the advice is to give one', { timeout: 120_000 }, async () => {
    const findings = await checked(undefined);
    expect(failed(findings)).toEqual([]);
    expect(findings.warnings.join()).toContain('--sample-input');
    const operation = findings.requirements.find(({ id }) => id === '4/operation-run')!;
    expect(operation).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('input') as string,
    });
  });

  it('is not accused of refusing a sample that is wrong: that is a mistake of the user', async () => {
    await expect(checked({ other: 1 })).rejects.toMatchObject({ problem: 'sample-refused' });
    await expect(checked({ input: SAMPLE })).rejects.toMatchObject({
      advice: expect.stringContaining('without `{"input": …}` around it') as string,
    });
  });
});
