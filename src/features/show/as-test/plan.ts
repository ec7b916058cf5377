/** The steps of a test, in no language yet. */
import type { AuthKind, Body, CallEvent } from '../../../history/events.js';
import { isOver, returnedId } from '../../../report/calls/shell-script.js';
import { decodedSegment } from '../../../spec/operation-of.js';
import type { Events } from '../../../oracle/proof/generalize.js';
import type { Check } from './expectation.js';
import { bodyText, receivers } from './right-run.js';
import { callsIn, groupsIn, hooksIn, type Done, type Group, type Recorded } from './recorded.js';

/** Text with parts that are known only when the test runs: addresses, ids that calls returned. */
export type Text = readonly Piece[];
type Piece =
  | string
  | { readonly repeat: string; readonly times: number }
  /** The id that a call returned; `among` those of several calls, where `+ i` of the nth of them. */
  | { readonly idOf: number; readonly among?: string }
  | { readonly inTurn: readonly number[] }
  | { readonly at: 'url' | 'api' | 'second' | 'hook' }
  | { readonly key: KeyForm };

/** The run's key or another one, whole or changed. */
export type KeyForm = 'own' | 'without-last' | 'without-first' | 'other-case' | 'unpermitted' | 'other-user';

const own: Piece = { key: 'own' };

/** As in `target/authorization.ts`; null: no header. */
const AUTHORIZATION: { readonly [kind in AuthKind]: Text | null } = {
  bare: [own],
  'none-needed': [own],
  bearer: ['Bearer ', own],
  'lower-bearer': ['bearer ', own],
  'other-scheme': ['Basic ', own],
  wrong: ['not-a-valid-key'],
  'wrong-bearer': ['Bearer not-a-valid-key'],
  empty: [''],
  'empty-bearer': ['Bearer'],
  truncated: [{ key: 'without-last' }],
  'truncated-start': [{ key: 'without-first' }],
  extended: [own, 'x'],
  followed: [own, ' x'],
  'other-case': [{ key: 'other-case' }],
  unpermitted: [{ key: 'unpermitted' }],
  'unpermitted-bearer': ['Bearer ', { key: 'unpermitted' }],
  'other-user': [{ key: 'other-user' }],
  'other-user-bearer': ['Bearer ', { key: 'other-user' }],
  missing: null,
  'in-query': null,
};

/** In real time, a right answer that the simulator gives no later than this after the recorded one comes as soon. */
const NETWORK_MS = 1_000;

export interface TestCall {
  readonly nth: number;
  readonly method: string;
  readonly address: Text;
  readonly body: Text | null;
  /** Null: those that a call has by default, the key and JSON. */
  readonly headers: readonly (readonly [name: string, value: Text])[] | null;
  /** Its answer may take time: it is not waited for. Under test control the endpoint has then received so many calls. */
  readonly isLater: boolean;
  /** So many at once. */
  readonly count: number;
  readonly received: number;
}

export type TestStep =
  | { readonly do: 'at'; readonly ms: number }
  | { readonly do: 'workers'; readonly count: number }
  | { readonly do: 'call'; readonly call: TestCall }
  | { readonly do: 'answer'; readonly nth: number };

export interface TestPlan {
  readonly steps: readonly TestStep[];
  readonly check: Check;
  /** The beginning of the script on the clock of the history: instants of the check count from there, ms. */
  readonly beganMs: number;
  readonly endpoint: string;
  readonly workers: number;
  /** A generous limit in real time. */
  readonly timeoutMs: number;
  readonly hasSecond: boolean;
  /** Clock moved by test control; otherwise the test waits in real time. */
  readonly isControlled: boolean;
  /** How webhook calls are answered, by the address; null: the connection is closed. */
  readonly hooks: ReadonlyMap<string, readonly (number | null)[]>;
}

/** The name of the endpoint that the test uses. */
const endpointOf = ({ run, begin }: Recorded): string =>
  run.clock === 'real' ? encodeURIComponent(begin.endpoint) : 'as-a-test';

/** A call whose answer is not waited for. `isLate`: a correct service answers it later than was recorded. */
interface Open {
  readonly nth: number;
  readonly untilMs: number;
  readonly isLate: boolean;
}

