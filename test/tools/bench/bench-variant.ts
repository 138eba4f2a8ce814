import { parseDocument } from '../../../src/kit/document.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import type { Case } from '../../../src/suite/suite.ts';
import { parseTarget } from '../../../src/targets/parse-target.ts';
import { resolveVariants } from '../../../src/targets/resolve.ts';
import type { Variant } from '../../../src/targets/target.ts';

const TARGET = `target: 1
id: bench/body
kind: text-to-image
base_url: http://127.0.0.1:1
inputs: { seed: { min: 0, max: 4294967295, omit_means: random, claim: none } }
submit: { path: /generate, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", image: "\${case.image | b64}" } }
result: { from: body, expect: image/* }
`;

const PLACE = { file: 'bench', line: 1, column: 1 };

/** The one prompt of a bench. */
export const benchCase: Case = {
  id: 'fox',
  text: 'a fox',
  tags: [],
  kinds: ['text-to-image'],
  images: [],
  mask: null,
  inputs: {},
  inputSources: {},
  place: PLACE,
};

/** The one variant of a bench: a server that answers a POST with an image's bytes. */
export function benchVariant(): Variant {
  const document = parseDocument('bench', TARGET);
  if (!document.ok) throw new Error(document.diagnostics[0]?.cause);
  const target = parseTarget(document.value, {});
  if (!target.ok) throw new Error(target.diagnostics[0]?.cause);
  const declared = {
    name: 'bench',
    target: 'bench/body',
    place: PLACE,
    constants: {},
    baseline: true,
    optional: false,
  };
  const variants = resolveVariants(
    {
      variants: [
        {
          ...declared,
          optional: false,
          targetSource: { place: PLACE, setBy: null, filled: false },
          constantSources: {},
          price: null,
          baseUrl: null,
          levels: DEFAULT_LIMITS,
        },
      ],
      cases: [benchCase],
      inputSources: {},
      seeds: [0],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
    },
    new Map([['bench/body', target.value]]),
    '2026-11-28',
  );
  const variant = variants.ok ? variants.value[0] : undefined;
  if (variant === undefined) throw new Error('the bench has no variant');
  return variant;
}
