import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ROOT, TEST_OPTIONS } from '../test-options.ts';

/** Of each, `npm test` runs a short sample. */
const WITH_LONG_FORM = [
  'test/analysis/history/decide-runs.test.ts',
  'test/analysis/measures/closed-throughput.test.ts',
  'test/analysis/probes/cache-probe.test.ts',
  'test/gate/{every-rule,simulated-gate}.test.ts',
  'test/end-to-end/{deaths,fault-table,fleet,fleet-killed}.test.ts',
  'test/end-to-end/{resume,score,scorers,text-scorer,vote-server}.test.ts',
  'test/media/compare/constructed.test.ts',
  'test/media/decode-video.test.ts',
  'test/record/hand-over-size.test.ts',
  'test/statistics/coverage.test.ts',
  'test/targets/call/many-jobs.test.ts',
  'test/tools/fuzz/fuzz.test.ts',
  'test/tools/likeness/likeness.test.ts',
  'test/tools/native-bytes/native-bytes.test.ts',
];

/** Properties, of which `npm test` draws a quarter of the inputs. */
const WITH_PROPERTIES = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => /'fast-check'|contracts\/(metric|scorer)\.ts/.test(readFileSync(join(ROOT, file), 'utf8')));

/** Tests that take minutes, one file at a time: `npm run nightly`, `npm run evidence`, `npm run soak`. */
export default defineConfig({
  root: ROOT,
  test: {
    ...TEST_OPTIONS,
    testTimeout: 7_200_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
    projects: [
      {
        extends: true,
        test: { name: 'nightly', include: [...WITH_LONG_FORM, ...WITH_PROPERTIES], env: { RETAKE_NIGHTLY: '1' } },
      },
      { extends: true, test: { name: 'evidence', include: ['test/tools/evidence/*.evidence.ts'] } },
      { extends: true, test: { name: 'soak', include: ['test/tools/soak/*.soak.ts'] } },
    ],
  },
});
