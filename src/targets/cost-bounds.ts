import { numberIn } from '../kit/decimal.ts';
import type { Price } from '../suite/load.ts';
import type { Case } from '../suite/suite.ts';
import { caseValues } from './inputs.ts';
import { renderValue } from './language/template.ts';
import type { InputRule } from './model/schema.ts';
import { EMBEDDED } from './origins.ts';
import type { Target, Variant } from './target.ts';

export interface CostBounds {
  /** If it succeeds; a failure may cost less. */
  readonly leastUsd: number;
  readonly mostUsd: number;
  /** The price, if less output costs less; null: the cost does not depend on the output. */
  readonly delivered: Price | null;
}

/** Why there is no upper bound: the price, or the number of its units. */
export type Unbounded = 'no_price' | 'no_output_count' | 'no_seconds' | 'wrong_most';

type PricedVariant = Pick<Variant, 'target' | 'constants' | 'baseUrl' | 'price' | 'mostUnits' | 'asks'>;

/**
 * The cost of one submit of a variant for a case. The units are bounded by, in this order: `most` of the price; one for
 * a price per request; the outputs that are asked for, else one unless the target may give several; the input `seconds`
 * that is sent, else its limits in the target. The reference service costs nothing without a price.
 */
export function costBounds(variant: PricedVariant, oneCase: Case): CostBounds | Unbounded {
  const { price } = variant;
  if (price === null) return variant.baseUrl === EMBEDDED ? FREE : 'no_price';
  const units = unitsOf(variant, price, oneCase);
  if (typeof units === 'string') return units;
  if (units.most > MOST_UNITS) return 'wrong_most';
  return {
    leastUsd: units.least * price.usd,
    mostUsd: units.most * price.usd,
    delivered: price.per === 'request' ? null : price,
  };
}

/** So that costs stay finite. */
const MOST_UNITS = 1e15;

const FREE: CostBounds = { leastUsd: 0, mostUsd: 0, delivered: null };

/** Both ends included. */
interface Range {
  readonly least: number;
  readonly most: number;
}

const ONE: Range = { least: 1, most: 1 };

function unitsOf(variant: PricedVariant, price: Price, oneCase: Case): Range | Unbounded {
  const derived = derivedUnits(variant, price, oneCase);
  if (variant.mostUnits === undefined) return derived;
  const most = mostUnits(variant, oneCase);
  if (most === null) return 'wrong_most';
  const least = typeof derived === 'string' ? (price.per === 'output' ? 1 : 0) : derived.least;
  return { least: Math.min(least, most), most };
}

/** `most` of the price for a case; null if not a number above 0. */
function mostUnits({ mostUnits: template, target, constants }: PricedVariant, oneCase: Case): number | null {
  if (template === undefined) return null;
  const values = caseValues(oneCase, null, target.inputs, []);
  const rendered = renderValue(template, { values: { case: values, const: constants }, files: 'digest' }, []);
  const units = numberIn(rendered);
  return units !== null && Number.isFinite(units) && units > 0 ? units : null;
}

function derivedUnits({ target, asks }: PricedVariant, { per }: Price, oneCase: Case): Range | Unbounded {
  if (per === 'request') return ONE;
  if (per === 'output' && asks !== undefined) return { least: 1, most: asks };
  // The service decides how many outputs a list in a reply has.
  const isOne = target.result.from === 'body' || target.result.items === null;
  if (!isOne) return 'no_output_count';
  return per === 'output' ? ONE : secondsOf(target, oneCase);
}

function secondsOf({ uses, inputs: { others } }: Target, { inputs }: Case): Range | Unbounded {
  const { seconds: given = null } = inputs;
  if (!uses.case.includes('seconds')) return 'no_seconds';
  const seconds = given === null ? limitsOf(others.seconds) : rangeOf([numberIn(given) ?? Number.NaN]);
  return seconds ?? 'no_seconds';
}

function limitsOf(rule: InputRule | undefined): Range | null {
  if (rule === undefined) return null;
  switch (rule.as) {
    case 'number':
      return rule.max === undefined ? null : { least: Math.max(0, rule.min ?? 0), most: rule.max };
    case 'ratio':
    case 'enum': {
      const given = rule.as === 'enum' ? rule.values : undefined;
      const values = given ?? (rule.map === undefined ? [] : Object.keys(rule.map));
      return rangeOf(values.map(Number));
    }
    case 'pixels':
    case 'text':
      return null;
  }
}

function rangeOf(values: readonly number[]): Range | null {
  if (values.length === 0 || !values.every((value) => Number.isFinite(value) && value > 0)) return null;
  return { least: Math.min(...values), most: Math.max(...values) };
}
