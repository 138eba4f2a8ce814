import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { fileFaultOf } from '../../../src/suite/document/file-fault.ts';

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
