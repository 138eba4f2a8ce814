import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { REPORTERS } from '../../src/commands/display/reporters.ts';
import { FILES_OF_FORMAT, REPORT_FORMATS } from '../../src/suite/report-format.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { once } from '../fixtures/once-for.ts';
import { onlyRun, PROGRAM, retake, retakeHere, serveHere } from '../fixtures/retake-process.ts';

/* What a user writes behind `retake`, and the paths among it: each mistake is one sentence with its remedy. */

const MOST = Number.MAX_SAFE_INTEGER;
const FOX = fileURLToPath(new URL('../../suites/inputs/fox.jpg', import.meta.url));
const SUITE = `suite: 1
name: third
variants: { fast: { target: reference/text-to-image, const: { model: fast } } }
prompts: [a fox]
repeats: 1
load: { warmup: 0 }
reports: [csv]
`;

/** A folder with the only run of the suite. */
const measured = once(async () => {
  const service = await serveHere();
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'suite.yaml'), SUITE);
  expect(await retakeHere(['run', 'suite.yaml', '--quiet'], cwd, service.env)).toMatchObject({ code: 0 });
  await service.close();
  return cwd;
});

describe('a wrong argument', () => {
  it.each([
    { args: ['run'], says: 'name a suite file: retake run suite.yaml' },
    {
      args: ['baseline', 'a', 'b'],
      says: 'unexpected argument "b"; retake baseline takes the folder of a run or suite and no more',
    },
    { args: ['serve', 'now'], says: 'unexpected argument "now"; retake serve takes options only' },
    { args: ['rnu', 'x.yaml'], says: 'unknown command "rnu"; did you mean "run"?' },
    { args: ['run', 'x.yaml', '--set'], says: '--set needs a value; write --set repeats=5' },
    { args: ['try', 'x', '--set'], says: '--set needs a value; write --set model=fast' },
    {
      args: ['run', 'x.yaml', '--repeats', '5'],
      says: 'unknown option --repeats; it is a key of the suite: write --set repeats=5',
    },
    {
      args: ['run', 'x.yaml', '--base-url=http://127.0.0.1:9'],
      says: 'unknown option --base-url; it is a key of the suite: write --set variants.NAME.base_url=https://api.example.com',
    },
    { args: ['run', 'x.yaml', '--jsno'], says: 'unknown option --jsno; did you mean --json?' },
    {
      args: ['run', 'x.yaml', 'y.yaml'],
      says: 'unexpected argument "y.yaml"; retake run takes a suite file and no more',
    },
    {
      args: ['report', 'x', '--format', 'csv,pdf'],
      says: `--format does not take "pdf"; write one of ${[...REPORT_FORMATS, 'terminal'].map((format) => `"${format}"`).join(', ')}`,
    },
  ])('retake $args gets a diagnostic with its remedy', async ({ args, says }) => {
    const ended = await retakeHere(args, freshFolder());
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `retake: ${says}\n` });
  });

  it.each([
    [['try', 'x', '--seed'], ['9007199254740993'], `from -${MOST} to ${MOST}; write --seed 7`],
    [['view', '--port'], ['-1', '65536'], 'from 0 to 65535; write --port 8787'],
  ])('retake %j refuses what is not a whole number in its range, an empty text too', async (args, others, needs) => {
    for (const given of ['abc', '', ' ', '1.5', ...others]) {
      const ended = await retakeHere([...args, given], freshFolder());
      expect(ended).toEqual({
        code: 2,
        stdout: '',
        stderr: `retake: ${args.at(-1)} takes a whole number ${needs}\n`,
      });
    }
  });

  it('an unknown target is answered with the nearest three and the command that lists the rest', async () => {
    const ended = await retakeHere(['try', 'text-to-image'], freshFolder());
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /; the nearest are (\S+\/text-to-image, ){2}\S+\/text-to-image; "retake targets text-to-image" /,
    );
    expect(ended.stderr.length).toBeLessThan(400);
  });
});

describe('a suite that comes with Retake', () => {
  it('a suite that comes with Retake is found by its name in any folder', async () => {
    const cwd = freshFolder();
    expect(await retakeHere(['validate', 'demo'], cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^demo: suite demo is valid \(/),
    });
    expect((await retakeHere(['plan', 'demo'], cwd)).stdout).toMatch(/^Suite demo: /);
  });

  it('a file with the name of such a suite comes before it', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'demo'), SUITE);
    expect(await retakeHere(['validate', 'demo'], cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('third'),
    });
  });

  it('a misspelt name of such a suite is answered with the right one', async () => {
    const ended = await retakeHere(['run', 'dmo'], freshFolder());
    const stderr = '"dmo" is neither a file nor a suite that comes with Retake; did you mean "demo"?\n';
    expect(ended).toEqual({ code: 2, stdout: '', stderr });
  });
});

it('validate --help prints a first line for editors that names the schema wherever the suite is', async () => {
  const { stdout } = await retakeHere(['validate', '--help'], freshFolder());
  const [, url = ''] = /^# yaml-language-server: \$schema=(file:\S+)$/m.exec(stdout) ?? [];
  expect(JSON.parse(readFileSync(new URL(url), 'utf8'))).toMatchObject({ title: 'Retake suite' });
});

