import { defineConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

/** `npm run soak`: runs that are killed and resumed for minutes, against a service that fails. */
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    include: ['test/soak/*.soak.ts'],
    testTimeout: 7_200_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
