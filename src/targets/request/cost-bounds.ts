import type { Price } from '../../suite/format/load.ts';
import type { Case } from '../../suite/format/suite.ts';
import { pairOf } from '../language/filter.ts';
import { renderValue } from '../language/render-template.ts';
import { caseValues, type InputRule } from '../model/inputs.ts';
import { EMBEDDED, type Target } from '../model/target.ts';
import type { Variant } from '../model/variant.ts';

/** What one submit of a request can cost by the declared price, in US dollars. */
export interface CostBounds {
  /** Where it succeeds; a service may charge less for a failure. */
  readonly leastUsd: number;
  readonly mostUsd: number;
  /** The price, where less output costs less; null: the cost does not follow from what is delivered. */
  readonly delivered: Price | null;
}

/** Why it is not known what a request costs at most: the price, or the number of its units. */
export type Unbounded = 'no_price' | 'no_output_count' | 'no_seconds' | 'no_size' | 'wrong_most';

/** What the cost of a variant follows from. */
type PricedVariant = Pick<Variant, 'target' | 'constants' | 'baseUrl' | 'price' | 'mostUnits'>;

/**
 * What one submit of a variant for a case can cost. The units of its price are bounded by, in this order: `most` of the price;
 * one for a price per request; one output where the target says nothing of several; the input `seconds` or `size` that the
 * request sends, else the limits that the target declares for it. The reference service of the run costs nothing without a price.
 */
export function costBounds(variant: PricedVariant, oneCase: Case): CostBounds | Unbounded {
  const { price } = variant;
  if (price === null) return variant.baseUrl === EMBEDDED ? FREE : 'no_price';
  const found = unitsOf(variant, price, oneCase);
  if (typeof found === 'string') return found;
  return {
    leastUsd: found.least * price.usd,
    mostUsd: found.most * price.usd,
    delivered: price.per === 'request' ? null : price,
  };
}

const FREE: CostBounds = { leastUsd: 0, mostUsd: 0, delivered: null };

/** Both ends included. */
interface Range {
  readonly least: number;
  readonly most: number;
}

const ONE: Range = { least: 1, most: 1 };

function unitsOf(variant: PricedVariant, price: Price, oneCase: Case): Range | Unbounded {
  const derived = derivedUnits(variant.target, price, oneCase);
  if (variant.mostUnits === undefined) return derived;
  const most = mostUnits(variant, oneCase);
  if (most === null) return 'wrong_most';
  const least = typeof derived === 'string' ? (price.per === 'output' ? 1 : 0) : derived.least;
  return { least: Math.min(least, most), most };
}

/** What `most` of the price gives for a case; null where that is not a number above 0. */
function mostUnits({ mostUnits: template, target, constants }: PricedVariant, oneCase: Case): number | null {
  if (template === undefined) return null;
  const values = caseValues(oneCase, null, target.inputs.others, []);
  const rendered = renderValue(template, { values: { case: values, const: constants }, files: 'digest' }, []);
  const units = typeof rendered === 'string' && rendered.trim() !== '' ? Number(rendered) : rendered;
  return typeof units === 'number' && Number.isFinite(units) && units > 0 ? units : null;
}

function derivedUnits(target: Target, { per }: Price, oneCase: Case): Range | Unbounded {
  if (per === 'request') return ONE;
  // How many outputs a list in a reply has is up to the service.
  const isOne = target.result.from === 'body' || target.result.items === null;
  if (!isOne) return 'no_output_count';
  if (per === 'output') return ONE;
  return per === 'second' ? secondsOf(target, oneCase) : megapixelsOf(target, oneCase);
}

function secondsOf({ uses, inputs: { others } }: Target, { inputs }: Case): Range | Unbounded {
  const { seconds: given = null } = inputs;
  if (!uses.case.includes('seconds')) return 'no_seconds';
  const found = given === null ? limitsOf(others.seconds) : rangeOf([Number(given)]);
  return found ?? 'no_seconds';
}

function megapixelsOf({ uses, inputs: { others } }: Target, oneCase: Case): Range | Unbounded {
  const { size: rule } = others;
  if (!uses.case.includes('size')) return 'no_size';
  if ((oneCase.inputs.size ?? null) !== null) {
    const { size } = caseValues(oneCase, null, others, []);
    return rangeOf([areaOf(size)]) ?? 'no_size';
  }
  if (rule === undefined || !('map' in rule)) return 'no_size';
  if (rule.map !== null) return rangeOf(Object.values(rule.map).map(areaOf)) ?? 'no_size';
  if (rule.as !== 'pixels' || rule.max === null) return 'no_size';
  return { least: ((rule.min ?? 0) * (rule.min ?? 0)) / 1e6, most: (rule.max * rule.max) / 1e6 };
}

/** Megapixels of a size such as 1024x768; NaN where it is not one. */
function areaOf(size: unknown): number {
  if (typeof size === 'object' && size !== null && 'width' in size && 'height' in size) {
    return (Number(size.width) * Number(size.height)) / 1e6;
  }
  const pair = typeof size === 'string' && !size.includes(':') ? pairOf(size) : null;
  return pair === null ? Number.NaN : (pair[0] * pair[1]) / 1e6;
}

/** The numbers that an input may be where a case leaves it out: the service chooses one of them. */
function limitsOf(rule: InputRule | undefined): Range | null {
  if (rule === undefined) return null;
  switch (rule.as) {
    case 'number':
      return rule.max === null ? null : { least: Math.max(0, rule.min ?? 0), most: rule.max };
    case 'values':
      return rangeOf(rule.values.map(Number));
    case 'ratio':
    case 'enum':
      return rule.map === null ? null : rangeOf(Object.keys(rule.map).map(Number));
    case 'pixels':
    case 'text':
      return null;
  }
}

function rangeOf(values: readonly number[]): Range | null {
  if (values.length === 0 || !values.every((value) => Number.isFinite(value) && value > 0)) return null;
  return { least: Math.min(...values), most: Math.max(...values) };
}
