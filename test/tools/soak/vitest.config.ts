import { defineConfig } from 'vitest/config';
import { ROOT, TEST_OPTIONS } from '../../test-options.ts';

/** `npm run soak`: runs that are killed and resumed for minutes, against a service that fails. */
export default defineConfig({
  root: ROOT,
  test: {
    ...TEST_OPTIONS,
    include: ['test/tools/soak/*.soak.ts'],
    testTimeout: 7_200_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
