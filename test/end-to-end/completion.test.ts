import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
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

let script: string;
beforeAll(() => {
  const printed = spawnSync(process.execPath, [PROGRAM, 'completion', 'bash'], { encoding: 'utf8' });
  expect({ status: printed.status, stderr: printed.stderr }).toEqual({ status: 0, stderr: '' });
  script = join(freshFolder(), 'completion.bash');
  writeFileSync(script, printed.stdout);
});

/** What bash completes the last word to, with the script that the program prints. */
function completions(folder: string, ...words: readonly string[]): readonly string[] {
  const completing = `source '${script}' && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) &&
complete -p retake >&2 && _retake_completion retake && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', completing, 'bash', 'retake', ...words], {
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
    expect(completions(folder, 'ba')).toEqual(['baseline']);
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

  it('completion in bash offers the keys of a suite behind --set, and the values of a key that has a few', () => {
    const folder = userFolder();
    expect(completions(folder, 'run', 'suite.yaml', '--set', 'load.')).toEqual(
      expect.arrayContaining(['load.concurrency=', 'load.order=']),
    );
    expect(completions(folder, 'run', 'suite.yaml', '--set', 'load.order')).toEqual(['load.order=']);
    // Bash parts a word at the sign, and completes what is behind it.
    expect(completions(folder, 'run', 'suite.yaml', '--set', 'load.order', '=')).toEqual([
      'paired',
      'mixed',
      'sequential',
    ]);
    expect(completions(folder, 'run', 'suite.yaml', '--set', 'load.order', '=', 'p')).toEqual(['paired']);
  });

  it('completion in bash goes on in a path that was typed with quotes or with a backslash', () => {
    const folder = userFolder();
    for (const typed of ['my\\ suites/f', "'my suites/f", '"my suites/f'])
      expect(completions(folder, 'run', typed)).toEqual(['my suites/first.yaml']);
  });

  it('completion in bash offers a name of wildcards unchanged, and none with control characters', () => {
    const folder = userFolder();
    for (const name of ['*.yaml', 'red\u001b[31m.yaml', 'folder\u001b]0;x\u0007/s.yaml', 'two\nlines.yaml']) {
      mkdirSync(dirname(`${folder}/wild/${name}`), { recursive: true });
      writeFileSync(`${folder}/wild/${name}`, '');
    }
    expect(completions(folder, 'run', 'wild/')).toEqual(['wild/*.yaml']);
  });

  it('completion in bash offers no file for what only its user knows', () => {
    const folder = userFolder();
    expect(completions(folder, 'try', 'reference/text-to-image', '--prompt', '')).toEqual([]);
    expect(completions(folder, 'init', '--target', 'openai/im')).toEqual(expect.arrayContaining(['openai/images']));
  });
});

const HAS_ZSH = spawnSync('zsh', ['--version']).status === 0;

/**
 * Types each line into an interactive zsh, presses the tabulator, and waits for what it is to become; then clears the
 * line.
 */
const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
await() {
  seen=''
  for (( at = 0; at < 100; at++ )); do
    while zpty -r -t shell piece; do seen+=$piece; done
    [[ \${(V)seen} == *$1* ]] && return
    sleep 0.1
  done
}
zpty -w shell 'PS1="> "; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print READY=$PWD'
await 'READY=/'
for typed expected in "$@"; do
  zpty -w -n shell "$typed"$'\\t'
  await "$expected"
  print -r -- "\${(V)seen}"
  zpty -w -n shell $'\\x15'
done`;

describe.skipIf(!HAS_ZSH)('completion in zsh', () => {
  it('completion in zsh completes options, paths with a space and settings as they are typed', () => {
    const folder = userFolder();
    const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}`, TERM: 'vt100' };
    const script = spawnSync(process.execPath, [PROGRAM, 'completion', 'zsh'], { cwd: folder, encoding: 'utf8' });
    writeFileSync(`${folder}/_retake`, script.stdout);
    const completed = [
      ['retake run --un', 'retake run --until-decided'],
      ["retake run 'my suites/f", "retake run 'my suites/first.yaml'"],
      ['retake run my\\ suites/f', 'retake run my\\ suites/first.yaml'],
      ['retake run s.yaml --set load.order=p', '--set load.order=paired'],
    ] as const;
    const { stdout } = spawnSync('zsh', ['-fc', ZSH, 'zsh', ...completed.flat()], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    for (const [, expected] of completed) expect(stdout).toContain(expected);
  });
});
