import { describe, expect, it } from 'vitest';
import { worstEvidence } from '../../../../src/page/sections/outcome/outcome.ts';
import { sheetOf } from '../../../../src/page/shown-outputs.ts';
import type { ReportSource } from '../../../../src/report/reporter.ts';
import { likened } from '../../../fixtures/likened-run.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { gateRule, ORDINARY, scriptedRun } from '../../../fixtures/scripted-run.ts';

/** Where a rule leads that a variant failed: the words, and what stands there. */
function ledTo(source: ReportSource, metric: string, variant: string, prompts: readonly string[] = []) {
  const sheet = sheetOf(source);
  const worst = prompts.map((prompt) => ({ prompt, value: 1 }));
  const rule = gateRule(metric, { is: 'max', value: 1 });
  const found = worstEvidence({ rule, variant, worst }, source.analysis, sheet);
  if (found === null) return null;
  const [kind, number = ''] = found.anchor.split('-');
  return {
    words: found.words,
    cell: kind === 'cell' ? source.analysis.cells[Number(number)] : undefined,
    take: kind === 'failed' ? source.analysis.failures[Number(number)] : undefined,
  };
}

describe('a rule that failed', () => {
  const source = reported(scriptedRun(ORDINARY));

  it('a rule that failed on likeness leads to the outputs that changed most', async () => {
    const found = ledTo(await likened(), 'likeness', 'fast-lcm');
    expect(found?.words).toBe('show market, seed 2');
    expect(found?.cell).toMatchObject({ variant: 'fast-lcm', prompt: 'market', seed: 2 });
  });

  it('a rule that failed on failed or blocked takes leads to their cause', () => {
    expect(ledTo(source, 'block_rate', 'anime-fast')?.take).toMatchObject({ outcome: 'moderated' });
    expect(ledTo(source, 'error_rate', 'standard')?.take).toMatchObject({ outcome: 'timed_out' });
    expect(ledTo(source, 'block_rate', 'standard')).toBeNull();
  });

  it('a rule that failed on repeats leads to a cell of the variant and of the worst prompt whose takes differ', () => {
    const { cell } = ledTo(source, 'determinism.pixel', 'fast-lcm', ['market']) ?? {};
    expect(cell).toMatchObject({ variant: 'fast-lcm', prompt: 'market', byte: 'differs' });
    expect(ledTo(source, 'determinism.pixel', 'anime-standard')).toBeNull();
  });

  it('a rule that failed on latency leads to the slowest take of the worst prompt, and one on cost nowhere', () => {
    const { cell } = ledTo(source, 'latency.total', 'fast', ['harbour']) ?? {};
    const slowest = (takes: readonly { readonly totalMs: number | null }[] = []) =>
      Math.max(...takes.map(({ totalMs }) => totalMs ?? 0));
    const own = source.analysis.cells.filter(({ variant, prompt }) => variant === 'fast' && prompt === 'harbour');
    expect(slowest(cell?.takes)).toBe(Math.max(...own.map(({ takes }) => slowest(takes))));
    expect(ledTo(source, 'cost.per_output', 'fast')).toBeNull();
  });
});
