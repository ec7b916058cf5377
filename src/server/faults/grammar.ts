/**
 * The notation of faults: `status:5%=503`, `run,runsync:#2=+300ms,lost-reply`, `worker:10%=crash`,
 * `webhook=duplicate`. docs/emulator.md describes it for users.
 */
import { parseDuration } from '../../util/duration.js';
import { NAMES_IN_PATHS } from '../../spec/operation-of.js';

/** What happens to a call, a run of a job, or a webhook call, besides a delay. */
export type Effect =
  /**
   * The call is answered with this code and not handled. `retryAfterS`: of the answer; null: none. `html`: by a page of HTML, as
   * a gateway answers, or with 200 a proxy that wants its user to log in.
   */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfterS: number | null;
      readonly html: boolean;
    }
  | { readonly kind: 'lost-request' | 'lost-reply' | 'truncated-reply' | 'closed-after-reply' }
  /** The reply arrives piece by piece, in so many ms. */
  | { readonly kind: 'slow-reply'; readonly overMs: number }
  | { readonly kind: 'crash' | 'fail' }
  | { readonly kind: 'lost' | 'duplicate' };

/** What a fault does: a delay, an effect, or both. */
export interface Effects {
  /** Drawn between these, both included; 0 and 0 without a delay. */
  readonly delayMs: readonly [min: number, max: number];
  readonly effect: Effect | null;
}

type Share =
  /** In thousandths. */
  | { readonly kind: 'chance'; readonly perMille: number }
  /** The calls with these numbers, from 1; `last` may be `Infinity`. */
  | { readonly kind: 'numbers'; readonly first: number; readonly last: number }
  /** All, for so long from the first one on. */
  | { readonly kind: 'time'; readonly forMs: number };

export type Place = 'call' | 'worker' | 'webhook';

export interface FaultRule extends Effects {
  /** As the user wrote it. */
  readonly text: string;
  readonly place: Place;
  /** Of calls; null for workers and webhooks. */
  readonly operations: ReadonlySet<string> | null;
  readonly share: Share;
}

/** The notation is wrong; the message says what to write instead. */
export class FaultSyntaxError extends Error {
  override readonly name = 'FaultSyntaxError';
}

const EFFECTS: {
  readonly [P in Place]: { readonly names: readonly Effect['kind'][]; readonly forms: string };
} = {
  call: {
    names: ['lost-request', 'lost-reply', 'truncated-reply', 'closed-after-reply'],
    forms:
      'a status code such as 503, 429:5s (with Retry-After), 429:none (without), 502:html or 200:html, lost-request, lost-reply, truncated-reply, closed-after-reply, slow-reply:2s, or +300ms',
  },
  worker: { names: ['crash', 'fail'], forms: 'crash, fail, or +2s' },
  webhook: { names: ['lost', 'duplicate'], forms: 'lost, duplicate, or +2s' },
};

/** Within the time that a request may take (`http-server.ts`). A worker may be later: its clock may be moved. */
const DELAY_MAX: { readonly [P in Place]: { readonly ms: number; readonly text: string } } = {
  call: { ms: 240_000, text: '4m' },
  webhook: { ms: 240_000, text: '4m' },
  worker: { ms: 86_400_000, text: '24h' },
};
const RETRY_AFTER_DEFAULT_S = 1;

/** Parses `WHAT[:SHARE]=EFFECTS`. @throws FaultSyntaxError */
export function parseRule(text: string): FaultRule {
  const match = /^([^:=]+)(?::([^=]*))?=(.*)$/.exec(text.trim());
  if (match === null)
    throw new FaultSyntaxError(
      `the fault ${quoted(text)} must have the form WHAT:SHARE=EFFECT, such as status:5%=503, run:#1=lost-reply, worker:10%=crash or webhook=duplicate`,
    );
  const within = (does: () => FaultRule): FaultRule => {
    try {
      return does();
    } catch (error) {
      if (error instanceof FaultSyntaxError)
        throw new FaultSyntaxError(`the fault ${quoted(text)}: ${error.message}`);
      throw error;
    }
  };
  return within(() => {
    const [, what = '', share, effects = ''] = match;
    const { place, operations } = parseWhat(what.trim());
    return {
      text: text.trim(),
      place,
      operations,
      share: parseShare(share?.trim()),
      ...parseEffects(effects, place),
    };
  });
}

function parseWhat(what: string): Pick<FaultRule, 'place' | 'operations'> {
  if (what === 'worker' || what === 'webhook') return { place: what, operations: null };
  return {
    place: 'call',
    operations: operationsIn(what, ', several with commas, * for all of them, worker, or webhook'),
  };
}

/** The operations that a text names. @param more what else it may be, for the message @throws FaultSyntaxError */
export function operationsIn(what: string, more = ''): ReadonlySet<string> {
  if (what === '*') return new Set(NAMES_IN_PATHS);
  const names = what.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !NAMES_IN_PATHS.includes(name));
  if (unknown !== undefined)
    throw new FaultSyntaxError(
      `${quoted(unknown)} is not an operation; write ${NAMES_IN_PATHS.join(', ')}${more}`,
    );
  return new Set(names);
}

