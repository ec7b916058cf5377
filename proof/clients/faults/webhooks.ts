/** Clients that do not receive webhooks as they should. */
import type { FaultyClient } from '../faulty-client.js';

export const WEBHOOK_FAULTS: readonly FaultyClient[] = [
  {
    id: 'receiver-answers-500',
    text: 'The receiver of webhooks answers 500',
    style: 'webhook',
    breaks: ['client/webhook-answers-200'],
    weather: 'clear',
    behaviour: { receiverAnswers: 500 },
  },
  {
    id: 'receiver-answers-404',
    text: 'The receiver of webhooks has another path',
    style: 'webhook',
    breaks: ['client/webhook-answers-200'],
    weather: 'webhook-three-times',
    behaviour: { receiverAnswers: 404 },
  },
  {
    id: 'receiver-answers-202',
    text: 'The receiver of webhooks answers 202',
    style: 'webhook',
    breaks: ['client/webhook-answers-200'],
    weather: 'clear',
    behaviour: { receiverAnswers: 202 },
  },
  {
    id: 'receiver-never-answers',
    text: 'The receiver of webhooks never answers',
    style: 'webhook',
    breaks: ['client/webhook-answers-200'],
    weather: 'clear',
    behaviour: { receiverAnswers: null, lingersMs: 30_000 },
  },
  {
    id: 'no-receiver',
    text: 'A webhook is given, and nothing listens there',
    style: 'webhook',
    breaks: ['client/receives-webhook'],
    weather: 'clear',
    behaviour: { listens: false, pollMs: 2_500 },
  },
  {
    id: 'webhook-to-wrong-port',
    text: 'The webhook has another port than the receiver',
    style: 'webhook',
    breaks: ['client/receives-webhook'],
    weather: 'cold-start',
    behaviour: { webhook: (address) => address.replace(/:\d+/u, ':9'), pollMs: 800 },
  },
  {
    id: 'acts-on-each-delivery',
    text: 'Each delivery of a webhook submits a further job',
    style: 'webhook',
    breaks: ['client/acts-once-on-webhook'],
    weather: 'webhook-three-times',
    behaviour: { followUp: 'each-delivery', lingersMs: 1_500 },
  },
  {
    id: 'waits-for-webhook-alone',
    text: 'It waits for its webhook for ever',
    style: 'webhook',
    breaks: ['client/waits-end'],
    weather: 'webhook-never',
    behaviour: { fallsBack: false, deadlineMs: Infinity },
  },
];
