import { type Json, ownValue } from '../../kit/json.ts';
import { suggest } from '../../kit/nearest.ts';
import { takesImage } from '../../suite/kind.ts';
import { type CheckedConstant, checkConstant, type Inputs, type MediaRule, sideProblem } from '../inputs.ts';
import { referencesOf } from '../language/template.ts';
import { headerFault } from '../model/fields.ts';
import type { DeclaredTarget, FailRule, InputRule, StatusRange } from '../model/schema.ts';
import { compileStored } from '../stored-body.ts';
import type { BodyRule, CompiledRequest, ResultRule, Target, Uses } from '../target.ts';
import { type Check, inSubmit, namedConstants } from './check.ts';

/** Checks that `auth` has a key from the environment, or the one token of `sign`. */
export function checkAuth({ auth, sign }: DeclaredTarget, { refuse, isWhole }: Check): void {
  if (auth === undefined) {
    if (sign === undefined || !isWhole('auth')) return;
    refuse(['sign'], 'no template uses the token', 'add auth with "${run.jwt}"', 'key');
    return;
  }
  const fault = auth.in === 'header' ? headerFault(auth.name) : null;
  if (fault !== null) refuse(['auth', 'name'], fault.cause, fault.remedy, fault.at);
  const references = referencesOf(auth.value);
  if (sign === undefined) {
    // A literal key would be copied into every record.
    if (references.length > 0 || !isWhole('sign')) return;
    const remedy = 'write "${secret.NAME}", as in "Bearer ${secret.API_KEY}"';
    refuse(['auth', 'value'], 'must take the key from the environment', remedy);
    return;
  }
  const [token, ...others] = references.filter(({ namespace }) => namespace === 'run');
  const isWholeToken = token?.path.join('.') === 'jwt' && token.filters.length === 0;
  if (isWholeToken && others.length === 0) return;
  refuse(['auth', 'value'], 'sign needs the token exactly once', 'write "Bearer ${run.jwt}"');
}

/** Requires a key header for a repeated submit, and allows it only there. */
export function checkRetry({ submit, key_header: name }: DeclaredTarget['retry'], { refuse, isWhole }: Check): void {
  if (!isWhole('retry')) return;
  if (submit === 'never' && name !== undefined) {
    const remedy = 'add submit: idempotent, or remove it';
    refuse(['retry', 'key_header'], 'a submit that is never sent again needs no key', remedy, 'key');
  }
  if (submit === 'idempotent' && name === undefined) {
    const cause = 'without a key the endpoint cannot tell a repeated submit from a new one';
    refuse(['retry', 'submit'], cause, 'add key_header: the name of its header');
  }
}

/** @param stored the document of `body_file`; null if it was not read */
export function compileRequest(declared: DeclaredTarget['submit'], stored: Json | null, check: Check): CompiledRequest {
  const { method, path, query = [], headers = [], encoding } = declared;
  for (const [name] of headers) {
    if (encoding !== 'multipart' || name.toLowerCase() !== 'content-type') continue;
    const cause = 'the content type of multipart names its boundary, which Retake chooses';
    check.refuse(['submit', 'headers', name], cause, 'remove it', 'key');
  }
  const bodyAt = declared.body_file === undefined ? 'body' : 'body_file';
  if (method === 'GET' && declared[bodyAt] !== undefined) {
    check.refuse(['submit', bodyAt], 'a GET has no body', 'use submit.query, or another method', 'key');
  }
  const body = bodyAt === 'body' ? compileBody(declared, check) : compileBodyFile(declared, stored, check);
  return { method, path, query, headers: headers.map(([name, value]) => [name.toLowerCase(), value]), body };
}

function compileBodyFile(
  { encoding, body, set = {} }: DeclaredTarget['submit'],
  stored: Json | null,
  check: Check,
): BodyRule {
  const path = ['submit', 'body_file'];
  if (body !== undefined) check.refuse(path, 'body and body_file exclude each other', 'keep body or body_file', 'key');
  if (encoding !== 'json') check.refuse(path, `a stored document is not a ${encoding} body`, 'write encoding: json');
  if (stored !== null) return { encoding: 'json', value: compileStored(stored, set, ['submit', 'set'], check) };
  check.refuse(path, 'the stored document was not read', 'load the target by its file');
  return { encoding: 'none' };
}

