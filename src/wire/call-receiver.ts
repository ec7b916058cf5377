/** Calls a receiver of webhooks as our endpoint does. The code that it answered; null: it has not, or not in time. */
export async function callReceiver(
  address: string,
  body: string,
  { withinMs, signal }: { readonly withinMs: number; readonly signal?: AbortSignal },
): Promise<number | null> {
  // Not `AbortSignal.any` with a timeout, which Node 20 may collect before it fires.
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, withinMs);
  signal?.addEventListener('abort', end);
  let status: number | null = null;
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'runproof' },
      body,
      redirect: 'manual',
      signal: over.signal,
    });
    status = reply.status;
    await reply.body?.cancel();
  } catch {
    // It has not answered, or not to the end.
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
  return status;
}