function parseShare(share: string | undefined): Share {
  if (share === undefined) return { kind: 'chance', perMille: 1000 };
  const percent = /^(\d{1,3}(?:\.\d)?)%$/.exec(share)?.[1];
  const perMille = Math.round(Number(percent) * 10);
  if (perMille > 0 && perMille <= 1000) return { kind: 'chance', perMille };
  const [, from, to = from] = /^#(\d{1,9})(?:-(\d{0,9}))?$/.exec(share) ?? [];
  const [first, last] = [Number(from), to === '' ? Infinity : Number(to)];
  if (first >= 1 && last >= first) return { kind: 'numbers', first, last };
  const forMs = parseDuration(share);
  if (forMs !== null && forMs > 0) return { kind: 'time', forMs };
  throw new FaultSyntaxError(
    `the share ${quoted(share)} is not known; write 5% or 0.5% (from 0.1% to 100%), #3 for the third, #1-3 for the first three, #3- from the third on, or 10s for ten seconds from the first one on`,
  );
}

/** Parses `503`, `+300ms,lost-reply` and so on. @throws FaultSyntaxError */
export function parseEffects(text: string, place: Place): Effects {
  let delayMs: Effects['delayMs'] | null = null;
  let effect: Effect | null = null;
  for (const part of text.split(',').map((each) => each.trim())) {
    const isDelay = part.startsWith('+');
    if (isDelay ? delayMs !== null : effect !== null)
      throw new FaultSyntaxError(
        `${quoted(text)} has two ${isDelay ? 'delays' : 'effects'}; write one of them, and perhaps ${isDelay ? 'an effect' : 'a delay'}`,
      );
    if (isDelay) delayMs = parseDelay(part, place);
    else effect = parseEffect(part, place);
  }
  return { delayMs: delayMs ?? [0, 0], effect };
}

function parseDelay(part: string, place: Place): Effects['delayMs'] {
  const [, from = '', to = from] = /^\+([^.]+(?:\.\d+[a-z]+)?)(?:\.\.(.+))?$/.exec(part) ?? [];
  const min = parseDuration(from);
  const max = parseDuration(to);
  const limit = DELAY_MAX[place];
  if (min === null || max === null || max < min || max > limit.ms)
    throw new FaultSyntaxError(
      `the delay ${quoted(part)} is not known; write +300ms, +2s or +100ms..2s, at most +${limit.text}`,
    );
  return [min, max];
}

function parseEffect(part: string, place: Place): Effect {
  const name = EFFECTS[place].names.find((each) => each === part);
  if (name !== undefined) return { kind: name } as Effect;
  const [, code, html, after] = place === 'call' ? (/^(\d+)(:html)?(?::(.+))?$/.exec(part) ?? []) : [];
  const status = Number(code);
  const afterMs = after === undefined || after === 'none' ? null : parseDuration(after);
  const slow = place === 'call' ? /^slow-reply:(.+)$/.exec(part)?.[1] : undefined;
  const overMs = slow === undefined ? null : parseDuration(slow);
  if (overMs !== null && overMs <= DELAY_MAX.call.ms) return { kind: 'slow-reply', overMs };
  const isFailure = status >= 400 && status <= 599;
  const isPage = status === 200 && html !== undefined;
  const isKnown = (isFailure || isPage) && (after === undefined || after === 'none' || afterMs !== null);
  if (!isKnown)
    throw new FaultSyntaxError(
      `the effect ${quoted(part)} is not known; write ${EFFECTS[place].forms}${code === undefined ? '' : '; status codes are 400 to 599, and 200 with :html'}`,
    );
  const usually = status === 429 && after === undefined ? RETRY_AFTER_DEFAULT_S : null;
  const retryAfterS = afterMs === null ? usually : Math.ceil(afterMs / 1000);
  return { kind: 'status', status, retryAfterS, html: html !== undefined };
}

/** A fault that happens, as it is shown: `+300ms,503`. */
export function faultText(delayMs: number, effect: Effect | null): string {
  const delay = delayMs > 0 || effect === null ? [`+${time(delayMs)}`] : [];
  return [...delay, ...(effect === null ? [] : [effectText(effect)])].join(',');
}

function effectText(effect: Effect): string {
  if (effect.kind === 'slow-reply') return `${effect.kind}:${time(effect.overMs)}`;
  if (effect.kind !== 'status') return effect.kind;
  const { status, retryAfterS, html } = effect;
  const without = status === 429 ? ':none' : '';
  return `${status}${html ? ':html' : ''}${retryAfterS === null ? without : `:${retryAfterS}s`}`;
}

const time = (ms: number): string => (ms > 0 && ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`);

const SHOWN_MAX = 100;
const quoted = (text: string): string => JSON.stringify(text.slice(0, SHOWN_MAX));
