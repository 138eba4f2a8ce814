import {
  type Checked,
  type CheckedInPart,
  type Diagnostic,
  diagnoseFrom,
  distinctDiagnostics,
  type Source,
} from '../kit/diagnostic.ts';
import { type Json, type JsonObject, ownValue } from '../kit/json.ts';
import { nearest } from '../kit/nearest.ts';
import { type Kind, takesImage } from '../suite/kind.ts';
import type { Price } from '../suite/load.ts';
import type { Case, DeclaredEndpoint, DeclaredVariant, Suite } from '../suite/suite.ts';
import { askedOutputs, CASE_MEMBERS, checkConstant, endFaults, holdsFor } from './inputs.ts';
import type { ValueTemplate } from './language/template.ts';
import { EMBEDDED, type Origins, parseBaseUrl, parseOriginPattern } from './origins.ts';
import { refuseQuestion, refuseRequest } from './request.ts';
import type { Endpoint, Target, Variant } from './target.ts';

/** Used if the suite sets no timeout. */
const TIMEOUT_MS: Readonly<Record<Kind, number>> = {
  'text-to-image': 120_000,
  'anime-image': 120_000,
  'image-to-video': 900_000,
  'text-to-video': 900_000,
  'image-edit': 120_000,
};

export type ResolvableSuite = Pick<Suite, 'variants' | 'cases' | 'inputSources' | 'seeds' | 'limits'>;

/**
 * The variants of a suite with their targets, in declared order; or diagnostics for all that a target does not accept.
 * `today`: the day (`2026-11-28`) that values may end at. `inputs`: with `some_unused` an unused input is no error, as
 * variants were declared for other prompts; with `in_part` neither is a variant without prompts, as other errors left
 * them out.
 */
export function resolveVariants(
  suite: ResolvableSuite,
  targets: ReadonlyMap<string, Target>,
  today: string,
  inputs: 'all_used' | 'some_unused' | 'in_part' = 'all_used',
): CheckedInPart<readonly Variant[]> {
  const named = suite.variants.map((variant) => ({ variant, target: targetOf(variant, targets) }));
  const declared = named.flatMap(({ variant, target }): DeclaredPair[] => {
    const { kind } = target;
    return kind === 'judge' ? [] : [{ variant, target, kind }];
  });
  const diagnostics = [...named.flatMap(judgeDiagnostics), ...baselineDiagnostics(declared)];
  const warnings: Diagnostic[] = [];
  const variants = declared.map(({ variant, target, kind }): Variant => {
    const ofKind = declared.filter((other) => other.kind === kind);
    const baseline = ofKind.find(({ variant: { baseline: marked } }) => marked) ?? ofKind[0];
    const resolved = resolveEndpoint(variant, target, today);
    diagnostics.push(...resolved.diagnostics);
    warnings.push(...resolved.warnings);
    return {
      ...resolved.endpoint,
      kind,
      baseline: baseline?.variant === variant,
      optional: variant.optional,
      timeoutMs: suite.limits.timeoutMs ?? TIMEOUT_MS[kind],
      seedRange: { min: target.inputs.seed.min, max: target.inputs.seed.max },
      levels: variant.levels,
    };
  });
  for (const [index, { variant }] of declared.entries()) {
    const resolved = variants[index];
    if (
      resolved === undefined ||
      (inputs === 'in_part' && !suite.cases.some(({ kinds }) => kinds.includes(resolved.kind)))
    )
      continue;
    for (const diagnostic of requestDiagnostics(resolved, variant, suite)) diagnostics.push(diagnostic);
    warnings.push(...alphaWarnings(resolved, suite));
  }
  if (inputs === 'all_used') {
    for (const diagnostic of unusedInputDiagnostics(variants, suite)) diagnostics.push(diagnostic);
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics: distinctDiagnostics(diagnostics), rest: variants };
  return { ok: true, value: variants, warnings: distinctDiagnostics(warnings) };
}

function targetOf(variant: DeclaredVariant, targets: ReadonlyMap<string, Target>): Target {
  const target = targets.get(variant.target);
  if (target === undefined) throw new Error(`the target ${variant.target} was not loaded`);
  return target;
}

interface DeclaredPair {
  readonly variant: DeclaredVariant;
  readonly target: Target;
  readonly kind: Kind;
}

function judgeDiagnostics({ variant, target }: Pick<DeclaredPair, 'variant' | 'target'>): readonly Diagnostic[] {
  if (target.kind !== 'judge') return [];
  const cause = `${target.id} is a judge, and cannot be a variant`;
  return [diagnoseFrom(variant.targetSource, { cause, remedy: 'declare it under scorers, with use: judge' })];
}

