/** Every command, in the order in which the help names them. */
import type { Command } from '../cli/options/command.js';
import { campaign } from '../features/campaign/index.js';
import { check, plan } from '../features/check/index.js';
import { checkControl } from '../features/check-control/index.js';
import { clean } from '../features/clean/index.js';
import { client } from '../features/client/index.js';
import { demo } from '../features/demo/index.js';
import { explore } from '../features/explore/index.js';
import { init } from '../features/init/index.js';
import { judge } from '../features/judge/index.js';
import { list } from '../features/list/index.js';
import { log } from '../features/log/index.js';
import { proxy } from '../features/proxy/index.js';
import { replay } from '../features/replay/index.js';
import { report } from '../features/report/index.js';
import { serve } from '../features/serve/index.js';
import { show } from '../features/show/index.js';
import { shrink } from '../features/shrink/index.js';
import { trigger } from '../features/trigger/index.js';
import { verify } from '../features/verify/index.js';
import { completion } from './completion-script.js';

export const COMMANDS: readonly Command[] = [
  ...[demo, check, explore, campaign, replay, shrink, judge, proxy, client],
  ...[serve, log, trigger, plan, report, show, verify, checkControl, clean, init, list, completion],
];
