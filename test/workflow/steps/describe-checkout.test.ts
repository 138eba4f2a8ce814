import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeCheckout } from '../../../src/workflow/run-header.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

const ENV = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

function checkout(): { readonly folder: string; readonly git: (...args: readonly string[]) => string } {
  const folder = freshFolder();
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...who, ...args], { env: ENV, encoding: 'utf8' }).trim();
  git('init', '-q');
  mkdirSync(join(folder, 'prompts'));
  writeFileSync(join(folder, 'suite.yaml'), 'suite: 1\n');
  writeFileSync(join(folder, 'prompts/a [1]*.txt'), 'A red fox\n');
  writeFileSync(join(folder, 'other.txt'), 'other\n');
  git('add', '.');
  git('commit', '-qm', 'begin');
  return { folder, git };
}

it('a checkout is dirty where a declared file differs from its commit, and only there', async () => {
  const { folder, git } = checkout();
  const commit = git('rev-parse', 'HEAD');
  const files = [join(folder, 'suite.yaml'), join(folder, 'prompts/a [1]*.txt'), '/elsewhere/target.yaml'];
  const look = (declared = files) => describeCheckout(folder, declared, ENV);
  expect(await look()).toEqual({ commit, dirty: false });
  writeFileSync(join(folder, 'other.txt'), 'changed\n');
  expect(await look()).toEqual({ commit, dirty: false });
  writeFileSync(join(folder, 'new.yaml'), 'target: 1\n');
  expect(await look([...files, join(folder, 'new.yaml')])).toEqual({ commit, dirty: true });
  writeFileSync(join(folder, 'prompts/a [1]*.txt'), 'A red fox\r\n');
  expect(await look()).toEqual({ commit, dirty: false });
  writeFileSync(join(folder, 'prompts/a [1]*.txt'), 'A blue fox\n');
  expect(await look()).toEqual({ commit, dirty: true });
  expect(await describeCheckout(freshFolder(), [], ENV)).toBeNull();
});

it('a checkout whose configuration names programs does not run them', async () => {
  const { folder, git } = checkout();
  const touched = join(folder, 'touched');
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${touched}\n`);
  chmodSync(program, 0o755);
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['core.pager', program],
    ['core.sshCommand', program],
    ['core.gitProxy', program],
    ['core.hooksPath', folder],
    ['filter.x.clean', program],
    ['filter.x.process', program],
    ['diff.x.textconv', program],
    ['diff.external', program],
    ['alias.rev-parse', `!${program}`],
    ['alias.ls-tree', `!${program}`],
    ['remote.origin.url', `ext::${program} %S`],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryFormatVersion', '1'],
    ['protocol.ext.allow', 'always'],
  ] as const)
    git('config', key, value);
  writeFileSync(join(folder, '.gitattributes'), '* filter=x diff=x\n');
  writeFileSync(join(folder, 'suite.yaml'), 'suite: 1 # changed\n');
  const env = { ...ENV, GIT_EXTERNAL_DIFF: program, GIT_PAGER: program, GIT_DIR: '/nowhere' };
  expect(await describeCheckout(folder, [join(folder, 'suite.yaml')], env)).toMatchObject({ dirty: true });
  expect(existsSync(touched)).toBe(false);
  // A partial clone that lacks its tree would fetch it by the transport that its configuration names.
  const tree = git('rev-parse', 'HEAD^{tree}');
  execFileSync('rm', ['-f', join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2))]);
  expect(await describeCheckout(folder, [join(folder, 'suite.yaml')], env)).toBeNull();
  expect(existsSync(touched)).toBe(false);
  // The same configuration does run a program where status is asked for: the trap is a trap.
  spawnSync('git', ['-C', folder, 'ls-files', '-m'], { env: ENV });
  expect(existsSync(touched)).toBe(true);
});
