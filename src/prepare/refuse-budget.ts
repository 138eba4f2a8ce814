import type { Diagnostic, Fault } from '../suite/document/diagnostic.ts';
import type { Case, Suite } from '../suite/format/suite.ts';
import type { Variant } from '../targets/model/target.ts';
import { costBounds, type Unbounded } from '../targets/request/cost-bounds.ts';

/** Why `limits.usd` cannot be kept: for each variant the first prompt whose request has no upper bound of its cost. */
export function refuseBudget(
  { limits, variants: declared, cases }: Pick<Suite, 'limits' | 'variants' | 'cases'>,
  variants: readonly Variant[],
): readonly Diagnostic[] {
  if (limits.usd === null) return [];
  return variants.flatMap((variant): readonly Diagnostic[] => {
    const place = declared.find(({ name }) => name === variant.name)?.place ?? null;
    for (const each of cases) {
      const bounds = each.kinds.includes(variant.kind) ? costBounds(variant, each) : null;
      if (typeof bounds === 'string') return [{ place, ...faultOf(bounds, variant, each) }];
    }
    return [];
  });
}

function faultOf(code: Unbounded, { name, price }: Variant, { id }: Case): Fault {
  const needs = `limits.usd needs the highest cost of a request of "${name}"`;
  const most = (units: string) =>
    `add most to its price, the most ${units} of a request: { ${written(price)}, most: 4 }`;
  switch (code) {
    case 'no_price':
      return {
        cause: `${needs}, and its price is unknown`,
        remedy: 'give the variant a price such as { per: request, usd: 0.05 }, or limit the requests instead',
      };
    case 'no_output_count':
      return { cause: `${needs}, and one reply may hold several outputs`, remedy: most(unitWords(price)) };
    case 'no_seconds':
      return {
        cause: `${needs}, and nothing limits the seconds of prompt "${id}"`,
        remedy: `give the input seconds, or ${most('seconds')}`,
      };
    case 'no_size':
      return {
        cause: `${needs}, and nothing limits the size of prompt "${id}"`,
        remedy: `give the input size, or ${most('megapixels')}`,
      };
    case 'wrong_most':
      return {
        cause: `${needs}, and most of its price is not a number above 0 for prompt "${id}"`,
        remedy: 'correct it in the target, or give the variant a price',
      };
  }
}

function written(price: Variant['price']): string {
  return price === null ? 'per: output, usd: 0.05' : `per: ${price.per}, usd: ${price.usd}`;
}

function unitWords(price: Variant['price']): string {
  return `${price?.per ?? 'output'}s`;
}
