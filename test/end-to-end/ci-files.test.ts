import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import {
  cloneOf,
  type JobContext,
  type JobResult,
  npmWithoutRegistry,
  runSteps,
  type Step,
  smallSuite,
  userRepository,
} from '../fixtures/ci-steps.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { filesBelow, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/*
 * The CI files that users get, run step by step in a clean clone of a user's repository, with the build. `.ci/run` tries the package.
 * Actions of others (`uses:`) are not run.
 */

const SUITES = {
  'passes.yaml': smallSuite('passes').replace('repeats: 3', 'repeats: 1'),
  // The service takes no prompt of this length. A busy machine flags takes, and the rule holds without flagged ones
  // too: so many fail.
  'fails.yaml': smallSuite('fails').replace('repeats: 3', 'repeats: 5').replace('A red fox', 'x'.repeat(2001)),
  'undecided.yaml': `${smallSuite('undecided').replace('repeats: 3', 'repeats: 1')}  - { metric: stability.pixel, none: change, against: baseline }\n`,
};

const ACTION = fileURLToPath(new URL('../../.github/actions/retake/action.yml', import.meta.url));

let path: string;
/** That the suites measure, as the environment says. */
let service: ServedService;
/** With the workflow for the first suite. */
let repository: string;
beforeAll(async () => {
  service = await serveHere(['{ cached: {} }']);
  repository = await userRepository(SUITES);
  path = `${npmWithoutRegistry()}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
});

afterAll(() => service.close());

/** What a runner of GitHub has in its environment. */
function onRunner(cwd: string, values: Readonly<Record<string, string>>): JobContext {
  const own = { GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: dirname(ACTION), RUNNER_TEMP: freshFolder() };
  return {
    cwd,
    env: { PATH: path, HOME: freshFolder(), CI: 'true', ...service.env, ...own },
    values: { 'github.run_id': '4711', 'github.run_attempt': '1', ...values },
  };
}

const errorsOf = ({ ran }: JobResult) =>
  ran.flatMap(({ stderr }) => stderr.split('\n').filter((line) => line.startsWith('::error')));
const resultOf = (result: JobResult, name: string) => result.ran.find((step) => step.name === name);
/** The files of a checkout that a pattern with `*` names, or that are in a folder that it names. */
function matching(pattern: string, cwd: string): readonly string[] {
  const parts = pattern.split('*').map((part) => part.replace(/[.]/g, '\\.'));
  const expression = new RegExp(`^${parts.join('[^/]*')}${pattern.endsWith('/') ? '.*' : ''}$`);
  return filesBelow(join(cwd, 'results'))
    .map((file) => relative(cwd, file))
    .filter((file) => expression.test(file));
}

/** What the job makes of the exit code of the run. */
function meaningOfCodes(steps: readonly Step[]): string {
  const run = steps.find(({ name }) => name === 'Run the suite')?.run ?? '';
  return run.slice(run.indexOf('case "$code" in'));
}

describe('the workflow for GitHub', () => {
  it('a workflow whose gate fails: ends with 1, annotates the rule, summarises, and keeps the report and what the next run needs', async () => {
    const cwd = cloneOf(repository);
    const file = join(cwd, '.github/workflows/retake.yml');
    const { jobs } = parse(readFileSync(file, 'utf8').replaceAll('passes.yaml', 'fails.yaml'));
    const context = onRunner(cwd, { 'env.RETAKE_RUN': '4711-1' });
    const env = { ...context.env, ...jobs.retake.env, RETAKE_RUN: '4711-1' };
    const result = await runSteps(jobs.retake.steps, { ...context, env });
    expect(result.ran.map(({ name, code }) => [name, code])).toEqual([
      ['Install Retake', 0],
      ['Check the suite, and show what a run sends', 0],
      ['Run the suite', 1],
    ]);
    expect(result.skipped).toEqual([
      'Check out the repository',
      'Set up Node',
      'Restore the history',
      'Keep the history',
      'Keep the report',
    ]);
    expect(resultOf(result, 'Check the suite, and show what a run sends')?.stdout).toContain('Requests: 10 ');
    const run = join(cwd, 'results', 'fails', '4711-1');
    expect(result.summary).toBe(readFileSync(join(run, 'summary.md'), 'utf8'));
    expect(result.summary).toMatch(/^# fails\n/);
    expect(errorsOf(result)).toEqual([expect.stringMatching(/^::error title=Retake%3A error_rate.*::.+/)]);
    for (const file of ['report.html', 'junit.xml', 'samples.csv', 'analysis.json']) {
      expect(readFileSync(join(run, file), 'utf8').length).toBeGreaterThan(0);
    }
    expect(JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8')).verdict).toBe('fail');
    // What the steps of others are told to keep is there.
    expect(matching('results/*/history.jsonl', cwd)).toEqual(['results/fails/history.jsonl']);
  });

  it.each([
    [0, 'warn', 0, ''],
    [1, 'warn', 1, ''],
    [3, 'warn', 3, '::error title=Retake::The run is incomplete; the log says why.\n'],
    [4, 'warn', 0, expect.stringMatching(/^::warning title=Retake::Not decided: .+\n$/)],
    [4, 'fail', 4, ''],
  ])(
    'a workflow whose run ends with %i, and %s where it is inconclusive: ends with %i, and says so',
    async (code, onInconclusive, ends, says) => {
      const { jobs } = parse(readFileSync(join(repository, '.github/workflows/retake.yml'), 'utf8'));
      const run = `code=${code}\n${meaningOfCodes(jobs.retake.steps)}`;
      const context = onRunner(freshFolder(), {});
      const env = { ...context.env, ON_INCONCLUSIVE: onInconclusive };
      const result = await runSteps([{ name: 'Run the suite', run }], { ...context, env });
      expect(result.code).toBe(ends);
      expect(resultOf(result, 'Run the suite')?.stdout).toEqual(says);
      expect(result.summary.includes('**Not decided.**')).toBe(code === 4 && ends === 0);
    },
  );

  it('a workflow with a deployment in use: fails where one prompt of four gets another picture, and keeps the rules of the suite', async () => {
    const deployed = await serveHere(['{ mirrored: {}, when: { prompt: fox } }', '{ cached: {} }']);
    onTestFinished(() => deployed.close());
    const cwd = cloneOf(repository);
    rmSync(join(cwd, '.github/workflows/retake.yml'));
    const prompts = ['A lighthouse', 'A harbour', 'A mountain', '{ id: fox, text: A red fox }'];
    const suite = smallSuite('deployed').replace(/prompts:\n(.*\n){2}/, `prompts: [${prompts.join(', ')}]\n`);
    const own = '  - { metric: latency.total, max_increase: 300%, against: baseline }\n';
    writeFileSync(join(cwd, 'deployed.yaml'), `${suite}${own}`);
    const args = ['init', 'deployed.yaml', '--ci', 'github', '--in-use', service.url];
    const { code, stderr } = await retakeHere(args, cwd, deployed.env);
    expect([code, stderr]).toEqual([0, '']);
    const { retake: job } = parse(readFileSync(join(cwd, '.github/workflows/retake.yml'), 'utf8')).jobs;
    const context = onRunner(cwd, {
      'env.RETAKE_RUN': '4711-1',
      'secrets.RETAKE_API_KEY': service.env.RETAKE_API_KEY ?? '',
    });
    const env = { ...context.env, ...job.env, ...deployed.env, RETAKE_RUN: '4711-1' };
    const result = await runSteps(job.steps, { ...context, env });
    const verdict = JSON.parse(readFileSync(join(cwd, 'results', 'deployed', '4711-1', 'verdict.json'), 'utf8'));
    const rules: readonly { rule: { metric: string }; verdict: string }[] = verdict.rules;
    expect(result.code).toBe(1);
    expect(rules.map(({ rule, verdict: ends }) => [rule.metric, ends])).toEqual([
      ['error_rate', 'pass'],
      ['latency.total', expect.any(String)],
      ['error_rate', expect.any(String)],
      ['stability.similar', 'fail'],
    ]);
    expect(result.summary).toMatch(/\(new\) .*\(in use\).*; 3 of 4 images stay visually similar, 1 changed/);
    expect(result.ran.map(({ name }) => name).join(', ')).toBe(
      'Install Retake, Check the suite, Measure the deployment in use, Show what a run sends, Run the suite',
    );
  });

  it('a suite whose rules compare with the stored baseline: gets a job that names its file', async () => {
    const cwd = freshFolder();
    const rule = '  - { metric: latency.total, max_increase: 10%, against: baseline }\n';
    writeFileSync(join(cwd, 'deployed.yaml'), `${smallSuite('deployed')}${rule}`);
    const { code, stdout, stderr } = await retakeHere(['init', 'deployed.yaml', '--ci', 'github'], cwd, service.env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('keep a run as results/deployed/baseline.json');
    const workflow = readFileSync(join(cwd, '.github/workflows/retake.yml'), 'utf8');
    expect(workflow.match(/ --against results\/deployed\/baseline\.json/g)).toHaveLength(2);
  });

  it('a workflow for a pull request: comments with its summary once, and writes this comment again', async () => {
    const cwd = cloneOf(repository);
    const { jobs } = parse(readFileSync(join(cwd, '.github/workflows/retake.yml'), 'utf8'));
    const step = jobs.retake.steps.find(({ name }: Step) => name === 'Comment on the pull request');
    mkdirSync(join(cwd, 'results/passes/4711-1'), { recursive: true });
    writeFileSync(join(cwd, 'results/passes/4711-1/summary.md'), '# passes\n');
    const tools = freshFolder();
    // Answers with the comment that was there before, and notes what it is asked.
    writeFileSync(
      join(tools, 'gh'),
      `#!/usr/bin/env bash\nset -eu\nprintf '%s ' "$@" >> ${tools}/asked; echo >> ${tools}/asked\nif [[ " $* " != *--method* ]]; then cat ${tools}/before 2>/dev/null || true; else cp "\${!#/#body=@/}" ${tools}/body; echo 77 > ${tools}/before; fi\n`,
      { mode: 0o755 },
    );
    const values = {
      'github.event_name': 'pull_request',
      'github.token': 't',
      'github.event.pull_request.number': '5',
    };
    const context = onRunner(cwd, values);
    const server = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '4711' };
    const env = { ...context.env, ...server, PATH: `${tools}:${path}`, RETAKE_RUN: '4711-1' };
    for (const _ of [1, 2]) expect((await runSteps([step], { ...context, env })).code).toBe(0);
    expect(readFileSync(join(tools, 'body'), 'utf8')).toBe(
      '<!-- retake -->\n# passes\n\n\n[Report and log](https://github.example/o/r/actions/runs/4711)\n',
    );
    const asked = readFileSync(join(tools, 'asked'), 'utf8').split('\n');
    expect(asked[1]).toMatch(/--method POST repos\/o\/r\/issues\/5\/comments /);
    expect(asked[3]).toMatch(/--method PATCH repos\/o\/r\/issues\/comments\/77 /);
  });
});

