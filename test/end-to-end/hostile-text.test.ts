import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { filesBelow, retakeHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* Texts of others, wherever they come from, on the terminal and in files: they are shown, and move nothing. */

/**
 * Colours, a title, a link (OSC 8), a cursor that goes up, a C1 control, a bidirectional override, a bell, a carriage
 * return.
 */
const HOSTILE =
  '\u001b[31mred\u001b]0;title\u0007\u001b]8;;http://evil.example\u001b\\link\u001b[2A\u009b2J\u202egpj.exe\u0007\rover';
const FORMULA = '=cmd|calc!A1';
/** Line feeds and tabs are ours. */
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * What the runner of GitHub Actions takes for a command, but for our own; where a line is broken is not known to whom
 * sends it.
 */
const COMMANDS = `${' ::stop-commands::x'.repeat(20)} ##[error]y`;
const ACTS_IN_JOB = /^\s*::(?!\u200b|error title=Retake%3A )|##\[(?!\u200b)/;

it('texts of a server, a suite and file names do nothing on the terminal and in a job of GitHub Actions, in any command', async () => {
  const good = (await smallImage('any')).bytes;
  const server = await serve((seen, response) => {
    if (seen.body.includes('fails')) {
      response.writeHead(500, { 'content-type': 'application/json', 'x-request-id': 'a\u00a0b' });
      return void response.end(JSON.stringify({ code: HOSTILE, message: `${FORMULA}${HOSTILE}${COMMANDS}` }));
    }
    if (seen.body.includes('page')) return void response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTILE);
    response.writeHead(200, { 'content-type': 'image/png' }).end(good);
  });
  const folder = freshFolder();
  // A file system takes all of it but "/".
  const named = HOSTILE.replaceAll('/', '_');
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(
    join(folder, 'targets', 'own', 'images.yaml'),
    `target: 1
id: own/images
kind: text-to-image
base_url: ${server.url}
const: { style: ${JSON.stringify(HOSTILE)} }
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}", style: "\${const.style}" } }
result: { from: body, expect: image/* }
fail: [{ when: { status: 500 }, is: error, code: $.code, message: [$.message] }]
`,
  );
  writeFileSync(join(folder, `${named}.txt`), `it fails ${HOSTILE}\n`);
  writeFileSync(join(folder, `${named}.png`), good);
  const suite = `suite: 1
name: hostile
description: ${JSON.stringify(HOSTILE)}
variants: { one: { target: own/images }, two: { target: own/images, const: { style: ${JSON.stringify(`${FORMULA}${HOSTILE}`)} } } }
prompts:
  - ${JSON.stringify({ id: 'fine', text: `${FORMULA} ${HOSTILE}`, tags: [HOSTILE] })}
  - ${JSON.stringify({ id: 'paged', text: `a page ${HOSTILE}` })}
  - ${JSON.stringify({ from: `${named}.txt` })}
repeats: 3
limits: { failures: 100% }
load: { warmup: 0 }
gate: [{ metric: error_rate, max: 60% }]
`;
  writeFileSync(join(folder, `${named}.yaml`), suite);
  writeFileSync(join(folder, 'wrong.yaml'), suite.replace('repeats: 3', `repeats: 3\n${JSON.stringify(HOSTILE)}: 1`));

  const commands = [
    ['validate', `${named}.yaml`, 'wrong.yaml', `${HOSTILE}.yaml`],
    ['plan', `${named}.yaml`, '--bodies'],
    ['plan', `${named}.yaml`, '--set', `repeats=${HOSTILE}`],
    ['run', `${named}.yaml`],
    ['run', `${named}.yaml`, '--quiet', '--set', `limits.${HOSTILE}=1`],
    ['report', 'results/hostile'],
    ['report', `results/${HOSTILE}`],
    ['gate', 'results/hostile'],
    ['history', 'hostile'],
    ['history', HOSTILE],
    ['try', 'own/images', '--bodies', '--prompt', `it fails ${HOSTILE}`],
    ['try', HOSTILE],
    ['targets', 'own/images'],
    ['targets', HOSTILE],
    ['inspect', `${named}.png`, `${named}.txt`],
    [HOSTILE],
    ['run', `--${HOSTILE}`],
  ];
  const acting: string[] = [];
  for (const command of commands) {
    const { code, stdout, stderr } = await retakeHere(command, folder, { GITHUB_ACTIONS: 'true' });
    expect(code, command[0]).not.toBe(5);
    const line = `${stdout}${stderr}`.split('\n').find((text) => ACTS.test(text) || ACTS_IN_JOB.test(text));
    if (line !== undefined) acting.push(`${command[0]}: ${JSON.stringify(line)}`);
  }
  expect(acting).toEqual([]);

  // What a run is called leads nowhere else, and no cell is a formula.
  expect(readdirSync(join(folder, 'results'))).toEqual(['hostile']);
  const tables = filesBelow(join(folder, 'results')).filter((file) => file.endsWith('.csv'));
  expect(tables.length).toBeGreaterThan(2);
  for (const file of tables) expect(readFileSync(file, 'utf8'), file).not.toMatch(/(^|,|\r?\n)"?[=@]/);
});
