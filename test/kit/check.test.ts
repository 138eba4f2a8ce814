import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { checkDocument } from '../../src/kit/check.ts';
import { accepted, fileFaultOf, unreadable } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import { expandEnvironment } from '../../src/kit/environment.ts';
import { expectFaults, linesOf } from '../fixtures/told-faults.ts';

const schema = z.strictObject({
  name: z.string().describe('what it is called'),
  load: z
    .strictObject({ concurrency: z.int().min(1).max(8), order: z.enum(['paired', 'mixed', 'sequential']) })
    .partial()
    .optional(),
  timeout: z
    .string()
    .regex(/^\d+s$/, { error: 'must be a duration; write 2s' })
    .optional(),
  seeds: z
    .union([
      z.array(z.int()),
      z.strictObject({ first: z.int(), count: z.int() }),
      z.strictObject({ random: z.int(), from: z.int() }),
    ])
    .optional(),
  bound: z
    .union([z.number(), z.string().regex(/^\d+%$/, { error: 'must be a percentage; write 5%' })], {
      error: 'must be a number or a percentage; write 5%',
    })
    .optional(),
  from: z.union([z.literal('body'), z.union([z.array(z.string()), z.strictObject({ at: z.string() })])]).optional(),
  auth: z
    .discriminatedUnion('in', [z.strictObject({ in: z.literal('header') }), z.strictObject({ in: z.literal('query') })])
    .optional(),
  'x,y': z.boolean().optional(),
  names: z.record(z.string().regex(/^[a-z]+$/, { error: 'must be lower-case; rename it' }), z.boolean()).optional(),
});

function faults(text: string): readonly string[] {
  const document = parseDocument('a.yaml', text);
  return linesOf(document.ok ? checkDocument(document.value, schema) : document);
}

test('a check refuses what its schema does not take, with place, cause and remedy', async () => {
  await expectFaults('checks', faults);
});

function systemError(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(code), { code, syscall, ...(path === undefined ? {} : { path }) });
}

it('an error of a path says what was refused, and that another place helps', () => {
  let thrown: unknown;
  try {
    readFileSync('/nowhere/at/all');
  } catch (error) {
    thrown = error;
  }
  expect(fileFaultOf(thrown)).toEqual({
    code: 'ENOENT',
    cause: 'cannot open /nowhere/at/all (ENOENT)',
    remedy: 'name another place',
    ofPath: true,
  });
});

it.each([
  ['a full disk, of a file that is open', systemError('ENOSPC', 'write'), 'make room on the disk'],
  ['too many open files', systemError('EMFILE', 'open', '/a'), 'ulimit -n'],
  ['too many open files for a new process', systemError('EMFILE', 'spawn node'), 'ulimit -n'],
])('an error of %s is for the user to fix, but not by another path', (_what, error, remedy) => {
  expect(fileFaultOf(error)).toMatchObject({ remedy: expect.stringContaining(remedy), ofPath: false });
});

it.each([
  ['a process that does not start', systemError('ENOENT', 'spawn node', 'node')],
  ['a descriptor that is not open', systemError('EBADF', 'write')],
  ['an error without a system call', new Error('EACCES')],
])('an error of %s is not a file fault', (_what, error) => {
  expect(fileFaultOf(error)).toBeNull();
});

it('a refused connection is not a file fault', async () => {
  const error = await new Promise((done) => connect(1, '127.0.0.1').on('error', done));
  expect(fileFaultOf(error)).toBeNull();
});

it.each([
  ['that is not there', systemError('ENOENT', 'stat', '/a'), 'there is no such file', 'correct the path'],
  ['below a file', systemError('ENOTDIR', 'stat', '/a/b'), 'there is no such file', 'correct the path'],
  ['that is private', systemError('EACCES', 'open', '/a'), 'reading it is not permitted', 'give read permission'],
  [
    'whose path holds a zero byte',
    systemError('ERR_INVALID_ARG_VALUE', 'stat'),
    'it is not a valid path',
    'correct the path',
  ],
  ['on a broken disk', systemError('EIO', 'read'), 'EIO', 'make it readable'],
])('a file %s is refused with what to do about it', (_what, error, cause, remedy) => {
  expect(unreadable(error)).toEqual({ cause, remedy });
});

it('an error of our own is not taken for an unreadable file', () => {
  expect(() => unreadable(new TypeError('a defect'))).toThrow('a defect');
});

function expand(text: string, env: Record<string, string>) {
  return expandEnvironment(accepted(parseDocument('a.yaml', text)), env);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the environment', () => {
  test('the environment stands in for references anywhere in a string, at any depth, and is kept as digests only', () => {
    const expanded = expand('a: "http://${env.HOST}:${env.PORT:-80}/"\nb: [{ c: "${env.HOST}" }]\n', {
      HOST: 'h.test',
    });
    expect(expanded.ok && expanded.value.document.value).toEqual({ a: 'http://h.test:80/', b: [{ c: 'h.test' }] });
    expect(expanded.ok && expanded.value.used).toEqual({ HOST: sha256('h.test'), PORT: sha256('80') });
  });

  test('the environment falls back to the default, colons and all, when unset or empty', () => {
    for (const env of [{}, { RETAKE_BASE_URL: '' }]) {
      const expanded = expand('base_url: ${env.RETAKE_BASE_URL:-embedded:}\n', env as Record<string, string>);
      expect(expanded.ok && expanded.value.document.value).toEqual({ base_url: 'embedded:' });
    }
  });

  test('the environment leaves the write language and escapes alone', () => {
    const text = 'a: "${secret.KEY} ${case.prompt | default(1)} $${env.X}"\n';
    const expanded = expand(text, {});
    expect(expanded.ok && expanded.value.document.value).toEqual({
      a: '${secret.KEY} ${case.prompt | default(1)} $${env.X}',
    });
    expect(expanded.ok && expanded.value.used).toEqual({});
  });

  test('a reference to the environment that cannot be filled gets a diagnostic', async () => {
    await expectFaults('environment', (line) => linesOf(expand(line, { EVIL: '${secret.RETAKE_API_KEY}' })));
  });
});
