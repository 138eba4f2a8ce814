import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freshFolder } from '../../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';
import { filesBelow } from '../../../fixtures/retake-process.ts';
import { type Given, init } from './initialised.ts';

const WORKFLOW = '.github/workflows/retake.yml';

function read(cwd: string, file: string) {
  const text = readFileSync(join(cwd, file), 'utf8');
  return { text, value: parse(text) };
}

const IN_USE = 'https://prod.example.com/v1';

/** Suites of every sort, and what the environment holds. */
const SITUATIONS: Readonly<Record<string, readonly [args: Given, env?: Record<string, string>]>> = {
  'a-key': [{ target: 'openai/images' }, { OPENAI_BASE_URL: 'https://proxy.example.com/v1' }],
  'no-key': [{ target: 'reference/text-to-image' }],
  'this-machine': [{ baseUrl: 'http://127.0.0.1:8000' }],
  'a-folder': [
    { file: 'bench/[my] suite.yaml', baseUrl: 'https://own.example.com', kind: 'image-to-video', name: 'own' },
  ],
  'in-use': [
    {
      ...{ baseUrl: 'https://staging.example.com/v1', model: ['a', 'b.2'], name: 'own' },
      ...{ inUse: IN_USE, serverFiles: ['server/**', 'Dockerfile'] },
    },
  ],
};

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

describe.each(Object.entries(SITUATIONS))('the CI files of a suite: %s', (name, [args, env]) => {
  it.each(['github', 'gitlab'] as const)('a CI file for %s, and what is left to do, are as reviewed', async (ci) => {
    const cwd = freshFolder();
    const { code, stdout, stderr } = await init({ ...args, ci }, cwd, memoryEdge(cwd, env));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { text, value } = read(cwd, ci === 'github' ? WORKFLOW : '.gitlab-ci.yml');
    expect(stdout + text).not.toContain('proxy.example.com');
    const golden = fileURLToPath(new URL(`../../../golden/ci/${name}.${ci}.txt`, import.meta.url));
    await expect(`${stdout}\n=====\n${text}`).toMatchFileSnapshot(golden);
    if (ci === 'gitlab') return;
    expect(value.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    const steps: readonly Step[] = value.jobs.retake.steps;
    const holders = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    expect(holders.filter((step) => !/^(Run the suite|Measure the deployment in use)$/.test(step.name ?? ''))).toEqual(
      [],
    );
    for (const { uses, run = '' } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+(\/[a-z]+)?@v\d+$/);
      expect(run).not.toContain('${{');
    }
  });
});

describe('what nobody guards yet, as init --ci says it', () => {
  const guards = ({ stdout }: { readonly stdout: string }) => stdout.split('Not guarded yet:\n')[1];

  it('a suite that init writes is told from which night on, and what to keep for its pictures', async () => {
    const { cwd, ...told } = await init({ baseUrl: 'https://a.example.com', seed: 'exact', name: 'own', ci: 'github' });
    const latency = '  - latency: from night 2 beyond 1.50x, from night 10 beyond 1.10x\n';
    expect(guards(told)).toBe(
      `${latency}  - pictures: after "retake baseline results/own" of the first night's record (download it, keep it, commit results/own/baseline.json)\n`,
    );
    mkdirSync(join(cwd, 'results/own'), { recursive: true });
    writeFileSync(join(cwd, 'results/own/baseline.json'), '{}');
    expect(guards(await init({ ci: 'gitlab' }, cwd))).toBe(latency);
  });

  it('a suite without such rules is told which ones to add, and they are accepted', async () => {
    const { cwd } = await init({ baseUrl: 'https://a.example.com' });
    const text = readFileSync(join(cwd, 'suite.yaml'), 'utf8');
    const without = text.replace(/\n {2}- \{ metric: (latency\.total, against: history|stability).*/g, '');
    writeFileSync(join(cwd, 'suite.yaml'), without);
    const told = guards(await init({ ci: 'github' }, cwd));
    const rules = [...(told ?? '').matchAll(/add to gate: (\{.+\})$/gm)].map(([, rule]) => `  - ${rule}`);
    expect(rules).toHaveLength(2);
    writeFileSync(join(cwd, 'suite.yaml'), without.replace('\ngate:\n', `\ngate:\n${rules.join('\n')}\n`));
    expect(guards(await init({ ci: 'gitlab' }, cwd))).toMatch(/ from night 2 .*\n.* after "retake baseline /);
  });

  it('a suite that is compared with the deployment in use has nothing to wait for', async () => {
    const inUse = 'https://prod.example.com';
    expect(guards(await init({ baseUrl: 'https://a.example.com', ci: 'github', inUse }))).toBeUndefined();
  });
});

describe('a CI file for a suite with a deployment in use', () => {
  it('a suite that starts its own service, or a command without --ci: is refused', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    expect(await init({ ci: 'github', inUse: IN_USE }, cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--in-use: .*calls the reference service/),
    });
    expect((await init({ target: 'openai/images', inUse: IN_USE })).stderr).toMatch(/add --ci github or --ci gitlab/);
  });

  it('a deployment in use on this machine: its server is to be started', async () => {
    const inUse = 'http://127.0.0.1:8000';
    const both = await init({ baseUrl: 'https://new.example.com', ci: 'gitlab', inUse });
    expect(both.stdout).toContain(`start the server of ${inUse} in .gitlab-ci.yml`);
  });

  it('the limit of errors is the lowest that the takes of the suite can pass', async () => {
    const { cwd } = await init({ target: 'openai/images' });
    const { value } = read(cwd, 'suite.yaml');
    // 24 takes without a failure: at most 11.7 % (one-sided 95 %).
    expect(value.gate).toContainEqual({ metric: 'error_rate', max: '12%' });
  });
});

