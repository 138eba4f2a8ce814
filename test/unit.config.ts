import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** What starts programs, waits for real time, draws thousands of images or weighs its process: the inner loop leaves it to `npm test`. */
const SLOW = [
  'test/{end-to-end,presets,service,examine,native-bytes}/**',
  // It limits what a whole process may decode, and others draw there.
  'test/fuzz/**',
  'test/view/*.test.ts',
  'test/{package,example-report}.test.ts',
  'test/analysis/probes/cache-probe.test.ts',
  'test/analysis/metrics.test.ts',
  'test/compare/gate/simulated-gate.test.ts',
  'test/commands/display/screenshot.test.ts',
  'test/suite/bounds.test.ts',
  'test/media/compare/{constructed,golden-images}.test.ts',
  'test/report/{csv,junit-in-the-browser}.test.ts',
  'test/report/html/{html,many-variants,history-in-the-browser,images-in-the-browser,in-the-browser,load,steering-in-the-browser}.test.ts',
  'test/run/{calls/back-pressure,calls/free-bytes,limits/abandon-rule,limits/budget-at-server,limits/slowed-starts,limits/unreachable}.test.ts',
  'test/targets/call/{cancel,job-call,many-jobs}.test.ts',
];

export default mergeConfig(
  whole,
  defineConfig({ test: { exclude: [...configDefaults.exclude, ...SLOW], isolate: false } }),
);
