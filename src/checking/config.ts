import type { FormatName } from '../report/index.js';

/**
 * The options of `check`, `plan` and `replay` in a configuration file, named as on the command line, in
 * camelCase. `runproof check --help` describes them. The command line takes precedence.
 *
 * Durations are texts such as `'3m'`. Paths are relative to the working directory.
 *
 * @public
 */
export interface Config {
  /** `{base_url}`, or an address ending in `/v2/<endpoint_id>`. */
  readonly url?: string;
  readonly endpoint?: string;
  /** Id of another endpoint of the same service and key. */
  readonly otherEndpoint?: string;
  readonly basePath?: string;
  /** Prefer the variable `RUNPROOF_API_KEY`, or `apiKeyFile`. */
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
  readonly unpermittedApiKey?: string;
  readonly unpermittedApiKeyFile?: string;
  readonly otherApiKey?: string;
  readonly otherApiKeyFile?: string;
  readonly auth?: 'auto' | 'bare' | 'bearer';
  /** Address of the test control of the target. */
  readonly control?: string;
  /** How many times as fast as real time the time of the target runs, 0.1 to 10,000. */
  readonly speed?: number | string;
  /** At most so many calls in a second, for a gateway that refuses more. */
  readonly callsPerSecond?: number | string;
  /** Without `url`: a known fault of the embedded endpoint, of `runproof list mutants`. */
  readonly mutant?: string;
  readonly worker?: 'scripted' | 'opaque';
  readonly sampleInput?: string;
  /** Nothing else uses the endpoint: its queue is purged, and load is sent to it. */
  readonly dedicated?: boolean;
  readonly executionTimeoutDefault?: string;
  readonly webhookListen?: string;
  readonly webhookUrl?: string;
  readonly edition?: 'document' | 'runpod';
  readonly profile?: 'quick' | 'standard' | 'full';
  readonly grace?: string;
  readonly concurrency?: number | string;
  readonly budget?: string;
  readonly header?: readonly string[] | string;
  readonly cacert?: string;
  readonly insecure?: boolean;
  readonly proxy?: string;
  readonly timeout?: string;
  /** Requirement ids, sections, scenario names or globs. */
  readonly only?: readonly string[] | string;
  readonly skip?: readonly string[] | string;
  readonly dialect?: string;
  readonly saveDialect?: string;
  readonly shard?: string;
  /** Folder with scenario files of your own. */
  readonly scenarios?: string;
  readonly seed?: number | string;
  /** Scripts per scenario. */
  readonly runs?: number | string;
  /** Number of further scripts of random calls. */
  readonly explore?: number | string;
  readonly format?: readonly FormatName[] | FormatName;
  readonly out?: string;
  readonly minDecided?: number | string;
  /** True, or a share such as `60%`. */
  readonly requireConforms?: boolean | string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly noColor?: boolean;
  readonly shrink?: boolean;
  readonly bail?: boolean;
  readonly lastFailed?: boolean;
  readonly watch?: boolean;
  readonly ui?: boolean;
  readonly diagram?: string;
  readonly open?: boolean;
  readonly noShrink?: boolean;
  readonly progress?: 'auto' | 'plain' | 'none';
}

/**
 * Lets the editor and the compiler check a configuration file, `runproof.config.ts`.
 *
 * @example
 *     import { defineConfig } from 'runproof';
 *
 *     export default defineConfig({ url: 'http://127.0.0.1:8080/v2/test', profile: 'quick' });
 *
 * @public
 */
export const defineConfig = (config: Config): Config => config;
