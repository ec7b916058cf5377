/** What `--clients` and the options that imply it ask for, of `judge` and of `proxy`. */
import type { ExitCode, Report } from '../../report/index.js';
import type { CLIENTS } from '../options/option-table.js';
import type { Settings } from '../options/option.js';

type ClientSettings = Settings<typeof CLIENTS>;

export const areClientsJudged = ({ clients, clientBy, failOnClient }: ClientSettings): boolean =>
  clients || clientBy !== undefined || failOnClient;

/** A client that broke a rule fails the command only where the user says so, and where nothing else does. */
export const codeWithClients = (
  code: ExitCode,
  { clients = [] }: Pick<Report, 'clients'>,
  { failOnClient }: ClientSettings,
): ExitCode => (code === 0 && failOnClient && clients.some(({ violated }) => violated.length > 0) ? 1 : code);