function baselineDiagnostics(declared: readonly DeclaredPair[]): Diagnostic[] {
  const marked = declared.filter(({ variant }) => variant.baseline);
  return marked.flatMap(({ variant, kind }, index) => {
    const earlier = marked.slice(0, index).find((other) => other.kind === kind);
    if (earlier === undefined) return [];
    const cause = `"${variant.name}" is a second baseline of ${kind}, after "${earlier.variant.name}"`;
    return [{ place: variant.place, cause, remedy: 'mark one variant of a kind' }];
  });
}

function requestDiagnostics(variant: Variant, { place }: DeclaredVariant, suite: ResolvableSuite): Diagnostic[] {
  const cases = suite.cases.filter(({ kinds }) => kinds.includes(variant.kind));
  if (cases.length === 0) {
    const remedy = `add a prompt ${takesImage(variant.kind) ? 'with an image' : 'without an image'}, or list the kind in its kinds`;
    return [{ place, cause: `no prompt fits "${variant.name}" (${variant.kind})`, remedy }];
  }
  return [
    ...seedDiagnostics(variant, place, suite.seeds),
    ...cases.flatMap((oneCase) => {
      const seed = suite.seeds[0] ?? null;
      return refuseRequest(variant, { case: oneCase, seed }).map(({ input, cause, remedy }) => {
        const { id } = variant.target;
        const { source, ofPrompt } = sourceOfInput(input, oneCase, suite);
        const who = ofPrompt ? `prompt "${oneCase.id}" for ${id}` : id;
        return diagnoseFrom(source, { cause: `${who}: ${cause}`, remedy });
      });
    }),
  ];
}

/** Where transparent pixels of a mask change, those of an image may count as a mask. */
function alphaWarnings({ kind, target: { id, inputs } }: Variant, { cases }: ResolvableSuite): Diagnostic[] {
  if (inputs.media?.mask?.changes !== 'transparent') return [];
  return cases.flatMap(({ id: prompt, kinds, images: [first], mask, place }) => {
    if (!kinds.includes(kind) || mask !== null || first?.alpha !== true) return [];
    const cause = `prompt "${prompt}" for ${id}: ${first.fileName} may have transparent pixels, which may count as a mask`;
    return [{ place, cause, remedy: 'save it without transparency, or add a mask' }];
  });
}

function seedDiagnostics(
  { name, target, seedRange: { min, max } }: Variant,
  place: DeclaredVariant['place'],
  seeds: readonly number[],
): Diagnostic[] {
  const outside = seeds.filter((seed) => !(Number.isSafeInteger(seed) && seed >= min && seed <= max));
  const [first] = outside;
  if (first === undefined) return [];
  const more = outside.length === 1 ? '' : ` (and ${outside.length - 1} more)`;
  const cause = `seed ${first}${more} is outside what "${name}" (${target.id}) takes`;
  return [{ place, cause, remedy: `choose seeds from ${min} to ${max}` }];
}

/** Where an input was written, and whether the prompt itself gives it; the prompt's place without an input. */
function sourceOfInput(
  name: string | null,
  { place, inputSources }: Case,
  suite: Pick<ResolvableSuite, 'inputSources'>,
): { readonly source: Source; readonly ofPrompt: boolean } {
  const inputSource = name === null ? undefined : ownValue(inputSources, name);
  const shared = name === null ? undefined : ownValue(suite.inputSources, name);
  const source = inputSource ?? shared ?? { place, setBy: null, filled: false };
  return { source, ofPrompt: inputSource !== undefined || shared === undefined };
}

/** An input that no variant sends is a misspelling, and would be left out silently. */
function unusedInputDiagnostics(variants: readonly Variant[], suite: ResolvableSuite): Diagnostic[] {
  const used = new Set(variants.flatMap(({ target }) => target.uses.case));
  const reported = new Set<string>();
  return suite.cases.flatMap((oneCase) =>
    Object.keys(oneCase.inputs).flatMap((name) => {
      if (reported.has(name)) return [];
      reported.add(name);
      const { source } = sourceOfInput(name, oneCase, suite);
      if (CASE_MEMBERS.some((member) => member === name)) {
        const cause = `"${name}" is not a valid name for an input`;
        return [diagnoseFrom(source, { cause, remedy: 'remove it: the prompt itself sets it' })];
      }
      if (used.has(name)) return [];
      const known = [...used].filter((other) => !CASE_MEMBERS.some((member) => member === other));
      const near = nearest(name, known);
      const remedy = near !== null ? `did you mean "${near}"?` : `the targets use ${known.join(', ') || 'none'}`;
      return [diagnoseFrom(source, { cause: `no variant uses the input "${name}"`, remedy })];
    }),
  );
}