describe('a CI file for a suite that exists', () => {
  it('the path of a suite: is text in every script and variable, whatever it holds', async () => {
    const file = 'a $(touch b) `id` \' " #: $HOME.yaml';
    const { cwd } = await init({ file, target: 'reference/text-to-image' });
    for (const ci of ['github', 'gitlab'] as const) expect(await init({ file, ci }, cwd)).toMatchObject({ code: 0 });
    const { jobs } = read(cwd, WORKFLOW).value;
    const { retake } = read(cwd, '.gitlab-ci.yml').value;
    expect(jobs.retake.env.RETAKE_SUITE).toBe(file);
    expect(retake.variables.RETAKE_SUITE).toEqual({ value: file, expand: false });
    const scripts = [...retake.script, ...jobs.retake.steps.flatMap(({ run = '' }: { run?: string }) => run)].join(
      '\n',
    );
    expect(scripts).not.toContain('touch');
    expect(scripts.match(/retake (plan|run) "\$RETAKE_SUITE"/g)).toHaveLength(4);
  });

  it('a suite that comes with Retake: is run by its name', async () => {
    const { code, cwd } = await init({ file: 'demo', ci: 'gitlab' });
    expect(code).toBe(0);
    const { retake } = read(cwd, '.gitlab-ci.yml').value;
    expect(retake.variables.RETAKE_SUITE).toBe('demo');
    expect(retake.rules[1].changes).toEqual(['package-lock.json']);
    expect(existsSync(join(cwd, 'demo'))).toBe(false);
  });

  it('a package-lock.json with Retake: leaves nothing to install', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/retake': {} } }));
    expect((await init({ ci: 'github' }, cwd)).stdout).not.toContain('npm install');
  });

  it('a GitLab pipeline that exists: is left unchanged, and told how to include the new file', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    writeFileSync(join(cwd, '.gitlab-ci.yml'), 'mine: {}\n');
    const { code, stdout } = await init({ ci: 'gitlab' }, cwd);
    expect(code).toBe(0);
    expect(stdout).toContain('add to .gitlab-ci.yml: include: [{ local: .gitlab/retake.yml }]');
    expect(readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8')).toBe('mine: {}\n');
    expect(read(cwd, '.gitlab/retake.yml').value.retake.allow_failure).toEqual({ exit_codes: 4 });
  });
});

describe('a CI file that cannot be written', () => {
  it.each(['github', 'gitlab'] as const)('a CI file for %s that exists is not overwritten', async (ci) => {
    const { cwd } = await init({ target: 'reference/text-to-image', ci: 'github' });
    await init({ ci: 'gitlab' }, cwd);
    if (ci === 'gitlab') await init({ ci }, cwd);
    const before = filesBelow(cwd).map((file) => readFileSync(file, 'utf8'));
    expect(await init({ ci }, cwd)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/ exists; .*\n$/),
    });
    expect(filesBelow(cwd).map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  });

  it('a folder below the root of a repository is refused, with the root', async () => {
    const root = freshFolder();
    mkdirSync(join(root, '.git'));
    mkdirSync(join(root, 'bench'));
    const { code, stderr } = await init({ file: 'demo', ci: 'github' }, join(root, 'bench'));
    expect(code).toBe(2);
    expect(stderr).toContain(`must be in the root of the repository, ${root}; `);
  });

  it.each(['a${{ secrets.KEY }}.yaml', 'a\nevil: { script: id }\n.yaml', 'a\u2028b.yaml'])(
    'a suite at %j is refused before anything is written',
    async (file) => {
      for (const ci of ['github', 'gitlab'] as const) {
        const { code, stderr, cwd } = await init({ file, ci, target: 'reference/text-to-image' });
        expect(code).toBe(2);
        expect(stderr).toMatch(/^.* cannot stand in a CI file; use a path .*\n$/);
        expect(filesBelow(cwd)).toEqual([]);
      }
    },
  );

  it('a suite whose prompt file has such a name is refused', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    const text = readFileSync(join(cwd, 'suite.yaml'), 'utf8');
    writeFileSync(join(cwd, '${{ x }}.txt'), Array.from({ length: 14 }, (_, at) => `Fox ${at}\n`).join(''));
    const prompts = text.replace(/^prompts:\n(?: .*\n)+/m, 'prompts: [{ from: "${{ x }}.txt" }]\n');
    writeFileSync(join(cwd, 'suite.yaml'), prompts);
    const { code, stderr } = await init({ ci: 'github' }, cwd);
    expect(stderr).toContain('${{ x }}.txt cannot stand in a CI file');
    expect(code).toBe(2);
  });

  it('a suite that exists is refused together with options for a new one', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    const { code, stderr } = await init({ ci: 'github', model: ['fast'] }, cwd);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'suite.yaml exists, and --model describes a new suite; leave out --model, or name another file\n',
    );
    expect(existsSync(join(cwd, '.github'))).toBe(false);
  });

  it('a suite that does not exist is refused where nobody can be asked', async () => {
    const { code, stderr } = await init({ ci: 'github' });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'suite.yaml does not exist; name an existing suite, or its endpoint with --target or --base-url\n',
    );
  });

  it('a suite with a fault is refused at its place', async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, 'suite.yaml'), 'suite: 1\nname: x\nvariants: {}\nprompts: [a]\n');
    const { code, stderr } = await init({ ci: 'github' }, cwd);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^suite\.yaml:3:/);
    expect(existsSync(join(cwd, '.github'))).toBe(false);
  });
});
