/**
 * `page/` serves a live page of what the endpoints do, for users of this machine. Its list shows ids, states and
 * times. What the API needs a key for needs the key here, too: the content of a job, and everything that changes
 * something. Jobs are submitted, cancelled and retried by calls of the API.
 */
import { randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import type { Script } from '../../scenario/script.js';
import { isObject } from '../../util/json.js';
import type { ControlledClock } from '../clock/controlled-clock.js';
import type { Faults } from '../faults/faults.js';
import { FaultSyntaxError } from '../faults/grammar.js';
import { sameKey, type KeyCheck } from '../calls/keys.js';
import { readJson, type SocketBindings } from '../calls/read-json.js';
import type { LogEntry } from '../logged-call.js';
import type { ServerLog } from '../server-log.js';
import type { ResendWebhook } from '../webhooks/resend-webhook.js';
import { markupWith } from './markup.js';
import { PAGE_SCRIPT } from './page-script.js';
import type { Advanced, CallState, JobState, PageState } from './page-state.js';
import { STYLE } from './style.js';
import { isFromHere, PAGE_HEADERS } from './trust.js';

export interface PageOptions {
  /** `open`: shown to users of this machine, without a key. `keyed`: its data requires an API key. */
  readonly access: 'open' | 'keyed';
  /** Whether the page lets its user act and open jobs. */
  readonly acts: boolean;
  readonly hasKey: KeyCheck;
  readonly state: (filter: string) => PageState;
  readonly log: Pick<ServerLog, 'after' | 'last' | 'forwardedTo'>;
  /** Null when it is not kept any more. */
  readonly call: (number: number) => CallState | null;
  /** Null when there is no such job. */
  readonly job: (endpoint: string, id: string) => JobState | null;
  /** What was called, as a script; null where calls are not kept for one. */
  readonly script: (() => Script) | null;
  readonly resendWebhook: ResendWebhook;
  /** Advances until the job has ended or was deleted, as `advanceUntil` does; null where time is real. */
  readonly advanceUntilEnded: ((endpoint: string, id: string) => Promise<boolean>) | null;
  /** Null where time is real. */
  readonly clock: ControlledClock | null;
  /** Null where no faults are injected. */
  readonly faults: Faults | null;
}

interface PageEnv {
  Bindings: SocketBindings;
}

const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const FILES: readonly (readonly [path: string, type: string, text: string])[] = [
  ['/_page/script.js', 'text/javascript; charset=utf-8', PAGE_SCRIPT],
  ['/_page/style.css', 'text/css; charset=utf-8', STYLE],
];
/** The page sends its token in this header. */
const TOKEN_HEADER = 'x-runproof-page';

/** The page's routes; other requests are passed on to the API. */
export function createPage(options: PageOptions): Hono<PageEnv> {
  const {
    access,
    acts,
    hasKey,
    state,
    log,
    call,
    job,
    script,
    resendWebhook,
    advanceUntilEnded,
    clock,
    faults,
  } = options;
  const app = new Hono<PageEnv>();
  // Only a script that may read the page knows it: no other site's script.
  const token = randomBytes(24).toString('base64url');
  const page = markupWith(token);
  const mayOpen = ({ incoming }: SocketBindings): boolean =>
    incoming !== undefined && (access === 'keyed' || isFromHere(incoming));
  const maySee = (env: SocketBindings, authorization: string | undefined): boolean =>
    access === 'keyed' ? hasKey(authorization) : mayOpen(env);

  /** Why the request may neither act nor open a job; null where it may. */
  function refusal(c: Context<PageEnv>): Response | null {
    const refused = (status: 401 | 403, error: string): Response => c.json({ error }, status, HEADERS);
    const { incoming } = c.env;
    if (!acts)
      return refused(
        403,
        'the page only shows: other machines can reach this server; use the API and test control',
      );
    if (incoming === undefined || !isFromHere(incoming))
      return refused(403, 'only the page itself may do that, opened on this machine');
    if (!sameKey(token, c.req.header(TOKEN_HEADER) ?? ''))
      return refused(403, 'only the page itself may do that: reload it, as its server has been restarted');
    return hasKey(c.req.header('authorization')) ? null : refused(401, 'a valid API key is needed');
  }

  app.get('/', async (c, next) => {
    // A program that requests `/` means the API, which has no such path.
    const forPeople = c.req.header('accept')?.includes('text/html') === true;
    return forPeople && mayOpen(c.env) ? c.html(page, 200, HEADERS) : next();
  });
  for (const [path, type, text] of FILES) {
    app.get(path, async (c, next) =>
      mayOpen(c.env) ? c.body(text, 200, { ...HEADERS, 'content-type': type }) : next(),
    );
  }
  app.get('/_page/state', (c) =>
    maySee(c.env, c.req.header('authorization'))
      ? c.json(state(c.req.query('filter') ?? ''), 200, HEADERS)
      : c.json({ error: 'a valid API key is needed' }, access === 'keyed' ? 401 : 403, HEADERS),
  );
  app.get('/_page/log', (c) => {
    const key = c.req.header('authorization');
    if (!hasKey(key)) return c.json({ error: 'a valid API key is needed' }, 401, HEADERS);
    if (!maySee(c.env, key)) return c.json({ error: 'it is for users of its machine' }, 403, HEADERS);
    const after = c.req.query('after');
    const entries = after === undefined ? [] : log.after(Number(after));
    const { forwardedTo } = log;
    const shown = acts ? entries : entries.map(withoutBodies);
    return c.json({ last: log.last(), forwardedTo, entries: shown }, 200, HEADERS);
  });
  app.get('/_page/job', (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    const found = job(c.req.query('endpoint') ?? '', c.req.query('id') ?? '');
    return found === null
      ? c.json({ error: 'there is no such job, or no longer' }, 404, HEADERS)
      : c.json(found, 200, HEADERS);
  });
  app.get('/_page/call', (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    const found = call(Number(c.req.query('number')));
    return found === null
      ? c.json({ error: 'this call is not kept any more' }, 404, HEADERS)
      : c.json(found, 200, HEADERS);
  });
  app.get('/_page/calls.json', (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    return script === null
      ? c.json({ error: 'calls are not kept for a script; start the server with record: true' }, 404, HEADERS)
      : c.json(script(), 200, HEADERS);
  });
  app.post('/_page/advance', async (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    if (clock === null || advanceUntilEnded === null)
      return c.json({ error: 'time is real here; start serve with --clock controlled' }, 400, HEADERS);
    const id = c.req.query('until');
    if (id !== undefined) {
      const endpoint = c.req.query('endpoint') ?? '';
      const ended = await advanceUntilEnded(endpoint, id);
      return c.json({ nowMs: clock.nowMs(), ended } satisfies Advanced, 200, HEADERS);
    }
    const byMs = stepOf(c.req.query('by'), clock);
    if (byMs === null) return c.json({ error: 'there is nothing to advance to' }, 400, HEADERS);
    return c.json({ nowMs: await clock.advance(byMs) } satisfies Advanced, 200, HEADERS);
  });
  app.post('/_page/webhook', async (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    const ended = resendWebhook(c.req.query('endpoint') ?? '', c.req.query('id') ?? '');
    return ended === null
      ? c.json({ error: 'no webhook to send: no such job, not ended, or without a webhook' }, 404, HEADERS)
      : c.json({ status: await ended }, 200, HEADERS);
  });
  app.post('/_page/faults', async (c) => {
    const refused = refusal(c);
    if (refused !== null) return refused;
    if (faults === null) return c.json({ error: 'no faults are injected here' }, 400, HEADERS);
    const error = changeFaults(faults, await readJson(c));
    return error === null ? c.json({ rules: faults.rules() }, 200, HEADERS) : c.json({ error }, 400, HEADERS);
  });
  return app;
}

function withoutBodies(entry: LogEntry): LogEntry {
  if ('call' in entry) return { ...entry, call: { ...entry.call, request: null, reply: null } };
  return 'webhook' in entry ? { ...entry, webhook: { ...entry.webhook, request: null } } : entry;
}

/** @param change a `FaultChange`. Gives what is wrong; null for nothing. */
function changeFaults(faults: Faults, change: unknown): string | null {
  if (!isObject(change)) return 'the body must be a JSON object';
  const { add, remove, turn, on } = change;
  try {
    if (typeof add === 'string') faults.add(add);
    else if (typeof remove === 'number') faults.remove(remove);
    else if (typeof turn === 'number' && typeof on === 'boolean') faults.turn(turn, on);
    else return 'the body must have the member add, remove, or turn with on';
    return null;
  } catch (error) {
    if (error instanceof FaultSyntaxError) return error.message;
    throw error;
  }
}

/** `next`: to the next event; otherwise a number of ms. Null when it is invalid or there is no next event. */
function stepOf(by: string | undefined, clock: ControlledClock): number | null {
  const nextMs = clock.nextEventAtMs();
  if (by === 'next') return nextMs === null ? null : Math.max(0, nextMs - clock.nowMs());
  const byMs = /^\d{1,15}$/.test(by ?? '') ? Number(by) : Number.NaN;
  return Number.isSafeInteger(clock.nowMs() + byMs) ? byMs : null;
}
