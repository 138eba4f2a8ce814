import { checkDocument, leftOf } from '../kit/check.ts';
import type { Checked } from '../kit/diagnostic.ts';
import type { Document } from '../kit/document.ts';
import { expandEnvironment } from '../kit/environment.ts';
import { pick } from '../kit/json.ts';
import { type Check, checkReferences, createCheck, findUnfilled } from './format/check.ts';
import { checkFollowUps } from './format/check-follow-ups.ts';
import {
  checkAuth,
  checkFailRules,
  checkKind,
  checkRetirements,
  checkRetry,
  compileConstants,
  compileInputs,
  compileRequest,
  compileResult,
} from './format/compile-request.ts';
import { askedOutputs } from './inputs.ts';
import { type DeclaredTarget, targetSchema } from './model/schema.ts';
import { COMPILED_BY_SCHEMA, type Target } from './target.ts';

/**
 * A checked and compiled target, with the environment filled in; or a diagnostic for each fault at its place in the
 * file. `env` is the process's, secrets are not read; `stored`: the file that `namedBodyFile` names, or null.
 */
export function parseTarget(
  document: Document,
  env: Readonly<Record<string, string | undefined>>,
  stored: Document | null = null,
): Checked<Target> {
  const expanded = expandEnvironment(document, env);
  if (!expanded.ok) return expanded;
  const { document: filled, used } = expanded.value;
  const fields = checkDocument(filled, targetSchema);
  const left = fields.ok ? { document: filled, value: fields.value, without: [] } : leftOf(filled, targetSchema);
  const wrong = fields.ok ? [] : fields.diagnostics;
  if (left === null) return { ok: false, diagnostics: wrong };
  const check = createCheck(filled, left.without);
  const target = compileTarget(left.value, check, {
    file: document.file,
    storedBodyFile: stored?.file ?? null,
    storedBody: stored?.value ?? null,
    declared: document.value,
    baseUrlVariable: filled.filledAt(['base_url'])?.first ?? null,
    environment: used,
  });
  const found = [...wrong, ...check.diagnostics];
  const diagnostics = [...found, ...findUnfilled(filled, found)];
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: target, warnings: check.warnings };
}

function compileTarget(
  declared: DeclaredTarget,
  check: Check,
  source: Pick<Target, 'file' | 'storedBodyFile' | 'storedBody' | 'declared' | 'baseUrlVariable' | 'environment'>,
): Target {
  const uses = checkReferences(declared, check);
  checkAuth(declared, check);
  checkRetry(declared.retry, check);
  checkRetirements(declared, check);
  checkKind(declared, check);
  checkFailRules(declared.fail, check);
  const constants = compileConstants(declared, check);
  const asked = askedOutputs(declared.result.asks, constants);
  if (typeof asked === 'object' && asked !== null) check.refuse(['result', 'asks'], asked.cause, asked.remedy);
  return {
    ...source,
    ...pick(declared, ...COMPILED_BY_SCHEMA),
    baseUrl: declared.base_url,
    constants,
    constTypes: declared.const_types,
    inputs: compileInputs(declared, uses, check),
    submit: compileRequest(declared.submit, source.storedBody, check),
    hops: declared.fetch,
    needed: checkFollowUps(declared, check),
    result: compileResult(declared.result, check),
    prices: declared.price,
    secrets: uses.secret,
    uses,
  };
}
