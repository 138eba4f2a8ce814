import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { resolveTry } from '../../src/commands/measuring/try.ts';
import { validateCommand } from '../../src/commands/measuring/validate.ts';
import { formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { prepareSuite } from '../../src/run/prepare-suite.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { memoryEdge } from '../fixtures/memory-edge.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';

const TARGET = `target: 1
id: own/videos
kind: image-to-video
base_url: http://127.0.0.1:9
submit: { path: /g, encoding: json, body_file: "\${env.GRAPH:-graph.json}", set: { "/p": "\${case.prompt}", "/i": "\${case.image | b64}" } }
result: { from: body }
`;
const GRAPH = '{ "p": "", "i": "" }';
const SUITE = `suite: 1
name: s
variants: { a: { target: own/videos } }
prompts:
`;
const NO_BODY = { GRAPH: 'graph.json' };
const OUTSIDE = 'it is outside the folder of the suite; move it there, or add --allow-outside';
const LINK = 'a link leads out of the folder of the suite; replace the link by the file itself, or add --allow-outside';

let root: string;
let cwd: string;

/* The suite is s.yaml in work/suites; secret.txt and the like, above work, are not its own. */
beforeEach(() => {
  root = realpathSync(freshFolder());
  cwd = join(root, 'work');
  put('secret.txt', 'root:x:0:0\n');
  put('graph.json', GRAPH);
  put('work/suites/in.png', Buffer.from(MEDIA.png.bytes));
  cpSync(join(cwd, 'suites', 'in.png'), join(root, 'private.png'));
  put('work/suites/prompts/ours.csv', 'text,image\na fox,../in.png\n');
  put('work/suites/targets/own/graph.json', GRAPH);
  put('work/suites/targets/own/videos.yaml', TARGET);
});

function put(path: string, content: string | Buffer): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

async function prepared(prompts: string, more: Partial<Parameters<typeof prepareSuite>[1]> = {}) {
  put('work/suites/s.yaml', `${SUITE}  - ${prompts}\n`);
  const suite = await prepareSuite('suites/s.yaml', { env: NO_BODY, cwd, ...more });
  return suite.ok ? 'ok' : suite.diagnostics.map(formatDiagnostic).join('\n');
}

describe('files that a suite names', () => {
  test('files below its own folder are read, also by way of ".." and of links that stay there', async () => {
    expect(await prepared('{ from: prompts/ours.csv }')).toBe('ok');
    symlinkSync(join(cwd, 'suites', 'prompts'), join(cwd, 'suites', 'linked'));
    expect(await prepared('{ from: linked/../prompts/ours.csv }')).toBe('ok');
    expect(await prepared('{ from: linked/ours.csv }')).toBe('ok');
  });

  test.each([
    ['by ".."', '{ from: ../../secret.txt }'],
    ['by an absolute path', '{ from: ROOT/secret.txt }'],
    ['that does not exist', '{ from: ../../nothing.txt }'],
  ])('a prompt file outside is refused at its place: %s', async (_what, prompts) => {
    const told = await prepared(prompts.replace('ROOT', root));
    expect(told).toMatch(/^suites\/s\.yaml:5:\d+: cannot read \S+\.txt: /);
    expect(told).toContain(OUTSIDE);
    expect(told).not.toContain('root:x');
  });

  test('a prompt file behind a link that leaves the folder is refused, whether the file or a folder is the link', async () => {
    symlinkSync(join(root, 'secret.txt'), join(cwd, 'suites', 'prompts.txt'));
    symlinkSync(root, join(cwd, 'suites', 'up'));
    for (const path of ['prompts.txt', 'up/secret.txt']) {
      expect(await prepared(`{ from: ${path} }`)).toContain(`cannot read suites/${path}: ${LINK}`);
    }
  });

  test('an image outside is refused at its place, in the suite and in a prompt file', async () => {
    const inline = await prepared('{ text: a fox, image: ../../private.png }');
    expect(inline).toMatch(/^suites\/s\.yaml:5:\d+: cannot use \S+private\.png: /);
    expect(inline).toContain(OUTSIDE);
    put('work/suites/prompts/theirs.csv', `text,image\na fox,${join(root, 'private.png')}\n`);
    const inFile = await prepared('{ from: prompts/theirs.csv }');
    expect(inFile).toMatch(/^suites\/prompts\/theirs\.csv:2:1: cannot use \S+private\.png: /);
  });

  test('a target outside is refused at its place; one that comes with Retake is not', async () => {
    put('own.yaml', TARGET);
    const outside = await prepared('{ text: a fox, image: in.png }', {
      overrides: ['variants.a.target=../../own.yaml'],
    });
    expect(outside).toContain(`own.yaml: ${OUTSIDE}`);
    const preset = { overrides: ['variants.a.target=reference/image-to-video'] };
    expect(await prepared('{ text: a fox, image: in.png }', preset)).toBe('ok');
  });

  test('a stored body outside is refused at its place in the target, also where a variable names it', async () => {
    const told = await prepared('{ text: a fox, image: in.png }', { env: { GRAPH: '../../../../graph.json' } });
    expect(told).toContain('graph.json: it is outside the folder of the suite');
    put('work/suites/targets/own/videos.yaml', TARGET.replace('${env.GRAPH:-graph.json}', join(root, 'graph.json')));
    expect(await prepared('{ text: a fox, image: in.png }')).toMatch(
      /^suites\/targets\/own\/videos\.yaml:5:\d+: cannot read \S+graph\.json: it is outside/,
    );
  });

  test('--allow-outside allows all of them', async () => {
    put('own.yaml', TARGET);
    symlinkSync(join(root, 'private.png'), join(cwd, 'suites', 'linked.png'));
    put('prompts.csv', `text,image\na fox,${join(cwd, 'suites', 'linked.png')}\n`);
    const overrides = ['variants.a.target=../../own.yaml'];
    expect(await prepared('{ from: ../../prompts.csv }', { overrides, allowOutside: true })).toBe('ok');
  });
});

test('a target that is tried or validated alone reads its stored body below its own folder only', async () => {
  put('work/mine/t.yaml', TARGET.replace('${env.GRAPH:-graph.json}', '../../graph.json'));
  const edge = memoryEdge(cwd);
  const refusal =
    'mine/t.yaml:5:48: cannot read ' +
    `${join(root, 'graph.json')}: it is outside the folder of the target; move it there, or add --allow-outside`;
  const request = { target: './mine/t.yaml', prompt: 'a fox', seed: 1, set: [], image: ['suites/in.png'] };
  const tried = await resolveTry(request, edge);
  expect(tried.ok ? [] : tried.diagnostics.map(formatDiagnostic)).toEqual([refusal]);
  expect((await resolveTry({ ...request, allowOutside: true }, edge)).ok).toBe(true);

  expect(await validateCommand({ files: ['mine/t.yaml'], quiet: true, allowOutside: false }, edge)).toBe(2);
  expect(edge.stderr()).toContain(refusal);
  expect(await validateCommand({ files: ['mine/t.yaml'], quiet: true, allowOutside: true }, edge)).toBe(0);
});
