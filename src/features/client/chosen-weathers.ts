/** Which weathers the options name. */
import type { ClientRunOptions } from './run-client.js';
import { weatherIds, weathersFor } from './select-weathers.js';
import type { Weather } from '../../client/weather/weather.js';
import type { Expectation } from './options.js';

interface Selected {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly attach: boolean;
}

/** All of them, or the first where a client is attached. @throws {UsageError} */
export function selectedWeathers({ only, skip, attach }: Selected): readonly Weather[] {
  const selected = weathersFor(only, skip);
  return attach && only.length === 0 ? selected.slice(0, 1) : selected;
}

/** By the id of a weather, `*` for all others. The last one that names a weather counts. @throws {UsageError} */
export function expectations(given: readonly Expectation[]): ClientRunOptions['expect'] {
  return new Map(
    given.flatMap(({ weathers, expected }) =>
      (weathers === '*' ? ['*'] : weatherIds(weathers)).map((id) => [id, expected] as const),
    ),
  );
}
