import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, startRetake } from '../fixtures/retake-process.ts';

/* The packed package in a project of its own, and the example of results/README.md in it. */

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

/** A project that has the packed package and what it depends on, as `npm install` of the file leaves it. */
function projectWithPackage(): string {
  const folder = freshFolder();
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'retake'), { recursive: true });
  const file = join(folder, JSON.parse(packed)[0].filename);
  execFileSync('tar', ['-xzf', file, '-C', join(modules, 'retake'), '--strip-components=1']);
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

describe('the packed package', () => {
  let project = '';

  beforeAll(() => {
    project = projectWithPackage();
  });

  test('the example in results/README.md compiles in a strict project and prints what a run of the package measured', async () => {
    const compiled = spawnSync(join(root, 'node_modules/.bin/tsc'), [], { cwd: project, encoding: 'utf8' });
    expect([compiled.stdout, compiled.status]).toEqual(['', 0]);

    writeFileSync(join(project, 'demo.yaml'), SUITE);
    const program = join(project, 'node_modules/retake', manifest.bin.retake);
    const run = await startRetake(['run', 'demo.yaml', '--quiet'], project, {}, program).ended;
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
          each.variant === variant &&
          each.metric === 'latency.total' &&
          each.statistic === 'p50' &&
          each.prompt === null,
      )?.value;
    expect(medians).toEqual(['a', 'b'].map((variant) => `${variant} ${p50(variant)} ms`));
  });
});
