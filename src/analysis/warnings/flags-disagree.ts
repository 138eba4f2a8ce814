import { milliseconds, step, variantName } from '../../kit/declare.ts';
import { atStep } from '../../kit/names.ts';
import { durationUnit } from '../../kit/wording.ts';
import { limitedDuration, warning } from './warning.ts';

export const flagsDisagree = warning({
  code: 'flags_disagree',
  meaning: 'The medians with and without flagged samples have disjoint intervals.',
  fields: {
    variant: variantName,
    step,
    withFlaggedMs: milliseconds.nullable().describe('Null: above the time limit.'),
    withoutFlaggedMs: milliseconds.nullable().describe('Null: above the time limit.'),
  },
  find: ({ flagged }) =>
    flagged
      .filter(({ agree }) => agree === false)
      .map(({ variant, step, withFlagged, withoutFlagged }) => ({
        variant,
        step,
        withFlaggedMs: withFlagged.valueMs,
        withoutFlaggedMs: withoutFlagged.valueMs,
      })),
  words: ({ variant, step, withFlaggedMs, withoutFlaggedMs }) => {
    const unit = durationUnit([withFlaggedMs, withoutFlaggedMs]);
    return {
      what: `p50 of ${variant}${atStep(step)} is ${limitedDuration(withFlaggedMs, unit)} with its flagged takes and ${limitedDuration(withoutFlaggedMs, unit)} without them; their intervals do not overlap`,
      cause: 'the cause of the flags changed the latencies, or occurs more often in long takes',
      remedy: 'use neither number; fix what was flagged and measure again',
    };
  },
  example: { variant: 'standard', step: null, withFlaggedMs: 200, withoutFlaggedMs: 100 },
});
