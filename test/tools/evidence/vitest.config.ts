import { defineConfig } from 'vitest/config';
import { ROOT, TEST_OPTIONS } from '../../test-options.ts';

/** `npm run evidence`: what the comparison and the gate promise, shown in full on real runs. It takes minutes. */
export default defineConfig({
  root: ROOT,
  test: {
    ...TEST_OPTIONS,
    include: ['test/tools/evidence/*.evidence.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
