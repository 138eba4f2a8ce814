import { outputNoun } from '../../kit/names.ts';
import { KINDS } from '../../suite/kind.ts';
import { type EffectiveOutput, madeOutputs, sumOver } from '../effective-sample.ts';
import { throughputFinding } from '../measures/throughput.ts';
import { gatedFindings, type Metric } from '../metric.ts';

interface MadeAmount extends Pick<Metric, 'name' | 'meaning' | 'unit'> {
  /** Of one output; null if it was not decoded. */
  readonly of: (output: EffectiveOutput) => number | null;
  readonly onlyVideos?: true;
}

const AMOUNTS: readonly MadeAmount[] = [
  {
    name: 'made.outputs',
    meaning: 'Outputs per second, measured like throughput. An output counts if it decodes and is not blank.',
    unit: 'outputs/s',
    of: () => 1,
  },
  {
    name: 'made.megapixels',
    meaning: 'Megapixels per second of the counted outputs: width x height x frames.',
    unit: 'megapixels/s',
    of: ({ width, height, frames }) =>
      width === null || height === null || frames === null ? null : (width * height * frames) / 1e6,
  },
  {
    name: 'made.frames',
    meaning: 'Frames of video per second.',
    unit: 'frames/s',
    of: ({ frames }) => frames,
    onlyVideos: true,
  },
  {
    name: 'made.real_time',
    meaning: 'Seconds of video made per second. Above 1: faster than it plays.',
    unit: 'real_time',
    of: ({ durationS }) => durationS,
    onlyVideos: true,
  },
];

const VIDEOS = KINDS.filter((kind) => outputNoun(kind) === 'video');

/** What a service makes while it is loaded: throughput with an amount of each take in place of 1. */
export const made: readonly Metric[] = AMOUNTS.map(({ of, onlyVideos, ...described }) => ({
  ...described,
  better: 'higher',
  whenCached: 'with_repeats',
  gate: { statistics: gatedFindings('rate'), madeOf: 'completions', ...(onlyVideos && { ofKinds: VIDEOS }) },
  measure: (subject) => {
    if (onlyVideos && !VIDEOS.includes(subject.variant.kind)) return [];
    const finding = throughputFinding(subject, (take) => sumOver(madeOutputs(take), of));
    return finding === null ? [] : [{ statistic: 'rate', ...finding }];
  },
}));
