import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ALONE, ROOT, TEST_OPTIONS } from './test-options.ts';

/** What starts programs, waits for real time or draws thousands of images: the inner loop leaves it out. */
const SLOW = [
  'test/{end-to-end,presets,service,examine,tools/{likeness,native-bytes}}/**/*.test.ts',
  'test/view/*.test.ts',
  'test/{package,example-report}.test.ts',
  'test/analysis/probes/cache-probe.test.ts',
  'test/analysis/metrics/determinism.test.ts',
  'test/gate/{bounds/history,every-rule,simulated-gate}.test.ts',
  'test/commands/tools/init/init.test.ts',
  'test/commands/score/score-record.test.ts',
  'test/fleet/fleet.test.ts',
  'test/score/conversation.test.ts',
  'test/suite/load-suite.test.ts',
  'test/media/compare/{constructed,golden-images}.test.ts',
  'test/media/{decode-video,libav,pdq}.test.ts',
  'test/record/files/shape.test.ts',
  'test/report/{csv,junit-in-the-browser}.test.ts',
  'test/report/terminal.test.ts',
  'test/page/{html,many-images,many-variants,history-in-the-browser,images-in-the-browser,in-the-browser,load,steering-in-the-browser}.test.ts',
  'test/run/{calls/back-pressure,limits/abandon-rule,limits/budget-at-server,limits/slowed-starts,limits/unreachable,looks}.test.ts',
  'test/statistics/{coverage,detectable-shift}.test.ts',
  'test/targets/call/{job-call,throttled-call,stages/{cancel,download}}.test.ts',
];

/** What takes longest, the longest first: a clean clone has no durations of earlier runs. */
const LONGEST = [
  'test/end-to-end/follow.test.ts',
  'test/page/images-in-the-browser.test.ts',
  'test/end-to-end/ci-files.test.ts',
  'test/end-to-end/fleet.test.ts',
  'test/page/steering-in-the-browser.test.ts',
  'test/view/in-the-browser.test.ts',
  'test/end-to-end/records-of-others.test.ts',
  'test/page/in-the-browser.test.ts',
  'test/end-to-end/gate.test.ts',
  'test/end-to-end/probes.test.ts',
  'test/end-to-end/fleet-killed.test.ts',
  'test/end-to-end/library.test.ts',
  'test/end-to-end/score.test.ts',
  'test/end-to-end/scorers.test.ts',
  'test/end-to-end/disk.test.ts',
  'test/end-to-end/printed-commands.test.ts',
  'test/end-to-end/resume.test.ts',
  'test/end-to-end/against.test.ts',
  'test/end-to-end/vote-server.test.ts',
  'test/end-to-end/vote-in-the-browser.test.ts',
];

/**
 * Begins with what takes longest: what began last would be waited for alone. A process is kept for the next file only
 * where that is of the same project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = [...ALONE, ...LONGEST].map((path) => `${ROOT}${path}`);
    const rank = ({ moduleId }: TestSpecification) =>
      order.includes(moduleId) ? order.indexOf(moduleId) : order.length;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * `npm test` runs all projects, `npm run test:unit` the quick one. Files share processes: most of what a short one
 * costs is its imports.
 */
export default defineConfig({
  root: ROOT,
  test: {
    ...TEST_OPTIONS,
    isolate: false,
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW, ...ALONE],
          sequence: { groupOrder: 0 },
        },
      },
      // They wait for services and programs: one more than there are cores keeps these busy.
      {
        extends: true,
        test: {
          name: 'slow',
          include: SLOW,
          exclude: [...configDefaults.exclude, ...ALONE],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, isolate: true, maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
