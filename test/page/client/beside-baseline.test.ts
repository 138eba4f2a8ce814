import { describe, expect, it } from 'vitest';
import { DATA_ID, dataOf } from '../../../src/markup/page-data.ts';
import { besideBaseline } from '../../../src/page/client/compare/between.ts';
import { type OutputFacts, pageFacts } from '../../../src/page/client/page-facts.ts';
import { distinctTelling } from '../../fixtures/distinct-images.ts';
import { pageOf } from '../../fixtures/rendered-page.ts';
import { sketched } from '../../fixtures/report-source.ts';
import { FILMED, ORDINARY, ok, scriptedRun, type Telling } from '../../fixtures/scripted-run.ts';

/** The outputs of each prompt of the contact sheet, in the order of the page, as its script reads them. */
async function promptsOf(telling: Telling): Promise<readonly (readonly OutputFacts[])[]> {
  const { document } = await pageOf(sketched(scriptedRun(telling)));
  const facts = pageFacts(dataOf(document.getElementById(DATA_ID)?.textContent ?? ''));
  return [...document.querySelectorAll('#images article')].map((article) =>
    [...article.querySelectorAll('.pick')].map((pick) => {
      const cell = Number(pick.getAttribute('data-cell') ?? -1);
      const found = facts.cells[cell]?.outputs[Number(pick.getAttribute('data-output') ?? 0)];
      if (found === undefined) throw new Error('the page shows an output that its data do not have');
      return found;
    }),
  );
}

const nameOf = (output: OutputFacts | undefined): string =>
  output === undefined ? '' : `${output.cell.variant}, ${output.cell.prompt}, seed ${output.cell.seed}`;

/** Every image of a page, with what a click on it opens. */
async function everyClick(telling: Telling) {
  return (await promptsOf(telling)).flatMap((outputs) =>
    outputs.map((clicked) => ({ clicked, outputs, opened: besideBaseline(clicked, outputs) })),
  );
}

const BASELINES = ['standard', 'anime-standard'];

describe('what a click on an image opens', () => {
  it.each([
    ['two kinds with repeats that differ', ORDINARY, 60],
    ['videos', FILMED, 8],
    ['20 variants', distinctTelling({ variants: 20, prompts: 2, seeds: 2 }), 79],
  ] as const)(
    'a click on any image opens it beside the output of its baseline variant, which is at the left: %s',
    async (_, telling, least) => {
      const clicks = await everyClick(telling);
      expect(clicks.length).toBeGreaterThan(least);
      for (const { clicked, outputs, opened } of clicks) {
        const { cell } = clicked;
        const hasBaseline = outputs.some(
          (each) => each.cell.seed === cell.seed && BASELINES.includes(each.cell.variant),
        );
        for (const shown of opened)
          expect([shown.cell.prompt, shown.cell.seed, nameOf(clicked)]).toEqual([
            cell.prompt,
            cell.seed,
            nameOf(clicked),
          ]);
        expect(opened).toContain(clicked);
        expect(opened[0]).not.toBe(opened[1]);
        if (hasBaseline && clicked.number === 0) expect(BASELINES).toContain(opened[0].cell.variant);
      }
    },
  );

  it('a click on an output that differs from the first of its cell opens that first one at the left', async () => {
    const clicks = await everyClick(FILMED);
    const found = clicks.filter(({ clicked }) => clicked.number > 0 && clicked.cell.baseline !== null);
    expect(found.length).toBeGreaterThan(3);
    for (const { clicked, opened } of found) {
      expect(opened.map((each) => [each.cell.variant, each.number])).toEqual([
        [clicked.cell.variant, 0],
        [clicked.cell.variant, clicked.number],
      ]);
    }
  });

  it('a click on an image of a lone variant opens another output of its cell, and where there is none itself', async () => {
    const lone = (output: number): Telling => ({
      ...ORDINARY,
      variants: ORDINARY.variants.slice(0, 1),
      prompts: ORDINARY.prompts.slice(0, 1),
      tell: (_, __, ___, repeat) => ok(100, repeat % 2 === 0 ? output : 0),
    });
    const [differing] = await everyClick(lone(1));
    expect(differing?.opened.map((each) => [each?.cell.seed, each?.number])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    const [equal] = await everyClick(lone(0));
    expect(equal?.opened).toEqual([equal?.clicked, equal?.clicked]);
  });
});
