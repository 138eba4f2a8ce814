import type { Checked } from '../../kit/diagnostic.ts';
import type { Document, Path } from '../../kit/document.ts';
import { expandEnvironment } from '../../kit/environment.ts';
import { isObject, type Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { checkDocument } from '../../suite/declare/check.ts';
import type { Namespace } from '../language/write-template.ts';
import { CASE_MEMBERS } from '../model/inputs.ts';
import type { Target, TargetPrice } from '../model/target.ts';
import { type Compiler, createCompiler } from './compile.ts';
import { compileConstants } from './compile-const.ts';
import { compileFollowUps } from './compile-job.ts';
import { checkJudge } from './compile-judge.ts';
import { compileFailRule, compileMeta, compileResult, reportForestalled } from './compile-reply.ts';
import {
  compileAuth,
  compileBaseUrl,
  compileInputs,
  compileKeyHeader,
  compileOrigins,
  compileRequest,
  compileSign,
} from './compile-request.ts';
import { type DeclaredTarget, targetSchema } from './schema.ts';

/**
 * A checked and compiled target, with the environment filled in; errors are diagnostics at their place in the file.
 * @param env the process's environment; `${secret.X}` is not read here
 * @param stored the file that `namedBodyFile` names; null if none
 */
export function parseTarget(
  document: Document,
  env: Readonly<Record<string, string | undefined>>,
  stored: Document | null = null,
): Checked<Target> {
  const expanded = expandEnvironment(document, env);
  if (!expanded.ok) return expanded;
  const checked = checkDocument(expanded.value.document, targetSchema);
  if (!checked.ok) return checked;
  const compiler = createCompiler(expanded.value.document);
  const target = compileTarget(checked.value, compiler, {
    file: document.file,
    storedBodyFile: stored?.file ?? null,
    storedBody: stored?.value ?? null,
    declared: document.value,
    environment: expanded.value.used,
  });
  const diagnostics = compiler.diagnostics();
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, value: target, warnings: compiler.warnings() };
}

function compileTarget(
  declared: DeclaredTarget,
  compiler: Compiler,
  source: Pick<Target, 'file' | 'storedBodyFile' | 'storedBody' | 'declared' | 'environment'>,
): Target {
  const auth = compileAuth(declared, compiler);
  const sign = compileSign(declared.sign, auth, compiler);
  const submit = compileRequest(declared, source.storedBody, compiler);
  const origins = compileOrigins(declared.origins, compiler);
  const { wait, hops } = compileFollowUps(declared, { base_url: declared.base_url, origins }, compiler);
  const uses = { case: named('case', compiler), const: named('const', compiler) };
  reportUnused(declared, uses, compiler);
  reportMisspeltMembers(declared, compiler);
  checkJudge(declared, named('judge', compiler), compiler);
  const fail = declared.fail.map((rule, index) => compileFailRule(rule, ['fail', index], compiler));
  reportForestalled(fail, compiler);
  return {
    ...source,
    id: declared.id,
    kind: declared.kind,
    baseUrl: compileBaseUrl(declared.base_url, compiler),
    auth,
    sign,
    origins,
    ...compileConstants(declared, uses.const, compiler),
    inputs: compileInputs(declared.inputs, compiler),
    submit,
    wait,
    hops,
    result: compileResult(declared.result, compiler),
    fail,
    meta: compileMeta(declared.meta, compiler),
    prices: declared.price.map((price, index) => compilePrice(price, pricePath(source.declared, index), compiler)),
    keyHeader: compileKeyHeader(declared.retry, compiler),
    getRetries: declared.retry.poll,
    secrets: named('secret', compiler),
    uses,
  };
}

/** `${case.promt}` would be left out silently, like an input that a case does not have. */
function reportMisspeltMembers({ inputs }: DeclaredTarget, compiler: Compiler): void {
  const known: readonly string[] = [...CASE_MEMBERS, ...Object.keys(inputs)];
  for (const name of named('case', compiler)) {
    const meant = known.includes(name) ? null : nearest(name, CASE_MEMBERS);
    if (meant === null) continue;
    const remedy = `did you mean "\${case.${meant}}"? An input of that name must be declared under inputs`;
    compiler.refuse(['submit'], `a template names "case.${name}", which is not declared`, remedy, 'key');
  }
}

function compilePrice(
  { per, usd, most, when }: DeclaredTarget['price'][number],
  path: Path,
  compiler: Compiler,
): TargetPrice {
  return {
    per,
    usd,
    ...(most === undefined ? {} : { most: compiler.value([...path, 'most'], most, ['case', 'const']) }),
    when: Object.fromEntries(
      Object.entries(when).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
    ),
  };
}

/** A single price may be written without a list. */
function pricePath(declared: Json, index: number): Path {
  return isObject(declared) && Array.isArray(declared.price) ? ['price', index] : ['price'];
}

function named(namespace: Namespace, compiler: Compiler): readonly string[] {
  const references = compiler.references().filter((reference) => reference.namespace === namespace);
  return [...new Set(references.flatMap(({ path }) => path.slice(0, 1)))].sort();
}

/** An unused constant or input is misspelt, or never sent. */
function reportUnused(declared: DeclaredTarget, uses: Target['uses'], { refuse }: Compiler): void {
  for (const name of Object.keys(declared.const)) {
    if (!uses.const.includes(name)) {
      refuse(['const', name], `no template uses "${name}"`, `put \${const.${name}} into submit, or remove it`, 'key');
    }
  }
  for (const [index, { when }] of declared.price.entries()) {
    for (const name of Object.keys(when)) {
      if (uses.const.includes(name)) continue;
      const cause = `the price ${index + 1} names the constant "${name}", which no template uses`;
      refuse(['price'], cause, 'name a constant of submit', 'key');
    }
  }
  // A judge has no inputs at all, so none has to be used.
  if (declared.kind === 'judge') return;
  for (const name of Object.keys(declared.inputs)) {
    const reserved = CASE_MEMBERS.some((member) => member === name && member !== 'seed');
    if (reserved) refuse(['inputs', name], `"${name}" is not a valid input name`, 'choose another name', 'key');
    else if (!uses.case.includes(name) && !(name === 'seed' && declared.inputs.seed?.claim === 'none')) {
      refuse(['inputs', name], `no template uses "${name}"`, `put \${case.${name}} into submit, or remove it`, 'key');
    }
  }
}
