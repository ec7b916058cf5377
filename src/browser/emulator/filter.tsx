/** Chooses which jobs and calls are shown. The server looks for them, as it has more than it shows. */
import { useLayoutEffect, useRef } from 'hono/jsx/dom';
import { reachedBySlash } from '../live.js';
import { page } from './page.js';
import { VERBATIM } from './parts.js';
import { show } from './server.js';

export function Filter({ fault }: { readonly fault: string | null }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => reachedBySlash(field.current!), []);
  return (
    <form id="filter-form" role="search" onSubmit={(event: Event) => event.preventDefault()}>
      <label for="filter">Filter jobs and calls</label>
      <input
        id="filter"
        ref={field}
        type="search"
        placeholder="failed, /run, 5xx, a job’s id, -/health"
        value={page.filter}
        onInput={(event: Event) => show((event.currentTarget as HTMLInputElement).value)}
        {...VERBATIM}
      />
      <p class="bad-text" role="alert">
        {fault !== null && `The filter ${fault}.`}
      </p>
    </form>
  );
}
