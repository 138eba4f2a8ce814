import { groupBy } from '../../kit/grouping.ts';
import type { Likeness } from '../../media/level.ts';
import { CONFIDENCE, fewestForInterval, quantile, quantileInterval, sortSample } from '../../statistics/quantile.ts';
import { clopperPearson } from '../../statistics/rate-interval.ts';
import { type Finding, isWhole, type Metric } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import type { CellLikeness, ComparedCells } from '../output-summaries.ts';

/** Fewer cell pairs have no interval. */
const MEDIAN = { by: 'finding', fewest: { of: 'cells', n: fewestForInterval(50, CONFIDENCE) } } as const;

/**
 * Over cell pairs; those without a likeness are counted by reason.
 * - `similar`: share that stays visually similar; `another`: share that became another picture.
 * - `ssim`: median SSIM, 1 for equal pixels; of a video its worst frames (5th percentile).
 * - `sharpness`: median ratio, candidate / baseline.
 */
export const likeness: Metric = {
  name: 'likeness',
  meaning:
    'How like outputs are to those of the baseline variant for the same prompt and seed. It says what changed, not ' +
    'whether that is better or worse.',
  unit: '1',
  better: 'higher',
  statistics: { another: { better: 'lower' }, sharpness: { better: null } },
  whenCached: 'as_is',
  gate: {
    statistics: [
      ...(['similar', 'another'] as const).map((statistic) => ({
        statistic,
        bounded: { by: 'events', among: 'cells' } as const,
      })),
      { statistic: 'ssim', bounded: MEDIAN },
      { statistic: 'sharpness', bounded: MEDIAN, mayExceedOne: true },
    ],
    ofPair: true,
  },
  measure: (subject) => {
    if (!isWhole(subject) || subject.likeness.length === 0) return [];
    const pairs = subject.likeness.filter((pair): pair is ComparedCells => pair.word !== 'unknown');
    const notes = notesOf(subject.likeness);
    return [
      share('similar', pairs, notes),
      share('another', pairs, notes),
      median(
        'ssim',
        pairs.map(({ difference }) => (difference === null ? 1 : (difference.ssim?.p5 ?? null))),
        notes,
      ),
      median(
        'sharpness',
        pairs.map(({ sharpness }) => sharpness),
        notes,
      ),
    ];
  },
};

function share(word: Likeness, pairs: readonly ComparedCells[], notes: readonly Note[]): Finding {
  const n = pairs.length;
  const shared = { statistic: word, n, method: 'clopper_pearson' } as const;
  if (n === 0) return { ...shared, value: null, interval: null, notes: [noted('no_likeness'), ...notes] };
  const events = pairs.filter((pair) => pair.word === word).length;
  const counted = { events, trials: n, possible: n };
  return { ...shared, value: events / n, counted, interval: clopperPearson(events, n, CONFIDENCE), notes };
}

function median(statistic: string, values: readonly (number | null)[], notes: readonly Note[]): Finding {
  const known = sortSample(values.filter((value) => value !== null));
  const shared = { statistic, n: known.length, method: 'order_statistics' } as const;
  if (known.length === 0) return { ...shared, value: null, interval: null, notes: [noted('no_likeness'), ...notes] };
  const interval = quantileInterval(known, 50, CONFIDENCE);
  const needs = interval === null ? [noted('needs_n', fewestForInterval(50, CONFIDENCE))] : [];
  return { ...shared, value: quantile(known, 50), interval, notes: [...needs, ...notes] };
}

function notesOf(pairs: readonly CellLikeness[]): readonly Note[] {
  const unknown = pairs.flatMap((pair) => (pair.word === 'unknown' ? [pair.why] : []));
  return [...groupBy(unknown, (why) => why)].map(([why, of]) => noted(`likeness_${why}`, of.length));
}
