import type { Unit } from '../../kit/value-words.ts';
import { median, sortSample } from '../../statistics/quantile.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { type Finding, gatedFindings, gatedQuantiles, isWhole, type Metric, type Subject } from '../metric.ts';

interface Signal {
  readonly name: string;
  readonly meaning: string;
  readonly unit: Unit;
  readonly of: (sample: EffectiveSample) => number | null | undefined;
}

const SIGNALS: readonly Signal[] = [
  {
    name: 'sharpness',
    meaning: 'Variance of the Laplacian of luma. Signals show that outputs changed, not whether they are good.',
    unit: 'levels2',
    of: ({ output }) => output?.shown?.first.sharpness,
  },
  {
    name: 'colourfulness',
    meaning: 'Colourfulness after Hasler and Süsstrunk (2003).',
    unit: 'levels',
    of: ({ output }) => output?.shown?.first.colourfulness,
  },
  { name: 'luma', meaning: 'Mean luma.', unit: 'levels', of: ({ output }) => output?.shown?.first.lumaMean },
  {
    name: 'clipped_low',
    meaning: 'Share of samples at 0.',
    unit: '1',
    of: ({ output }) => output?.shown?.first.clippedLow,
  },
  {
    name: 'clipped_high',
    meaning: 'Share of samples at the maximum.',
    unit: '1',
    of: ({ output }) => output?.shown?.first.clippedHigh,
  },
  {
    name: 'spatial_information',
    meaning: 'Spatial information (ITU-T P.910): the largest value over the frames.',
    unit: 'levels',
    of: ({ output }) => output?.shown?.moving?.siMax,
  },
  {
    name: 'temporal_information',
    meaning: 'Temporal information (ITU-T P.910): the largest change of luma from frame to frame.',
    unit: 'levels',
    of: ({ output }) => output?.shown?.moving?.tiMax,
  },
  {
    name: 'frozen',
    meaning: 'Share of successive frames without motion.',
    unit: '1',
    of: ({ output }) => output?.shown?.moving?.frozenShare,
  },
  {
    name: 'duplicates',
    meaning: 'Share of successive frames that are equal to the one before.',
    unit: '1',
    of: ({ output }) => output?.shown?.moving?.duplicateShare,
  },
  {
    name: 'black',
    meaning: 'Share of frames that are black.',
    unit: '1',
    of: ({ output }) => output?.shown?.moving?.blackShare,
  },
  {
    name: 'flicker',
    meaning: 'Mean change of the mean luma from frame to frame.',
    unit: 'levels',
    of: ({ output }) => output?.shown?.moving?.flicker,
  },
];

const STATISTICS = ['p50', 'min', 'max'] as const;

/** No interval and no better direction: signals show that outputs changed, not that they are good. */
export const signals: readonly Metric[] = SIGNALS.map((signal) => ({
  name: `signal.${signal.name}`,
  meaning: signal.meaning,
  unit: signal.unit,
  better: null,
  whenCached: 'as_is',
  takes: [{ statistic: 'p50', effect: 'difference', read: (take) => valueFrom(take, signal) }],
  gate: { statistics: [...gatedQuantiles((take) => valueFrom(take, signal), [50]), ...gatedFindings('min', 'max')] },
  measure: (subject) => (isWhole(subject) ? findingsOf(subject, signal) : []),
}));

function valueFrom(take: EffectiveSample, { of }: Signal): number | null {
  return take.outcome === 'ok' ? (of(take) ?? null) : null;
}

function findingsOf(subject: Subject, signal: Signal): Finding[] {
  const values = subject.samples.map((take) => valueFrom(take, signal)).filter((value) => value !== null);
  if (values.length === 0) return [];
  const sorted = sortSample(values);
  const statistics = { p50: median(sorted), min: sorted[0] ?? null, max: sorted.at(-1) ?? null };
  return STATISTICS.map((statistic) => ({
    statistic,
    value: statistics[statistic],
    n: values.length,
    interval: null,
    method: 'over_outputs',
    notes: [],
  }));
}
