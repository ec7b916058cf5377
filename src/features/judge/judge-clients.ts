/** The clients of recorded traffic. */
import { SeenClients } from '../../client/seen-clients.js';
import type { Edition } from '../../spec/index.js';
import { reportedClients, type ReportedClient } from '../../report/client/seen.js';
import { UsageError } from '../../util/errors.js';
import type { RecordedHistory } from './judge-history.js';

export interface JudgedClients {
  readonly clientBy?: string | undefined;
  readonly edition?: Edition | undefined;
  /** What the user says of the recording; undefined: nothing. */
  readonly complete?: 'yes' | 'no' | undefined;
}

/** @throws {UsageError} for the history of a run, whose client was Runproof */
export function judgeClients(recorded: RecordedHistory, settings: JudgedClients): readonly ReportedClient[] {
  const { clientCalls, isWhole, missing = [], isOneClock = false } = recorded;
  if (clientCalls === undefined)
    throw new UsageError(
      '--clients judges the clients of recorded traffic, and this is the history of a run',
    );
  const { clientBy, edition = 'document', complete } = settings;
  const seen = new SeenClients({
    ...{ edition, isOneClock, by: clientBy?.toLowerCase() },
    isWhole:
      !isWhole || missing.length > 0 || complete === 'no' ? 'no' : complete === 'yes' ? 'yes' : 'perhaps',
  });
  for (const { exchange, file } of clientCalls()) seen.take(exchange, file);
  return reportedClients(seen.found);
}