it('a pipeline for GitLab: ends with 4 where its gate is undecided, and has reports for people and GitLab', async () => {
  const cwd = cloneOf(repository);
  expect(await retakeHere(['init', 'passes.yaml', '--ci', 'gitlab'], cwd)).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8');
  const { retake: job } = parse(text.replaceAll('passes.yaml', 'undecided.yaml'));
  const env = {
    PATH: path,
    HOME: freshFolder(),
    CI: 'true',
    CI_PIPELINE_ID: '12',
    CI_JOB_ID: '34',
    ...service.env,
    ...job.variables,
  };
  // GitLab runs the lines of a script as one, and ends at the first that fails.
  const steps: Step[] = job.script.map((run: string) => ({ name: run, run }));
  const result = await runSteps(steps, { cwd, env, values: {} });
  expect(result.code).toBe(4);
  expect(job.allow_failure.exit_codes).toBe(4);
  const run = 'results/undecided/12-34';
  expect(matching(job.artifacts.reports.junit, cwd)).toEqual([`${run}/junit.xml`]);
  expect(matching(job.artifacts.paths[0], cwd)).toContain(`${run}/report.html`);
  expect(matching(job.cache.paths[0], cwd)).toEqual([`${dirname(run)}/history.jsonl`]);
});

describe('the composite action', () => {
  const { inputs, outputs, runs } = parse(readFileSync(ACTION, 'utf8'));

  async function runAction(
    given: Readonly<Record<string, string>>,
    cwd = cloneOf(repository),
    steps: readonly Step[] = runs.steps,
  ) {
    const defaults = Object.entries<{ default?: string }>(inputs).map(([name, input]) => [name, input.default ?? '']);
    const all = Object.entries<string>({ ...Object.fromEntries(defaults), ...given });
    const values = Object.fromEntries(all.map(([name, value]) => [`inputs.${name}`, value]));
    const result = await runSteps(steps, onRunner(cwd, { 'steps.install.outputs.program': 'none', ...values }));
    const outputOf = (name: string) => result.outputs[/steps\.[\w.-]+/.exec(outputs[name].value)?.[0] ?? ''];
    return { result, cwd, outputOf };
  }

  it('an action with a package: installs it, runs the suite with its settings, and gives its outputs', async () => {
    const { result, cwd, outputOf } = await runAction({
      suite: 'passes.yaml',
      package: 'retake.tgz',
      set: 'repeats=2\nseeds=[7]\n',
    });
    expect(result.code).toBe(0);
    const folder = 'results/passes/retake-4711-1';
    expect(['verdict', 'exit-code', 'folder', 'report'].map(outputOf)).toEqual([
      'pass',
      '0',
      folder,
      `${folder}/report.html`,
    ]);
    expect(result.summary).toBe(readFileSync(join(cwd, folder, 'summary.md'), 'utf8'));
    expect(
      readFileSync(join(cwd, folder, 'samples.csv'), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(5);
  });

  it('an action without a package, with an unknown input: checks the suite from its own ref, and ends before anything is sent', async () => {
    const { result, cwd } = await runAction({ suite: 'passes.yaml', 'on-inconclusive': 'maybe' });
    expect(result.code).toBe(2);
    expect(result.ran.map(({ name, code }) => [name, code])).toEqual([
      ['Install Retake', 0],
      ['Check the suite, and show what a run sends', 0],
      ['Run the suite', 2],
    ]);
    expect(result.ran[1]?.stdout).toContain('Requests: 2 ');
    expect(result.skipped).toEqual(['Set up Node', 'Restore the history', 'Keep the history', 'Keep the report']);
    expect(filesBelow(cwd).filter((file) => file.includes('/results/'))).toEqual([]);
  });

  it('an action whose run is in the repository already: gives no output of that, and sends nothing', async () => {
    const committed = 'results/evil\nverdict=pass/retake-4711-1';
    const cwd = freshFolder();
    mkdirSync(join(cwd, committed), { recursive: true });
    writeFileSync(join(cwd, committed, 'verdict.json'), JSON.stringify({ verdict: 'pass\nfolder=/etc' }));
    const step = runs.steps.filter(({ name }: Step) => name === 'Run the suite');
    const { result, outputOf } = await runAction({ suite: 'passes.yaml' }, cwd, step);
    expect(result.code).toBe(2);
    expect(['verdict', 'exit-code', 'folder', 'report'].map(outputOf)).toEqual(Array(4).fill(undefined));
    expect(result.ran.at(-1)?.stdout).toContain('::error title=Retake::results/ has a run of this name already');
    expect(existsSync(join(cwd, 'results', 'passes'))).toBe(false);
  });

  it('the action and the workflow: use the same actions, steps and meaning of exit codes', () => {
    const workflow = parse(readFileSync(join(repository, '.github/workflows/retake.yml'), 'utf8'));
    const ofWorkflow: readonly Step[] = workflow.jobs.retake.steps;
    const ofAction: readonly Step[] = runs.steps;
    expect(ofAction.map(({ name, uses, if: when }) => [name, uses, when])).toEqual(
      ofWorkflow
        .filter(({ name }) => name !== 'Check out the repository')
        .map(({ name, uses, if: when }) => [name, uses, when]),
    );
    expect(meaningOfCodes(ofAction)).toContain('::warning');
    expect(meaningOfCodes(ofAction)).toBe(meaningOfCodes(ofWorkflow));
    const commentOf = (steps: readonly Step[]) =>
      steps.find(({ name }) => name === 'Comment on the pull request')?.run?.replace(/^if \[ "\$COMMENT".*\n/, '');
    expect(commentOf(ofAction)).toBe(commentOf(ofWorkflow));
    const reportsOf = (steps: readonly Step[]) => /--set '(reports=[^']+)'/.exec(JSON.stringify(steps))?.[1];
    expect(reportsOf(ofAction)).toBe(reportsOf(ofWorkflow));
  });
});
