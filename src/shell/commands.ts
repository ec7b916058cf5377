/** Every command with its help, in the order in which the help names them. A command is loaded when it runs. */
import {
  CAMPAIGN_ACTIONS,
  CAMPAIGN_OPTIONS,
  CHECK_CONTROL_OPTIONS,
  CHECK_OPTIONS,
  CLEAN_OPTIONS,
  DEMO_OPTIONS,
  EXPLORE_OPTIONS,
  INIT_OPTIONS,
  JUDGE_OPTIONS,
  LIST_OPTIONS,
  LISTS,
  PLAN_OPTIONS,
  REPLAY_OPTIONS,
  SHOW_OPTIONS,
  SHRINK_OPTIONS,
} from '../cli/command-options.js';
import { CLIENT_OPTIONS } from '../features/client/options.js';
import type { Command } from '../cli/command.js';
import * as exits from '../cli/exit-codes.js';
import { grouped, type OptionTable } from '../cli/option.js';
import { GENERAL_OPTIONS, TARGET_OPTIONS } from '../cli/option-table.js';
import { PROXY_OPTIONS } from '../features/proxy/options.js';
import { ACTIONS, REPORT_OPTIONS } from '../features/report/options.js';
import { SERVE_OPTIONS } from '../features/serve/options.js';

const URL_ARGUMENT = {
  url: {
    type: 'string',
    describe: '{base_url}, or an address ending in /v2/<endpoint_id>; default: the emulator itself',
  },
} as const;

/** What a configuration file may contain, besides the address. */
export const CHECK_CONFIG: OptionTable = { ...CHECK_OPTIONS, ...GENERAL_OPTIONS };
/** How to reach the target; what else the file says is about `check` and `plan`. */
const REACH: OptionTable = { ...TARGET_OPTIONS, ...GENERAL_OPTIONS };

