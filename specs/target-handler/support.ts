import { plainEndpoint } from '../../examples/in-process/plain-endpoint/index.js';
import {
  checkTarget,
  fetchTarget,
  type CheckResult,
  type FetchHandler,
  type FreshEndpoint,
  type HandlerInstance,
  type HandlerTargetOptions,
  type Script,
  type Step,
} from '../../src/index.js';

/** The plain endpoint as a factory makes it. */
export function plain({
  endpoint,
  secondEndpoint: neighbour,
  workers,
  apiKey,
}: FreshEndpoint): HandlerInstance {
  const endpoints = neighbour === null ? [endpoint] : [endpoint, neighbour];
  return plainEndpoint({ endpoints, workers, apiKey: apiKey ?? '' });
}

export function scriptOf(...steps: readonly Step[]): Script {
  return {
    schema: 'runproof-script/1',
    scenario: 'spec/handler',
    title: 'a script of the spec',
    seed: 0,
    needs: [],
    workers: 1,
    exclusive: false,
    expectedMs: 1_000,
    steps,
  };
}

/** Plays steps on what the factory makes, and gives the history. */
export async function play(
  fresh: (wanted: FreshEndpoint) => FetchHandler | HandlerInstance | Promise<HandlerInstance>,
  steps: readonly Step[],
  options: HandlerTargetOptions = {},
): Promise<CheckResult> {
  const target = fetchTarget({ fresh: fresh }, { worker: 'scripted', ...options });
  try {
    return await checkTarget(target, { scripts: [scriptOf(...steps)], shrink: false });
  } finally {
    await target.close();
  }
}

/** Each call in a line: operation, when it was sent and answered, how. */
export function callsOf({ history }: CheckResult): readonly string[] {
  return history.flatMap((event) => {
    if (event.kind !== 'call') return [];
    const body = event.reply?.body;
    const value = body?.as === 'json' ? (body.value as { readonly status?: unknown }) : {};
    const status = typeof value?.status === 'string' ? ` ${value.status}` : '';
    return [`${event.op} ${event.sentMs}–${event.receivedMs} ${event.reply?.status ?? event.lost}${status}`];
  });
}

export function endingOf({ history }: CheckResult): string | null {
  const end = history.find((event) => event.kind === 'script-end');
  return end?.reason ?? null;
}

export const failuresOf = ({ findings }: CheckResult): readonly string[] =>
  findings.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
