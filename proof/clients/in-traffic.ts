/** Clients of the proof judged by recorded calls alone, with everything that a recording may lack. */
import type { Session } from '../../src/client/session.js';
import type { WeatherResult } from '../../src/client/report.js';
import { SeenClients, type SeenSettings } from '../../src/client/seen-clients.js';
import type { Exchange } from '../../src/history/exchange.js';
import { createRandom, type RandomStream } from '../../src/time/random.js';
import { ORIGIN_MS, recordingOf } from './recording-of.js';

/** Calls, each with the file that it is in. */
type Calls = readonly { readonly exchange: Exchange; readonly file?: number }[];

type Verdicts = ReadonlyMap<string, { readonly state: string; readonly text: string }>;

/** Where calls and the laboratory both decide a rule, and differ. */
export function disagreements(
  { session, verdicts }: WeatherResult,
  breaks: readonly string[] = [],
): readonly string[] {
  // A machine that ran late leaves rules open in the laboratory, but not in traffic.
  const inTraffic = judged(recordingOf(session).map((exchange) => ({ exchange })));
  return verdicts.flatMap(({ rule: { id }, state }) => {
    const seen = inTraffic.get(id) ?? { state: 'open', text: '' };
    if (seen.state === 'open' || state === 'open' || seen.state === state) return [];
    // What it breaks may look kept where the machine was late, and only there.
    if (seen.state === 'violated' && breaks.includes(id)) return [];
    return [`${session.weather.id}: ${id} is ${state}, and by its calls ${seen.state} ${seen.text}`];
  });
}

/** What a correct client is accused of by its calls, whatever the recording lacks. */
export function accusations(results: readonly WeatherResult[], seed: number): readonly string[] {
  const random = createRandom(seed).fork('traffic');
  const sessions = results.map(({ session }) => session);
  const single = sessions.flatMap((session) => {
    const whole = recordingOf(session).map((exchange) => ({ exchange }));
    return LOSSES.map(([name, lose, settings]) =>
      accusedOf(`${session.weather.id}, ${name}`, lose(whole, random), settings),
    );
  });
  const together = sessions.flatMap((session, at) => shifted(session, at, random));
  const inOrder = [...together].sort((one, other) => one.exchange.fromMs - other.exchange.fromMs);
  const all = LOSSES.map(([name, lose, settings]) =>
    accusedOf(`all together, ${name}`, lose(inOrder, random), settings),
  );
  return [...single, ...all].flat();
}

function accusedOf(where: string, calls: Calls, settings: Partial<SeenSettings> = {}): readonly string[] {
  return [...judged(calls, settings)].flatMap(([id, { state, text }]) =>
    state === 'violated' ? [`${where}: ${id}: ${text}`] : [],
  );
}

/** By the rule; the worst that is said of any client. */
function judged(calls: Calls, settings: Partial<SeenSettings> = {}): Verdicts {
  const seen = new SeenClients({ edition: 'document', isWhole: 'perhaps', ...settings });
  for (const { exchange, file } of calls) seen.take(exchange, file);
  const verdicts = new Map<string, { readonly state: string; readonly text: string }>();
  for (const { rule, state, violations } of seen.found.flatMap((client) => client.verdicts))
    if (verdicts.get(rule.id)?.state !== 'violated')
      verdicts.set(rule.id, { state, text: violations[0]?.text ?? '' });
  return verdicts;
}

/** Each of its jobs has an id of its own, and its connections are of a process of their own. */
function shifted(session: Session, at: number, random: RandomStream): Calls {
  const fromMs = ORIGIN_MS + random.intBetween(0, 5_000);
  const text = JSON.stringify(recordingOf(session, { fromMs }));
  const renamed = text.replaceAll(/\b([0-9a-f]{8})(-[0-9a-f]{4}-)/gu, `${String(at).padStart(8, '0')}$2`);
  return (JSON.parse(renamed.replaceAll('"connection":"', `"connection":"${at}.`)) as Exchange[]).map(
    (exchange) => ({
      exchange,
    }),
  );
}

type Loss = readonly [
  name: string,
  lose: (calls: Calls, random: RandomStream) => Calls,
  settings?: Partial<SeenSettings>,
];

const withoutCaller = (exchange: Exchange): Exchange => {
  const { client: _, ...others } = exchange;
  return others;
};
const each =
  (change: (exchange: Exchange) => Exchange): Loss[1] =>
  (calls) =>
    calls.map(({ exchange, file }) => ({ exchange: change(exchange), ...(file !== undefined && { file }) }));
const then =
  (...steps: readonly Loss[1][]): Loss[1] =>
  (calls, random) =>
    steps.reduce((rest, step) => step(rest, random), calls);

const cut: Loss[1] = (calls, random) => {
  const from = random.intBetween(0, calls.length);
  return calls.slice(from, random.intBetween(from, calls.length));
};
const sampled: Loss[1] = (calls, random) => calls.filter(() => random.intBetween(0, 9) >= 3);
const hidden: Loss[1] = (calls, random) => {
  const operations = ['run', 'runsync', 'status', 'stream', 'cancel', 'retry', 'purge-queue'];
  const gone = operations[random.intBetween(0, operations.length - 1)];
  return calls.filter(({ exchange }) => exchange.names?.operation !== gone);
};
const coarse = (unitMs: number): Loss[1] =>
  each((exchange) => ({
    ...exchange,
    fromMs: Math.floor(exchange.fromMs / unitMs) * unitMs,
    byMs: exchange.byMs === null ? null : Math.ceil(exchange.byMs / unitMs) * unitMs,
  }));
/** Clocks that differ by seconds. */
const apart: Loss[1] = (calls, random) => {
  const skewMs = random.intBetween(-5_000, 5_000);
  return calls
    .map(({ exchange }) => {
      const file = random.intBetween(0, 1);
      const later = (ms: number): number => ms + file * skewMs;
      const { fromMs, byMs } = exchange;
      return {
        exchange: { ...exchange, fromMs: later(fromMs), byMs: byMs === null ? null : later(byMs) },
        file,
      };
    })
    .sort((one, other) => one.exchange.fromMs - other.exchange.fromMs);
};
/** The user says by which header to tell processes apart. */
const named = each((exchange) => {
  const { client, ...others } = exchange;
  const process = client?.connection?.split('.')[0] ?? 'one';
  return {
    ...others,
    request: { ...others.request, headers: { ...others.request.headers, 'x-process': process } },
  };
});
const BY_NAME = { by: 'x-process' } as const;

/** What recordings lack. */
const LOSSES: readonly Loss[] = [
  ['whole', (calls) => calls],
  ['cut', cut],
  ['cut again', cut],
  ['sampled', sampled, { isWhole: 'no' }],
  ['without callers', each(withoutCaller)],
  ['without callers, sampled', then(each(withoutCaller), sampled)],
  ['named', named, BY_NAME],
  ['named, said to be whole', named, { ...BY_NAME, isWhole: 'yes' }],
  ['named, cut', then(cut, named), BY_NAME],
  ['named, cut, said to be whole', then(cut, named), { ...BY_NAME, isWhole: 'yes' }],
  ['named, sampled', then(sampled, named), BY_NAME],
  ['calls hidden', hidden],
  ['named, calls hidden', then(hidden, named), BY_NAME],
  ['by a clock of seconds', coarse(1_000)],
  ['named, by a clock of seconds', then(coarse(1_000), named), BY_NAME],
  ['named, by a clock of 100 ms', then(coarse(100), named), BY_NAME],
  ['by two clocks', apart, { isOneClock: false }],
  ['named, by two clocks', then(apart, named), { ...BY_NAME, isOneClock: false }],
];
