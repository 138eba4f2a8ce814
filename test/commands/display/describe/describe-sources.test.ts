import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planCommand } from '../../../../src/commands/measuring/plan.ts';
import { freshFolder } from '../../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';

const TARGET = `target: 1
id: own/images
kind: text-to-image
base_url: https://api.example.com/v1
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
origins: { auth: [base, "https://queue.example.com"], download: ["https://*.cdn.example.com"] }
const: { model: "\${env.HOME_MODEL}" }
submit: { path: /g, encoding: json, body_file: graph.json, set: { "/p": "\${case.prompt}", "/m": "\${const.model}" } }
result: { from: body }
`;

async function planned(suite: string, json = false): Promise<string> {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  mkdirSync(join(cwd, 'prompts'));
  writeFileSync(join(cwd, 'targets', 'own', 'images.yaml'), TARGET);
  writeFileSync(join(cwd, 'targets', 'own', 'graph.json'), '{ "p": "", "m": "" }');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) writeFileSync(join(cwd, 'prompts', `${name}.txt`), `${name}\n`);
  writeFileSync(join(cwd, 's.yaml'), `suite: 1\nname: s\n${suite}\n`);
  const edge = memoryEdge(cwd, { HOME_MODEL: 'large', OWN_KEY: 'sk-0123456789' });
  expect(await planCommand({ suite: 's.yaml', set: [], json, bodies: false }, edge)).toBe(0);
  return edge.stdout().replaceAll(JSON.stringify(cwd).slice(1, -1), '/project');
}

test('retake plan names each key, variable and file that a suite takes, and the origins that may get it', async () => {
  const text = await planned(`variants:
  own: { target: own/images }
  ours: { target: reference/text-to-image, const: { model: "\${env.MODEL:-fast}" } }
prompts: [{ from: prompts/a.txt }]`);
  expect(text).toContain(`
Taken from the environment and from files, and where each may be sent:
  OWN_KEY (key): https://api.example.com, https://queue.example.com
  HOME_MODEL (variable): https://api.example.com, https://queue.example.com, https://*.cdn.example.com
  MODEL (variable, not set): https://api.example.com, https://queue.example.com, https://*.cdn.example.com, embedded:
  RETAKE_BASE_URL (variable, not set): embedded:
  prompts/a.txt: https://api.example.com, embedded:
  targets/own/graph.json: https://api.example.com
  targets/own/images.yaml: https://api.example.com
`);
  expect(text).not.toContain('sk-0123456789');
});

test('retake plan counts the files of a folder that holds many of them', async () => {
  const prompts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `{ from: prompts/${name}.txt }`).join(', ');
  const text = await planned(`variants: { own: { target: own/images } }\nprompts: [${prompts}]`);
  expect(text).toContain('\n  prompts (6 files): https://api.example.com\n');
});

test('retake plan of a preset names its key, and no file of Retake', async () => {
  const text = await planned('variants: { own: { target: openai/images } }\nprompts: [a]');
  expect(text).toContain('  OPENAI_API_KEY (key, not set): https://api.openai.com\n');
  expect(text).not.toMatch(/\.yaml:/);
});

test('retake plan --json gives each key, variable and file a line of data, files by their whole path', async () => {
  const lines = await planned(
    `variants:
  own: { target: own/images }
  ours: { target: reference/text-to-image, const: { model: "\${env.MODEL:-fast}" } }
prompts: [{ from: prompts/a.txt }]`,
    true,
  );
  const sources = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ source }) => (source === undefined ? [] : [source]));
  const all = ['https://api.example.com', 'https://queue.example.com', 'https://*.cdn.example.com'];
  expect(sources).toEqual([
    { kind: 'key', name: 'OWN_KEY', set: true, to: all.slice(0, 2) },
    { kind: 'variable', name: 'HOME_MODEL', set: true, to: all },
    { kind: 'variable', name: 'MODEL', set: false, to: [...all, 'embedded:'] },
    { kind: 'variable', name: 'RETAKE_BASE_URL', set: false, to: ['embedded:'] },
    { kind: 'file', name: '/project/prompts/a.txt', to: ['https://api.example.com', 'embedded:'] },
    { kind: 'file', name: '/project/targets/own/graph.json', to: ['https://api.example.com'] },
    { kind: 'file', name: '/project/targets/own/images.yaml', to: ['https://api.example.com'] },
  ]);
  expect(lines).not.toContain('sk-0123456789');
});

const SCORERS = `variants: { own: { target: own/images } }
prompts: [a, b]
repeats: 2
scorers:
  hps: { use: command, gives: { hps: { better: higher } }, command: [python3, "-c", "print(1)", "\${env.OWN_KEY}"], env: [HOME_MODEL] }
  rated: { use: file, gives: { rated: { better: higher } } }`;

test('retake plan names what each scorer starts and gets, apart from what is sent', async () => {
  const text = await planned(SCORERS);
  expect(text).toContain(`
Scored after measuring, without sending anything:
  scorer hps starts python3 -c 'print(1)' '\${env.OWN_KEY}', with HOME_MODEL, for at most 4 outputs; a run needs --allow-commands
  scorer rated takes values from a file, for at most 4 outputs: retake score RUN --from FILE.csv
`);
  expect(text).not.toContain('sk-0123456789');
  // OWN_KEY is sent as a key; as a variable only the command has it.
  expect(text).toContain('  OWN_KEY (key): ');
  expect(text).not.toContain('OWN_KEY (variable');
  const lines = (await planned(SCORERS, true)).split('\n').filter((line) => line.includes('"scorer"'));
  expect(lines.map((line) => JSON.parse(line).scorer)).toMatchObject([
    { use: 'command', name: 'hps', command: ['python3', '-c', 'print(1)', '${env.OWN_KEY}'], mostOutputs: 4 },
    { use: 'file', name: 'rated', mostOutputs: 4 },
  ]);
});
