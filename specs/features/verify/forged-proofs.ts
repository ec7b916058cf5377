/** Proofs that are no proofs: true ones with something changed, and a cycle forged on the calls of a correct endpoint. */
import type { CallEvent, HistoryEvent, Json } from '../../../src/history/events.js';
import type { Bound, Contradiction } from '../../../src/oracle/proof/contradiction.js';
import type { ReportFailure } from '../../../src/report/report.js';
import type { RandomStream } from '../../../src/time/random.js';

export interface Proof {
  readonly id: string;
  readonly failure: ReportFailure;
  readonly history: readonly HistoryEvent[];
}

type Cycle = Extract<Contradiction, { readonly kind: 'time' }>;
type Forgery = (proof: Proof, random: RandomStream) => Proof | null;

/** A number of ms that is not 0. */
const some = (random: RandomStream): number =>
  random.intBetween(1, 4_000) * (random.intBetween(0, 1) === 0 ? 1 : -1);

const withContradiction = (proof: Proof, contradiction: Contradiction): Proof => ({
  ...proof,
  failure: { ...proof.failure, contradiction },
});

/** Changes a bound, and the sum with it where that stays a contradiction. */
function withBound(
  proof: Proof,
  random: RandomStream,
  which: (bound: Bound) => boolean,
  change: (bound: Bound) => Bound,
): Proof | null {
  const { contradiction } = proof.failure;
  if (contradiction?.kind !== 'time') return null;
  const places = contradiction.bounds.flatMap((bound, nth) => (which(bound) ? [nth] : []));
  if (places.length === 0) return null;
  const place = places[random.intBetween(0, places.length - 1)]!;
  const bounds = contradiction.bounds.map((bound, nth) => (nth === place ? change(bound) : bound));
  const sum = bounds.reduce((all, { limit, ms }) => all + (limit === 'at-most' ? ms : -ms), 0);
  return withContradiction(proof, { ...contradiction, bounds, ...(sum < 0 && { overMs: -sum }) });
}

const ofCall = ({ call }: Bound): boolean => call !== null;
const ofRule = ({ call, from, requirement }: Bound): boolean =>
  call === null && from !== 'clock' && requirement !== null;

/** Another call, of another job or of another time. */
function otherCall({ history }: Proof, number: number, random: RandomStream): number | null {
  const calls = history.filter((event): event is CallEvent => event.kind === 'call');
  const own = calls.find(({ call }) => call === number);
  const others = calls.filter(
    ({ sentMs, arrivedByMs, receivedMs }) =>
      ![sentMs, arrivedByMs, receivedMs].some(
        (ms) => ms === own?.sentMs || ms === own?.receivedMs || ms === own?.arrivedByMs,
      ),
  );
  return others[random.intBetween(0, others.length - 1)]?.call ?? null;
}

/** The history in which a call was answered so. */
const answered = (proof: Proof, number: number, reply: CallEvent['reply']): Proof => ({
  ...proof,
  history: proof.history.map((event) =>
    event.kind === 'call' && event.call === number ? { ...event, reply } : event,
  ),
});

const last = ({ failure }: Proof): number => failure.calls.at(-1)!;

