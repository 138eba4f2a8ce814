import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/* What holds for every workflow of this repository: a stranger's change can read and publish nothing. */

const FOLDER = fileURLToPath(new URL('../.github/workflows', import.meta.url));

const stepSchema = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const jobSchema = z.object({
  uses: z.string().optional(),
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()),
  'timeout-minutes': z.number().optional(),
  steps: z.array(stepSchema).default([]),
});
const workflowSchema = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  jobs: z.record(z.string(), jobSchema),
});

const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const workflow = workflowSchema.parse(parse(text));
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  return { file, text, workflow, steps };
});

function workflowNamed(name: string) {
  const found = workflows.find(({ file }) => file === name);
  if (found === undefined) throw new Error(`no workflow ${name}`);
  return found;
}

test.each(workflows)(
  'the workflow $file pins each action to a commit, and keeps no credential',
  ({ steps, workflow }) => {
    const used = [...steps, ...Object.values(workflow.jobs)].flatMap(({ uses }) => uses ?? []);
    for (const uses of used) expect(uses).toMatch(/^(\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40}$)/);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
  },
);

test.each(workflows)(
  'the workflow $file reads no secret, and puts no text of others into a script',
  ({ text, steps }) => {
    expect(text).not.toMatch(/\bsecrets\b\s*[.[:]/);
    expect(text).not.toContain('pull_request_target');
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  },
);

test.each(workflows)(
  'each job of the workflow $file has a time limit and only reads the repository',
  ({ workflow }) => {
    for (const { permissions, uses, ...job } of Object.values(workflow.jobs)) {
      const { contents, ...more } = permissions;
      expect(contents).toBe('read');
      expect(Object.keys(more).filter((name) => name !== 'id-token')).toEqual([]);
      if (uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  },
);

test('ci.yml runs .ci/run and audits what users install, for every pull request', () => {
  const { steps, workflow } = workflowNamed('ci.yml');
  expect(Object.keys(workflow.on)).toEqual(expect.arrayContaining(['push', 'pull_request', 'schedule']));
  const runs = steps.map(({ run }) => run);
  expect(runs).toContain('.ci/run');
  expect(runs).toContain('npm audit --omit dev');
});

test('release.yml publishes with provenance, only what passed ci.yml, and only that job gets an identity', () => {
  const { workflow } = workflowNamed('release.yml');
  expect(Object.keys(workflow.on)).toEqual(['release']);
  const identified = workflows.flatMap(({ file, workflow: { jobs } }) =>
    Object.entries(jobs).flatMap(([name, { permissions }]) => ('id-token' in permissions ? [`${file}: ${name}`] : [])),
  );
  expect(identified).toEqual(['release.yml: publish']);
  const { publish } = workflow.jobs;
  expect(publish?.needs).toBe('check');
  expect(workflow.jobs.check?.uses).toBe('./.github/workflows/ci.yml');
  expect(publish?.steps.at(-1)?.run).toMatch(/^npm publish --provenance --access public$/m);
});