/** A judge with its target, or diagnostics for all that the target does not accept. */
export function resolveJudge(declared: DeclaredEndpoint, target: Target, today: string): Checked<Endpoint> {
  if (target.kind !== 'judge') {
    const cause = `${target.id} is not a judge: it generates (${target.kind})`;
    const remedy = 'name a target of kind judge: retake targets judge';
    return { ok: false, diagnostics: [diagnoseFrom(declared.targetSource, { cause, remedy })] };
  }
  const { endpoint, diagnostics, warnings } = resolveEndpoint(declared, target, today);
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  if (endpoint.baseUrl === EMBEDDED) {
    const fault = { cause: 'the reference service has no judge', remedy: 'set base_url to the URL of a server' };
    return { ok: false, diagnostics: [diagnoseFrom(declared.baseUrl?.source ?? declared.targetSource, fault)] };
  }
  const problems = refuseQuestion(endpoint).map((cause) =>
    diagnoseFrom(declared.targetSource, {
      cause: `${target.id}: ${cause}`,
      remedy: `correct the template in ${target.file}`,
    }),
  );
  return problems.length > 0 ? { ok: false, diagnostics: problems } : { ok: true, value: endpoint, warnings };
}

function resolveEndpoint(declared: DeclaredEndpoint, target: Target, today: string) {
  const { constants, asks, diagnostics: refused, warnings } = resolveConstants(declared, target, today);
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
    baseUrlVariable: declared.baseUrl === null ? target.baseUrlVariable : (declared.baseUrl.variable ?? null),
    origins: originsOf(declared, target, diagnostics),
    ...priceOf(declared, target, constants),
    ...(asks === null ? {} : { asks }),
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
  const matching = prices.find((price) => holdsFor(price, constants));
  return matching === undefined ? { price: null } : pricedAt(matching, matching.most);
}

function pricedAt({ per, usd }: Price, most: ValueTemplate | undefined): Pick<Endpoint, 'price' | 'mostUnits'> {
  return { price: { per, usd }, ...(most === undefined ? {} : { mostUnits: most }) };
}

function resolveConstants(
  endpoint: Pick<DeclaredEndpoint, 'name' | 'place' | 'constants' | 'constantSources'>,
  target: Target,
  today: string,
) {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const sourceOf = (name: string): Source =>
    ownValue(endpoint.constantSources, name) ?? { place: endpoint.place, setBy: null, filled: false };
  const overrides = Object.entries(endpoint.constants).map(([name, given]): readonly [string, Json] => {
    const source = sourceOf(name);
    if (!target.uses.const.includes(name)) {
      diagnostics.push(
        diagnoseFrom(source, {
          cause: `"${endpoint.name}" sets the constant "${name}", which ${target.id} never uses`,
          remedy: suggestConstant(name, target),
        }),
      );
    }
    const type = ownValue(target.constTypes, name);
    if (type === undefined) return [name, given];
    const checked = checkConstant(`${name} of ${target.id}`, type, given, source.filled);
    if (!checked.fits) diagnostics.push(diagnoseFrom(source, checked.fault));
    else if (checked.doubt !== null) warnings.push(diagnoseFrom(source, checked.doubt));
    return [name, checked.fits ? checked.value : given];
  });
  const constants = { ...target.constants, ...Object.fromEntries(overrides) };
  for (const { constant, cause, remedy } of endFaults(`"${endpoint.name}": its `, target, constants, today)) {
    warnings.push(diagnoseFrom(sourceOf(constant), { cause, remedy }));
  }
  const asks = askedOutputs(target.result.asks, constants);
  if (typeof asks !== 'object' || asks === null) return { constants, asks, diagnostics, warnings };
  const cause = `"${endpoint.name}": ${asks.cause}`;
  diagnostics.push(diagnoseFrom(sourceOf(asks.constant), { cause, remedy: asks.remedy }));
  return { constants, asks: null, diagnostics, warnings };
}

function suggestConstant(name: string, { id, uses }: Target): string {
  const near = nearest(name, uses.const);
  if (near !== null) return `did you mean "${near}"?`;
  return `${id} uses ${uses.const.length === 0 ? 'none' : uses.const.join(', ')}`;
}
