/** Which proxy is told to be at fault: the one that the calls go through, and only where it cannot be reached. */
import { describe, expect, it } from 'vitest';
import { blamingProxy, usedProxy } from '../../src/target/http/used-proxy.js';
import type { TransportResult } from '../../src/target/session/transport.js';

const HTTP = 'http://one:3128';
const HTTPS = 'http://user:password@two:3129';

describe('the proxy of an address', () => {
  it.each([
    ['http://a.example', { http: HTTP, https: HTTPS, none: '' }, 'one:3128', 'HTTP_PROXY'],
    ['https://a.example', { http: HTTP, https: HTTPS, none: '' }, 'two:3129', 'HTTPS_PROXY'],
    ['https://a.example', { http: HTTP, https: '', none: '' }, 'one:3128', 'HTTP_PROXY'],
    ['http://a.example', { http: '', https: HTTPS, none: '' }, undefined, undefined],
    ['http://a.example', { http: HTTP, https: '', none: '*' }, undefined, undefined],
    ['http://a.example', { http: HTTP, https: '', none: 'b.example, .example' }, undefined, undefined],
    ['http://a.example', { http: HTTP, https: '', none: 'a.example:81' }, 'one:3128', 'HTTP_PROXY'],
    ['http://a.example:81', { http: HTTP, https: '', none: 'a.example:81' }, undefined, undefined],
    ['http://aa.example', { http: HTTP, https: '', none: 'a.example' }, 'one:3128', 'HTTP_PROXY'],
  ])('%s with %j is %s', (origin, proxies, host, variable) => {
    const used = usedProxy(origin, { proxies });
    expect(used?.host).toBe(host);
    expect(used?.variable).toBe(variable);
  });

  it('is that of the option, whatever the environment says', () => {
    const used = usedProxy('http://a.example', {
      proxy: HTTPS,
      proxies: { http: HTTP, https: '', none: '*' },
    });
    expect(used).toMatchObject({ host: 'two:3129', variable: null });
  });
});

describe('a failed call', () => {
  const failed = (lost: 'refused' | 'reset', detail: string): TransportResult => ({
    reply: null,
    lost,
    detail,
  });
  const told = (result: TransportResult): string =>
    (
      blamingProxy(
        usedProxy('https://a.example', { proxies: { http: '', https: HTTPS, none: '' } }),
        result,
      ) as {
        detail: string;
      }
    ).detail;

  it.each([
    'connect ECONNREFUSED 10.0.0.7:3129',
    'getaddrinfo ENOTFOUND two',
    'AggregateError (ECONNREFUSED)',
  ])('is the fault of the proxy: %s', (detail) => {
    expect(told(failed('refused', detail))).toBe(
      `the proxy two:3129, which HTTPS_PROXY names, does not: ${detail}`,
    );
  });

  it('is not where the proxy was reached, or there is none', () => {
    const certificate = failed('refused', 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(told(certificate)).toBe('self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(told(failed('reset', 'other side closed'))).toBe('other side closed');
    const refused = failed('refused', 'connect ECONNREFUSED 10.0.0.7:80');
    expect(blamingProxy(null, refused)).toBe(refused);
  });
});
