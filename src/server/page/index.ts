/**
 * `page/` serves a live page of what the endpoints do, for users of this machine. It shows ids, states and
 * times, never the content of jobs. It is not part of the API and does not take its paths.
 */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { KeyCheck } from '../keys.js';
import type { ControlledClock } from '../controlled-clock.js';
import { PAGE } from './markup.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import { isFromHere } from './trust.js';

export interface PageOptions {
  /** `open`: shown to users of this machine, without a key. `keyed`: its data requires an API key. */
  readonly access: 'open' | 'keyed';
  readonly hasKey: KeyCheck;
  /** The page's data, sent as JSON. */
  readonly state: () => object;
  /** Null where time is real. */
  readonly clock: ControlledClock | null;
}

interface PageEnv {
  Bindings: Partial<HttpBindings>;
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const FILES: readonly (readonly [path: string, type: string, text: string])[] = [
  ['/_page/script.js', 'text/javascript; charset=utf-8', SCRIPT],
  ['/_page/style.css', 'text/css; charset=utf-8', STYLE],
];

/** The page's routes; other requests are passed on to the API. */
export function createPage({ access, hasKey, state, clock }: PageOptions): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  const mayOpen = ({ incoming }: Partial<HttpBindings>): boolean =>
    incoming !== undefined && (access === 'keyed' || isFromHere(incoming));
  const maySee = (env: Partial<HttpBindings>, authorization: string | undefined): boolean =>
    access === 'keyed' ? hasKey(authorization) : mayOpen(env);

  app.get('/', async (c, next) => {
    // A program that requests `/` means the API, which has no such path.
    const forPeople = c.req.header('accept')?.includes('text/html') === true;
    return forPeople && mayOpen(c.env) ? c.html(PAGE, 200, HEADERS) : next();
  });
  for (const [path, type, text] of FILES) {
    app.get(path, async (c, next) =>
      mayOpen(c.env) ? c.body(text, 200, { ...HEADERS, 'content-type': type }) : next(),
    );
  }
  app.get('/_page/state', (c) =>
    maySee(c.env, c.req.header('authorization'))
      ? c.json(state(), 200, HEADERS)
      : c.json({ error: 'a valid API key is needed' }, access === 'keyed' ? 401 : 403, HEADERS),
  );
  app.post('/_page/advance', async (c) => {
    // A page of another origin cannot send this header without a preflight, which is never answered.
    const asked = c.req.header('x-runproof-page') === '1';
    if (!asked || !maySee(c.env, c.req.header('authorization')))
      return c.json({ error: 'only the page itself may do that' }, 403, HEADERS);
    const byMs = clock === null ? null : stepOf(c.req.query('by'), clock);
    if (clock === null || byMs === null)
      return c.json({ error: 'there is nothing to advance to' }, 400, HEADERS);
    return c.json({ nowMs: await clock.advance(byMs) }, 200, HEADERS);
  });
  return app;
}

/** `next`: to the next event; otherwise a number of ms. Null when it is invalid or there is no next event. */
function stepOf(by: string | undefined, clock: ControlledClock): number | null {
  const nextMs = clock.nextEventAtMs();
  if (by === 'next') return nextMs === null ? null : Math.max(0, nextMs - clock.nowMs());
  const byMs = /^\d{1,15}$/.test(by ?? '') ? Number(by) : Number.NaN;
  return Number.isSafeInteger(clock.nowMs() + byMs) ? byMs : null;
}
