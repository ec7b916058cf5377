import type { CallEvent, HistoryEvent, ScriptEndEvent, WebhookEvent } from '../../src/history/events.js';
import type { Script, Step } from '../../src/scenario/script.js';
import { httpTarget } from '../../src/target/http/index.js';
import type { HttpTarget, HttpTargetOptions } from '../../src/target/http/index.js';
import type { RunOptions, RunSummary } from '../../src/target/port.js';
import { FakeEndpoint, KEY } from './fake-endpoint.js';
import type { FakeOptions } from './fake-endpoint.js';

export function scriptOf(steps: readonly Step[], more: Partial<Script> = {}): Script {
  return {
    schema: 'runproof-script/1',
    scenario: 'spec',
    title: 'spec',
    seed: 1,
    needs: [],
    workers: 1,
    exclusive: false,
    expectedMs: 0,
    steps,
    ...more,
  };
}

export interface Played {
  readonly summary: RunSummary;
  readonly events: readonly HistoryEvent[];
  readonly calls: readonly CallEvent[];
  readonly webhooks: readonly WebhookEvent[];
  readonly ends: readonly ScriptEndEvent[];
}

export async function playOn(
  target: HttpTarget,
  scripts: readonly Script[],
  more: Partial<RunOptions> = {},
): Promise<Played> {
  const events: HistoryEvent[] = [];
  const sink = { append: (event: HistoryEvent) => void events.push(event) };
  const summary = await target.run(scripts, sink, more);
  return {
    summary,
    events,
    calls: events.filter((event) => event.kind === 'call'),
    webhooks: events.filter((event) => event.kind === 'webhook'),
    ends: events.filter((event) => event.kind === 'script-end'),
  };
}

/** Starts a fake endpoint, connects to it, and stops both when the work is done. */
export async function withFake<T>(
  fakeOptions: FakeOptions,
  targetOptions: Partial<HttpTargetOptions>,
  work: (target: HttpTarget, fake: FakeEndpoint) => Promise<T>,
): Promise<T> {
  const fake = await new FakeEndpoint(fakeOptions).start();
  const offersControl = fakeOptions.features !== undefined && fakeOptions.features !== null;
  try {
    const target = await httpTarget({
      url: fake.url,
      apiKey: KEY,
      worker: 'scripted',
      ...(offersControl ? { controlUrl: fake.controlUrl } : {}),
      ...(offersControl && fakeOptions.features?.includes('endpoints') ? {} : { endpoint: 'shared' }),
      ...targetOptions,
    });
    try {
      return await work(target, fake);
    } finally {
      await target.close();
    }
  } finally {
    await fake.stop();
  }
}
