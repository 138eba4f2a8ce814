import { z } from 'zod';
import { listedInShort } from '../../kit/wording.ts';
import { warning } from './warning.ts';

export const changedEnvironment = warning({
  code: 'changed_environment',
  meaning: 'With `--against`: environment variables that had another value when the stored baseline was measured.',
  fields: {
    baselineRun: z.string().describe('The run of the baseline.'),
    names: z.array(z.string()).describe('The names of the variables.'),
  },
  find: ({ run: { against } }) =>
    against === null || against.changedEnvironment.length === 0
      ? []
      : [{ baselineRun: against.run, names: against.changedEnvironment }],
  words: ({ baselineRun, names }) => {
    const one = names.length === 1;
    return {
      what: `${listedInShort(names)} ${one ? 'has another value' : 'have other values'} than when the stored baseline was measured (${baselineRun})`,
      cause: `the variants of the stored baseline were sent with the ${one ? 'value' : 'values'} of this run`,
      remedy: `to compare two deployments, keep ${one ? 'it' : 'them'} and set base_url or const of the suite's variants`,
    };
  },
  example: { baselineRun: '20261101T080000Z-1a2b', names: ['RETAKE_BASE_URL'] },
});
