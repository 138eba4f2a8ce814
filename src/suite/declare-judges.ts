import { z } from 'zod';
import { checkDocument } from '../kit/check.ts';
import type { Checked } from '../kit/diagnostic.ts';
import { AS_WRITTEN, type Document, sourceAt, valueAt } from '../kit/document.ts';
import { expandEnvironment } from '../kit/environment.ts';
import { isObject, type Json } from '../kit/json.ts';
import { DEFAULT_LIMITS } from '../media/level.ts';
import { sourcesOf } from './declare/prompts.ts';
import { declareVariants } from './declare/variants.ts';
import { suiteSchema } from './format/schema.ts';
import type { DeclaredScorer, JudgeScorer } from './scorer.ts';
import type { DeclaredJudge, DeclaredVariant } from './suite.ts';

interface StoredDeclaration {
  readonly variants: readonly DeclaredVariant[];
  readonly timeoutMs: number | null;
  readonly environment: Readonly<Record<string, string>>;
}

const { variants, limits } = suiteSchema.shape;
const storedSchema = z.strictObject({ variants, limits });

/** The variants with these names, with today's environment. Reads nothing else of the stored document. */
export function declareStored(
  file: string,
  declared: Json,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Checked<StoredDeclaration> {
  const kept = keptDocument(file, {
    variants: Object.fromEntries(
      Object.entries(objectAt(declared, 'variants')).filter(([entry]) =>
        // An entry with a matrix makes variants that begin with its name.
        names.some((name) => name === entry || name.startsWith(`${entry}-`)),
      ),
    ),
    limits: Object.fromEntries(Object.entries(objectAt(declared, 'limits')).filter(([key]) => key === 'timeout')),
  });
  const expanded = expandEnvironment(kept, env);
  if (!expanded.ok) return expanded;
  const checked = checkDocument(expanded.value.document, storedSchema);
  if (!checked.ok) return checked;
  const variants = declareVariants(expanded.value.document, checked.value.variants, DEFAULT_LIMITS);
  if (!variants.ok) return variants;
  return {
    ok: true,
    value: {
      variants: variants.value.filter(({ name }) => names.includes(name)),
      timeoutMs: checked.value.limits.timeoutMs,
      environment: expanded.value.used,
    },
  };
}

/** A stored value as a document; it has no places of its own. */
export function keptDocument(file: string, value: Json): Document {
  const place = { file, line: 1, column: 1 };
  return { file, value, placeOf: () => place, commentAt: () => null, ...AS_WRITTEN };
}

function objectAt(value: Json, key: string): { readonly [key: string]: Json } {
  const item = isObject(value) ? value[key] : undefined;
  return isObject(item) ? item : {};
}

/** The judges of a suite with `${env.X}` replaced. */
export function declareJudges(document: Document, scorers: readonly DeclaredScorer[]): readonly DeclaredJudge[] {
  return scorers.flatMap((scorer) => (scorer.use === 'judge' ? [declareJudge(document, scorer)] : []));
}

function declareJudge(document: Document, scorer: JudgeScorer): DeclaredJudge {
  const { name, priceUsd } = scorer;
  const at = (...path: readonly string[]) => ['scorers', name, ...path];
  const textOf = (key: string): string | null => {
    const text = valueAt(document.value, at(key));
    return typeof text === 'string' ? text : null;
  };
  const written = valueAt(document.value, at('const'));
  const constants = isObject(written) ? written : {};
  const baseUrl = textOf('base_url');
  return {
    scorer,
    name,
    question: textOf('question') ?? scorer.question,
    target: textOf('target') ?? scorer.target,
    targetSource: sourceAt(document, at('target')),
    place: document.placeOf(at(), 'key'),
    constants,
    constantSources: sourcesOf(constants, (key) => sourceAt(document, at('const', key))),
    price: priceUsd === null ? null : { per: 'request', usd: priceUsd },
    baseUrl: baseUrl === null ? null : { text: baseUrl, source: sourceAt(document, at('base_url')) },
  };
}
