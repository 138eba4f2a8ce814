import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';

/* What bash offers behind `retake`, asked of bash itself. */

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A folder with a suite, a suite whose name has a space, a run, and the program in its PATH. */
function userFolder(): string {
  const folder = freshFolder();
  for (const path of ['bin', 'results/demo/20260101T000000Z-1a2b', 'my suites', 'targets/own']) {
    mkdirSync(`${folder}/${path}`, { recursive: true });
  }
  writeFileSync(`${folder}/bin/retake`, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(`${folder}/bin/retake`, 0o755);
  for (const path of ['suite.yaml', 'notes.txt', 'my suites/first.yaml']) writeFileSync(`${folder}/${path}`, '');
  writeFileSync(`${folder}/results/demo/20260101T000000Z-1a2b/run.json`, '{}');
  return folder;
}

/** What bash completes the last word to, with the script that the program prints. */
function completions(folder: string, ...words: readonly string[]): readonly string[] {
  const script = `source <(retake completion bash) && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) &&
complete -p retake >&2 && _retake_completion retake && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', 'retake', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'complete -o filenames -F _retake_completion retake\n' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it('completion in bash offers commands, and what begins with what is typed', () => {
    const folder = userFolder();
    expect(completions(folder, '')).toEqual(expect.arrayContaining(['run', 'plan', 'validate', 'completion']));
    expect(completions(folder, 'ca')).toEqual(['calibrate']);
  });

  it('completion in bash offers the options of the command, and their choices', () => {
    const folder = userFolder();
    expect(completions(folder, 'run', '--un')).toEqual(['--until-decided']);
    expect(completions(folder, 'serve', '--e')).toEqual([]); // hidden
    expect(completions(folder, 'report', 'results/demo', '--format', 'j')).toEqual(['json', 'junit']);
    expect(completions(folder, 'targets', '--kind', '')).toContain('text-to-video');
  });

  it('completion in bash offers suite files and the folders on the way to them', () => {
    const folder = userFolder();
    const offered = completions(folder, 'run', '');
    expect(offered).toEqual(expect.arrayContaining(['demo', 'suite.yaml', 'my suites/']));
    expect(offered).not.toContain('notes.txt');
    expect(completions(folder, 'run', '--quiet', 'my suites/f')).toEqual(['my suites/first.yaml']);
  });

  it('completion in bash offers targets by their names', () => {
    expect(completions(userFolder(), 'try', 'reference/text-to-')).toEqual([
      'reference/text-to-image',
      'reference/text-to-video',
    ]);
  });

  it('completion in bash offers the folders of runs, and ends at them', () => {
    const folder = userFolder();
    expect(completions(folder, 'view', 'res')).toEqual(['results/']);
    expect(completions(folder, 'gate', 'results/demo/')).toEqual(['results/demo/20260101T000000Z-1a2b']);
    expect(completions(folder, 'run', '--resume', 'results/demo/2')).toEqual(['results/demo/20260101T000000Z-1a2b']);
    expect(completions(folder, 'history', 'd')).toEqual(['demo']);
  });
});