function compileBody({ encoding, body, set }: DeclaredTarget['submit'], { refuse, isWhole }: Check): BodyRule {
  const path = ['submit', 'body'];
  if (set !== undefined && isWhole('submit')) {
    refuse(['submit', 'set'], '"set" needs body_file', 'add body_file', 'key');
  }
  if (body === undefined) return { encoding: 'none' };
  if (encoding === 'json') return { encoding, value: body };
  if (encoding === 'raw') {
    if ('template' in body) return { encoding, content: body.template };
    refuse(path, 'a raw body is one text', 'write "${case.image | file}" or a text');
  } else {
    if ('object' in body) return { encoding, fields: body.object };
    refuse(path, `a ${encoding} body has named fields`, 'write a mapping of names to values');
  }
  return { encoding: 'none' };
}

const ANY_SEED: Inputs['seed'] = { min: 0, max: 4_294_967_295, omit_means: 'unknown', claim: 'none' };

const ONE_IMAGE: MediaRule = {
  images: { least: 1, most: 1, types: ['image/png', 'image/jpeg', 'image/webp'], mostBytes: null },
  mask: null,
};

export function compileInputs(
  { kind, inputs, media: declared, submit }: DeclaredTarget,
  uses: Uses,
  check: Check,
): Inputs {
  const { seed = ANY_SEED, ...others } = inputs;
  const media = takesImage(kind) ? (declared ?? ONE_IMAGE) : null;
  if (declared !== undefined && media === null) {
    check.refuse(['media'], `a target of kind ${kind} takes no images`, 'remove media, or name another kind', 'key');
  }
  if (media !== null && check.isWhole('submit', 'media')) checkMedia(media, sentImages(submit), uses, check);
  for (const [name, rule] of Object.entries(others)) {
    if (rule.as === 'pixels') checkSizes(name, rule, check);
    if (rule.as !== 'enum' || (rule.map === undefined) !== (rule.values === undefined) || !check.isWhole('inputs'))
      continue;
    check.refuse(['inputs', name], `"${name}" needs either values or map`, 'list what the endpoint takes');
  }
  return { seed, others, media };
}

/** How many images of a case templates send, from the first on. */
function sentImages(submit: DeclaredTarget['submit']): number {
  const sent = inSubmit(submit).flatMap(({ reference: { namespace, path } }) => {
    if (namespace !== 'case') return [];
    return path[0] === 'images' ? [path[1] ?? 'all'] : path[0] === 'image' ? ['0'] : [];
  });
  if (sent.includes('all')) return Infinity;
  let count = 0;
  while (sent.includes(String(count))) count += 1;
  return count;
}

/** A file of the prompt that no template sends would be dropped silently. */
function checkMedia({ images: { most }, mask }: MediaRule, sent: number, { case: named }: Uses, check: Check): void {
  const { refuse } = check;
  if (sent === 0) {
    refuse(['submit'], 'no template sends the image of the prompt', 'put ${case.image | file} into body', 'key');
  } else if (sent < most) {
    const cause = `media takes ${most} images, and templates send only the first${sent === 1 ? '' : ` ${sent}`}`;
    refuse(['media', 'images'], cause, 'use ${case.images | file} in submit, or lower most', 'key');
  } else if (sent > most && sent < Infinity) {
    const remedy = `write media: { images: { most: ${sent} } }`;
    refuse(['submit'], `templates send ${sent} images, and media takes ${most}`, remedy, 'key');
  }
  if (mask !== null && !named.includes('mask')) {
    refuse(['media', 'mask'], 'no template sends the mask', 'put ${case.mask | file} into submit, or remove it', 'key');
  }
  if (mask === null && named.includes('mask')) {
    const cause = 'a template sends the mask, and media does not say what its pixels mean';
    refuse(['submit'], cause, 'add media: { mask: { changes: white } }, black or transparent', 'key');
  }
}

/** A size of the map that the limits refuse could never be requested. */
function checkSizes(
  name: string,
  { map = {}, ...limits }: Extract<InputRule, { as: 'pixels' }>,
  { refuse }: Check,
): void {
  const { min, max } = limits;
  if (min !== undefined && max !== undefined && min > max) {
    refuse(['inputs', name, 'min'], `min ${min} is above max ${max}`, 'write min <= max');
  }
  for (const [ratio, size] of Object.entries(map)) {
    const [problem] = size.split('x').flatMap((side) => sideProblem(Number(side), limits) ?? []);
    if (problem !== undefined) refuse(['inputs', name, 'map', ratio], `${size}: ${problem.cause}`, problem.remedy);
  }
}

