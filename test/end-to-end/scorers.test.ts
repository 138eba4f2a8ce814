import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  type Ended,
  onlyRun,
  retakeHere,
  type ServedService,
  serveHere,
  startHere,
  startRetake,
} from '../fixtures/retake-process.ts';
import { ask, serveViewer } from '../fixtures/viewer-process.ts';
import { NIGHTLY } from '../test-options.ts';

/* Programs of the user score the outputs of a real run: what is started, what they are sent, and what it gives. */

const SCORER = fileURLToPath(new URL('../fixtures/sharpness-scorer.mjs', import.meta.url));

/** Digits that occur by chance nowhere. */
const SEEDS = [7_654_321, 8_765_432];

const CANARY = 'canary-8f3b5d21';

const GIVES = 'gives: { sharp: { better: higher } }';

const suiteOf = (plain: string, twin: string, coarse: string) => `suite: 1
name: scored
variants:
  quick: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${plain}', baseline: true }
  twin: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${twin}' }
  coarse: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${coarse}' }
prompts:
  - { id: lighthouse, text: 'A lighthouse on a cliff above a stormy sea, warm light in its window, dusk' }
  - { id: fox, text: A red fox leaping through fresh snow under a pale winter sun }
  - { id: boat, text: 'A boat on a calm sea under a huge moon, clear night, stars', expect: { text: MOON } }
seeds: [${SEEDS.join(', ')}]
repeats: 1
load: { warmup: 0 }
scorers:
  sharp: { use: command, command: [node, ${SCORER}, '\${env.LOG}'], ${GIVES}, env: [NAMED] }
gate: [{ metric: score.sharp, max_decrease: 20 }]
reports: [json]
`;

let folder: string;
let env: Readonly<Record<string, string>>;
let services: readonly ServedService[];
let run: string;
let refused: Ended;
let ended: Ended;

const log = () => join(folder, 'log');
const logged = () => (existsSync(log()) ? readFileSync(log(), 'utf8').trim().split('\n') : []);
/** Beside the line that each process begins with. */
const questions = () => logged().filter((line) => !line.startsWith('{"env"'));
/** What a program was shown and is still there. */
const shownStill = () => questions().filter((line) => existsSync(dirname(JSON.parse(line).media[0])));
const scoresFile = () => join(run, 'scores.jsonl');
const scoreLines = (): readonly ScoreLine[] =>
  readFileSync(scoresFile(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  // One pixel of each of the twin's images differs by one level: the same model, as far as anybody sees.
  const [plain, twin, coarse] = await Promise.all(
    ['{ cached: {} }', '{ one_bit: }', '{ blurred: {} }'].map((rule) => serveHere([rule])),
  );
  if (plain === undefined || twin === undefined || coarse === undefined) throw new Error('three services were started');
  services = [plain, twin, coarse];
  folder = freshFolder();
  env = { ...plain.env, PATH: process.env.PATH ?? '', LOG: log(), NAMED: 'named', CANARY };
  writeFileSync(join(folder, 'suite.yaml'), suiteOf(plain.url, twin.url, coarse.url));
  refused = await retakeHere(['run', 'suite.yaml'], folder, env);
  if (existsSync(log()) || existsSync(join(folder, 'results'))) throw new Error('something was started');
  ended = await retakeHere(['run', 'suite.yaml', '--allow-commands'], folder, env);
  run = onlyRun(join(folder, 'results'));
});

afterAll(() => Promise.all(services.map(({ close }) => close())));

