import { randomUUID } from 'node:crypto';
import { rulesFor, type Rules } from '../core/rules.js';
import { createService } from '../core/service.js';
import { createRealClock } from '../time/real-clock.js';
import { createAlarm } from './alarm.js';
import { createControlledClock, type ControlledClock } from './controlled-clock.js';
import { createFunctionRunner } from './handlers/function-runner.js';
import { createScriptedRunner } from './handlers/scripted-runner.js';
import type { CreateRunner } from './handlers/handler-runner.js';
import { Host } from './host.js';
import { sameKey } from './keys.js';
import type { Onlooker } from './onlooker.js';
import { checkDialect, type AppOptions } from './options.js';
import { besideOwn } from './pull/beside-own.js';
import { PullDesk } from './pull/pull-desk.js';
import { createWebhookCaller, WEBHOOK_TIMEOUT_MS } from './webhook-caller.js';

/** The core with all that keeps it going. */
export interface Surroundings {
  readonly host: Host;
  /** Null where time is real. */
  readonly control: ControlledClock | null;
  readonly rules: Rules;
  /** Where workers from outside wait for jobs. */
  readonly desk: PullDesk;
  /** Larger bodies are not read. */
  readonly bodyBytesMax: number;
  close(): Promise<void>;
}

/** What a body may have above the largest limit and still be read, so that the core sees how it begins. */
const BODY_SLACK_BYTES = 1024 * 1024;
/** Never more than this, whatever the rules allow. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** What a handler of one's own returns is meant, also where it streams. */
const OWN_HANDLER_READINGS = { '4.4/final-output': 'handler-return' };

export function createSurroundings(
  options: AppOptions,
  apiKeys: readonly string[],
  onlooker: Onlooker,
): Surroundings {
  const { edition = 'document', handler } = options;
  const dialect = { ...(handler && OWN_HANDLER_READINGS), ...options.dialect };
  const rules: Rules = { ...rulesFor(checkDialect(dialect), edition), ...options.rules };
  const service = createService({
    keys: apiKeys,
    sameKey,
    rules,
    // Under a controlled clock the same calls give the same ids. In real time ids outlive a restart.
    ...(options.clock !== 'controlled' && { nextJobId: () => randomUUID() }),
  });
  const { webhookReach: reach, onOutOfReach } = options;
  // Under test control a call has 10 real seconds, whatever the dialect (contract test-control, rule 2).
  const timeoutMs = options.clock === 'controlled' ? WEBHOOK_TIMEOUT_MS : rules.webhookTimeoutMs();
  const webhooks = createWebhookCaller({
    timeoutMs,
    ...(reach && { reach }),
    ...(onOutOfReach && { onOutOfReach }),
  });
  const createOwn = handler === undefined ? createScriptedRunner : createFunctionRunner(handler);
  let desk!: PullDesk;
  const createRunner: CreateRunner = (ports) => {
    desk = new PullDesk(ports, options.pollMs);
    return besideOwn(createOwn(ports), desk);
  };
  const largest = Math.max(rules.bodyBytesMax('run'), rules.bodyBytesMax('runsync'));
  const shared = { rules, bodyBytesMax: Math.min(largest + BODY_SLACK_BYTES, BODY_BYTES_MAX) };

  if (options.clock === 'controlled') {
    const { host, control } = createControlledClock(
      (clock) => new Host({ service, clock, createRunner, webhooks, onlooker }),
    );
    return { ...shared, host, desk, control, close: () => webhooks.close() };
  }

  const clock = createRealClock();
  const alarm = createAlarm(
    () => clock.nowMs(),
    () => host.catchUp(),
  );
  const host = new Host({
    service,
    clock,
    createRunner,
    webhooks,
    onlooker,
    onNextDue: (atMs) => alarm.set(atMs),
  });
  return {
    ...shared,
    host,
    desk,
    control: null,
    close() {
      alarm.cancel();
      return webhooks.close();
    },
  };
}