/** A reason in words if it is no test. */
export function planOf(recorded: Recorded, right: Events, check: Check): TestPlan | string {
  const { begin, run, own } = recorded;
  const [seen, rightly] = [callsIn(own), callsIn(right)];
  if (own.some(({ kind }) => kind === 'storage')) return 'it needs a storage that can be reached';
  if (seen.some(({ held }) => held !== undefined)) return 'it holds back the last byte of many calls at once';
  const isControlled = run.clock !== 'real';
  const checked = check.subject;
  const steps: TestStep[] = [];
  const open: Open[] = [];
  let nowMs = begin.atMs;
  let received = 0;
  const moveTo = (ms: number, next?: Done): void => {
    for (const each of open
      .filter(
        ({ nth, untilMs, isLate }) =>
          untilMs <= ms || (!isLate && untilMs < Infinity && next && isOver(seen[nth]!, next)),
      )
      .toSorted((a, b) => a.untilMs - b.untilMs)) {
      goTo(Math.min(each.untilMs, ms));
      open.splice(open.indexOf(each), 1);
      if (!(checked.of === 'answered' && checked.nth === each.nth))
        steps.push({ do: 'answer', nth: each.nth });
    }
    goTo(ms);
  };
  const goTo = (ms: number): void => {
    if (ms > nowMs) steps.push({ do: 'at', ms: Math.round(ms - begin.atMs) });
    nowMs = Math.max(nowMs, ms);
  };
  const untilMs = 'byMs' in checked ? checked.byMs : Infinity;
  const last = 'byMs' in checked ? Infinity : checked.hook === undefined ? checked.nth : Infinity;
  const groups = groupsIn(seen);
  for (const [index, event] of recorded.done.entries()) {
    if (event.sentMs > untilMs) break;
    const nth = event.kind === 'call' ? seen.indexOf(event) : -1;
    if (nth > last) break;
    const count = groups.get(nth)?.count ?? 1;
    if (event.kind === 'call' && count === 0) continue;
    moveTo(event.sentMs, event);
    if (event.kind === 'workers') {
      steps.push({ do: 'workers', count: event.workers });
      continue;
    }
    const twins = rightly
      .slice(nth, nth + count)
      .map(({ receivedMs }) => begin.atMs + (receivedMs ?? Infinity));
    const calls = seen.slice(nth, nth + count);
    const ends = calls.map(({ receivedMs }) => receivedMs ?? Infinity);
    const lateTwins = twins.filter((ms) => isControlled || ms > Math.max(...ends) + NETWORK_MS);
    const endMs = Math.max(...ends, ...lateTwins);
    const next = recorded.done[index + count];
    const isBeside =
      next !== undefined &&
      (Math.max(...lateTwins) > next.sentMs ||
        Math.max(...ends) === Infinity ||
        !calls.every((each) => isOver(each, next)));
    const isLater = isControlled
      ? endMs > event.sentMs
      : isBeside || (checked.of === 'answered' && checked.nth === nth);
    if (isLater && count > 1) return 'many of its calls wait for their answers at once';
    if (event.endpoint === begin.endpoint) received += count;
    const call = callOf(event, nth, recorded, seen, groups);
    if (typeof call === 'string') return call;
    const uses = new Set(
      call.address.map((piece) => typeof piece === 'object' && 'idOf' in piece && piece.idOf),
    );
    if (open.some((one) => uses.has(one.nth)))
      return 'it uses the id of a job before a correct service would tell it';
    steps.push({ do: 'call', call: { ...call, isLater, count, received } });
    if (isLater) open.push({ nth, untilMs: endMs, isLate: lateTwins.length > 0 });
  }
  if (untilMs < Infinity) moveTo(untilMs);
  if (untilMs === Infinity)
    moveTo(Math.max(nowMs, checked.hook === undefined ? endOf(open, checked) : recorded.endMs));
  // Webhook calls of this very instant end before the answer to the next change of the clock.
  if (checked.hook !== undefined && steps.at(-1)?.do !== 'at')
    steps.push({ do: 'at', ms: Math.round(nowMs - begin.atMs) });
  return {
    ...{ steps, check, beganMs: begin.atMs, isControlled },
    endpoint: endpointOf(recorded),
    workers: begin.workers ?? 1,
    timeoutMs: isControlled ? 60_000 : Math.ceil(recorded.endMs - begin.atMs) + 60_000,
    hasSecond: begin.secondEndpoint !== undefined,
    hooks: hooksOf(recorded),
  };
}

const endOf = (open: readonly Open[], checked: Check['subject']): number =>
  open.find(({ nth }) => 'nth' in checked && nth === checked.nth)?.untilMs ?? 0;

