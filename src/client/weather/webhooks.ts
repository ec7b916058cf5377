/** Weathers of webhooks. A client that gives no `webhook` notices nothing of them. */
import type { Weather } from './weather.js';

export const WEBHOOK_WEATHER: readonly Weather[] = [
  {
    id: 'webhook-before-reply',
    text: 'The webhook is called before `/run` is answered.',
    basis: { kind: 'document', section: '6' },
    leads: 'success',
    webhooks: 'before-reply',
  },
  {
    id: 'webhook-three-times',
    text: 'The webhook is called three times, because its answers are lost.',
    basis: { kind: 'document', section: '6' },
    leads: 'success',
    webhooks: 'three-times',
  },
  {
    id: 'webhook-late',
    text: 'The webhook is called three seconds after the job has ended.',
    basis: { kind: 'network' },
    leads: 'success',
    webhooks: { lateMs: 3_000 },
  },
  {
    id: 'webhook-never',
    text: 'No webhook arrives.',
    basis: { kind: 'network' },
    leads: 'either',
    webhooks: 'never',
  },
];
