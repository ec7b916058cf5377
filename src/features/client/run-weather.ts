/** One client in one weather. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgeSession } from '../../client/judge.js';
import type { WeatherResult } from '../../client/report.js';
import type { ClientEnd, Session } from '../../client/session.js';
import type { Weather } from '../../client/weather/weather.js';
import type { Json } from '../../history/events.js';
import type { HandlerFunction } from '../../server/handlers/handler-api.js';
import type { Edition } from '../../spec/index.js';
import { EventLoopLagMonitor } from '../../target/session/event-loop-lag.js';
import { UsageError } from '../../util/errors.js';
import { ENDPOINT, WeatherEndpoint } from './endpoint.js';
import { endingOf, type Expected } from './ending.js';
import type { ClientEnvironment } from './environment.js';
import { freePort } from './free-port.js';
import { startFront, type Front } from './front.js';
import { startClient, type ClientProgram, type StartedEnd } from './programs.js';
import { selfCheck } from './self-check.js';
import { startWebhookRelay } from './webhook-relay.js';

export interface WeatherSettings {
  readonly client: ClientProgram;
  readonly weather: Weather;
  /** From which durations are drawn, 0 to 1. */
  readonly chance: number;
  readonly speed: number;
  readonly limitMs: number;
  readonly edition: Edition;
  readonly handler: HandlerFunction | undefined;
  readonly output: Json | undefined;
  readonly expected: Expected | undefined;
  readonly signal: AbortSignal;
  readonly jobsWhenClear: number | null;
  /** The client is stopped if it has made no call by then, real ms. */
  readonly firstCallByMs?: number | undefined;
}

/** Null: interrupted. @throws {UsageError} if the command cannot be started */
export async function runWeather(settings: WeatherSettings): Promise<WeatherResult | null> {
  const { client, weather, chance, speed, limitMs, edition, handler, output, signal } = settings;
  let originMs = performance.now();
  const nowMs = (): number => Math.round((performance.now() - originMs) * 10) / 10;
  const apiKey = `rp_${randomBytes(12).toString('hex')}`;
  const relay = await startWebhookRelay(weather.webhooks, nowMs);
  const endpoint = new WeatherEndpoint({
    ...{ weather, edition, speed, chance, output, handler, nowMs, forwardWebhooks: relay.url },
    apiKey: weather.rejectsKey === true ? `rp_${randomBytes(12).toString('hex')}` : apiKey,
  });
  const webhookPort = await freePort();
  originMs = performance.now();
  const lag = new EventLoopLagMonitor(0);
  const front = await startFront({
    ...{ weather, edition, apiKey, endpoint, nowMs },
    delivered: relay.delivered,
  });
  const environment: ClientEnvironment = {
    url: `http://127.0.0.1:${front.port}`,
    endpoint: ENDPOINT,
    apiKey,
    webhookUrl: `http://127.0.0.1:${webhookPort}`,
    webhookPort,
    weather: weather.id,
    limitMs,
  };
  try {
    const running = startClient(client, environment);
    const ended = await untilEnd(running.ended, running.stop, front, settings);
    const atMs = nowMs();
    if (ended.kind === 'unstartable') throw new UsageError(ended.why);
    await running.gone;
    const output = running.output();
    const session: Session = {
      ...{ weather, edition, limitMs, jobsWhenClear: settings.jobsWhenClear, patienceMs: null },
      printed: output.leftOutBytes > 0 || client.kind !== 'command' ? null : output.stdout,
      calls: front.calls.map((call) => ({ ...call, ...(call.outcome.kind === 'open' && { byMs: atMs }) })),
      webhooks: relay.deliveries.map((delivery) => ({ ...delivery })),
      jobs: endpoint.jobs(),
      end: endOf(ended, client, atMs),
      idleConnectionsMax: front.idleConnectionsMax(),
      machineLags: lag.stretchesSince(originMs),
    };
    if (signal.aborted && client.kind !== 'attached') return null;
    return {
      session,
      verdicts: judgeSession(session),
      ending: endingOf(session, settings.expected, hasMet(session, endpoint.othersActed)),
      output,
      selfCheck: await selfCheck(endpoint.seen, edition, Math.ceil(atMs)),
    };
  } finally {
    lag.stop();
    await front.close();
    await relay.close();
    await endpoint.close();
  }
}

/** It ends by itself, or is stopped: at the limit, by the user, or because it does not call. */
async function untilEnd(
  ended: Promise<StartedEnd>,
  stop: () => void,
  front: Front,
  { limitMs, signal, firstCallByMs }: WeatherSettings,
): Promise<StartedEnd> {
  const over = new AbortController();
  const at = (ms: number, does: () => void): void => {
    void sleep(ms, undefined, { signal: over.signal }).then(does, () => undefined);
  };
  at(limitMs, stop);
  if (firstCallByMs !== undefined)
    at(firstCallByMs, () => {
      if (front.calls.length === 0) stop();
    });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const end = await ended;
  signal.removeEventListener('abort', stop);
  over.abort();
  return end;
}

function endOf(ended: StartedEnd, { kind }: ClientProgram, atMs: number): ClientEnd {
  if (kind === 'attached') return { kind: 'attached', atMs };
  return ended.kind === 'ended' ? { ...ended, atMs } : { kind: 'stopped', atMs };
}

/** Whether what the weather is about has happened to this client. */
function hasMet({ weather, calls, webhooks, jobs }: Session, othersActed: boolean): boolean {
  if (weather.faults !== undefined && !calls.some(({ fault }) => fault !== null)) return false;
  if (weather.others !== undefined && !othersActed) return false;
  if (weather.webhooks !== undefined)
    return webhooks.length > 0 || jobs.some(({ webhook }) => webhook !== null);
  return true;
}
