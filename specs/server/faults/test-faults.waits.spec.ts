/** Faults that are addressed to one test. */
import { describe, expect, it } from 'vitest';
import { OptionsError } from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { serveFaulty } from './faulty-server.js';

const HEADER = 'x-runproof-fault';
const NOWHERE = '/status/none';

async function begin(faults: readonly string[] = []) {
  const { server, api, control, injected } = await serveFaulty(faults);
  const at = (id: string) => createCaller(`${server.url}/v2/${id}`, 'k');
  const withHeader = async (path: string, value: string): Promise<number> =>
    (await fetch(`${server.url}/v2/test${path}`, { headers: { authorization: 'k', [HEADER]: value } }))
      .status;
  return { server, api, control, injected, at, withHeader };
}

describe('faults for one test', () => {
  it('reach its calls by attempt, at the endpoint of their id; nobody else meets them', async () => {
    const { api, control, at, injected } = await begin();
    const { status, json } = await control.post('/faults', {
      status: ['503', 'none', '429:2s'],
      run: ['502'],
    });
    const { id } = json;
    expect([status, json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^faults-\w{12}$/),
        pending: { status: ['503', 'none', '429:2s'], run: ['502'] },
      },
    ]);
    const mine = at(id);
    expect((await api.get(NOWHERE)).status).toBe(404);
    expect((await mine.get(NOWHERE)).status).toBe(503);
    expect((await mine.get(NOWHERE)).status).toBe(404);
    expect((await mine.get(NOWHERE)).status).toBe(429);
    expect((await mine.get(NOWHERE)).status).toBe(404);
    expect((await control.get(`/faults/${id}`)).json).toEqual({ id, pending: { run: ['502'] } });
    expect(injected.map(({ on, fault, rule }) => [on, fault, rule])).toEqual([
      ['status', '503', id],
      ['status', '429:2s', id],
    ]);
  });

  it('are also named by a header, at any endpoint, and exempt the call from the rules', async () => {
    const { control, withHeader } = await begin(['status=500']);
    const { id } = (await control.post('/faults', { status: ['503'] })).json;
    const codes = [
      await withHeader(NOWHERE, id),
      await withHeader(NOWHERE, id),
      await withHeader(NOWHERE, 'none'),
    ];
    expect(codes).toEqual([503, 404, 404]);
    expect((await control.get('/faults')).json).toEqual({ faults: [{ id, pending: {} }] });
    expect(await withHeader(NOWHERE, 'faults-0')).toBe(400);
  });

  it('have jobs, counters and a queue of their own, until they are removed', async () => {
    const { api, control, at } = await begin();
    const [one, other] = [
      (await control.post('/faults', { run: ['lost-reply'] })).json.id as string,
      (await control.post('/faults', { run: ['none'] })).json.id as string,
    ];
    await expect(at(one).post('/run', { input: {} })).rejects.toThrow();
    expect((await at(other).post('/run', { input: {} })).status).toBe(200);
    const jobsAt = async (id: string): Promise<number> => (await at(id).get('/health')).json.jobs.completed;
    expect([await jobsAt(one), await jobsAt(other), await jobsAt('test')]).toEqual([1, 1, 0]);
    expect((await control.send('DELETE', `/faults/${one}`)).status).toBe(204);
    expect((await at(one).get('/health')).status).toBe(404);
    expect((await control.send('DELETE', `/faults/${one}`)).status).toBe(404);
    expect((await control.get(`/faults/${one}`)).status).toBe(404);
    expect((await api.get('/health')).status).toBe(200);
  });

  it.each([
    ['no object', [], 'are an object such as'],
    ['nothing', {}, 'are an object such as'],
    ['no operation', { stats: ['503'] }, 'is not an operation'],
    ['several operations', { 'run,status': ['503'] }, 'is several operations'],
    ['no list', { status: '503' }, 'has a list of at most 100'],
    ['no fault', { status: ['200'] }, 'the effect \\"200\\" is not known'],
  ])('are refused: %s', async (_what, given, said) => {
    const { control } = await begin();
    const { status, json } = await control.post('/faults', given);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(said)]);
    expect((await control.get('/faults')).json).toEqual({ faults: [] });
  });

  it('of the library are the same', async () => {
    const { server, at } = await begin();
    const mine = server.faultsForTest({ status: ['503', '504'] });
    expect((await at(mine.id).get(NOWHERE)).status).toBe(503);
    expect(mine.pending()).toEqual({ status: ['504'] });
    mine.remove();
    expect([mine.pending(), (await at(mine.id).get(NOWHERE)).json]).toEqual([{}, expect.anything()]);
    expect(() => server.faultsForTest({ status: ['1'] })).toThrow(OptionsError);
  });
});
