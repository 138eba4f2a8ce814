import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { PROGRAM, retakeHere } from '../fixtures/retake-process.ts';

/* What a shell offers behind `retake`, asked of the shell itself. */

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

it('completion in bash offers commands, and nothing where bash completes files', () => {
  const folder = userFolder();
  writeFileSync(`${folder}/completion.bash`, scriptOf('bash'));
  const completing = `source completion.bash && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) &&
complete -p retake >&2 && _retake_yargs_completions && printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
  const complete = (...words: readonly string[]) =>
    spawnSync('bash', ['-c', completing, 'bash', 'retake', ...words], { cwd: folder, encoding: 'utf8', env });
  // By default: bash completes files where nothing else is offered.
  const stderr = 'complete -o bashdefault -o default -F _retake_yargs_completions retake\n';
  expect(complete('ba')).toMatchObject({ status: 0, stderr, stdout: 'baseline\n' });
  expect(complete('run', 's')).toMatchObject({ status: 0, stderr, stdout: '\n' });
});

it.each([
  ['no hidden option', ['serve', '--e'], []],
  ['targets', ['try', 'reference/text-to-i'], ['reference/text-to-image']],
  ['suites that were run', ['history', 'mi'], ['mine']],
  ['settings of a suite', ['plan', 'suite.yaml', '--set', 'load.conc'], ['load.concurrency=']],
  ['the choices of an option', ['report', 'results/demo', '--format', 'j'], ['json', 'junit']],
])('completion offers %s', async (_what, words, expected) => {
  const { stdout } = await retakeHere(['--get-yargs-completions', 'retake', ...words], userFolder());
  // The shell leaves out what does not begin as typed.
  expect(stdout.split('\n').filter((line) => line.startsWith(words.at(-1) ?? ''))).toEqual(expected);
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
