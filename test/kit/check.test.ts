import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { checkDocument } from '../../src/kit/check.ts';
import { fileFaultOf, formatDiagnostic, unreadable } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import { expandEnvironment } from '../../src/kit/environment.ts';

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

function faults(text: string): string[] {
  const document = parseDocument('a.yaml', text);
  if (!document.ok) return document.diagnostics.map(formatDiagnostic);
  const checked = checkDocument(document.value, schema);
  return checked.ok ? [] : checked.diagnostics.map(formatDiagnostic);
}

describe('a check', () => {
  const FAULTS: Readonly<Record<string, string | readonly string[]>> = {
    'name: x\nlod: {}\n': '2:1: unknown key "lod"; did you mean "load"?',
    'name: x\nload:\n  concurency: 4\n': '3:3: unknown key "concurency"; did you mean "concurrency"?',
    'name: x\nzzzzzz: 1\n':
      '2:1: unknown key "zzzzzz"; known keys are name, load, timeout, seeds, bound, from, auth, x,y, names',
    'name: x\n"x,z": true\n': '2:1: unknown key "x,z"; did you mean "x,y"?',
    '{}': '1:1: missing key "name"; add it: what it is called',
    '': '1:1: this must be a mapping, but is empty; write keys and values',
    'nmae: x\n': '1:1: unknown key "nmae"; did you mean "name"?',
    'name: 1\n': '1:7: "name" must be a string, not 1; write "1"',
    'name: x\nload: { order: { toString: paired } }\n':
      '2:16: "order" must not be a mapping; known are paired, mixed, sequential',
    'name: x\nauth: { in: [{ toString: header, valueOf: query }] }\n':
      '2:13: "in" must not be a list; known are header, query',
    'name: x\nload: { concurrency: "4", order: piared }\n': [
      '2:22: "concurrency" must be a whole number, not "4"; write 4',
      '2:34: "order" must not be "piared"; did you mean "paired"?',
    ],
    'name: x\nload: { concurrency: 9 }\n': '2:22: "concurrency" must be at most 8, not 9; write 8 or less',
    'name: x\ntimeout: 2 s\n': '2:10: "timeout" must be a duration; write 2s',
    'name: x\nnames: { A: true }\n': '2:10: the name "A" must be lower-case; rename it',
    'name: x\nseeds: 5\n':
      '2:8: "seeds" must be a list or a mapping, not 5; write [5], or { first: 1, count: 1 }, or { random: 1, from: 1 }',
    'name: x\nseeds: [1, x]\n':
      '2:12: item 2 of "seeds" must be a whole number, not "x"; write a whole number, without quotes',
    'name: x\nseeds: { frist: 1, count: 3 }\n': '2:10: unknown key "frist"; did you mean "first"?',
    'name: x\nbound: 5 %\n': '2:8: "bound" must be a percentage; write 5%',
    'name: x\nbound: []\n': '2:8: "bound" must be a number or a percentage; write 5%',
    'name: x\nfrom: boddy\n': '2:7: "from" must be body, not "boddy"; write body',
    'name: x\nfrom: { ta: 1, x: 2 }\n': [
      '2:9: unknown key "ta"; did you mean "at"?',
      '2:16: unknown key "x"; known keys are at',
    ],
    'name: x\nfrom: [1]\n': '2:8: item 1 of "from" must be a string, not 1; put it in quotes to make it a string',
    'name: x\nfrom: 1\n': '2:7: "from" must be body, a list or a mapping, not 1; write for example body',
    'name: x\nauth: { in: cookie }\n': '2:13: "in" must not be "cookie"; known are header, query',
    'name: x\nauth: {}\n': '2:1: missing key "in"; write header or query',
    'name: x\nseeds: { random: 3 }\n': '2:1: missing key "from"; add it',
  };
  test.each(Object.entries(FAULTS))('a check refuses %j', (text, says) => {
    expect(faults(text)).toEqual([says].flat().map((each) => `a.yaml:${each}`));
  });
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
  const document = parseDocument('a.yaml', text);
  if (!document.ok) throw new Error('the text is YAML');
  return expandEnvironment(document.value, env);
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

  const FAULTS: Readonly<Record<string, string>> = {
    'a: 1\nb: ${env.NOPE}\n': '2:4: the environment variable NOPE is not set; set it, or write ${env.NOPE:-default}',
    'b: ${env.constructor}\n':
      '1:4: the environment variable constructor is not set; set it, or write ${env.constructor:-default}',
    'b: "${env.A-B}"\n': '1:4: "${env." is not followed by a valid name; write ${env.NAME} or ${env.NAME:-default}',
    'b: "${env.A"\n': '1:4: "${env." is not followed by a valid name; write ${env.NAME} or ${env.NAME:-default}',
    'b: ${env.EVIL}\n': '1:4: the value of the environment variable EVIL holds "${"; give it a value without "${"',
  };
  test.each(Object.entries(FAULTS))('the reference %j gets a diagnostic', (text, says) => {
    const expanded = expand(text, { EVIL: '${secret.RETAKE_API_KEY}' });
    expect(expanded.ok ? [] : expanded.diagnostics.map(formatDiagnostic)).toEqual([`a.yaml:${says}`]);
  });
});
