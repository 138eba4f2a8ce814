import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { fileFaultOf, unreadable } from '../../src/kit/diagnostic.ts';

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
