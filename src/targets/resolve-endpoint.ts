import { type Diagnostic, diagnoseFrom } from '../kit/diagnostic.ts';
import { type JsonObject, ownValue } from '../kit/json.ts';
import type { Price } from '../suite/format/load.ts';
import type { DeclaredEndpoint } from '../suite/format/suite.ts';
import { parseBaseUrl } from './format/base-url.ts';
import type { ValueTemplate } from './language/render-template.ts';
import { type Origins, parseOriginPattern } from './model/origins.ts';
import type { Endpoint, Target } from './model/target.ts';
import { resolveConstants } from './resolve-constants.ts';

interface ResolvedEndpoint {
  readonly endpoint: Endpoint;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** An endpoint with its target, and all of it that the target does not accept. */
export function resolveEndpoint(declared: DeclaredEndpoint, target: Target): ResolvedEndpoint {
  const { constants, diagnostics: refused, warnings } = resolveConstants(declared, target);
  const diagnostics = [...refused];
  const base = declared.baseUrl === null ? null : parseBaseUrl(declared.baseUrl.text);
  if (declared.baseUrl !== null && base?.ok === false) {
    diagnostics.push(diagnoseFrom(declared.baseUrl.source, base));
  }
  const endpoint = {
    name: declared.name,
    target,
    constants,
    baseUrl: base?.ok === true ? base.baseUrl : target.baseUrl,
    origins: originsOf(declared, target, diagnostics),
    ...priceOf(declared, target, constants),
  };
  return { endpoint, diagnostics, warnings };
}

function originsOf({ origins }: DeclaredEndpoint, target: Target, diagnostics: Diagnostic[]): Origins {
  if (origins === undefined) return target.origins;
  const added = origins.download.flatMap(({ text, source }) => {
    const pattern = parseOriginPattern(text);
    if (pattern !== null) return [pattern];
    const remedy = 'write https://host, https://*.host or "*"';
    diagnostics.push(diagnoseFrom(source, { cause: `"${text}" is not a valid origin`, remedy }));
    return [];
  });
  const { auth, download, allowPrivate } = target.origins;
  return { auth, download: [...download, ...added], allowPrivate: allowPrivate || origins.allowPrivate };
}

/** The suite's price, else the target's for these constants; null if unknown. */
function priceOf(
  { price }: DeclaredEndpoint,
  target: Target,
  constants: JsonObject,
): Pick<Endpoint, 'price' | 'mostUnits'> {
  if (price !== null) return pricedAt(price, price.most === undefined ? undefined : { literal: price.most });
  return targetPrice(target, constants);
}

export function targetPrice(
  { prices }: Pick<Target, 'prices'>,
  constants: JsonObject,
): Pick<Endpoint, 'price' | 'mostUnits'> {
  const found = prices.find(({ when }) =>
    Object.entries(when).every(([name, values]) => values.some((value) => value === ownValue(constants, name))),
  );
  return found === undefined ? { price: null } : pricedAt(found, found.most);
}

function pricedAt({ per, usd }: Price, most: ValueTemplate | undefined): Pick<Endpoint, 'price' | 'mostUnits'> {
  return { price: { per, usd }, ...(most === undefined ? {} : { mostUnits: most }) };
}
