import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { askedShape, fitsShape } from '../samples/asked-shape.ts';
import { LATE, SLOWED } from '../samples/bent.ts';
import { CACHED } from '../samples/effective-outcome.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';
import { lateVariants } from './late-stamps.ts';

/** Nothing is known of these outputs but their bytes. */
export const unexamined: WarningRule = ({ trials }) => {
  const blind = trials.flatMap((effective) =>
    effective.outcome === 'ok' && effective.output !== null && effective.output.frames === null
      ? [{ effective, reason: effective.output.undecoded, video: effective.output.mime?.startsWith('video/') ?? false }]
      : [],
  );
  const groups = groupBy(blind, ({ reason, video }) => JSON.stringify([reason, video]));
  return [...groups.values()].flatMap((group): WarningOf<'not_decoded'>[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { reason, video } = first;
    const variants = variantsOf(group.map(({ effective }) => effective));
    return [{ code: 'not_decoded', variants, outputs: group.length, media: video ? 'video' : 'image', reason }];
  });
};

export const uncompared: WarningRule = ({ trials, uncompared: pairs }) => {
  const groups = groupBy(pairs, ({ reason }) => JSON.stringify(reason));
  return [...groups.values()].flatMap((group): WarningOf<'not_compared'>[] => {
    const [first] = group;
    const outputs = new Set(group.flatMap(({ a, b }) => [a, b]));
    const variants = variantsOf(trials.filter(({ output }) => output !== null && outputs.has(output.sha256)));
    if (first === undefined || variants.length === 0) return [];
    return [{ code: 'not_compared', variants, pairs: group.length, reason: first.reason }];
  });
};

/** Outputs that show nothing: what a safety filter hands out, told so that none passes for a success. */
export const blankImages: WarningRule = ({ trials }) => {
  const groups = groupBy(
    trials.filter(({ outcome }) => outcome === 'blank'),
    ({ sample }) => sample.trial.variant,
  );
  return [...groups].map(
    ([variant, own]): WarningOf<'blank_outputs'> => ({
      code: 'blank_outputs',
      variant,
      outputs: own.length,
      prompts: new Set(own.map(({ sample }) => sample.trial.prompt)).size,
      media: own[0]?.output?.mime?.startsWith('video/') ? 'video' : 'image',
    }),
  );
};

export const otherSizes: WarningRule = ({ trials, prompts }) => {
  const asked = new Map(prompts.map(({ id, inputs }) => [id, askedShape(inputs.size)]));
  const other = trials.flatMap(({ sample, outcome, output }) => {
    const shape = asked.get(sample.trial.prompt) ?? null;
    if (outcome !== 'ok' || output === null || shape === null || fitsShape(output, shape)) return [];
    const { width, height } = output;
    // What fits whatever was asked for is not here: its size is known.
    return width === null || height === null
      ? []
      : [{ variant: sample.trial.variant, asked: shape.text, width, height }];
  });
  return [...groupBy(other, ({ variant }) => variant).values()].flatMap((own): WarningOf<'other_size'>[] =>
    own.slice(0, 1).map((first) => ({ code: 'other_size', ...first, outputs: own.length })),
  );
};

const FLAGS: readonly WarningOf<'flagged_samples'>['flag'][] = [LATE, 'resumed', CACHED, SLOWED];

/** Flags remove no sample. Flags with a warning of their own are not told again. */
export const flagged: WarningRule = ({ trials, flagged: summaries, variants, probes }) => {
  const told: Partial<Record<WarningOf<'flagged_samples'>['flag'], ReadonlySet<string>>> = {
    [LATE]: new Set(lateVariants({ flagged: summaries, variants, trials }).map(({ variant }) => variant)),
    [CACHED]: new Set(probes.flatMap(({ variant, cache }) => (cache?.code === 'cached' ? [variant] : []))),
  };
  return FLAGS.flatMap((flag): WarningOf<'flagged_samples'>[] => {
    const carrying = trials.filter(
      ({ flags, sample }) => flags.includes(flag) && told[flag]?.has(sample.trial.variant) !== true,
    );
    if (carrying.length === 0) return [];
    const blocks = new Set(carrying.map(({ sample }) => sample.trial.block)).size;
    return [{ code: 'flagged_samples', flag, variants: variantsOf(carrying), samples: carrying.length, blocks }];
  });
};

function variantsOf(samples: readonly EffectiveSample[]): readonly string[] {
  return [...new Set(samples.map(({ sample }) => sample.trial.variant))];
}
