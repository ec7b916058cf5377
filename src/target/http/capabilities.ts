import type { OtherKey } from '../../history/events.js';
import type { Capability } from '../../spec/types.js';
import type { HttpTargetOptions } from './options.js';
import type { WebhookReceiver } from '../session/webhook-receiver.js';

/** What scripts can rely on, by what was stated and what was found. */
export function capabilitiesOf(
  options: HttpTargetOptions,
  found: {
    scripted: boolean;
    ownEndpoints: boolean;
    clock: boolean;
    receiver: WebhookReceiver | null;
    noWorkers: boolean;
    otherKeys: readonly OtherKey[];
  },
): readonly Capability[] {
  const dedicated = found.ownEndpoints || options.dedicated === true;
  const capabilities: { readonly [capability in Capability]: boolean } = {
    'scripted-worker': found.scripted,
    'test-control': found.clock,
    'webhook-reachable': found.receiver !== null,
    dedicated,
    'load-allowed': dedicated && options.callsPerSecond === undefined,
    'worker-count-known': found.ownEndpoints,
    'scales-from-zero': dedicated && found.noWorkers,
    'unpermitted-key': found.otherKeys.includes('unpermitted'),
    'other-user-key': found.otherKeys.includes('other-user'),
    'second-endpoint': !found.ownEndpoints && options.otherEndpoint !== undefined,
    'endpoint-in-path': options.basePath === undefined,
  };
  return (Object.keys(capabilities) as Capability[]).filter((capability) => capabilities[capability]);
}
