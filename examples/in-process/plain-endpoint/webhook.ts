import type { Json } from 'runproof';

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 10_000;
const PATIENCE_MS = 10_000;

/** Calls the webhook of a job that has ended (section 6). */
export async function callWebhook(url: string, record: Json): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    if (await called(url, record)) return;
    if (attempt === ATTEMPTS_MAX) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function called(url: string, record: Json): Promise<boolean> {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return ok;
  } catch {
    return false;
  }
}
