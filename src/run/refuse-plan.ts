import { type Checked, type Diagnostic, type Fault, refused } from '../kit/diagnostic.ts';
import type { LooksFault } from '../plan/looks.ts';
import type { LookKind } from '../plan/planned-looks.ts';
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
        cause: `${needs}, and its units are not a number above 0, at most 1e15, for prompt "${id}"`,
        remedy: 'correct "most" in the target, or give the variant a price',
      };
  }
}

function written(price: Variant['price']): string {
  return price === null ? 'per: output, usd: 0.05' : `per: ${price.per}, usd: ${price.usd}`;
}

function unitWords(price: Variant['price']): string {
  return `${price?.per ?? 'output'}s`;
}

export const LOOK_FLAGS = { confirm: '--confirm', until_decided: '--until-decided' } as const;

export function refuseLooks(fault: LooksFault, kind: LookKind): Extract<Checked<never>, { readonly ok: false }> {
  const flag = LOOK_FLAGS[kind];
  switch (fault.code) {
    case 'open_load':
      return refused(
        `${flag} needs closed load: open load sends each variant once, at its own times`,
        `set load.mode to closed, or remove ${flag}`,
      );
    case 'sweep':
      return refused(
        `${flag} needs one concurrency, and this load sweeps over several`,
        `set load.concurrency to one number, or remove ${flag}`,
      );
    case 'too_few_case_seeds':
      return refused(
        `${flag} needs at least ${fault.needs} prompts x seeds, and this suite has ${fault.caseSeeds}`,
        'add prompts or seeds, or use --confirm',
      );
  }
}
