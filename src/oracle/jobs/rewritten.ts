/** Webhook calls at an address that no submission gives, and that is one of those rewritten (section 6). */
import type { WebhookEvent } from '../../history/events.js';
import { idIn } from '../observed/recorded-call.js';
import { getOrMake } from '../../util/maps.js';
import type { CallIndex } from './call-index.js';
import { idsIn } from './misdirected.js';

export interface Rewritten {
  readonly webhook: WebhookEvent;
  /** The addresses that it may be, as submissions give them: at least one. */
  readonly given: readonly string[];
}

export function rewrittenIn(
  { callsByWebhook }: CallIndex,
  webhooks: readonly WebhookEvent[],
): readonly Rewritten[] {
  const unknown = webhooks.filter(({ url }) => !callsByWebhook.has(url));
  if (unknown.length === 0) return [];
  const byForm = new Map<string, string[]>();
  for (const url of callsByWebhook.keys()) getOrMake(byForm, normalForm(url), () => []).push(url);
  return unknown.flatMap((webhook) => {
    const given = byForm.get(normalForm(webhook.url));
    if (given === undefined) return [];
    const ids = idsIn(webhook);
    const named = given.filter((url) =>
      callsByWebhook.get(url)!.some((call) => ids.includes(idIn(call) ?? '')),
    );
    return [{ webhook, given: named.length > 0 ? named : given }];
  });
}

/**
 * Without what a sender that takes an address apart may lose: the case of its host, a port that is the default,
 * escapes, the query, and a slash at the end.
 */
function normalForm(url: string): string {
  const address = url.split(/[?#]/, 1)[0]!;
  if (!URL.canParse(address)) return address.replace(/\/$/, '');
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${decoded(pathname).replace(/\/$/, '')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
