import { fileURLToPath } from 'node:url';
import type { TestUserConfig } from 'vitest/config';

/** The folder that holds src, suites and test. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Whether tests run in their long form: in `npm run nightly`, not in `npm test`. */
export const NIGHTLY: boolean = process.env.RETAKE_NIGHTLY === '1';

/** How many inputs of a property are drawn: all in the long form, else a quarter. */
export const draws = (many: number): number => (NIGHTLY ? many : Math.ceil(many / 4));

/**
 * The parser of HTTP replies is WebAssembly. V8 compiles it anew in each thread that sends requests, and then optimizes
 * it in the background: most of what a run of a few calls would cost.
 */
export const V8_FLAGS: string[] = ['--liftoff-only'];

/** What every kind of test has in common. Worker threads and child processes start from `dist`: build before. */
export const TEST_OPTIONS: TestUserConfig = {
  setupFiles: ['test/fixtures/remove-folders.ts', 'test/fixtures/seed-properties.ts'],
  // What is waited for comes late on a machine that is busy. No test needs a limit of its own.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  // The built program is loaded as node loads it.
  server: { deps: { external: [/\/dist\//] } },
  // Times of day are those of UTC where a test does not say otherwise.
  env: { TZ: 'UTC' },
  pool: 'forks',
  maxWorkers: 2,
  execArgv: V8_FLAGS,
};

/** What weighs the process it runs in, or limits or changes it: each file has its own. */
export const ALONE: string[] = [
  'test/tools/fuzz/fuzz.test.ts',
  'test/end-to-end/fault-table.test.ts',
  'test/record/hand-over-size.test.ts',
  'test/run/calls/free-bytes.test.ts',
  'test/suite/bounds.test.ts',
  'test/targets/call/many-jobs.test.ts',
];
