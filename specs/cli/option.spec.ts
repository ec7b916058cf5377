import { describe, expect, expectTypeOf, it } from 'vitest';
import { CHECK_OPTIONS } from '../../src/features/check/options.js';
import { settingsOf } from '../../src/cli/options/option.js';
import { explore } from '../../src/features/explore/index.js';
import { SERVE_OPTIONS } from '../../src/features/serve/options.js';

describe('the rows of the options', () => {
  it('give each setting its name, its type and its value', () => {
    const raw = {
      budget: '3m',
      concurrency: '4',
      only: ['2.2,3', ' 4/x '],
      dedicated: true,
      cacert: undefined,
    };
    const settings = settingsOf(CHECK_OPTIONS, raw, '/');
    expect(settings).toMatchObject({
      budgetMs: 180_000,
      concurrency: 4,
      only: ['2.2', '3', '4/x'],
      dedicated: true,
      insecure: false,
      caCert: undefined,
      headers: {},
    });
    expectTypeOf(settings.budgetMs).toEqualTypeOf<number | undefined>();
    expectTypeOf(settings.profile).toEqualTypeOf<'quick' | 'standard' | 'full'>();
    expectTypeOf(settings.only).toEqualTypeOf<readonly string[]>();
  });

  it('give the defaults that the help shows, and undefined where there is none', () => {
    expect(settingsOf(CHECK_OPTIONS, {}, '/')).toMatchObject({ profile: 'standard', edition: undefined });
    expect(CHECK_OPTIONS.profile.defaultDescription).toBe('standard');
    expect(settingsOf(explore.options, {}, '/')).toMatchObject({
      shard: { index: 1, count: 1 },
      seed: undefined,
    });
    expect(settingsOf(SERVE_OPTIONS, {}, '/')).toMatchObject({
      port: 8080,
      clock: 'real',
      workers: undefined,
    });
    expect(SERVE_OPTIONS.port.defaultDescription).toBe('8080');
  });

  it('name the option in errors', () => {
    expect(() => settingsOf(SERVE_OPTIONS, { workers: '3..1' }, '/')).toThrow('--workers requires MIN..MAX');
    expect(() => settingsOf(CHECK_OPTIONS, { updateBaseline: true, profile: 'fast' }, '/')).toThrow(
      '--profile must be one of quick, standard, full, not "fast"',
    );
  });
});
