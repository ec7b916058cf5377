import { NEVER_ENDS_AFTER_CONTROLLED_MS, WebhookReceiver } from '../session/webhook-receiver.js';
import { isOnThisMachine, type Address } from './address.js';
import type { HttpTargetOptions } from './options.js';

/** Null where the target cannot reach it, and no address is given by which it could. */
export async function startReceiver(
  options: HttpTargetOptions,
  address: Address,
  controlledClock: boolean,
  closers: (() => Promise<void>)[],
): Promise<WebhookReceiver | null> {
  const { webhookListen, webhookUrl } = options;
  if (webhookListen === undefined && webhookUrl === undefined && !isOnThisMachine(address.origin))
    return null;
  const receiver = await WebhookReceiver.start({
    // Test control counts a call as failed after ten real seconds. In real time how long it takes is open.
    ...(controlledClock ? { silenceMs: NEVER_ENDS_AFTER_CONTROLLED_MS } : { untilGivenUpMs: null }),
    ...(webhookListen !== undefined ? { listen: webhookListen } : {}),
    ...(webhookUrl !== undefined ? { publicUrl: webhookUrl } : {}),
  });
  closers.push(() => receiver.close());
  return receiver;
}