describe('programs that score outputs', () => {
  it('programs are not started by a run that does not allow them, and nothing is sent', () => {
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      `scorers start programs on this machine (sharp: node ${SCORER} '\${env.LOG}'); read what they do, then add --allow-commands\n`,
    );
  });

  it('a rule on a score passes for a variant against itself, and fails for one that lost detail; blurred copies are found', () => {
    const { rules }: Verdict = JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8'));
    expect(rules.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`starts scorer sharp: node ${SCORER} '\${env.LOG}'\n`);
    expect(scoreLines().filter(({ line }) => line === 'value')).toHaveLength(3 * 3 * 2);
    const blurred = scoreLines().flatMap((line) => (line.line === 'control' && line.control === 'blurred' ? line : []));
    expect(blurred.map(({ found }) => found)).toEqual(Array(16).fill({ sharp: true }));
  });

  it('a program gets PATH and the variables that are named, and works in the folder of the suite', () => {
    const [first = ''] = logged();
    const { env: seen, cwd } = JSON.parse(first);
    // libvips, which the program loads, adds VIPSHOME.
    const names = Object.keys(seen).filter((name) => name !== 'VIPSHOME');
    expect(names.sort()).toEqual(['NAMED', 'PATH']);
    expect(cwd).toBe(folder);
    expect(readFileSync(log(), 'utf8')).not.toContain(CANARY);
  });

  it('nothing that a program is sent names a variant, a seed, a run or a digest, and nothing is left of it', () => {
    const sent = questions().join('\n');
    const { id } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
    const media = readdirSync(join(run, 'media'), { recursive: true, encoding: 'utf8' });
    const digests = [
      ...media.flatMap((path) => path.match(/[0-9a-f]{64}/g) ?? []),
      ...scoreLines().flatMap((line) => ('media' in line ? [...line.media, line.key] : [line.by])),
    ];
    expect(digests.length).toBeGreaterThan(100);
    for (const text of [
      'quick',
      'twin',
      'coarse',
      'standard',
      'fast',
      'seed',
      'repeat',
      'reference',
      id,
      ...SEEDS.map(String),
    ]) {
      expect(sent).not.toContain(text);
    }
    expect(digests.filter((digest) => sent.includes(digest.slice(0, 16)))).toEqual([]);
    expect(shownStill()).toEqual([]);
    const expected: readonly unknown[] = questions().flatMap((line) => JSON.parse(line).expect ?? []);
    expect(expected).toContainEqual({ text: 'MOON' });
  });

  it('no other command starts a program', async () => {
    const before = logged().length;
    const commands = [
      ['plan', 'suite.yaml'],
      ['validate', 'suite.yaml'],
      ['report', run],
      ['gate', run],
      ['compare', run, run],
      ['score', run],
      ['run', '--resume', run],
    ];
    const codes = [];
    for (const command of commands) codes.push((await retakeHere(command, folder, env)).code);
    const viewer = await serveViewer([run], folder);
    expect((await ask(viewer.url, `${new URL(viewer.printed).pathname}report.html`)).status).toBe(200);
    await viewer.close();
    expect(codes).toEqual([0, 0, 0, 1, 0, 2, 2]);
    expect(logged()).toHaveLength(before);
  });

  it('the suite of a run can be named, and what it expects anew is asked', async () => {
    const suite = readFileSync(join(folder, 'suite.yaml'), 'utf8');
    mkdirSync(join(folder, 'scorers'));
    const script = `echo '{"retake":1}'; while read -r line; do id=\${line#*'"id":"'}; id=\${id%%'"'*}
      case "$line" in *MOON*) echo "{\\"id\\":\\"$id\\",\\"scores\\":{\\"moon\\":1}}";; *) echo "{\\"id\\":\\"$id\\",\\"unscored\\":\\"nothing_expected\\"}";; esac; done`;
    writeFileSync(join(folder, 'scorers', 'moon.sh'), script);
    const other = suite.replace(
      /^ {2}sharp: .*$/m,
      '  moon: { use: command, command: [sh, scorers/moon.sh], gives: { moon: { better: null } } }',
    );
    writeFileSync(join(folder, 'moon.yaml'), other.replace('score.sharp', 'score.moon').replace(/^gate.*$/m, ''));
    const before = scoreLines().length;
    const scored = await retakeHere(['score', run, '--suite', 'moon.yaml', '--allow-commands'], folder, env);
    expect(scored).toMatchObject({ code: 0 });
    const lines = scoreLines().slice(before);
    expect(lines[0]).toMatchObject({
      line: 'scorer',
      files: { 'scorers/moon.sh': createHash('sha256').update(script).digest('hex') },
    });
    const codes = lines.flatMap((line) => (line.line === 'unscored' ? [line.why.code] : []));
    expect(codes).toEqual(Array(12).fill('nothing_expected'));
    expect(lines.filter(({ line }) => line === 'value')).toHaveLength(6);

    writeFileSync(join(folder, 'moon.yaml'), other.replace('A red fox', 'A grey fox'));
    const changed = await retakeHere(['score', run, '--suite', 'moon.yaml', '--allow-commands'], folder, env);
    expect(changed).toMatchObject({ code: 2, stdout: '' });
    expect(changed.stderr).toMatch(/^prompt fox of run \S+ has another text or image in moon.yaml; name a suite/);
  });

  it('a suite without a scorer starts nothing', async () => {
    writeFileSync(
      join(folder, 'none.yaml'),
      readFileSync(join(folder, 'suite.yaml'), 'utf8').replace(/^(scorers:\n.*|gate.*)\n/gm, ''),
    );
    const scored = await retakeHere(['score', run, '--suite', 'none.yaml', '--allow-commands'], folder, env);
    expect(scored).toMatchObject({ code: 2, stderr: expect.stringContaining('none.yaml declares no scorer') });
  });

  it('a scoring that is interrupted or killed goes on where it was: no score is lost, and none is made twice', async () => {
    const whole = readFileSync(scoresFile(), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"scorer":"sharp"'));
    rmSync(scoresFile());
    rmSync(log(), { force: true });
    const random = createRandom(1);
    const kills = NIGHTLY ? 50 : 1;
    const args = (...command: readonly string[]) => [...command, run, '--allow-commands', '--quiet'];
    /** Ends a process once it has asked a few questions more. */
    const end = async <Signal extends NodeJS.Signals>(
      scoring: { readonly ended: Promise<Ended>; readonly kill: (signal: Signal) => void },
      signal: Signal,
    ): Promise<Ended> => {
      const wanted = questions().length + 1 + random.below(Math.ceil(whole.length / (kills + 2)));
      let over = false;
      void scoring.ended.then(() => {
        over = true;
      });
      while (!over && questions().length < wanted) await sleep(5);
      scoring.kill(signal);
      const how = await scoring.ended;
      await expect.poll(programsIn).toEqual([]);
      return how;
    };
    const interrupted = await end(startHere(args('run', '--resume'), folder, env), 'SIGINT');
    expect(interrupted.code).toBe(3);
    expect(interrupted.stderr).toMatch(
      /^some outputs were not scored; to score them: retake score \S+ --allow-commands$/m,
    );
    expect(shownStill()).toEqual([]);
    let killed = 0;
    for (let at = 0; at < kills; at += 1) {
      // What a process that is killed leaves there goes away with the test.
      const process = startRetake(args('score'), folder, { ...env, TMPDIR: freshFolder() });
      if ((await end(process, 'SIGKILL')).code === null) killed += 1;
    }
    expect(killed).toBeGreaterThan(kills / 2 - 1);
    expect((await retakeHere(['score', run, '--allow-commands'], folder, env)).code).toBe(0);
    // The one line that changes its place is that of the program, which counts last.
    expect([...readFileSync(scoresFile(), 'utf8').trim().split('\n')].sort()).toEqual([...whole].sort());
    const asked = questions().length;
    const lines = whole.length - 1;
    expect(asked).toBeGreaterThanOrEqual(lines);
    expect(asked).toBeLessThanOrEqual(lines + killed + 1);
  });
});

/** Processes whose working folder is that of the suite, besides Retake's own. */
function programsIn(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}
