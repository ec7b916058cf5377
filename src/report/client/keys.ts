import type { ClientRun } from '../../client/report.js';
import { mapStrings, MASK } from '../redact.js';

/** Keys that `runproof client` gives to clients, whatever stands around them. */
const KEY = /rp_[0-9a-f]{16,}/gi;

/** The same report without the keys that its clients were given: a client may print them, or send them anywhere. */
export const withoutKeys = (report: ClientRun): ClientRun =>
  mapStrings(report, (text) => text.replace(KEY, MASK)) as ClientRun;
