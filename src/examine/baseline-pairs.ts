import { cellOf, isMeasured } from '../plan/plan.ts';
import type { BaselineCell } from '../record/model/baseline.ts';
import type { Fact } from '../record/model/fact.ts';
import type { Sample } from '../record/model/sample.ts';
import { orderedPair, shownImages } from '../record/outputs/image-pairs.ts';
import type { OutputPair } from './pairs.ts';

/** If a cell has more distinct outputs, the first of them are compared with the baseline's. */
const MOST_DISTINCT = 24;

/** Digests of a stored baseline's outputs that the run's cells are compared with. */
export function baselineOutputs(samples: readonly Sample[], cells: readonly BaselineCell[]): ReadonlySet<string> {
  const measured = new Set(samples.flatMap(({ trial }) => (isMeasured(trial) ? [cellOf(trial)] : [])));
  return new Set(
    cells.flatMap((cell) =>
      measured.has(cellOf(cell)) ? cell.outputs.slice(0, MOST_DISTINCT).map(({ sha256 }) => sha256) : [],
    ),
  );
}

/**
 * The pairs to compare, to tell whether a run still gives the outputs of a stored baseline: in every common cell the
 * baseline's most frequent output with its other ones, and with those of the run. A cell is stable only if all its
 * outputs match that one.
 * @param facts of the run, and of the baseline's outputs
 */
export function baselinePairs(
  samples: readonly Sample[],
  cells: readonly BaselineCell[],
  facts: readonly Fact[],
): readonly OutputPair[] {
  const { imageOf, pairOf } = shownImages(facts);
  const known = new Set(facts.flatMap((fact) => (fact.fact === 'pair' ? [pairOf(fact.a, fact.b)] : [])));
  const delivered = deliveredIn(samples);
  return cells.flatMap((cell): readonly OutputPair[] => {
    const [usual, ...others] = cell.outputs.slice(0, MOST_DISTINCT).map(({ sha256 }) => sha256);
    const now = delivered.get(cellOf(cell));
    if (usual === undefined || now === undefined) return [];
    return [...others, ...[...now].slice(0, MOST_DISTINCT)].flatMap((other): readonly OutputPair[] => {
      const [one, two] = [imageOf(usual), imageOf(other)];
      const key = pairOf(usual, other);
      if (one === null || two === null || one === two || known.has(key)) return [];
      known.add(key);
      return [orderedPair(usual, other)];
    });
  });
}

function deliveredIn(samples: readonly Sample[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cells = new Map<string, Set<string>>();
  for (const { trial, ...sample } of samples) {
    if (sample.outcome !== 'ok' || !isMeasured(trial)) continue;
    const key = cellOf(trial);
    const outputs = cells.get(key) ?? new Set<string>();
    outputs.add(sample.outputs[0].sha256);
    cells.set(key, outputs);
  }
  return cells;
}
