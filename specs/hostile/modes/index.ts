/** All modes of the hostile server, by what they attack. */
import type { Mode } from '../mode.js';
import { BYTES } from './framing.js';
import { ECHOES } from './echoes.js';
import { IDS } from './ids.js';
import { JSONS } from './json.js';
import { LOAD } from './load.js';
import { RECORD_MODES } from './records.js';
import { STREAMS } from './streams.js';
import { TEXT_MODES } from './display-attacks.js';
import { WEBHOOKS } from './webhooks.js';

export const MODES: readonly Mode[] = [
  ...BYTES,
  ...JSONS,
  ...IDS,
  ...RECORD_MODES,
  ...ECHOES,
  ...TEXT_MODES,
  ...WEBHOOKS,
  ...STREAMS,
  ...LOAD,
];
