/** What a coding agent needs to know of Runproof: a skill, and lines that point to it. */

export const SKILL_FILE = '.agents/skills/runproof/SKILL.md';
export const AGENTS_FILE = 'AGENTS.md';

/** At most 80 lines: an agent reads all of it. */
const SKILL = `---
name: runproof
description: Find and fix violations of the queue-based endpoint job API (/run, /runsync, /status, /stream, /cancel, /retry, /purge-queue, /health) in this project's server. Use it after each change of the server, or when it is said to misbehave.
---

# Check, show, fix, replay

Runproof calls the server, and judges each answer by the document of the API,
\`node_modules/runproof/docs/queue-endpoint-api.md\`. A failure that it reports is a bug of the server, proved by
recorded calls. Options come from \`runproof.config.*\`: the address, test control, what to leave out.

## 1. Check

Start the server, in the background and with its output in a file: its README or package.json says how. Set
RUNPROOF_API_KEY to a key that it accepts.

    npx runproof check > check.txt 2>&1; echo "exit code $?"; tail -40 check.txt

| exit code | meaning                                | what to do                                       |
| --------- | -------------------------------------- | ------------------------------------------------ |
| 0         | no required rule failed                | done; leave advice, and what is skipped, alone   |
| 1         | the server breaks a required rule      | fix the first cause, below                      |
| 2         | wrong usage                            | read the message, which says what to write       |
| 3         | nothing answers, or the key is wrong   | start the server, set the key                    |
| 4, 5      | an error of Runproof; a stale baseline | read the message                                 |
| 6         | too little was decided                 | the message says why, such as an option to add   |

The likeliest cause comes first. For each it prints the sentence that is broken, the steps, what was expected, the
actual answer, and a command that replays it. Often that is enough to find the bug, and step 2 is not needed. One bug may
break several rules, and be shown as several causes: fix one, then check again.

## 2. Show

    npx runproof show reports/runproof                      # the ids of what failed, and their calls
    npx runproof show reports/runproof 2.2/ttl-removes      # one of them: its script in words, its calls
    npx runproof show reports/runproof 1396                 # call #1396: request and answer
    npx runproof show reports/runproof --format json        # a line of JSON for each rule that failed

Ids begin with the section of the document that they quote: \`2.2/ttl-removes\` is about section 2.2. Read that section, not
the whole document. \`npx runproof list requirements | grep ' 2.2/'\` prints the sentences of a section. The file of a failure
is named after its scenario, not after the rule.

## 3. Fix

- Read the code of the operation that the steps name, and find the line that does what the actual answer says.
- Fix the rule, not the script: values of scripts are drawn at random.
- Change the server only. Do not touch the configuration, the scenarios, test control or the baseline to make it pass.
- Prefer the smallest change. If two readings are possible, the sentence that is printed decides.

## 4. Replay

Start the server again, so that it has the change. Then repeat the failed script with the command that \`check\` printed:

    npx runproof replay reports/runproof/failures/2.2-ttl-removes-1.json

The last line says \`FIXED\` (exit code 0) or \`FAILED\` (1). If it says FAILED, open the new calls with \`show\`, and
go back to 3.

## 5. Check again

Run the check of step 1 again. It is done when its exit code is 0, even if its verdict names rules that the configuration skips. Delete \`check.txt\`. Then say which rule was broken, why, and what you changed.

## Hints

- \`npx runproof check --only 2.2,4.6\` checks sections or ids only; \`--bail\` ends at the first failure.
- \`npx runproof plan --format json\` says what a check would send and how long it would take; it sends nothing.
- Without test control a check waits in real time: add \`--budget 90s\`.
- No command asks a question or draws a progress bar unless it runs in a terminal.
`;

const AGENTS = `## The job API of this server

Runproof checks it: after each change start the server, and run \`npx runproof check\`. When it fails, follow
\`${SKILL_FILE}\`: check, show, fix, replay until it says FIXED.
`;

/** Both texts, for a project that runs the program of a package with `exec`, such as `npx`. */
export const agentTexts = (exec: string): { readonly skill: string; readonly lines: string } => ({
  skill: SKILL.replaceAll('npx', exec),
  lines: AGENTS.replaceAll('npx', exec),
});
