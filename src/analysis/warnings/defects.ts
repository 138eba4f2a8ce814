import { count } from '../../kit/declare.ts';
import { plural } from '../../kit/wording.ts';
import { sum } from '../../statistics/mean.ts';
import { type WarningRule, warningShape } from './warning.ts';

const shape = warningShape('defects', 'Trials that failed inside Retake.', {
  trials: count.describe('How many trials.'),
});

export const defects: WarningRule<typeof shape> = {
  shape,
  find: ({ variants }) => {
    const trials = sum(variants.map(({ outcomes }) => outcomes.defect ?? 0));
    return trials === 0 ? [] : [{ code: 'defects', trials }];
  },
  words: ({ trials }) => ({
    what: `${plural(trials, 'take')} failed inside Retake`,
    cause: 'internal error in Retake; see the failures',
    remedy: 'please report it; these takes are left out of rates and latencies',
  }),
  examples: [{ code: 'defects', trials: 1 }],
};
