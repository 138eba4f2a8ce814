import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { markdown, markdownText } from '../../src/report/reporters/markdown.ts';

import type { GateRule } from '../../src/suite/rule.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { ATTACKED, failed, gated, gateRule, HOSTILE, named, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const RULES: readonly GateRule[] = [
  gateRule('error_rate', { is: 'max', value: 0.5 }),
  gateRule('determinism.byte', { is: 'none', event: 'departure' }),
];

async function summaryOf(record: StoredRun): Promise<string> {
  const source = reported(gated(record, RULES));
  return (await rendered(markdown, source)).get('summary.md') ?? '';
}

/** The cells of each row of a table, split where a reader of Markdown splits them. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

describe('summary.md', () => {
  it('summary.md says the command that makes it again, and no command that a hostile name would make', async () => {
    expect(await summaryOf(scriptedRun(ORDINARY))).toContain(
      '`retake report results/image-variants/20261120T154500Z-7f3a --format markdown`',
    );
    expect(await summaryOf(scriptedRun(ATTACKED))).toContain('`retake report RUN --format markdown`');
  });

  it('summary.md needs no image and no network', async () => {
    for (const telling of [ORDINARY, ATTACKED]) {
      expect(await summaryOf(scriptedRun(telling))).not.toMatch(/(?<!\\)(!\[|<img|\]\()|https?:\/\//);
    }
  });

  it.each([
    ['an ordinary run', ORDINARY],
    ['hostile text', ATTACKED],
  ])('summary.md has as many cells in each row as in its head: %s', async (_, telling) => {
    const text = await summaryOf(scriptedRun(telling));
    const widths = rowsOf(text).map((row) => row.length);
    expect(widths.length).toBeGreaterThan(8);
    expect(Math.max(...widths)).toBeLessThanOrEqual(8);
    // A table for each kind.
    const heads = rowsOf(text).flatMap((row, at, rows) => (/^ -+ $/.test(row[0] ?? '') ? [rows[at - 1]?.length] : []));
    expect(heads).toHaveLength(2);
    expect(new Set(widths)).toEqual(new Set(heads));
  });

  it('summary.md fits into a comment on GitHub, however much there is to say, and says how much it leaves out', async () => {
    const text = await summaryOf(
      scriptedRun({
        ...ORDINARY,
        seeds: [1],
        prompts: ORDINARY.prompts.slice(0, 1),
        variants: named(...Array.from({ length: 150 }, (_, at) => `${'provider|'.repeat(12)}${at}`)),
        tell: (name) => failed(name, 'm'.repeat(5000), 500),
      }),
    );
    expect(text.length).toBeGreaterThan(20_000);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain('<details><summary>145 more causes</summary>');
    expect(text).toMatch(/\nand \d+ more variants\n/);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    expect(text).toContain('make this summary again');
  });

  it('summary.md lets no hostile text become markup', async () => {
    const text = await summaryOf(scriptedRun(ATTACKED));
    expect(text).toContain('script');
    expect(text.replace(/<\/?(details|summary|sub)>/g, '')).not.toMatch(/(?<!\\)<[a-z/!]/i);
    expect(text).not.toContain('http://');
    for (const character of text) expect(character).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });

  it('markdownText escapes what begins markup, a cell, a list, a link or a reference', () => {
    expect(markdownText('a|b `c` *d* <e> [f](g) #1 @x ~y~')).toBe(
      'a\\|b \\`c\\` \\*d\\* \\<e\\> \\[f\\](g) \\#&#8203;1 \\@&#8203;x \\~y\\~',
    );
    expect(markdownText('GH-12, owner/repo#7, mail@host, #no')).toBe(
      'GH-&#8203;12, owner/repo\\#&#8203;7, mail\\@&#8203;host, \\#no',
    );
    expect(markdownText('- item')).toBe('\\- item');
    expect(markdownText('1. item')).toBe('1\\. item');
    expect(markdownText('2.22 s')).toBe('2.22 s');
    expect(markdownText('see https://x.invalid or www.x.invalid')).toBe('see https:\\/\\/x.invalid or www\\.x.invalid');
    expect(markdownText('status:ok: at 12:30:00, limit:100:, urn:a::b:c')).toBe(
      'status:&#8203;ok: at 12:30:00, limit:&#8203;100:, urn:&#8203;a::&#8203;b:c',
    );
    expect(markdownText('two\nlines')).toBe('two\\\\nlines');
    for (const hostile of HOSTILE) expect(markdownText(hostile)).not.toContain('\n');
  });
});
