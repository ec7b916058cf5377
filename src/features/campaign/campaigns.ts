/** The list of all campaigns of a server. */
import { program } from '../../program-name.js';
import { UsageError } from '../../util/errors.js';
import { didYouMean } from '../../util/suggest.js';
import { Campaign, INDEX, type CampaignRecord } from './campaign.js';
import { nameOf, type CampaignSettings } from './chunks.js';
import type { Engine } from './engine.js';
import { recordsIn, textOf, type JsonText } from './json-text.js';
import { CAMPAIGN_SCHEMA } from './schemas.js';

/** Files a campaign; one of the same name is the same one. */
export async function fileCampaign(engine: Engine, record: CampaignRecord): Promise<Campaign> {
  const index = engine.queue<JsonText, unknown>(INDEX);
  await index.add('campaign', textOf(record), { jobId: record.name });
  const campaign = new Campaign(engine, record);
  await campaign.goOn();
  return campaign;
}

/** Oldest first. */
export async function campaigns(engine: Engine): Promise<readonly Campaign[]> {
  const records = await recordsIn<CampaignRecord>(engine, INDEX, CAMPAIGN_SCHEMA);
  return records
    .map((record) => new Campaign(engine, record))
    .sort((a, b) => (a.record.startedAt < b.record.startedAt ? -1 : 1));
}

/**
 * The campaign of this name; without a name the newest.
 *
 * @throws {UsageError} if there is none
 */
export async function campaignNamed(engine: Engine, name: string | undefined): Promise<Campaign> {
  const all = await campaigns(engine);
  const found = name === undefined ? all.at(-1) : all.find(({ record }) => record.name === name);
  if (found !== undefined) return found;
  if (all.length === 0)
    throw new UsageError(`there is no campaign yet: "${program()} campaign start SERVER" files one`);
  const names = all.map(({ record }) => record.name);
  throw new UsageError(
    `there is no campaign "${name ?? ''}".${didYouMean(name ?? '', names)} "${program()} campaign list SERVER" shows them`,
  );
}

export function recordOf(
  settings: CampaignSettings,
  code: string,
  runproof: string,
  startedAt: string,
): CampaignRecord {
  return { ...settings, name: nameOf('s', settings, code), code, runproof, startedAt };
}
