import type { Service } from '../core/api.js';
import type { Clock } from '../time/clock.js';
import type { CreateRunner } from './handlers/handler-runner.js';
import type { ServerObserver } from './observer.js';
import type { Journal } from './store/journal.js';
import type { WebhookCaller } from './webhook-caller.js';

/** What a host is given. */
export interface HostOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly createRunner: CreateRunner;
  readonly webhooks: WebhookCaller;
  readonly observer?: ServerObserver;
  /** Holds back what leaves until it is on disk. Default: nothing is kept, nothing is held. */
  readonly journal?: Journal;
  /** Told after every change when the next thing is due, so that a real clock can wake the host. */
  readonly onNextDue?: (atMs: number | null) => void;
}
