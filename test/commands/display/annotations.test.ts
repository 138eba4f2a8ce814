import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../../src/analysis/metrics.ts';
import { annotate } from '../../../src/commands/display/conclude.ts';
import { assess } from '../../../src/gate/assess.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { gateRule, ORDINARY, scriptedRun } from '../../fixtures/scripted-run.ts';

const GATE = [gateRule('determinism.byte', { is: 'none', event: 'departure' })];

function annotated(env: Record<string, string>, name = 'fast-lcm'): string {
  const variants = ORDINARY.variants.map((each) => (each.name === 'fast-lcm' ? { ...each, name } : each));
  const tell: typeof ORDINARY.tell = (variant, ...where) =>
    ORDINARY.tell(variant === name ? 'fast-lcm' : variant, ...where);
  const record = scriptedRun({ ...ORDINARY, variants, tell });
  const { verdict } = assess({ ...record, run: { ...record.run, gate: GATE } }, metricsOf(GATE));
  const edge = memoryEdge('.', env);
  annotate(verdict, edge);
  return edge.stderr();
}

describe('annotations', () => {
  it('annotations of a GitHub job name each rule that failed, with its finding', () => {
    const [first] = annotated({ GITHUB_ACTIONS: 'true' }).split('\n');
    expect(first).toMatch(
      /^::error title=Retake%3A determinism\.byte%2C fast-lcm::\d+ differing takes? in 36 takes, no take may differ/,
    );
  });

  it('annotations are written in no other place', () => {
    expect(annotated({})).toBe('');
  });

  it('annotations let no name end the title, the line or the command', () => {
    const lines = annotated({ GITHUB_ACTIONS: 'true' }, 'x::y, line=1%0A\n::set-env name=A::b').trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::error title=Retake%3A [^:,]*::/);
    expect(lines.join(' ')).toContain('%250A');
  });
});
