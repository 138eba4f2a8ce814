import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Worker threads and child processes start from `dist`, so `npm test` builds before it calls this. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/fixtures/remove-folders.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
