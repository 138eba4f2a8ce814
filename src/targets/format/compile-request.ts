import type { Json } from '../../kit/json.ts';
import { referencesOf } from '../language/write-template.ts';
import { headerFault } from '../model/fields.ts';
import type { DeclaredTarget } from '../model/schema.ts';
import { compileStored } from '../stored-body.ts';
import type { BodyRule, CompiledRequest } from '../target.ts';
import type { Check } from './check.ts';

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