const OWN: readonly Command[] = [
  {
    usage: 'demo',
    describe: 'See how Runproof finds and proves a bug; needs no server, takes a few seconds',
    options: DEMO_OPTIONS,
    arguments: {},
    examples: [
      ['runproof demo', 'a server with a planted bug'],
      ['runproof demo --fixed', 'the same tests without the bug'],
    ],
    exits: exits.DEMO_CODES,
    run: async (raw, io) => (await import('../features/demo/demo-command.js')).demo(raw, io),
  },
  {
    usage: 'check [url]',
    describe: 'Check a server, or without a URL the emulator itself',
    options: CHECK_OPTIONS,
    arguments: URL_ARGUMENT,
    examples: [
      ['runproof check', 'check the emulator itself'],
      [
        'runproof check https://api.example.test/v2/my-endpoint --api-key-file key.txt',
        'check a deployed endpoint in real time',
      ],
      [
        'runproof check http://localhost:8080 --control http://localhost:8080/_control',
        'check a server that offers test control',
      ],
      ["runproof check http://localhost:8080/v2/test --only 2.2 '4.6/*'", 'check only some sections'],
      ['runproof check --mutant ttl-spares-running --only 2.2', 'see how it finds a planted bug'],
    ],
    exits: exits.CHECK_CODES,
    run: async (raw, io) => (await import('../features/check/check-command.js')).check(raw, io),
    configured: CHECK_CONFIG,
  },
  {
    usage: 'explore',
    describe: 'Search the simulator for bugs with random calls, on all cores',
    options: EXPLORE_OPTIONS,
    arguments: {},
    examples: [
      ['runproof explore --time 10m', 'explore for ten minutes'],
      ['runproof explore --seed 7 --runs 100000 --shard 3/16', 'run the third of sixteen shards'],
      ['runproof explore --mutant purge-kills-running', 'check that it finds a planted bug'],
    ],
    exits: exits.EXPLORE_CODES,
    run: async (raw, io) => (await import('../features/explore/explore-command.js')).explore(raw, io),
  },
  {
    usage: 'campaign <action> <server> [name]',
    describe: 'Explore on many machines that share the work through Redis, Valkey or PostgreSQL',
    options: CAMPAIGN_OPTIONS,
    arguments: {
      action: { type: 'string', describe: CAMPAIGN_ACTIONS.join(', ') },
      server: { type: 'string', describe: 'redis://HOST:PORT, or postgres://USER@HOST/DATABASE' },
      name: { type: 'string', describe: 'Name of the campaign, as start prints it; default: the newest' },
    },
    examples: [
      ['runproof campaign start redis://127.0.0.1 --seed 7 --runs 10000000', 'start a campaign, once'],
      ['runproof campaign work redis://127.0.0.1', 'work on it, on each machine'],
      ['runproof campaign watch redis://127.0.0.1', 'show progress, coverage and findings, on any machine'],
      ['runproof campaign report redis://127.0.0.1', 'write the folder that explore would write'],
    ],
    exits: exits.CAMPAIGN_CODES,
    run: async (raw, io) => (await import('../features/campaign/campaign-command.js')).campaign(raw, io),
  },
  {
    usage: 'replay <file> [url]',
    describe: 'Repeat the calls of a failure or of serve --record, and report FIXED, PASSED, FAILED or ERROR',
    options: REPLAY_OPTIONS,
    arguments: {
      file: { type: 'string', describe: 'A file in failures/ of a report, a script, or a token (rp1-…)' },
      url: {
        type: 'string',
        describe: `${URL_ARGUMENT.url.describe}, or the simulator for failures found by explore`,
      },
    },
    examples: [
      [
        'runproof replay reports/local/failures/x.json http://localhost:8080/v2/test',
        'see whether a failure is fixed',
      ],
      ['runproof replay rp1-q1ZK… http://localhost:8080/v2/test', 'the same, with the token from a log'],
    ],
    exits: exits.REPLAY_CODES,
    run: async (raw, io) => (await import('../features/replay/replay-command.js')).replaySaved(raw, io),
    configured: REACH,
  },
  {
    usage: 'shrink <file> [url]',
    describe: 'Find fewer calls that show the same failure, on the simulator or on a server',
    options: SHRINK_OPTIONS,
    arguments: {
      file: { type: 'string', describe: 'A file in failures/ of a report, or a script' },
      url: {
        type: 'string',
        describe: '{base_url}, or an address ending in /v2/<endpoint_id>; default: the simulator',
      },
    },
    examples: [['runproof shrink reports/explore-7/failures/x.json', 'writes x.small.json next to it']],
    exits: exits.SHRINK_CODES,
    run: async (raw, io) => (await import('../features/shrink/shrink-command.js')).shrink(raw, io),
    configured: REACH,
  },
  {
    usage: 'judge <files..>',
    describe: 'Find bugs in recorded calls (HAR, NDJSON), or judge an earlier run again',
    options: JUDGE_OPTIONS,
    arguments: { files: { type: 'string', describe: 'Recorded traffic (HAR, NDJSON), or a history.ndjson' } },
    examples: [
      ['runproof judge staging.har', 'calls that a browser or a proxy recorded'],
      ['runproof judge reports/embedded-1/history.ndjson --edition runpod', 'judge by another edition'],
    ],
    exits: exits.JUDGE_CODES,
    run: async (raw, io) => (await import('../features/judge/judge-command.js')).judge(raw, io),
  },
  {
    usage: 'proxy',
    describe: 'Pass calls on to a service, and report bugs as they happen',
    options: PROXY_OPTIONS,
    arguments: {},
    examples: [
      [
        'runproof proxy --upstream https://api.example.test --listen 127.0.0.1:8090',
        'clients call http://127.0.0.1:8090; the terminal shows each bug at once',
      ],
      [
        "runproof proxy --upstream http://127.0.0.1:8080 --on-violation 'mail -s violation ops'",
        'also run a command for each alert',
      ],
    ],
    exits: exits.PROXY_CODES,
    run: async (raw, io) => (await import('../features/proxy/proxy-command.js')).proxy(raw, io),
  },
  {
    usage: 'client',
    describe: 'Test a client under some fifty conditions: slow queues, lost replies, 429s, cancelled jobs',
    options: CLIENT_OPTIONS,
    arguments: {},
    examples: [
      ['runproof client -- node my-client.js', 'under every condition'],
      ["runproof client --only 'read-*' --only job-fails -- python my_client.py", 'under some of them'],
      ['runproof client --expect job-fails=3 -- ./my-client', 'your client exits with 3 when its job fails'],
      [
        'runproof client --attach --only rate-limited-once',
        'start no program; judge whatever calls, until Ctrl-C',
      ],
      ['runproof client --list', 'describe every condition and rule'],
    ],
    exits: exits.CLIENT_CODES,
    takesCommand: true,
    run: async (raw, io) => (await import('../features/client/client-command.js')).client(raw, io),
  },
  {
    usage: 'serve',
    describe: 'Run the emulator: a correct service on this machine, with a web page',
    options: SERVE_OPTIONS,
    arguments: {},
    examples: [
      ['runproof serve --port 8080 --endpoint my-endpoint --workers 3', 'an emulator with scripted workers'],
      ['runproof serve --clock controlled', 'time moves only when a test or the page moves it'],
      ['runproof serve --handler ./handler.mjs --watch --log', 'your own handler processes the jobs'],
      [
        "runproof serve --log --fault 'status:5%=503' --fault 'run:#1=lost-reply'",
        'inject faults, to test a client',
      ],
      ['runproof serve --mutant ttl-spares-running', 'a server with a planted bug, to try out check'],
      ['runproof serve --record calls.json', 'save the calls; runproof replay calls.json repeats them'],
    ],
    exits: exits.SERVE_CODES,
    run: async (raw, io) => (await import('../features/serve/serve-command.js')).serve(raw, io),
  },
  {
    usage: 'plan [url]',
    describe: 'Show what check would send and how long it would take; submits two to five short jobs itself',
    options: PLAN_OPTIONS,
    arguments: URL_ARGUMENT,
    examples: [
      [
        'runproof plan https://api.example.test/v2/my-endpoint --profile quick',
        'before you check a deployed endpoint',
      ],
      ['runproof plan http://localhost:8080/v2/test --budget 3m', 'what fits into three minutes'],
    ],
    exits: exits.PLAN_CODES,
    run: async (raw, io) => (await import('../features/check/plan-command.js')).plan(raw, io),
    configured: CHECK_CONFIG,
  },
  {
    usage: 'report <action> <reports..>',
    describe: 'Merge, compare and render reports; show several as a matrix, or one as a badge',
    options: REPORT_OPTIONS,
    arguments: {
      action: { type: 'string', describe: ACTIONS.join(', ') },
      reports: { type: 'string', describe: 'report.json or explore.json, or their folders' },
    },
    examples: [
      ['runproof report merge reports/explore-7-*-of-3', 'join the shards of an exploration'],
      [
        'runproof report diff before/report.json after/report.json',
        'what now fails, passes or is undecided that did not before',
      ],
      [
        'runproof report render reports/embedded-1 --format junit,markdown',
        'write the report in more formats, in its folder',
      ],
      [
        'runproof report matrix reports/monday reports/tuesday --out reports/trend',
        'several runs side by side',
      ],
      ['runproof report badge reports/embedded-1 > badge.json', 'for https://img.shields.io/endpoint'],
    ],
    exits: exits.REPORT_CODES,
    run: async (raw, io) => (await import('../features/report/report-command.js')).report(raw, io),
  },
  {
    usage: 'show <report> [what..]',
    describe: 'Open a failure, script, job or call of a report: what was sent, what came back',
    options: SHOW_OPTIONS,
    arguments: {
      report: { type: 'string', describe: 'report.json, or its folder' },
      what: {
        type: 'string',
        describe:
          'A call by its number, a requirement, a scenario, a job by its id, or script:N; default: what failed',
      },
    },
    examples: [
      ['runproof show reports/embedded-1 1396', 'request, headers, body and answer of call #1396'],
      [
        'runproof show reports/embedded-1 2.2/ttl-default-removes',
        'the script that shows a failure, in words',
      ],
    ],
    exits: exits.DONE_CODES,
    run: async (raw, io) => (await import('../features/show/show-command.js')).show(raw, io),
  },
  {
    usage: 'check-control [control]',
    describe: 'Check your implementation of test control, rule by rule',
    options: CHECK_CONTROL_OPTIONS,
    arguments: {
      control: {
        type: 'string',
        describe: 'Address of test control; default: the one in the configuration',
      },
    },
    examples: [
      [
        'runproof check-control http://127.0.0.1:8080/_control',
        'while you implement test control; afterwards use check --control',
      ],
    ],
    exits: exits.CHECK_CONTROL_CODES,
    run: async (raw, io) =>
      (await import('../features/check-control/check-control-command.js')).checkControlCommand(raw, io),
    configured: REACH,
  },
  {
    usage: 'clean <jobs>',
    describe: 'Cancel the jobs that an interrupted run left behind',
    options: CLEAN_OPTIONS,
    arguments: { jobs: { type: 'string', describe: 'jobs.ndjson of a report' } },
    examples: [
      ['runproof clean reports/api.example.test-my-endpoint-7/jobs.ndjson', 'after a run that was killed'],
    ],
    exits: exits.CLEAN_CODES,
    run: async (raw, io) => (await import('../features/clean/clean-command.js')).clean(raw, io),
    configured: REACH,
  },
  {
    usage: 'init',
    describe:
      'Write a configuration, a first scenario and a CI workflow, and add Runproof to package.json; overwrites no other file',
    options: INIT_OPTIONS,
    arguments: {},
    examples: [['runproof init', 'in the folder of your project']],
    exits: exits.DONE_CODES,
    run: async (raw, io) => (await import('../features/init/init-command.js')).init(raw, io),
  },
  {
    usage: 'list [what]',
    describe: `List ${LISTS.join(', ')}`,
    options: LIST_OPTIONS,
    arguments: {
      what: {
        type: 'string',
        describe: `${LISTS.join(', ')}; variants are correct services with other readings or late timers`,
        defaultDescription: LISTS[0],
      },
    },
    examples: [
      ['runproof list scenarios', 'the names that --only takes'],
      ['runproof list requirements --where', 'in a clone: file and line of the check of each rule'],
      ['runproof list lifecycle', 'the states of a job, their transitions, and the rules about each'],
    ],
    exits: exits.DONE_CODES,
    run: async (raw, io) => (await import('../features/list/list-command.js')).list(raw, io),
  },
  {
    usage: 'completion',
    describe: 'Print a completion script for the shell',
    options: {},
    arguments: {},
    examples: [
      [
        'runproof completion >> ~/.bashrc',
        'bash; zsh: ~/.zshrc; fish: > ~/.config/fish/completions/runproof.fish',
      ],
    ],
    exits: exits.DONE_CODES,
    run: async (_raw, io) => (await import('./completion-script.js')).completion(io),
  },
];

/** Every command, with the options that all of them have. Those without a heading stand before these. */
export const COMMANDS: readonly Command[] = OWN.map((command) => ({
  ...command,
  options: { ...grouped('Options:', command.options), ...GENERAL_OPTIONS },
}));
