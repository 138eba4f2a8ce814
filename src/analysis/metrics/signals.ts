import { median } from '../../statistics/quantile.ts';
import { sortSample } from '../../statistics/sorted-sample.ts';
import type { JudgedSample, Measure } from '../analysis.ts';
import { isBlank } from '../blank.ts';
import { measureOf } from '../measure.ts';
import { isWhole, type Metric, type Subject } from '../metric.ts';

/** Something that can be told of an output without a model. */
interface Signal {
  readonly name: string;
  readonly unit: string;
  readonly of: (sample: JudgedSample) => number | null | undefined;
}

const SIGNALS: readonly Signal[] = [
  { name: 'sharpness', unit: 'levels2', of: ({ output }) => output?.shown?.first.sharpness },
  { name: 'colourfulness', unit: 'levels', of: ({ output }) => output?.shown?.first.colourfulness },
  { name: 'luma', unit: 'levels', of: ({ output }) => output?.shown?.first.lumaMean },
  { name: 'clipped_low', unit: '1', of: ({ output }) => output?.shown?.first.clippedLow },
  { name: 'clipped_high', unit: '1', of: ({ output }) => output?.shown?.first.clippedHigh },
  { name: 'spatial_information', unit: 'levels', of: ({ output }) => output?.shown?.moving?.siMax },
  { name: 'temporal_information', unit: 'levels', of: ({ output }) => output?.shown?.moving?.tiMax },
  { name: 'frozen', unit: '1', of: ({ output }) => output?.shown?.moving?.frozenShare },
  { name: 'duplicates', unit: '1', of: ({ output }) => output?.shown?.moving?.duplicateShare },
  { name: 'black', unit: '1', of: ({ output }) => output?.shown?.moving?.blackShare },
  { name: 'flicker', unit: 'levels', of: ({ output }) => output?.shown?.moving?.flicker },
];

const STATISTICS = ['p50', 'min', 'max'] as const;

/**
 * signal.*: median, minimum and maximum over the outputs that are ok and not blank, each take counting. Descriptive, no
 * interval, and neither direction is better: they show that outputs changed, not that they became good. Of video sharpness
 * to clipping are of the first frame. What no output has gives no measure. Over all prompts only.
 */
export const signals: readonly Metric[] = SIGNALS.map((signal) => ({
  name: `signal.${signal.name}`,
  measure: (subject) => (isWhole(subject) ? measuresOf(subject, signal) : []),
}));

function measuresOf(subject: Subject, { name, unit, of }: Signal): Measure[] {
  const values = subject.samples.flatMap((sample) => {
    const value = sample.outcome === 'ok' && !isBlank(sample) ? of(sample) : null;
    return value === null || value === undefined ? [] : [value];
  });
  if (values.length === 0) return [];
  const sorted = sortSample(values);
  const found = { p50: median(sorted), min: sorted[0] ?? null, max: sorted.at(-1) ?? null };
  return STATISTICS.map((statistic) =>
    measureOf(subject, {
      metric: `signal.${name}`,
      statistic,
      value: found[statistic],
      unit,
      better: null,
      n: values.length,
      interval: null,
      method: 'over outputs, each take counting',
      notes: [],
    }),
  );
}
