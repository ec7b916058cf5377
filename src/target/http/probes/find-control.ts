/** Whether a service offers test control where ours does: at `/_control` of its origin. */
import { ClockControl } from '../clock/clock-control.js';
import type { ConnectionOptions } from '../connection.js';
import { Control } from '../control.js';

const PATH = '/_control';
/** An answer that takes longer is not waited for, ms. */
const WAITED_MS = 3_000;

/**
 * The address of test control that can move the clock; null where none answers, or its clock moves by itself.
 *
 * @param apiKey null: it is asked without a key, and then may only say that it is there
 */
export async function findClockControl(
  baseUrl: string,
  apiKey: string | null,
  options: ConnectionOptions,
): Promise<string | null> {
  const url = new URL(PATH, baseUrl).href;
  const control = await Control.at(url, apiKey, WAITED_MS, options).catch(() => null);
  if (control === null) return null;
  try {
    await control.connect();
    if (!control.hasClock) return null;
    await ClockControl.of(control, null);
    return url;
  } catch {
    return apiKey === null && control.isThere ? url : null;
  } finally {
    await control.close();
  }
}