/** A successor that the target does not know is misspelt, or would be a warning itself. */
export function checkRetirements({ const_types: types }: DeclaredTarget, { refuse }: Check): void {
  for (const [name, type] of Object.entries(types)) {
    const { retires = {} } = 'retires' in type ? type : {};
    const listed = 'values' in type ? type.values : 'known' in type ? type.known : null;
    for (const [value, { to }] of Object.entries(retires)) {
      if (to === undefined || listed === null || listed.includes(to)) continue;
      const remedy = suggest(String(to), listed.map(String));
      refuse(['const_types', name, 'retires', value, 'to'], `"${to}" is not listed for the constant ${name}`, remedy);
    }
  }
}

/** The constants, converted to their types. */
export function compileConstants(declared: DeclaredTarget, { refuse, warn, isFilled }: Check): Target['constants'] {
  const { id, const: given, const_types: types } = declared;
  const checked = (name: string, value: Parameters<typeof checkConstant>[2], filled: boolean): CheckedConstant => {
    const type = ownValue(types, name);
    return type === undefined
      ? { fits: true, value, doubt: null }
      : checkConstant(`${name} of ${id}`, type, value, filled);
  };
  // A price for an impossible value would be ignored silently.
  for (const { at, when } of namedConstants(declared)) {
    for (const [name, values] of Object.entries(when)) {
      for (const value of values) {
        const result = checked(name, value, false);
        if (!result.fits) refuse(at, result.fault.cause, result.fault.remedy, 'key');
      }
    }
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const path = ['const', name];
      const result = checked(name, value, isFilled(path));
      if (!result.fits) refuse(path, result.fault.cause, result.fault.remedy);
      else if (result.doubt !== null) warn(path, result.doubt);
      return [name, result.fits ? result.value : value];
    }),
  );
}

export function compileResult(declared: DeclaredTarget['result'], { refuse, isWhole }: Check): ResultRule {
  const { from, items, at, expect = null, asks } = declared;
  const shared = { expect, ...(asks === undefined ? {} : { asks }) };
  if (from === 'body') {
    if (items !== undefined) refuse(['result', 'items'], 'a body is one output', 'remove items', 'key');
    if (at !== undefined) refuse(['result', 'at'], 'from: body takes no "at"', 'remove at', 'key');
    return { from, ...shared };
  }
  if (at === undefined && isWhole('result')) {
    const what = from === 'url' ? 'the URL' : 'the text';
    refuse(['result', 'from'], `from: ${from} needs "at", the location of ${what}`, 'add at: a locator');
  }
  return { from, ...shared, items: items ?? null, at: at ?? [] };
}

/** Refuses conditions that exclude each other, match every reply, or can never match. */
export function checkFailRules(rules: readonly FailRule[], { refuse, isWhole }: Check): void {
  if (!isWhole('fail')) return;
  for (const [index, { when, is, after }] of rules.entries()) {
    const path = ['fail', index, 'when'];
    if (when.status === undefined && when.at === undefined) {
      refuse(path, 'this rule would match every reply', 'add status or at');
    }
    const tests = [when.in, when.not, when.contains].filter((values) => values !== undefined);
    if (when.at === undefined && tests.length > 0) {
      refuse(path, 'in, not and contains need a value to look at', 'add at: a locator');
    }
    if (tests.length > 1) refuse(path, 'in, not and contains exclude each other', 'keep one of them');
    if (after !== undefined && is !== 'throttled') {
      const remedy = 'remove after, or write is: throttled';
      refuse(['fail', index, 'after'], '"after" is only for throttled replies', remedy);
    }
    const first = when.status === undefined ? -1 : firstToTakeAll(rules.slice(0, index), when.status);
    if (first === -1) continue;
    const cause = `this rule can never match: rule ${first + 1} matches all of its statuses`;
    refuse(['fail', index], cause, 'put it before that rule');
  }
}

function firstToTakeAll(rules: readonly FailRule[], statuses: readonly StatusRange[]): number {
  return rules.findIndex(
    ({ when }) =>
      when.at === undefined &&
      statuses.every(({ from, to }) => when.status?.some((range) => range.from <= from && range.to >= to)),
  );
}

/** Refuses what only a judge may have. */
export function checkKind({ kind, result, inputs, price }: DeclaredTarget, { refuse }: Check): void {
  if (kind !== 'judge') {
    const remedy = 'write body, url, b64 or data_uri, or kind: judge';
    if (result.from === 'text') refuse(['result', 'from'], 'only a judge answers with text', remedy);
    return;
  }
  if (result.from !== 'text') refuse(['result', 'from'], 'a judge answers with text', 'write from: text');
  const [input] = Object.keys(inputs);
  if (input !== undefined) refuse(['inputs', input], 'a judge takes no inputs', 'remove inputs', 'key');
  if (price.some(({ per }) => per !== 'request')) {
    refuse(['price'], 'a judge has a price per request', 'write per: request', 'key');
  }
}
