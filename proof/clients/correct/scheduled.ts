/** Polls from a timer: each tick sets the next one when its read is done. */
import type { ClientEnvironment } from '../../../src/features/client/environment.js';
import { fetchApi, FINAL } from './fetch-api.js';

const EVERY_MS = 300;
const DEADLINE_MS = 20_000;
const UNKNOWN_MAX_MS = 2_000;

export async function pollByTimer(environment: ClientEnvironment, signal: AbortSignal): Promise<void> {
  const api = fetchApi(environment, signal);
  const { id } = await api.run({ prompt: 'a heron', width: 512 });
  const beganMs = Date.now();
  const end = await new Promise<string>((resolve) => {
    let isKnown = false;
    let timer: NodeJS.Timeout;
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve('STOPPED');
    });
    const tick = async (): Promise<void> => {
      const ageMs = Date.now() - beganMs;
      if (ageMs > DEADLINE_MS) return resolve('LATE');
      const job = await api.status(id);
      if (job !== null && FINAL.includes(job.status)) return resolve(job.status);
      if (job === null && (isKnown || ageMs > UNKNOWN_MAX_MS)) return resolve('GONE');
      isKnown ||= job !== null;
      next();
    };
    const next = (): void => {
      timer = setTimeout(() => void tick().catch(() => resolve('UNREADABLE')), EVERY_MS);
    };
    next();
  });
  signal.throwIfAborted();
  if (end === 'LATE' || end === 'UNREADABLE') await api.cancel(id).catch(() => undefined);
  if (end !== 'COMPLETED') throw new Error(`the job is ${end}`);
}
