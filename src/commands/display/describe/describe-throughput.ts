import { groupBy } from '../../../analysis/grouping.ts';
import { partsOfSlice } from '../../../analysis/measures/closed-throughput.ts';
import { CALLS_PER_SLOT } from '../../../plan/sweep.ts';
import { isMeasured, type Plan } from '../../../plan/trial.ts';
import { variantNames } from '../../../report/words/run/variant-names.ts';
import { FEWEST_UNITS } from '../../../statistics/samples/jackknife.ts';
import type { Load } from '../../../suite/format/suite.ts';
import type { Variant } from '../../../targets/model/variant.ts';
import { count, plural } from '../../../text/quantity.ts';
import { visibleLine } from '../../../text/visible.ts';

/** The takes of one variant at one concurrency. */
interface Part {
  readonly variant: string;
  readonly step: number;
  /** Takes in each of its slices. */
  readonly slices: readonly number[];
  /** Cells that a repeat is taken of. */
  readonly cells: number;
}

/**
 * What a plan under closed load will say of throughput, in lines: at each step of a sweep a value, an interval, a range or nothing,
 * and what is missing. None where throughput has no such parts: open load, mixed order, a shard.
 */
export function describeThroughput(load: Load, variants: readonly Variant[], { slices }: Plan): readonly string[] {
  if (load.mode === 'open' || load.order === 'mixed') return [];
  const measured = slices.flatMap(({ trials }) => {
    const [first] = trials;
    return first === undefined || !trials.every(isMeasured)
      ? []
      : [{ ...first, step: first.step ?? load.concurrency, trials }];
  });
  const parts = [...groupBy(measured, ({ variant, step }) => `${step} ${variant}`).values()].flatMap((own): Part[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { variant, step } = first;
    const cells = new Set(own.flatMap(({ trials }) => trials.map(({ prompt, seed }) => `${prompt} ${seed}`))).size;
    return [{ variant, step, slices: own.map(({ trials }) => trials.length), cells }];
  });
  const alike = groupBy(
    parts.toSorted((a, b) => a.step - b.step),
    (part) => `${part.step} ${reachOf(part, load.steps !== null)}`,
  );
  return [
    'Throughput, if no take fails:',
    ...[...alike.values()].flatMap(([first, ...more]) => {
      if (first === undefined) return [];
      const own = new Set([first, ...more].map(({ variant }) => variant));
      const names = variantNames(
        variants.map(({ name }) => name).filter((name) => own.has(name)),
        variants.length,
      );
      return [visibleLine(`  ${names} at concurrency ${count(first.step)}: ${reachOf(first, load.steps !== null)}`)];
    }),
  ];
}

/** `2 slices of 180 takes: a value; an interval needs 84 repeats (1,008 takes)`. */
function reachOf({ step, slices, cells }: Part, isSweep: boolean): string {
  const takes = slices.reduce((sum, each) => sum + each, 0);
  const [fewest, most] = [Math.min(...slices), Math.max(...slices)];
  const sent = `${plural(slices.length, 'slice')} of ${fewest === most ? plural(most, 'take') : `${count(fewest)} to ${plural(most, 'take')}`}`;
  if (step === 1) {
    return takes < FEWEST_UNITS ? `a value; an interval needs ${FEWEST_UNITS} takes` : 'a value with an interval';
  }
  const parts = slices.reduce((sum, each) => sum + partsOfSlice(each, step), 0);
  if (parts >= FEWEST_UNITS) return `${sent}: a value with an interval`;
  const repeats = (each: number) => each * Math.ceil((CALLS_PER_SLOT * step) / cells);
  const needs = (each: number) =>
    isSweep
      ? `${count(repeats(each))} repeats (${plural(repeats(each) * cells, 'take')})`
      : 'a sweep, as concurrency: [1, 2, 4]';
  if (parts > 0) return `${sent}: a value; an interval needs ${needs(FEWEST_UNITS)}`;
  const range = slices.length >= FEWEST_UNITS ? 'a range' : 'nothing';
  return `${sent}: ${range}; a value needs ${needs(1)}${isSweep ? `, an interval ${needs(FEWEST_UNITS)}` : ''}`;
}