const FORGERIES: { readonly [name: string]: Forgery } = {
  'an instant moved': (proof, random) =>
    withBound(proof, random, ofCall, (bound) => ({ ...bound, ms: bound.ms + some(random) * 1_013 })),
  'a rule with another number': (proof, random) =>
    withBound(proof, random, ofRule, (bound) => ({ ...bound, ms: bound.ms + some(random) * 997 + 1 })),
  'less lateness than allowed': (proof, random) =>
    withBound(
      proof,
      random,
      ({ from, ms }) => from === 'due' && ms === 2_000,
      (bound) => ({
        ...bound,
        ms: random.intBetween(0, 1_999),
      }),
    ),
  'another sum': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind === 'time')
      return withContradiction(proof, { ...contradiction, overMs: contradiction.overMs + some(random) });
    if (contradiction?.kind !== 'number') return null;
    return withContradiction(proof, { ...contradiction, most: contradiction.most + some(random) });
  },
  'a bound left out': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind !== 'time') return null;
    const nth = random.intBetween(0, contradiction.bounds.length - 1);
    const bounds = contradiction.bounds.filter((_, each) => each !== nth);
    return withContradiction(proof, { ...contradiction, bounds } satisfies Cycle);
  },
  'another call': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind === 'order') {
      const nth = random.intBetween(0, contradiction.seen.length - 1);
      const call = otherCall(proof, contradiction.seen[nth]!.call, random);
      if (call === null) return null;
      const seen = contradiction.seen.map((one, each) => (each === nth ? { ...one, call } : one));
      return withContradiction(proof, { ...contradiction, seen });
    }
    return withBound(proof, random, ofCall, (bound) => {
      const call = otherCall(proof, bound.call!, random) ?? -1;
      return { ...bound, call, to: bound.to.startsWith('#') ? `#${call}` : bound.to };
    });
  },
  'another job': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction === null || contradiction.kind === 'number' || contradiction.job === null) return null;
    if (contradiction.kind === 'time' && !contradiction.bounds.some(ofCall)) return null;
    return withContradiction(proof, {
      ...contradiction,
      job: `${random.intBetween(0, 9)}-${contradiction.job}`,
    });
  },
  'a number told that fits': (proof) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind !== 'number') return null;
    return withContradiction(proof, { ...contradiction, told: contradiction.least });
  },
  'a number that no answer told': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind !== 'number') return null;
    const told = contradiction.most + random.intBetween(1, 50) + contradiction.told;
    return withContradiction(proof, { ...contradiction, told });
  },
  'an order at another time': (proof, random) => {
    const { contradiction } = proof.failure;
    if (contradiction?.kind !== 'order') return null;
    const nth = random.intBetween(0, contradiction.seen.length - 1);
    const seen = contradiction.seen.map((one, each) =>
      each === nth ? { ...one, atMs: one.atMs + some(random) * 1_009 } : one,
    );
    return withContradiction(proof, { ...contradiction, seen });
  },
  'the decisive answer missing in the history': (proof) => {
    const { contradiction } = proof.failure;
    return contradiction?.kind === 'number' || contradiction === null || contradiction.kind === 'order'
      ? answered(proof, last(proof), null)
      : null;
  },
  'codes exchanged in the history': (proof) => {
    const { contradiction } = proof.failure;
    const own = proof.history.find((event) => event.kind === 'call' && event.call === last(proof));
    if (own?.kind !== 'call' || own.reply === null || contradiction?.kind === 'time') return null;
    const status = own.reply.status < 300 ? 429 : 200;
    const body = { as: 'json', value: {}, bytes: 2 } as const;
    return answered(proof, own.call, { ...own.reply, status, body });
  },
  'an output as the plan says': (proof) => {
    const [submit, read] = [proof.failure.calls[0]!, last(proof)].map((number) => callIn(proof, number));
    const sent = valueIn(submit?.request.body) as {
      readonly input?: { readonly plan?: readonly { readonly return?: Json }[] };
    } | null;
    const said = valueIn(read?.reply?.body);
    const planned = Array.isArray(sent?.input?.plan) ? sent.input.plan.at(-1) : undefined;
    if (!/unchanged/.test(proof.id) || said === null || planned?.return === undefined) return null;
    const body = { as: 'json', value: { ...said, output: planned.return }, bytes: 2 } as const;
    return answered(proof, read!.call, { ...read!.reply!, body });
  },
  'the webhook calls missing in the history': (proof) =>
    /^6\/(at-most|stops|pause|called-at|no-call)/.test(proof.id)
      ? { ...proof, history: proof.history.filter(({ kind }) => kind !== 'webhook') }
      : null,
  'more calls in the window': (proof) => {
    const refused = callIn(proof, last(proof));
    if (!/^8\/rate-.*-below/.test(proof.id) || refused === undefined) return null;
    const more = Array.from({ length: 2_001 }, (_, nth) => ({ ...refused, call: 1_000_000 + nth }));
    return { ...proof, history: [...proof.history, ...more] };
  },
};

const callIn = ({ history }: Proof, number: number): CallEvent | undefined =>
  history.find((event): event is CallEvent => event.kind === 'call' && event.call === number);

const valueIn = (body: CallEvent['request']['body'] | undefined): object | null =>
  body?.as === 'json' ? (body.value as object | null) : null;

/** Some forgeries of each kind that there is for this proof. */
export function forgedFrom(
  proof: Proof,
  random: RandomStream,
  each: number,
): readonly { readonly name: string; readonly proof: Proof }[] {
  return Object.entries(FORGERIES).flatMap(([name, forge]) =>
    Array.from({ length: each }, () => forge(proof, random)).flatMap((forged) =>
      forged === null ? [] : [{ name, proof: forged }],
    ),
  );
}

/**
 * On the calls of a correct endpoint: a job that was still there is said to have been due by a rule whose number stands in the
 * document, though not for this job. The sum is right, and so is every instant of a call.
 */
export function forgedCycles(history: readonly HistoryEvent[]): readonly Proof[] {
  const calls = history.filter((event): event is CallEvent => event.kind === 'call');
  const submissions = new Map(
    calls.flatMap((call) => (call.op === 'run' ? [[`${call.script} ${jobIn(call)}`, call] as const] : [])),
  );
  return calls.flatMap((read) => {
    const submit = submissions.get(`${read.script} ${jobIn(read)}`);
    const job = jobIn(read);
    if (read.op !== 'status' || read.reply?.status !== 200 || submit === undefined || job === null) return [];
    const most = submit.arrivedByMs! + 10_000 + 2_000;
    if (read.sentMs <= most) return [];
    const bounds: readonly Bound[] = [
      bound('clock', 'submitted', 'at-most', submit.arrivedByMs!, null, submit.call),
      bound('submitted', 'due', 'at-most', 10_000, '2.2/ttl-removes-running', null),
      bound('due', `#${read.call}`, 'at-most', 2_000, null, null),
      bound('clock', `#${read.call}`, 'at-least', read.sentMs, null, read.call),
    ];
    const contradiction: Cycle = { kind: 'time', job, bounds, overMs: read.sentMs - most };
    const failure = { calls: [submit.call, read.call], originMs: 0, contradiction, shrunk: null };
    return [{ id: '2.2/ttl-removes-running', failure: failure as unknown as ReportFailure, history }];
  });
}

const bound = (
  from: string,
  to: string,
  limit: Bound['limit'],
  ms: number,
  requirement: string | null,
  call: number | null,
): Bound => ({ from, to, limit, ms, why: 'forged', requirement, call });

function jobIn({ reply }: CallEvent): string | null {
  const value = reply?.body.as === 'json' ? reply.body.value : null;
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : null;
}
