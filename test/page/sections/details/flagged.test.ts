import { describe, expect, it } from 'vitest';
import type { MedianLatency } from '../../../../src/analysis/summaries.ts';
import { pageOf } from '../../../fixtures/rendered-page.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../../../fixtures/scripted-run.ts';

const median = (valueMs: number, lowMs: number | null, highMs: number | null, n: number): MedianLatency => ({
  valueMs,
  lowMs,
  highMs,
  n,
});

describe('the table of flagged takes', () => {
  it('the table of flagged takes says that an interval is open above, where takes timed out, and not that there is none', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const flagged = {
      variant: 'standard',
      step: null,
      flags: { orphans: 12, new_flag: 1 },
      samples: 12,
      ofSamples: 36,
      blocks: 12,
      ofBlocks: 36,
      withFlagged: median(634, 344, 958, 32),
      withoutFlagged: median(455, 301, null, 11),
      agree: true,
    };
    const { words } = await pageOf({ ...source, analysis: { ...source.analysis, flagged: [flagged] } });
    const [row] = words('#flagged ~ .scroll tbody tr');
    expect(row).toMatch(/0\.455 s ?\[above 0\.301 s\] ?n = 11 ?they agree$/);
    expect(row).not.toContain('no interval');
    expect(row).toContain('beside abandoned requests: 12, new_flag: 1');
  });
});
