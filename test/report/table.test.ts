import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlineComparisons } from '../../src/report/comparison-statement.ts';
import { table } from '../../src/report/reporters/table.ts';
import { rendered } from '../contracts/reporter.ts';
import { buildWarning } from '../fixtures/build-warning.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { reported } from '../fixtures/report-source.ts';
import { commandScorer, scored } from '../fixtures/scored-run.ts';
import { sweepRun } from '../fixtures/scripted-load.ts';
import { ATTACKED, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';
import { buildFailure, buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';

type Source = ReturnType<typeof reported>;

async function rowsOf(source: Source): Promise<readonly Readonly<Record<string, string>>[]> {
  const [heads = '', ...lines] = ((await rendered(table, source)).get('table.csv') ?? '').trimEnd().split('\n');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [heads.split(',')[at], cell])));
}

async function latexOf(source: Source): Promise<string> {
  return (await rendered(table, source)).get('table.tex') ?? '';
}

describe('table.csv', () => {
  const source = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));

  it('table.csv has one row a variant, with value, ends and n of each number', async () => {
    const rows = await rowsOf(source);
    expect(rows.map(({ variant }) => variant)).toEqual(ORDINARY.variants.map(({ name }) => name));
    const median = source.analysis.measures.find(
      ({ variant, metric, statistic, prompt }) =>
        variant === 'fast' && metric === 'latency.total' && statistic === 'p50' && prompt === null,
    );
    const fast = rows.find(({ variant }) => variant === 'fast');
    const numbers = ['', '_low', '_high', '_n'].map((end) => Number(fast?.[`p50_ms${end}`]));
    const expected = [median?.value, median?.ciLow, median?.ciHigh, median?.n];
    for (const [at, number] of numbers.entries()) expect(number).toBeCloseTo(expected[at] ?? 0, 4);
  });

  it('table.csv tells how many times as fast a variant is, its interval in the same direction, and nothing of the baseline', async () => {
    const rows = await rowsOf(source);
    const headlines = headlineComparisons(source.comparisons, source.analysis.run.plan.load);
    const comparison = headlines.find(({ variant }) => variant === 'fast');
    const fast = rows.find(({ variant }) => variant === 'fast');
    expect(Number(fast?.speed)).toBeCloseTo(1 / (comparison?.value ?? 0), 6);
    expect(Number(fast?.speed_low)).toBeCloseTo(1 / (comparison?.ciHigh ?? 0), 6);
    expect(Number(fast?.speed_high)).toBeCloseTo(1 / (comparison?.ciLow ?? 0), 6);
    expect(rows.find(({ variant }) => variant === 'standard')?.speed).toBe('');
  });

  it('table.csv has a row for each step of a sweep, each with its own latency', async () => {
    const rows = await rowsOf(reported(sweepRun()));
    const steps = rows.filter(({ variant }) => variant === rows[0]?.variant);
    expect(steps.map(({ step }) => step)).toEqual(['1', '2', '4', '8']);
    expect(new Set(steps.map(({ p50_ms }) => p50_ms)).size).toBeGreaterThan(1);
  });

  it('table.csv has the errors and blocked outputs of each step of a sweep, with the takes of that step', async () => {
    const samples = [1, 2].flatMap((step) =>
      Array.from({ length: 10 }, (_, at) => {
        const parts = { startedMs: 1000 * at, trial: { phase: 'step', step, seed: at + 1 } } as const;
        if (step === 2 && at < 4) return buildFailure(at < 2 ? 'moderated' : 'error', parts);
        return buildOk(100, `image ${at}`, parts);
      }),
    );
    const load = { concurrency: 2, steps: [1, 2] };
    const rows = await rowsOf(reported(buildStoredRun({ variants: [{}], load, samples })));
    expect(
      rows.map(({ step, errors, errors_n, blocked, blocked_n }) => [step, errors, errors_n, blocked, blocked_n]),
    ).toEqual([
      ['1', '0', '10', '0', '10'],
      ['2', '0.2', '10', '0.25', '8'],
    ]);
  });
});

