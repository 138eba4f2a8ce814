import { count } from '../../kit/declare.ts';
import { plural } from '../../kit/wording.ts';
import { sum } from '../../statistics/mean.ts';
import { warning } from './warning.ts';

export const defects = warning({
  code: 'defects',
  meaning: 'Trials that failed inside Retake.',
  fields: { trials: count.describe('How many trials.') },
  find: ({ variants }) => {
    const trials = sum(variants.map(({ outcomes }) => outcomes.defect ?? 0));
    return trials === 0 ? [] : [{ trials }];
  },
  words: ({ trials }) => ({
    what: `${plural(trials, 'take')} failed inside Retake`,
    cause: 'internal error in Retake; see the failures',
    remedy: 'please report it; these takes are left out of rates and latencies',
  }),
  example: { trials: 1 },
});