describe('a folder for results', () => {
  // A recursive mkdir of Node 20 never returns here.
  it.runIf(existsSync('/proc/self'))(
    'retake try refuses a folder that cannot be made before anything is sent',
    async () => {
      const ended = await retakeHere(['try', 'reference/text-to-image', '--out', '/proc/y/z'], freshFolder());
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/^cannot write to \/proc\/y\/z \(E\w+\); name another folder with --out\n$/);
      expect(ended.stdout).toBe('');
    },
  );
});

describe('the run that report is given', () => {
  let cwd = '';
  let run = '';
  beforeAll(async () => {
    cwd = await measured();
    run = onlyRun(join(cwd, 'results'));
  });

  it("retake report takes a suite's folder as its latest run and says so", async () => {
    const results = join(freshFolder(), 'third');
    cpSync(run, join(results, '20200101T000000Z-0000'), { recursive: true });
    cpSync(run, join(results, basename(run)), { recursive: true });
    mkdirSync(join(results, 'zzz'));
    const ended = await retakeHere(['report', results], cwd);
    expect(ended.stdout).toContain(join(results, basename(run), 'samples.csv'));
    expect(ended).toMatchObject({ code: 0, stderr: `${basename(run)} is the latest of 2 runs in ${results}\n` });
  });

  it('retake report answers a file of a run with its folder', async () => {
    const ended = await retakeHere(['report', join(run, 'samples.csv')], cwd);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toBe(`${join(run, 'samples.csv')} is a file; name its folder: ${run}\n`);
  });

  it('retake report answers the folder of all results with the suites in it', async () => {
    const ended = await retakeHere(['report', 'results'], cwd);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toBe(
      `${dirname(dirname(run))} is not a run; name the folder of a suite in it: ${dirname(run)}\n`,
    );
  });

  it('retake report that cannot write says why and calls it no defect', async () => {
    writeFileSync(join(cwd, 'file'), '');
    const below = await retakeHere(['report', run, '--out', 'file/x'], cwd);
    expect(below).toMatchObject({ code: 2, stdout: '' });
    expect(below.stderr).toMatch(/^cannot write to \S+file\/x \(ENOTDIR\); name another folder with --out\n$/);

    const taken = join(cwd, 'taken');
    mkdirSync(join(taken, 'samples.csv', 'x'), { recursive: true });
    const over = await retake(['report', run, '--out', taken], cwd);
    expect(over).toMatchObject({ code: 2, stdout: '' });
    expect(over.stderr).toMatch(/^retake: cannot open \S+ \(E\w+\); [^\n]*name another place[^\n]*\n$/);
    expect(readFileSync(join(run, 'run.json'), 'utf8')).toContain('"third"');
  });
});

const DIAGNOSED = /^retake: cannot \S+ .*\(EMFILE\); raise the limit on open files \(ulimit -n 4096\)\n$/;

it('a limit on open files that is too small gets a diagnostic with its remedy, and is no defect', async () => {
  const cwd = await measured();
  const reportWith = (files: number) =>
    new Promise<{ code: unknown; stderr: string }>((done) => {
      const limited = `ulimit -n ${files}; exec "${process.execPath}" "${PROGRAM}" report results/third --quiet`;
      execFile('sh', ['-c', limited], { cwd }, (error, _stdout, stderr) => done({ code: error?.code ?? 0, stderr }));
    });
  // How many modules Node opens at once is its own affair, and of one that it cannot open it says now and then that it
  // is not there: so several limits.
  const others: string[] = [];
  for (const files of [28, 32, 36, 40, 44, 48, 52]) {
    const { code, stderr } = await reportWith(files);
    if (code === 2 && DIAGNOSED.test(stderr)) return;
    if (code !== 0) others.push(stderr);
  }
  expect(others).toEqual([]);
});

describe('inspect --at-least', () => {
  it('retake inspect --at-least ends with 1 below that level and with 0 from it on', async () => {
    const cwd = freshFolder();
    const other = join(cwd, 'b.jpg');
    // A byte behind the end of a JPEG: other bytes, equal pixels.
    writeFileSync(other, Buffer.concat([readFileSync(FOX), Buffer.from([0])]));
    expect(await retakeHere(['inspect', FOX, other, '--at-least', 'near'], cwd)).toMatchObject({ code: 0, stderr: '' });
    expect(await retakeHere(['inspect', FOX, other, '--at-least', 'pixel', '--json'], cwd)).toMatchObject({ code: 0 });
    const below = await retakeHere(['inspect', FOX, other, '--at-least', 'byte', '--json'], cwd);
    expect(below).toMatchObject({ code: 1, stderr: 'retake inspect: the level is pixel, below byte\n' });
    expect(JSON.parse(below.stdout)).toMatchObject({ level: 'pixel' });
  });
});

it('retake run --help says what each exit code means', async () => {
  const { stdout, code } = await retakeHere(['run', '--help'], freshFolder());
  expect(code).toBe(0);
  for (const each of [0, 1, 2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`^  ${each}  \\w`, 'm'));
});

it('retake report --help lists every format with its files, as the reporters declare', async () => {
  const { stdout } = await retakeHere(['report', '--help'], freshFolder());
  for (const { format, description } of REPORTERS) {
    // A line that is too long is wrapped.
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${description} (${FILES_OF_FORMAT[format].join(', ')})`);
    expect(stdout).toMatch(new RegExp(`choices: [^\\]]*"${format}"`));
  }
});
