import { isAtLeast } from '../../media/level.ts';
import { isSameShape } from '../../media/shown-shape.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { editInputsIn, factsByDigest, shownImages } from '../../record/output-pairs.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { type LevelsByVariant, levelsOf } from '../pair-levels.ts';

/** Adds to takes what an edit changed. */
export function withEdits(
  takes: readonly EffectiveSample[],
  { run, facts }: Pick<StoredRun, 'run' | 'facts'>,
  levels: LevelsByVariant,
): readonly EffectiveSample[] {
  if (!run.variants.some(({ kind }) => kind === 'image-edit')) return takes;
  const inputsOf = editInputsIn(run);
  const { imageOf } = shownImages(facts);
  const keyOf = (input: string, mask: string, output: string) => [input, mask, imageOf(output)].join(' ');
  const outside = new Map(
    facts.flatMap((fact) =>
      fact.fact === 'outside' ? [[keyOf(fact.input, fact.mask, fact.output), fact.levels] as const] : [],
    ),
  );
  const known = factsByDigest(facts);
  const isOtherShape = (input: string, output: string) => {
    const [one, other] = [known.get(input), known.get(output)];
    return one?.decodes === true && other?.decodes === true && !isSameShape(one, other);
  };
  return takes.map((take) => {
    const { trial } = take.sample;
    const inputs = take.outcome === 'ok' ? inputsOf(trial) : null;
    if (inputs === null || take.output === null) return take;
    const { sha256 } = take.output;
    const level = levelsOf(levels, trial.variant)(inputs.image, sha256);
    const edit = {
      unchanged: level === null ? null : isAtLeast(level, 'near'),
      outside: inputs.mask === null ? undefined : (outside.get(keyOf(inputs.image, inputs.mask, sha256)) ?? null),
      otherShape: isOtherShape(inputs.image, sha256),
    };
    return { ...take, edit };
  });
}
