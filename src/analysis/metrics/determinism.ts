import { groupBy } from '../../kit/grouping.ts';
import { HELD_LEVELS, type HeldLevel, isAtLeast, type Likeness } from '../../media/level.ts';
import type { EqualOutputs } from '../../record/output-pairs.ts';
import { sum } from '../../statistics/mean.ts';
import { CONFIDENCE, fewestForInterval, quantile, quantileInterval, sortSample } from '../../statistics/quantile.ts';
import { clopperPearson, clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { type JoinedOutputs, joinEqualOutputs, repeatedCells } from '../cells/cells.ts';
import { type Finding, type Gated, isWhole, type Metric, type Subject } from '../metric.ts';
import { type Note, noted } from '../note.ts';
import type { CellLikeness, ComparedCells } from '../output-summaries.ts';

const MEANINGS: Readonly<Record<HeldLevel, string>> = {
  byte: 'Whether takes with the same prompt and seed are byte-identical. A take differs if it is not the usual output of its prompt and seed.',
  pixel: 'All pixels are equal, with size, depth, alpha and frame times; metadata and compression may differ.',
  near: 'Visually identical: no sample differs by more than 2 of 255 and PSNR is at least 48 dB (defaults; a suite may set its own).',
  similar:
    'Visually similar: SSIM (Wang et al. 2004, luma) at least 0.95, mean distance of chroma at most 4 of 255, and, where SSIM is at most 0.98, at most 10 of 256 bits of the picture hash (PDQ) differ; with several frames, SSIM is the 5th percentile and chroma the 95th, and the worst SSIM is at least 0.90 (defaults; a suite may set its own).',
  related: 'Related images: at most 31 of 256 bits of the picture hash (PDQ) differ (a suite may set its own).',
};

const GATE: Gated = {
  statistics: [
    { statistic: 'departure', bounded: { by: 'events', among: 'repeats' } },
    { statistic: 'unstable', bounded: { by: 'events', among: 'cells' } },
  ],
  event: 'departure',
  needs: 'repeats',
};

/**
 * Whether takes of a cell (variant x prompt x seed) are equal at this level or better, over cells with at least two
 * delivered takes.
 * - `departure`: takes unlike their cell's usual output. Without any, the one-sided 95 % bound for a further take, on n
 *   = takes - cells: the first take of a cell defines what is usual.
 * - `unstable`: share of cells with a departure; Clopper-Pearson.
 *
 * Each take joins the first earlier one that it equals; the largest group is usual. Takes that were not compared are
 * left out and counted.
 */
export const determinism: readonly Metric[] = HELD_LEVELS.map((level) => ({
  name: `determinism.${level}`,
  meaning: MEANINGS[level],
  unit: '1',
  better: 'lower',
  whenCached: 'untestable',
  gate: GATE,
  measure: (subject) => {
    // A cell's takes at all steps are one cell.
    if (!isWhole(subject)) return [];
    const all = repeatedCells(subject.samples).map((outputs) => cellAt(level, subject, outputs));
    const cells = all.filter(({ outputGroups }) => takesOf(outputGroups) >= 2);
    const held = { cells, unknown: sum(all.map(({ unknown }) => unknown)) };
    return [departure(held), unstable(held)];
  },
}));

interface Held {
  /** Cells with at least two compared takes. */
  readonly cells: readonly JoinedOutputs[];
  readonly unknown: number;
}

function cellAt(level: HeldLevel, { levelOf, samePixels }: Subject, outputs: readonly EqualOutputs[]): JoinedOutputs {
  // Byte-distinct outputs may be many, and need no comparison.
  if (level === 'byte') return { outputGroups: outputs.toSorted((a, b) => b.takes - a.takes), unknown: 0 };
  return joinEqualOutputs(outputs, (a, b) => {
    if (a === b) return true;
    if (level === 'pixel') return samePixels(a, b);
    const pairLevel = levelOf(a, b);
    return pairLevel === null ? null : isAtLeast(pairLevel, level);
  });
}

function departure(held: Held): Finding {
  const cells = held.cells.map(({ outputGroups }) => outputGroups);
  const takes = sum(cells.map(takesOf));
  const departures = sum(cells.map(departuresOf));
  const n = takes - cells.length;
  const counted = { events: departures, trials: takes, possible: n };
  const shared = { statistic: 'departure', value: departures / takes, counted };
  if (departures > 0 || n <= 0) {
    return finding(held, {
      ...shared,
      n: takes,
      interval: null,
      method: 'departures_of_takes',
      notes: [noted('no_interval')],
    });
  }
  return finding(held, {
    ...shared,
    n,
    interval: { low: 0, high: clopperPearsonUpper(0, n, CONFIDENCE) },
    method: 'clopper_pearson_upper',
    notes: [],
  });
}

function unstable(held: Held): Finding {
  const n = held.cells.length;
  const events = held.cells.filter(({ outputGroups }) => outputGroups.length > 1).length;
  return finding(held, {
    statistic: 'unstable',
    value: events / n,
    n,
    counted: { events, trials: n, possible: n },
    interval: n === 0 ? null : clopperPearson(events, n, CONFIDENCE),
    method: 'clopper_pearson',
    notes: [],
  });
}

function finding({ cells, unknown }: Held, base: Finding): Finding {
  if (cells.length === 0) {
    const why = unknown > 0 ? noted('not_compared') : noted('no_repeated_cell');
    return { ...base, value: null, n: 0, interval: null, notes: [why] };
  }
  return unknown === 0 ? base : { ...base, notes: [...base.notes, noted('not_compared_left_out', unknown)] };
}

function takesOf(outputGroups: readonly EqualOutputs[]): number {
  return sum(outputGroups.map(({ takes }) => takes));
}

function departuresOf(outputGroups: readonly EqualOutputs[]): number {
  return takesOf(outputGroups) - (outputGroups[0]?.takes ?? 0);
}

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
      shareOf('similar', pairs, notes),
      shareOf('another', pairs, notes),
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

function shareOf(word: Likeness, pairs: readonly ComparedCells[], notes: readonly Note[]): Finding {
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
  const needs = interval === null ? [noted('needs_cells', fewestForInterval(50, CONFIDENCE))] : [];
  return { ...shared, value: quantile(known, 50), interval, notes: [...needs, ...notes] };
}

function notesOf(pairs: readonly CellLikeness[]): readonly Note[] {
  const unknown = pairs.flatMap((pair) => (pair.word === 'unknown' ? [pair.why] : []));
  return [...groupBy(unknown, (why) => why)].map(([why, of]) => noted(`likeness_${why}`, of.length));
}
