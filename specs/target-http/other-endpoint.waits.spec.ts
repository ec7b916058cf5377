/** Another endpoint of the service, where test control does not make one. */
import { describe, expect, it } from 'vitest';
import { check } from '../../src/checking/check.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';

const ISOLATED = ['status', 'stream', 'cancel', 'retry'].map((op) => `1/endpoints-isolated-${op}`);

async function checked(otherEndpoint: string | undefined, fault?: string) {
  const rules = MUTANTS.find(({ id }) => id === fault)?.rules;
  const server = await startServer({ endpoints: ['mine', 'yours'], workers: 2, rules });
  try {
    return await check(`${server.url}/v2/mine`, {
      ...{ apiKey: LOCAL_API_KEY, otherEndpoint, only: ['1/endpoints-isolated-*'], maxWaitMs: 1_000 },
    });
  } finally {
    await server.close();
  }
}

const verdicts = async (...of: Parameters<typeof checked>) => {
  const { requirements } = (await checked(...of)).report;
  return ISOLATED.map((one) => requirements.find(({ id }) => id === one)?.verdict);
};

describe.concurrent('that jobs are not reached under its id', () => {
  it('is decided in real time', async () => {
    expect(await verdicts('yours')).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  it('fails where they are', async () => {
    expect(await verdicts('yours', 'status-across-endpoints')).toEqual(['fail', 'pass', 'pass', 'pass']);
  });

  it('is untestable without one', async () => {
    expect(new Set(await verdicts(undefined))).toEqual(new Set(['untestable']));
  });

  it('is not decided by an endpoint that does not exist', async () => {
    await expect(checked('nobodys')).rejects.toMatchObject({ problem: 'unknown-endpoint' });
  });
});
