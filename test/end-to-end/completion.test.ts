import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';

/* What a shell offers behind `retake`, asked of the shell itself. */

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A folder with a suite, and the program in its PATH. */
function userFolder(): string {
  const folder = freshFolder();
  mkdirSync(`${folder}/bin`);
  mkdirSync(`${folder}/results/mine`, { recursive: true });
  writeFileSync(`${folder}/bin/retake`, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(`${folder}/bin/retake`, 0o755);
  writeFileSync(`${folder}/suite.yaml`, '');
  return folder;
}

function scriptOf(shell: string): string {
  const env = { ...process.env, SHELL: `/bin/${shell}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'completion'], { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('completion in bash', () => {
  let folder: string;
  beforeAll(() => {
    folder = userFolder();
    writeFileSync(`${folder}/completion.bash`, scriptOf('bash'));
  });

  /** What bash completes the last word to, with the script that the program prints. */
  function completions(...words: readonly string[]): readonly string[] {
    const completing = `source completion.bash && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) &&
complete -p retake >&2 && _retake_yargs_completions && printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', completing, 'bash', 'retake', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` },
    });
    // By default: bash completes files where nothing else is offered.
    const registered = 'complete -o bashdefault -o default -F _retake_yargs_completions retake\n';
    expect({ status, stderr }).toEqual({ status: 0, stderr: registered });
    return stdout.split('\n').filter((line) => line !== '');
  }

  it.each([
    ['commands', ['ba'], ['baseline']],
    ['no hidden option', ['serve', '--e'], []],
    ['targets', ['try', 'reference/text-to-i'], ['reference/text-to-image']],
    ['suites that were run', ['history', 'mi'], ['mine']],
    ['settings of a suite', ['plan', 'suite.yaml', '--set', 'load.conc'], ['load.concurrency=']],
    ['the choices of an option', ['report', 'results/demo', '--format', 'j'], ['json', 'junit']],
    ['nothing where bash completes files', ['run', 's'], []],
  ])('completion in bash offers %s', (_what, words, expected) => {
    expect(completions(...words)).toEqual(expected);
  });
});

const HAS_ZSH = spawnSync('zsh', ['--version']).status === 0;

/** Types a line into an interactive zsh, presses the tabulator, and waits for what it is to become. */
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

it.skipIf(!HAS_ZSH)('completion in zsh completes options and files as they are typed', () => {
  const folder = userFolder();
  const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}`, TERM: 'vt100' };
  writeFileSync(`${folder}/_retake`, scriptOf('zsh'));
  const completed = [
    ['retake run --un', 'retake run --until-decided'],
    ['retake run su', 'retake run suite.yaml'],
  ] as const;
  const { stdout } = spawnSync('zsh', ['-fc', ZSH, 'zsh', ...completed.flat()], { cwd: folder, encoding: 'utf8', env });
  for (const [, expected] of completed) expect(stdout).toContain(expected);
});
