/** The OpenAPI description is valid, and its schemas take what the emulator answers. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LOCAL_API_KEY, startServer } from '../../src/server/index.js';

const text = readFileSync('docs/openapi.json', 'utf8');
const description = JSON.parse(text) as {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { readonly operationId: string } };
  };
  readonly components: { readonly schemas: object };
};

describe('docs/openapi.json', () => {
  it('is an OpenAPI 3.1 description', async () => {
    const { valid, errors } = await new Validator().validate(text);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    const broken = await new Validator().validate(
      JSON.stringify({ ...description, paths: { 'no-slash': 1 } }),
    );
    expect(broken.valid).toBe(false);
  });

  it('takes what the emulator answers', async () => {
    const server = await startServer({ clock: 'controlled' });
    onTestFinished(() => server.close());
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'api');
    const call = async (method: string, path: string, body?: object): Promise<unknown> => {
      const headers = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      return (await fetch(`${server.url}/v2/test${path}`, init)).json();
    };
    const check = (schema: string, value: unknown): void => {
      const validate = ajv.getSchema(`api#/components/schemas/${schema}`)!;
      void validate(value);
      expect(validate.errors ?? [], JSON.stringify(value)).toEqual([]);
    };
    const plan = [{ stream: 'part' }, { return: { done: true } }];
    const submitted = (await call('POST', '/run', { input: { plan } })) as { readonly id: string };
    check('Submitted', submitted);
    check('Job', await call('GET', `/status/${submitted.id}`));
    check('Stream', await call('GET', `/stream/${submitted.id}`));
    check('Health', await call('GET', '/health'));
    check('Purged', await call('POST', '/purge-queue'));
    const asked = { method: 'POST', headers: { authorization: LOCAL_API_KEY }, body: '{"run":["503"]}' };
    check('TestFaults', await (await fetch(`${server.controlUrl}/faults`, asked)).json());
    const validate = ajv.getSchema('api#/components/schemas/Job')!;
    expect(validate({ id: 'a', status: 'DONE' })).toBe(false);
  });

  it('has every operation of the document', () => {
    const ids = Object.entries(description.paths).flatMap(([path, methods]) =>
      path.startsWith('/v2/') ? Object.values(methods).map(({ operationId }) => operationId) : [],
    );
    expect(ids.toSorted()).toEqual([
      'cancel',
      'health',
      'openai',
      'purge-queue',
      'requests',
      'retry',
      'run',
      'runsync',
      'status',
      'stream',
    ]);
  });
});
