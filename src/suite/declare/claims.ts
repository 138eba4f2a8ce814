import type { Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, sourceAt } from '../../kit/document.ts';
import { plural } from '../../kit/wording.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { Load } from '../load.ts';
import type { DeclaredRule } from '../suite.ts';
import { stepsOf } from '../sweep.ts';

/** The claims of a suite as rules, after those of its gate. */
export function declareClaims(document: Document, { claim }: Pick<SuiteFile, 'claim'>): readonly DeclaredRule[] {
  return claim.map(({ of, against, takes, fails, pairs }, at) => {
    const sourceOf = (key: string) => sourceAt(document, ['claim', at, key], 'value');
    return {
      rule: {
        metric: takes === undefined ? 'error_rate' : 'latency.total',
        statistic: null,
        overMs: null,
        variants: [of],
        kinds: null,
        prompts: null,
        tags: null,
        against: 'variant',
        bound: {
          is: 'claim',
          about: takes === undefined ? 'fails' : 'takes',
          against,
          most: takes ?? (fails ?? 0) / 100,
          pairs,
        },
        onInconclusive: 'inconclusive',
      },
      sources: {
        '': sourceAt(document, ['claim', at]),
        variants: sourceOf('of'),
        against: sourceOf('against'),
        claim: sourceOf('pairs'),
      },
      writtenAs: null,
    };
  });
}

/** What a claim cannot be shown by, and what is claimed twice. */
export function refuseClaims(
  document: Document,
  { claim, limits, load: { load } }: Pick<SuiteFile, 'claim' | 'limits' | 'load'>,
): readonly Diagnostic[] {
  if (claim.length === 0) return [];
  const fault = faultOfLoad(load);
  if (fault !== null) return [diagnoseAt(document, ['claim'], fault, 'key')];
  const said = claim.map(({ of, against, takes }) => JSON.stringify([of, against, takes === undefined]));
  return claim.flatMap(({ of, against, pairs }, at) => {
    const refuse = (key: string, cause: string, remedy: string) =>
      diagnoseAt(document, ['claim', at, key], { cause, remedy });
    const needs = 2 * (pairs + load.warmup);
    return [
      ...(of === against ? [refuse('against', `the claim compares ${of} with itself`, 'name another variant')] : []),
      ...(said.indexOf(said[at] ?? '') < at
        ? [refuse('of', `says of ${of} and ${against} what an earlier claim says`, 'remove one of them')]
        : []),
      ...(limits.requests !== null && limits.requests < needs
        ? [
            refuse(
              'pairs',
              `${plural(pairs, 'pair')} of takes need ${needs} requests, with warm-ups, and limits.requests is ${limits.requests}`,
              `set limits.requests to ${needs} or more, or claim fewer pairs`,
            ),
          ]
        : []),
    ];
  });
}

function faultOfLoad(load: Load): { readonly cause: string; readonly remedy: string } | null {
  if (load.mode === 'open')
    return {
      cause: 'a claim needs pairs of takes, and open load has none',
      remedy: 'set load.mode to closed, or remove claim',
    };
  if (stepsOf(load) !== null)
    return {
      cause: 'a claim needs one concurrency, and this load sweeps over several',
      remedy: 'set load.concurrency to one number, or remove claim',
    };
  if (load.order !== 'paired')
    return {
      cause: `a claim needs variants that take turns, and the order is ${load.order}`,
      remedy: 'remove load.order, or remove claim',
    };
  return null;
}
