import type { Variant } from '../../../src/targets/target.ts';
import { caseWith, targetWith, variantOf } from '../../targets/target-fixture.ts';

/** The one prompt of a bench. */
export const benchCase = caseWith({ text: 'a fox' });

/** The one variant of a bench: a server that answers a POST with an image's bytes. */
export function benchVariant(): Variant {
  const body = { prompt: '${case.prompt}', seed: '${case.seed}', image: '${case.image | b64}' };
  return variantOf(
    targetWith({
      id: 'bench/body',
      base_url: 'http://127.0.0.1:1',
      inputs: { seed: { claim: 'none', omit_means: 'random' } },
      submit: { path: '/generate', encoding: 'json', body },
      result: { from: 'body', expect: 'image/*' },
    }),
  );
}
