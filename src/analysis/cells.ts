import type { Run, RunPrompt, RunVariant } from '../record/run.ts';
import type { Cell, JudgedSample, Take } from './analysis.ts';
import { cellKey, deliveredDigest, modesOf } from './cell-outputs.ts';
import { groupBy } from './grouping.ts';

/** The prompts a variant is asked, in the suite's order. */
export function promptsOf(run: Run, variant: RunVariant): RunPrompt[] {
  return run.prompts.filter(({ kinds }) => kinds.includes(variant.kind));
}

/**
 * Every cell of the plan (variants, prompts, seeds, each in the order declared), with its takes by step and repeat: also the
 * cells that nothing was measured in. `trials` are measured trials, warm-ups left out.
 */
export function cellsOf(run: Run, trials: readonly JudgedSample[]): Cell[] {
  const byVariant = groupBy(trials, ({ sample }) => sample.trial.variant);
  return run.variants.flatMap((variant) => {
    const taken = groupBy(byVariant.get(variant.name) ?? [], ({ sample: { trial } }) =>
      cellKey(trial.prompt, trial.seed),
    );
    return promptsOf(run, variant).flatMap(({ id: prompt }) =>
      run.plan.seeds.map((seed) => cellOf(variant, prompt, seed, taken.get(cellKey(prompt, seed)) ?? [])),
    );
  });
}

function cellOf(variant: RunVariant, prompt: string, seed: number, samples: readonly JudgedSample[]): Cell {
  const ordered = [...samples].sort(
    ({ sample: { trial: a } }, { sample: { trial: b } }) => (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat,
  );
  const digests = ordered.map(deliveredDigest).filter((digest) => digest !== null);
  const modes = modesOf(digests);
  return {
    variant: variant.name,
    kind: variant.kind,
    prompt,
    seed,
    takes: ordered.map(takeOf),
    modes,
    byte: digests.length < 2 ? 'too few' : modes.length === 1 ? 'same' : 'differs',
  };
}

function takeOf({ sample, outcome, output, phases }: JudgedSample): Take {
  return {
    trial: sample.trial.id,
    repeat: sample.trial.repeat,
    step: sample.trial.step ?? null,
    outcome,
    sha256: output?.sha256 ?? null,
    mime: output?.mime ?? null,
    totalMs: phases.totalMs,
  };
}
