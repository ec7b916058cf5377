import type { Service } from '../core/api.js';
import type { Clock } from '../time/clock.js';
import type { CreateRunner } from './handlers/handler-runner.js';
import type { ServerObserver } from './observer.js';
import type { Journal } from './store/journal.js';
import type { WebhookCaller } from './webhooks/webhook-caller.js';

export interface HostOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly createRunner: CreateRunner;
  readonly webhooks: WebhookCaller;
  readonly observer?: ServerObserver;
  /**
   * Delays replies and effects until the changes behind them are on disk. Default: nothing is stored or
   * delayed.
   */
  readonly journal?: Journal;
  /** Called after every change with the time of the next event, so that a real clock can wake the host. */
  readonly onNextDue?: (atMs: number | null) => void;
}
