/** `check-control`: checks that a server keeps the contract of test control. */
import { escapeControls, jsonText } from '../../report/escape.js';
import type { ExitCode } from '../../report/index.js';
import { MARK_SYMBOL } from '../../report/formatting.js';
import { createColours, type Colours } from '../../report/terminal/terminal-colours.js';
import { checkControl, type ContractResult } from '../../target/contract/check-control.js';
import { LOCAL_API_KEY } from '../../spec/local-key.js';
import { isLoopbackUrl } from '../../util/address.js';
import { UnreachableError, UsageError } from '../../util/errors.js';
import { program } from '../../program-name.js';
import { wantsColour, type Io } from '../../cli/io.js';
import type { CheckControlSettings } from './index.js';
import { connectionSettings, NO_KEY } from '../../cli/options/settings.js';

/**
 * @throws {UsageError} for an address that is none, or without a key
 * @throws {UnreachableError} when nothing answers there, or the key is rejected
 */
export async function checkControlCommand(settings: CheckControlSettings, io: Io): Promise<ExitCode> {
  const { control, base } = settings;
  if (control === undefined)
    throw new UsageError(
      `the address of test control is missing: ${program()} check-control http://HOST/_control`,
    );
  const controlUrl = addressOf(control);
  const connection = connectionSettings(settings, io);
  // As in `check`: on this machine the key of our own `serve` is tried.
  const { apiKey = isLoopbackUrl(controlUrl) ? LOCAL_API_KEY : undefined } = connection;
  if (apiKey === undefined) throw new UsageError(NO_KEY);
  const baseUrl = base === undefined ? new URL(controlUrl).origin : addressOf(base);
  const target = { ...connection, controlUrl, baseUrl, apiKey };
  const { results, hello } = await checkControl(target);
  if (hello.status === 0) throw new UnreachableError(`${controlUrl}: ${escapeControls(String(hello.body))}`);
  if (hello.status === 401)
    throw new UnreachableError(`${controlUrl} rejects the API key: check it, or the header it expects`);
  const failed = results.filter(({ verdict }) => verdict === 'failed').length;
  if (settings.json) {
    io.out(`${jsonText({ control: controlUrl, failed, results }, 2)}\n`);
  } else {
    const colours = createColours(wantsColour(io));
    const told = settings.quiet ? [] : [...results.flatMap((result) => lines(result, colours)), ''];
    io.out(`${[...told, summary(results)].join('\n')}\n`);
  }
  return failed > 0 ? 1 : 0;
}

function addressOf(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new UsageError(`"${value}" is not an address: use one such as http://127.0.0.1:8080/_control`);
  return value.replace(/\/+$/, '');
}

function lines({ rule, sentence, verdict, detail }: ContractResult, colours: Colours): readonly string[] {
  const [symbol, colour] =
    verdict === 'passed'
      ? ([MARK_SYMBOL.pass, colours.green] as const)
      : verdict === 'failed'
        ? ([MARK_SYMBOL.fail, colours.red] as const)
        : ([MARK_SYMBOL.untestable, colours.dim] as const);
  return [
    `${colour(symbol)} ${sentence} ${colours.dim(`(${rule})`)}`,
    ...(detail === null ? [] : [`    ${escapeControls(detail)}`]),
  ];
}

function summary(results: readonly ContractResult[]): string {
  const of = (verdict: ContractResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const skipped = of('skipped') === 0 ? '' : `, ${of('skipped')} skipped`;
  return of('failed') === 0
    ? `TEST CONTROL IS KEPT: ${of('passed')} of ${results.length} sentences hold${skipped}`
    : `TEST CONTROL IS NOT KEPT: ${of('failed')} of ${results.length} sentences fail${skipped}`;
}
