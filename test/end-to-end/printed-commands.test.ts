import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { servePaid } from '../fixtures/paid-service.ts';
import { retakeHere, serveHere } from '../fixtures/retake-here.ts';
import { PROGRAM } from '../fixtures/retake-process.ts';

/* Every command that is printed for a user to paste does what it is printed for, as it stands. */

let shell: Readonly<Record<string, string | undefined>>;
beforeAll(() => {
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'retake'),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(PROGRAM)} "$@"\n`,
    { mode: 0o755 },
  );
  shell = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` };
});

/** Not at once: the server that it calls is in this process. */
function paste(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number | string; command: string; stderr: string }>((resolve) => {
    execFile('bash', ['-c', command], { cwd, env: { ...shell, ...env } }, (error, _, stderr) => {
      resolve({ status: error?.code ?? 0, command, stderr });
    });
  });
}

/** Commands at the end of a line, behind what they are for, or before a comment. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:^ *|: )(retake [a-z][^#\n]*?)(?: +#.*)?$/gm)].map(([, command = '']) => command);
}

const PAID = `suite: 1
name: paid
variants: { image: { target: ./image.yaml } }
prompts: [a fox, a cat, a house, a boat]
repeats: 1
load: { warmup: 1 }
reports: [csv]
`;

test.each([
  ['requests', '{ requests: 3 }', ' --set limits.requests=5'],
  ['US dollars', '{ usd: 0.025 }', ' --set limits.usd=0.06'],
])('a run that a limit of %s has stopped prints a command that measures the rest', async (_, limits, raised) => {
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const cwd = freshFolder();
  const submit = '{ path: /image, encoding: json, body: { prompt: "${case.prompt}", seed: "${case.seed}" } }';
  const price = '{ per: request, usd: 0.01 }';
  const target = `target: 1\nid: test/image\nkind: text-to-image\nbase_url: ${service.url}\nsubmit: ${submit}\nresult: { from: body, expect: image/* }\nprice: ${price}\n`;
  writeFileSync(join(cwd, 'image.yaml'), target);
  writeFileSync(join(cwd, 'suite.yaml'), `${PAID}limits: ${limits}\n`);
  const { code, stderr } = await retakeHere(['run', 'suite.yaml', '--quiet'], cwd);
  expect(code).toBe(3);
  const [command = '', ...more] = commandsIn(stderr);
  expect(more).toEqual([]);
  expect(command.endsWith(raised)).toBe(true);
  expect(await paste(command, cwd)).toMatchObject({ status: 0 });
});

test('the next steps that init prints, for a server of the user on this machine', async () => {
  const service = await serveHere(['{ cached: {} }']);
  onTestFinished(() => service.close());
  const cwd = freshFolder();
  const target = ['--target', 'reference/text-to-image', '--base-url', service.url];
  const made = await retakeHere(['init', 'first.yaml', ...target, '--model', 'fast-lcm'], cwd, service.env);
  const commands = commandsIn(made.stdout);
  expect(commands.map((command) => command.split(' ')[1])).toEqual(['try', 'plan', 'run']);
  // A run of this suite takes long; its plan says the same of what it asks for.
  for (const command of commands.slice(0, 2))
    expect(await paste(command, cwd, service.env)).toMatchObject({ status: 0 });
});
