/** Which weathers a user names. */
import { WEATHERS } from '../../client/weather/index.js';
import type { Weather } from '../../client/weather/weather.js';
import { program } from '../../program-name.js';
import { UsageError } from '../../util/errors.js';
import { didYouMean } from '../../util/suggest.js';

/**
 * @param only ids, or patterns such as `read-*`; none: all weathers
 * @param skip likewise
 * @throws {UsageError} for a pattern that names none, and if none is left
 */
export function weathersFor(only: readonly string[], skip: readonly string[]): readonly Weather[] {
  const all = new Set(only.length > 0 ? only.flatMap(weatherIds) : WEATHERS.map(({ id }) => id));
  const without = new Set(skip.flatMap(weatherIds));
  const left = WEATHERS.filter(({ id }) => all.has(id) && !without.has(id));
  if (left.length === 0)
    throw new UsageError(`no condition is left to run under: "${program()} client --list" names them all`);
  return left;
}

/** The ids that a pattern names, at least one. @throws {UsageError} */
export function weatherIds(pattern: string): readonly string[] {
  const parts = pattern.split('*').map((part) => part.replace(/[.+^${}()|[\]\\?]/g, '\\$&'));
  const whole = new RegExp(`^${parts.join('.*')}$`, 'i');
  const ids = WEATHERS.map(({ id }) => id);
  const found = ids.filter((id) => whole.test(id));
  if (found.length === 0)
    throw new UsageError(
      `${JSON.stringify(pattern)} is not a condition.${didYouMean(pattern, ids)} "${program()} client --list" describes them all`,
    );
  return found;
}