describe('table.tex', () => {
  it('table.tex has as many cells in each row as columns', async () => {
    for (const run of [scriptedRun(ORDINARY), scriptedRun(ATTACKED), sweepRun()]) {
      const latex = await latexOf(reported(run));
      const [, columns = ''] = /\{tabular\}\{(lr+)\}/.exec(latex) ?? [];
      const rows = latex.split('\n').filter((line) => line.endsWith('\\tabularnewline') && !line.startsWith('\\multi'));
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row.split(/(?<!\\)&/)).toHaveLength(columns.length);
    }
  });

  it('table.tex has one unit and one number of decimals in a column, and the speed as a number', async () => {
    const latex = await latexOf(reported(scriptedRun({ ...ORDINARY, concurrency: 1 })));
    expect(latex).toMatch(/^Variant & p50 \((s|ms)\) & p95 \(\w+\) & Speed \(\$\\times\$\) & Similar \(\\%\) & /m);
    const rows = latex.split('\n').filter((line) => /^[a-z-]+ & /.test(line));
    const decimalsIn = (column: number) =>
      new Set(
        rows.flatMap((row) => [...(row.split(' & ')[column] ?? '').matchAll(/\d\.(\d+)/g)].map(([, of]) => of?.length)),
      );
    for (const column of [1, 3]) expect(decimalsIn(column).size).toBeLessThanOrEqual(1);
    expect(rows.filter((row) => row.split(' & ')[3] === '1.00').length).toBeGreaterThan(0);
    expect(rows.join('\n')).not.toMatch(/as fast|baseline/);
    // What a reader of a paper cannot know: when and how it was measured, and what the columns are.
    expect(latex).toMatch(
      /\d{4}-\d\d-\d\d: \d+ takes of \d+ prompts x seeds for each variant, at most 1 in flight, paired\. Speed: .+ Similar: /,
    );
  });

  it('table.tex rounds ends of shares outwards, as other reports do, and keeps small costs', async () => {
    const run = scriptedRun({ ...ORDINARY, concurrency: 1 });
    const variants = run.run.variants.map((variant) => ({
      ...variant,
      price: { per: 'output', usd: 0.00021 } as const,
    }));
    const latex = await latexOf(reported({ ...run, run: { ...run.run, variants } }));
    // 0 of 36: the exact bound is 9.74 %.
    expect(latex).toContain(' & 0.0 [0.0, 9.8] & ');
    expect(latex).toContain(' & 0.000210');
  });

  it('table.tex says below why a number or its interval is missing, each reason once', async () => {
    const latex = await latexOf(reported(scriptedRun({ ...ORDINARY, seeds: [1], repeats: 1 })));
    const marks = new Set([...latex.matchAll(/(?:--|\d)\$\^\{([a-z]+)\}\$/g)].map(([, mark]) => mark));
    const [, notes = ''] = /\\footnotesize (.*)\\par\}/.exec(latex) ?? [];
    const said = [...notes.matchAll(/\$\^\{([a-z]+)\}\$ ([^$]+?)\. ?(?=\$|$)/g)].map(([, mark, why]) => ({
      mark,
      why,
    }));
    expect(new Set(said.map(({ mark }) => mark))).toEqual(marks);
    expect(marks.size).toBeGreaterThan(0);
    expect(new Set(said.map(({ why }) => why)).size).toBe(said.length);
    expect(said.some(({ why = '' }) => /^(No value: needs|Needs) \d+ takes$/.test(why))).toBe(true);
  });

  it('table.tex calls a score as its suite labels it, with the direction that is better', async () => {
    const run = scriptedRun({ ...ORDINARY, concurrency: 1 });
    const scorer = commandScorer('hps', { label: 'HPS & co' });
    const latex = await latexOf(reported(scored(run, scorer, ({ trial }) => ({ hps: 0.2 + 0.01 * trial.repeat }))));
    expect(latex).toContain(' & HPS \\& co $\\uparrow$ & ');
    const lower = commandScorer('hps', { better: 'lower' });
    expect(await latexOf(reported(scored(run, lower, () => ({ hps: 1 }))))).toContain(' & score.hps $\\downarrow$ & ');
  });

  const NO_LATEX = spawnSync('pdflatex', ['--version']).status === 0 ? null : 'pdflatex is not there';
  it.skipIf(NO_LATEX !== null)(`table.tex compiles with booktabs alone (skipped: ${NO_LATEX ?? 'no'})`, async () => {
    const folder = freshFolder();
    for (const run of [scriptedRun(ORDINARY), scriptedRun(ATTACKED), sweepRun()]) {
      const text = `\\documentclass{article}\\usepackage{booktabs}\\begin{document}${await latexOf(reported(run))}\\end{document}`;
      writeFileSync(join(folder, 'a.tex'), text);
      expect(
        spawnSync('pdflatex', ['-interaction=nonstopmode', '-halt-on-error', 'a.tex'], { cwd: folder }).status,
      ).toBe(0);
    }
  });

  it('table.tex leaves nothing of hostile text to LaTeX', async () => {
    const [variant] = ORDINARY.variants;
    const name = 'a\\input{x}%&$#_{}~^[1]';
    const latex = await latexOf(
      reported(scriptedRun({ ...ORDINARY, variants: variant ? [{ ...variant, name }] : [] })),
    );
    const escaped = 'a\\textbackslash{}input\\{x\\}\\%\\&\\$\\#\\_\\{\\}\\textasciitilde{}\\textasciicircum{}[1]';
    expect(latex).toContain(escaped);
  });
});

it('a table says which of its numbers nobody may rely on, as CSV and LaTeX', async () => {
  const source = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const cautions = async (of: Source) => (await rowsOf(of)).flatMap(({ caution }) => caution || []);
  expect(await cautions(source)).toEqual([]);
  const grew = 'the queue grew through the load';
  const warnings = [buildWarning('queue_grows', { variants: ['standard'], unfit: ['latencies', grew] })];
  const grown = { ...source, analysis: { ...source.analysis, warnings } };
  expect(await cautions(grown)).toEqual(['do not rely on the latency: the queue grew through the load']);
  // Once: by the warning.
  expect(await latexOf(grown)).toContain(' Queue\\_grows was found.');
  expect(await latexOf(grown)).not.toContain('do not rely on the latency');
});
