import type { TargetSettings } from './settings.js';

/** Every value that must not appear anywhere: the keys, and headers that may hold another. */
export function secretsOf({
  apiKey,
  otherKeys,
  headers: extra,
}: Pick<TargetSettings, 'apiKey' | 'otherKeys' | 'headers'>): readonly string[] {
  const fromHeaders = Object.values(extra).filter((value) => value.length >= 8);
  return [...(apiKey === null ? [] : [apiKey]), ...Object.values(otherKeys), ...fromHeaders];
}
