import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retakeHere } from '../fixtures/retake-process.ts';

/* The package in a project of its own, and the example of results/README.md in it. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const SUITE = `suite: 1
name: demo
variants:
  a: { target: reference/text-to-image, const: { model: fast-lcm } }
  b: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
repeats: 2
load: { warmup: 0 }
reports: [json]
`;

/** As strict as a project can be; declarations of the package are checked too. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    // Those of TypeScript itself are not ours.
    skipDefaultLibCheck: true,
  },
  files: ['example.ts'],
};

/** The TypeScript of the section on the library. */
function exampleOf(readme: string): string {
  const section = readme.split(/^## /m).find((each) => each.startsWith('Use as a library\n')) ?? '';
  const [, code] = /^```ts\n([\s\S]*?)^```/m.exec(section) ?? [];
  if (code === undefined) throw new Error('results/README.md has no example of the library');
  return code;
}

/** A project that has the package, as `test/package.test.ts` holds that it is packed, and what it depends on. */
function projectWithPackage(): string {
  const folder = freshFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, join(modules, 'retake'));
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  for (const name of [...needed, '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(folder, 'example.ts'), exampleOf(readFileSync(join(root, 'results/README.md'), 'utf8')));
  return folder;
}

test('the example in results/README.md compiles in a strict project that has the package, and prints what a run measured', async () => {
  const project = projectWithPackage();
  const compiled = spawnSync(join(root, 'node_modules/.bin/tsc'), [], { cwd: project, encoding: 'utf8' });
  expect([compiled.stdout, compiled.status]).toEqual(['', 0]);

  writeFileSync(join(project, 'demo.yaml'), SUITE);
  const run = await retakeHere(['run', 'demo.yaml', '--quiet'], project);
  expect([run.stderr, run.code]).toEqual(['', 0]);

  const { stdout, stderr } = spawnSync(process.execPath, ['example.js'], { cwd: project, encoding: 'utf8' });
  expect(stderr).toBe('');
  const [plan, ...medians] = stdout.trimEnd().split('\n');
  expect(plan).toMatch(/^\d{3} requests in \d+ slices$/);
  const written = readFileSync(join(onlyRun(join(project, 'results')), 'analysis.json'), 'utf8');
  const { measures }: Analysis = JSON.parse(written);
  const p50 = (variant: string) =>
    measures.find(
      (each) =>
        each.variant === variant && each.metric === 'latency.total' && each.statistic === 'p50' && each.prompt === null,
    )?.value;
  expect(medians).toEqual(['a', 'b'].map((variant) => `${variant} ${p50(variant)} ms`));
});
