import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { exitCodeOf } from '../../../../src/commands/display/print.ts';
import { type InitArguments, initCommand } from '../../../../src/commands/tools/init.ts';
import { freshFolder } from '../../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';
import { filesBelow } from '../../../fixtures/retake-process.ts';

const WORKFLOW = '.github/workflows/retake.yml';

async function init(args: Partial<InitArguments>, cwd = freshFolder(), env: Readonly<Record<string, string>> = {}) {
  const edge = memoryEdge(cwd, env);
  const usual = { file: 'suite.yaml', model: [], const: [], serverFiles: [] };
  const code = await exitCodeOf(() => initCommand({ ...usual, ...args }, edge), edge);
  return { code, stdout: edge.stdout(), stderr: edge.stderr(), cwd };
}

function read(cwd: string, file: string) {
  const text = readFileSync(join(cwd, file), 'utf8');
  return { text, value: parse(text) };
}

describe('a workflow for a suite with a key', () => {
  const made = init({ target: 'openai/images', ci: 'github' }, undefined, {
    OPENAI_BASE_URL: 'https://proxy.example.com/v1',
  });

  it('the key is a secret of the one step that runs the suite, and stands nowhere else', async () => {
    const { cwd, code } = await made;
    expect(code).toBe(0);
    const { value, text } = read(cwd, WORKFLOW);
    const { steps } = value.jobs.retake;
    const holders = steps.filter((step: object) => JSON.stringify(step).includes('secrets.'));
    expect(holders).toMatchObject([
      { name: 'Run the suite', env: { OPENAI_API_KEY: '${{ secrets.OPENAI_API_KEY }}' } },
    ]);
    expect(text.match(/secrets\.\w/g)).toHaveLength(1);
  });

  it('the workflow has least permissions, one run at a time, a time limit, and no run without secrets', async () => {
    const { value } = read((await made).cwd, WORKFLOW);
    expect(value).toMatchObject({
      permissions: { contents: 'read' },
      concurrency: { group: 'retake', 'cancel-in-progress': false },
      jobs: {
        retake: { 'timeout-minutes': 60, if: expect.stringContaining('head.repo.full_name == github.repository') },
      },
    });
    expect(Object.keys(value.on)).toEqual(['schedule', 'pull_request', 'workflow_dispatch']);
    expect(value.on.pull_request.paths).toEqual(['suite.yaml', 'package-lock.json', WORKFLOW]);
  });

  it('every action of the workflow is pinned to a major version, and no expression stands in a script', async () => {
    const { steps } = read((await made).cwd, WORKFLOW).value.jobs.retake;
    const used = steps.flatMap(({ uses }: { uses?: string }) => uses ?? []);
    expect(used).toHaveLength(5);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+(\/[a-z]+)?@v\d+$/);
    expect(steps.filter(({ run = '' }: { run?: string }) => run.includes('${{'))).toEqual([]);
  });

  it('a variable that the suite uses and that is set is a variable of the job', async () => {
    const { cwd, stdout } = await made;
    expect(read(cwd, WORKFLOW).value.jobs.retake.env).toMatchObject({ OPENAI_BASE_URL: '${{ vars.OPENAI_BASE_URL }}' });
    expect(stdout).toContain('  - add as variables: OPENAI_BASE_URL\n');
    expect(stdout).not.toContain('proxy.example.com');
  });

  it('the user is told what is left to do', async () => {
    expect((await made).stdout).toContain(`Written: ${WORKFLOW}

Before CI can run it:
  - make the package of Retake, in its clone: npm run release:pack
  - copy that file into the root of the repository, and install it: npm install --save-dev ./retake-*.tgz
  - add to Settings, Secrets and variables, Actions: OPENAI_API_KEY
`);
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
  const IN_USE = 'https://prod.example.com/v1';

  it.each(['github', 'gitlab'] as const)(
    'the %s job measures it, and compares the suite with it in one run',
    async (ci) => {
      const { code, cwd } = await init({
        baseUrl: 'https://staging.example.com/v1',
        model: ['a', 'b.2'],
        name: 'own',
        ci,
        inUse: IN_USE,
        serverFiles: ['server/**', 'Dockerfile'],
      });
      expect(code).toBe(0);
      const { value } = read(cwd, ci === 'github' ? WORKFLOW : '.gitlab-ci.yml');
      const job = value.jobs?.retake ?? value.retake;
      expect(job.env ?? job.variables).toMatchObject({
        RETAKE_IN_USE: IN_USE,
        RETAKE_GATE: expect.stringMatching(
          /latency.total, against: baseline, max_increase: 10% .*error_rate, .*likeness, /,
        ),
      });
      const commands: string[] = (job.script ?? job.steps.flatMap(({ run = '' }) => run.split('\n'))).filter(
        (line: string) => line.includes('retake '),
      );
      expect(commands.map((line) => /retake (\w+)/.exec(line)?.[1])).toEqual([
        'plan',
        'run',
        'baseline',
        'plan',
        'run',
      ]);
      expect(commands[1]).toContain(
        '--set "variants.a.base_url=$RETAKE_IN_USE" --set "variants.b.2.base_url=$RETAKE_IN_USE"',
      );
      expect(commands[3]).toContain('--against results/own/baseline.json --set "gate.+=$RETAKE_GATE"');
      expect(commands[4]).toContain('--allow-origin');
      const paths = value.on?.pull_request.paths ?? job.rules[1].changes;
      expect(paths).toEqual(expect.arrayContaining(['server/**', 'Dockerfile']));
    },
  );

  it('a suite that starts its own service, or a command without --ci: is refused', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    expect(await init({ ci: 'github', inUse: IN_USE }, cwd)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--in-use: .*calls the reference service/),
    });
    expect((await init({ target: 'openai/images', inUse: IN_USE })).stderr).toMatch(/add --ci github or --ci gitlab/);
  });

  it('a suite that calls this machine: runs for every change, and the file says where to start the server', async () => {
    const { cwd, stdout } = await init({ baseUrl: 'http://127.0.0.1:8000', ci: 'github' });
    const { text, value } = read(cwd, WORKFLOW);
    expect(value.on.pull_request).toBeNull();
    expect(text).toContain('with Retake: every night, for every pull request, and by hand.\n');
    expect(text).toMatch(/# The job calls http:\/\/127\.0\.0\.1:8000: its own machine\. Start your server here/);
    expect(text.indexOf('Start your server')).toBeLessThan(text.indexOf('Check the suite'));
    expect(stdout).toContain('start the server of http://127.0.0.1:8000 in .github/workflows/retake.yml');
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
  it('a suite without a key: runs for every pull request, also from forks', async () => {
    const { cwd } = await init({ target: 'reference/text-to-image' });
    expect(await init({ ci: 'github' }, cwd)).toMatchObject({ code: 0, stderr: '' });
    const { text, value } = read(cwd, WORKFLOW);
    expect(value.jobs.retake.if).toBeUndefined();
    expect(text).not.toContain('secret');
  });

  it('the files of a suite: are what a pull request is measured for', async () => {
    const { cwd } = await init({
      file: 'bench/[my] suite.yaml',
      baseUrl: 'https://own.example.com',
      kind: 'image-to-video',
      name: 'own',
    });
    await init({ file: 'bench/[my] suite.yaml', ci: 'github' }, cwd);
    await init({ file: 'bench/[my] suite.yaml', ci: 'gitlab' }, cwd);
    const files = ['bench/[my] suite.yaml', 'bench/inputs/fox.jpg', 'bench/targets/own/own.yaml'];
    const { on, jobs } = read(cwd, WORKFLOW).value;
    expect(on.pull_request.paths.slice(0, 3)).toEqual(['bench/\\[my\\] suite.yaml', ...files.slice(1)]);
    const { retake } = read(cwd, '.gitlab-ci.yml').value;
    expect(retake.rules[1].changes.slice(0, 3)).toEqual(files);
    expect(jobs.retake.env.RETAKE_SUITE).toBe('bench/[my] suite.yaml');
    expect(retake.variables.RETAKE_SUITE).toBe('bench/[my] suite.yaml');
  });

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
