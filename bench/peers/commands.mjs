/**
 * The same small model as explorer.py, as fast-check's manual would test it: commands on a model and a real system.
 * usage: commands.mjs RUNS
 */
import fc from 'fast-check';

const WORKERS = 2;
let steps = 0;

class Endpoint {
  records = new Map();
  made = 0;
  dispatch() {
    let running = [...this.records.values()].filter(({ status }) => status === 'IN_PROGRESS').length;
    for (const record of this.records.values()) {
      if (running >= WORKERS) return;
      if (record.status !== 'IN_QUEUE') continue;
      record.status = 'IN_PROGRESS';
      running += 1;
    }
  }
  run(input) {
    this.made += 1;
    this.records.set(this.made, { status: 'IN_QUEUE', input });
    this.dispatch();
    return this.made;
  }
  change(job, from, to) {
    const record = this.records.get(job);
    if (record === undefined || !from.includes(record.status)) return;
    record.status = to;
    this.dispatch();
  }
  purge() {
    for (const [job, { status }] of this.records) if (status === 'IN_QUEUE') this.records.delete(job);
  }
}

const check = (model, real) => {
  steps += 1;
  const running = [...real.records.values()].filter(({ status }) => status === 'IN_PROGRESS');
  if (running.length > WORKERS) throw new Error('more jobs in progress than workers');
  if (real.made !== model.made) throw new Error('a job is missing');
};

class Run {
  constructor(input) {
    this.input = input;
  }
  check = () => true;
  run(model, real) {
    model.made += 1;
    real.run(this.input);
    check(model, real);
  }
  toString = () => 'run';
}

class OnJob {
  constructor(name, nth, act) {
    Object.assign(this, { name, nth, act });
  }
  check = (model) => model.made > 0;
  run(model, real) {
    this.act(real, 1 + (this.nth % model.made));
    check(model, real);
  }
  toString = () => this.name;
}

const input = fc.dictionary(
  fc.string({ maxLength: 8 }),
  fc.oneof(fc.integer(), fc.string({ maxLength: 8 }), fc.constant(null)),
  { maxKeys: 3 },
);
const onJob = (name, act) => fc.nat().map((nth) => new OnJob(name, nth, act));
const ALIVE = ['IN_QUEUE', 'IN_PROGRESS'];
const commands = [
  input.map((value) => new Run(value)),
  onJob('status', (real, job) => real.records.get(job)),
  onJob('complete', (real, job) => real.change(job, ['IN_PROGRESS'], 'COMPLETED')),
  onJob('fail', (real, job) => real.change(job, ['IN_PROGRESS'], 'FAILED')),
  onJob('cancel', (real, job) => real.change(job, ALIVE, 'CANCELLED')),
  onJob('retry', (real, job) => real.change(job, ['FAILED'], 'IN_QUEUE')),
  onJob('expire', (real, job) => real.records.delete(job)),
  onJob('purge', (real) => real.purge()),
];

const property = fc.property(fc.commands(commands, { maxCommands: 50, size: 'max' }), (each) => {
  fc.modelRun(() => ({ model: { made: 0 }, real: new Endpoint() }), each);
});
const numRuns = Number(process.argv[2] ?? 500);
fc.assert(property, { numRuns, seed: 1 });
steps = 0;
const before = process.cpuUsage();
fc.assert(property, { numRuns, seed: 2 });
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ units: steps, ms: (user + system) / 1000 })}\n`);
