import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { recordedDurations, slowestFirst } from './durations.js';

/** Spec files in the order in which they begin: the slowest first, so that the end of a run does not wait for one. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowestFirst(
      await super.sort(files),
      ({ moduleId }) => relative('.', moduleId).replaceAll('\\', '/'),
      recordedDurations(),
    );
  }
}
