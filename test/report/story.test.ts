import { describe, expect, it } from 'vitest';
import { MOST } from '../../src/report/story/most.ts';
import { blockIn, story } from '../../src/report/story.ts';
import { reported } from '../fixtures/report-source.ts';
import { gateRule, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const LIMITS = Array.from({ length: 20 }, (_, at) => gateRule('error_rate', { is: 'max', value: 0.001 * (at + 1) }));
const record = scriptedRun(ORDINARY);
const source = reported({ ...record, run: { ...record.run, gate: LIMITS } });

describe('a story', () => {
  it('a story has what a teller begins with first, and each part once for all variants or each kind', () => {
    const first = { terminal: 'unfit', markdown: 'unfit', screen: 'unfit' } as const;
    for (const [teller, part] of Object.entries(first) as [keyof typeof first, string][]) {
      const blocks = story(source, teller);
      expect(blocks[0]?.part).toBe(part);
      const keys = blocks.map(({ is, part, kind }) => `${is} ${part} ${kind}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it.each(['terminal', 'markdown', 'screen'] as const)(
    'a story on a %s shows as many rules and causes as fit there, and says that there are more',
    (teller) => {
      const rules = blockIn(story(source, teller), 'rules', 'gate');
      expect(rules.shown).toHaveLength(MOST[teller].rules);
      expect(rules.folded.length).toBeGreaterThan(0);
      expect(rules.more).not.toBeNull();
      const causes = blockIn(story(source, teller), 'causes', 'failures');
      expect(causes.shown.length).toBeLessThanOrEqual(MOST[teller].causes);
    },
  );

  it('a story on the first screen has answers and scores of each kind', () => {
    const blocks = story(source, 'screen');
    for (const { kind } of source.analysis.variants) {
      expect(blockIn(blocks, 'sentences', 'answers', kind).shown.length).toBeGreaterThan(0);
      expect(blockIn(blocks, 'sentences', 'scores', kind).shown).toEqual([]);
    }
  });

  it('a story has no block of a part that its teller does not tell', () => {
    expect(() => blockIn(story(source, 'screen'), 'tables', 'variants')).toThrow('the story has no tables of variants');
    expect(story(source, 'screen', { parts: ['notes'] }).map(({ part }) => part)).toEqual(['notes']);
  });
});
