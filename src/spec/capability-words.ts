import type { Capability } from './types.js';

/** What a target or its user has to offer, in words, with the option that states it. */
export const CAPABILITY_WORDS: { readonly [capability in Capability]: string } = {
  'scripted-worker': 'a scripted worker (--worker scripted)',
  'test-control': 'test control (--control URL)',
  'webhook-reachable': 'a webhook listener that the target reaches (--webhook-listen)',
  dedicated: 'an endpoint that nothing else uses (--dedicated)',
  'load-allowed': 'permission to send load (--dedicated)',
  'worker-count-known': 'a known number of workers (--control URL)',
  'scales-from-zero': 'an endpoint that nothing else uses and that has no workers at first (--dedicated)',
  'unpermitted-key': 'a key without permission for the endpoint (--unpermitted-api-key-file)',
  'other-user-key': 'a key of another user (--other-api-key-file)',
  'second-endpoint': 'another endpoint with the same key (--other-endpoint)',
  'endpoint-in-path': 'paths that begin with /v2/<endpoint_id> (no --base-path)',
};

export const CAPABILITIES = Object.keys(CAPABILITY_WORDS) as readonly Capability[];

/** What a target does not offer of what is needed. Test control makes endpoints, so that it brings a second one. */
export const missingOf = (
  needs: readonly Capability[],
  offered: readonly Capability[],
): readonly Capability[] =>
  needs.filter(
    (need) => !offered.includes(need) && !(need === 'second-endpoint' && offered.includes('test-control')),
  );
