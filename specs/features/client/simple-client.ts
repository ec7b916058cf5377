/** A client that submits a job and asks until it has ended. */

export const SUBMISSION = (apiKey: string, body: object = { input: { n: 1 } }) => ({
  method: 'POST',
  headers: { authorization: apiKey, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const LIVE = ['IN_QUEUE', 'IN_PROGRESS'];
const PAUSE_MS = 50;

/** The last record; null: the job is gone. */
export async function untilEnded(base: string, apiKey: string, body?: object): Promise<object | null> {
  const { id } = (await (await fetch(`${base}/run`, SUBMISSION(apiKey, body))).json()) as { id: string };
  for (;;) {
    const reply = await fetch(`${base}/status/${id}`, { headers: { authorization: apiKey } });
    if (reply.status === 404) return null;
    const record = (await reply.json()) as { status: string };
    if (!LIVE.includes(record.status)) return record;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
