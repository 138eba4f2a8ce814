import { expect, test } from 'vitest';
import { isRepeated } from '../../../src/workflow/recorded-arguments.ts';

test.each([
  ['seeds=[5, 6]', true],
  ['limits.usd=2', true],
  ['load.rate=2/s', true],
  ['gate.+={ metric: error_rate, max: 5% }', true],
  ['inputs.size=16:9', true],
  ['variants.a.const.model=fast', true],
  ['variants.a.b.const.target_size=8', true],
  ['variants.a.base_url=https://away.example', false],
  ['variants.a.target=own/away', false],
  ['variants.a.origins.download=["*"]', false],
  ['variants.a={ target: own/away }', false],
  ['variants.a.const={ base_url: https://away.example }', false],
  // A variant may have the name a.const.
  ['variants.a.const.base_url=https://away.example', false],
  ['variants.a.const.origins.auth=["*"]', false],
  ['variants.a.const.style=${env.OTHER}', false],
  ['inputs.style="\\x24{env.OTHER}"', false],
  ['prompts.+={ text: own, image: own.png }', false],
  ['scorers.text.command=[node, theirs.mjs]', false],
  ['seedsets=1', false],
])(
  'a recorded --set %s: is used again only if it can name no server, variable, file or program',
  (override, repeated) => {
    expect(isRepeated(override)).toBe(repeated);
  },
);