function hooksOf(recorded: Recorded): TestPlan['hooks'] {
  const tokens = recorded.own.flatMap((event) =>
    event.kind === 'call'
      ? [...(bodyText(event.request.body) ?? '').matchAll(receivers(recorded))].map(([, token]) => token!)
      : [],
  );
  const seen = hooksIn(recorded, recorded.own);
  const answersAt = (token: string): readonly (number | null)[] =>
    [...seen].flatMap(([at, calls]) =>
      /^[^/?]*/u.exec(at)![0] === token ? calls.map(({ answered }) => answered) : [],
    );
  return new Map(tokens.map((token) => [token, answersAt(token).length > 0 ? answersAt(token) : [200]]));
}

const PLAIN_PATH = /^[A-Za-z0-9._~%:@/-]*$/u;

function callOf(
  { request }: CallEvent,
  nth: number,
  recorded: Recorded,
  seen: readonly CallEvent[],
  groups: ReadonlyMap<number, Group>,
): Omit<TestCall, 'isLater' | 'count' | 'received'> | string {
  const { begin } = recorded;
  const { method, path, query, auth, contentType, body } = request;
  if (!PLAIN_PATH.test(path) || /(^|\/)\.\.?(\/|$)/u.test(path)) return 'common clients change its path';
  if (body.as === 'text' && Buffer.byteLength(body.text) !== body.bytes) return 'a body is kept in part';
  if (method === 'GET' && body.as !== 'none') return 'common clients send no body with GET';
  const address: Piece[] = [];
  const at = (endpoint: string | undefined): string => `/v2/${encodeURIComponent(endpoint ?? '')}`;
  let rest = path;
  for (const [piece, base] of [
    ['api', at(begin.endpoint)],
    ['second', at(begin.secondEndpoint)],
  ] as const)
    if (address.length === 0 && (path === base || path.startsWith(`${base}/`))) {
      address.push({ at: piece });
      rest = path.slice(base.length);
    }
  if (address.length === 0) address.push({ at: 'url' });
  for (const [index, segment] of rest.split('/').entries()) {
    const from = seen
      .slice(0, nth)
      .findIndex((call) => returnedId(call) === decodedSegment(segment) && segment !== '');
    const literal = segment === begin.endpoint ? endpointOf(recorded) : segment;
    address.push(...(index === 0 ? [] : ['/']), from < 0 ? literal : idOf(from, groups, groups.get(nth)));
  }
  const search = new URLSearchParams(query).toString();
  if (search !== '') address.push(`?${search}`);
  if (auth === 'in-query') address.push(search === '' ? '?api_key=' : '&api_key=', own);
  const isPlain =
    AUTHORIZATION[auth]?.length === 1 &&
    AUTHORIZATION[auth][0] === own &&
    contentType === (body.as === 'none' ? null : 'application/json');
  const authorization = AUTHORIZATION[auth];
  const headers = [
    ...(authorization === null ? [] : [['authorization', authorization] as const]),
    ...(contentType === null ? [] : [['content-type', [contentType]] as const]),
  ];
  return {
    nth,
    method,
    address: joined(address),
    body: textOf(body, recorded),
    headers: isPlain ? null : headers,
  };
}

/** The id that a call returned, in a call of this group. */
function idOf(nth: number, groups: ReadonlyMap<number, Group>, own: Group | undefined): Piece {
  if (own?.inTurn !== undefined && own.inTurn.every((one) => !groups.has(one))) return { inTurn: own.inTurn };
  const group = groups.get(nth);
  if (group === undefined) return { idOf: nth };
  const at = nth - group.first;
  return { idOf: group.first, among: own?.from === undefined ? `${at}` : at === 0 ? 'i' : `i + ${at}` };
}

function textOf(body: Body, recorded: Recorded): Text | null {
  const text = bodyText(body);
  if (text === null) return null;
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: url, 1: token } of text.matchAll(receivers(recorded))) {
    pieces.push(text.slice(from, index), { at: 'hook' }, `/${token}`);
    from = index + url.length;
  }
  pieces.push(text.slice(from));
  return joined(pieces.flatMap((piece) => (typeof piece === 'string' ? withoutRuns(piece) : [piece])));
}

/** A character that stands there more often is told by its number. */
const RUN_MIN = 40;

export function withoutRuns(text: string): Text {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    let end = at + 1;
    while (text[end] === text[at]) end += 1;
    if (end - at >= RUN_MIN && !/[\ud800-\udfff]/u.test(text[at]!)) {
      pieces.push(text.slice(from, at), { repeat: text[at]!, times: end - at });
      from = end;
    }
    at = end;
  }
  return joined([...pieces, text.slice(from)]);
}

function joined(pieces: Text): Text {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const before = all.at(-1);
    if (typeof piece === 'string' && typeof before === 'string') all[all.length - 1] = before + piece;
    else if (piece !== '') all.push(piece);
  }
  return all;
}
