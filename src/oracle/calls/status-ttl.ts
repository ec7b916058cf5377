/** The parameter `ttl` of section 4.3: optional, taken where it is in range, and refused where it is no number. */
import type { CallEvent } from '../../history/events.js';
import { TTL_MAX_MS } from '../../spec/limits.js';
import type { Asked } from '../cast/roll.js';
import { wasThere } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';

/** What an empty `ttl` means is as open as what an empty `wait` does. */
const isNoNumber = (text: string): boolean => text.trim() !== '' && Number.isNaN(Number(text));

/** `/status` was performed. */
export function statusServed(scene: Scene, call: CallEvent): void {
  const ttl = call.request.query['ttl'];
  // That a lifespan was taken shows in its effect.
  if (ttl === undefined) scene.pass('4.3/ttl-optional');
  else if (isNoNumber(ttl)) scene.check('7/status-ttl-not-integer', false, call);
}

/** `/status` was refused, of a job that is known. */
export function statusRefused(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const code = call.reply!.status;
  const { query, illegal } = call.request;
  const ttl = query['ttl'];
  const job = asked?.job ?? null;
  if (job === null || code === 404 || !wasThere(scene, job, call)) return;
  if (ttl !== undefined && isNoNumber(ttl)) scene.check('7/status-ttl-not-integer', code === 400, call);
  else if (illegal !== null) return;
  else if (ttl !== undefined && isInRange(ttl)) scene.check('4.3/ttl-accepted', false, call);
  else if (Object.keys(query).length === 0) scene.check('4.3/ttl-optional', false, call);
}

const isInRange = (ttl: string): boolean => /^[1-9][0-9]{4,8}$/.test(ttl) && Number(ttl) <= TTL_MAX_MS;
