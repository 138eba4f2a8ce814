import type { Analysis } from '../../../analysis/analysis.ts';
import { WRONG_ONE_IN } from '../../../analysis/claims.ts';
import { claimSentence, evidenceWords } from '../../../gate/claim-words.ts';
import type { RuleResult, Verdict } from '../../../gate/verdict.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { Axis } from '../../drawing/axis.ts';
import { type FigureRow, rowsFigure } from '../../drawing/rows-figure.ts';
import { across, curve, dots, path } from '../../drawing/svg.ts';

const HEIGHT = 96;

/** Evidence beyond this lies at the edge. */
const HIGHEST = 100;

/** The evidence for each claim upwards and against it downwards, pair after pair, with what decides; false without a claim. */
export function claimFigure(
  { claims = [] }: Pick<Analysis, 'claims'>,
  { rules }: Pick<Verdict, 'rules'>,
): Markup | false {
  const shown = claims.filter(({ pairs }) => pairs > 0);
  if (shown.length === 0) return false;
  const most = shown.reduce((all, { pairs }) => Math.max(all, pairs), 1);
  const rows = shown.flatMap((state) => {
    const result = rules.find(({ index }) => index === state.index);
    return result === undefined ? [] : [rowOf(state, result, most)];
  });
  const label =
    'Evidence (e) for and against what is claimed, after each pair of takes; its numbers are in analysis.json';
  const [one, all] = [WRONG_ONE_IN, WRONG_ONE_IN * claims.length];
  const decides = claims.length === 1 ? `${one} decides` : `${all} decides while all are open, ${one} the last one`;
  return html`${rowsFigure({ label, axis: pairAxis(most), rows })}
<p class="note fine">Evidence (e) after so many pairs of takes, for the claim upwards and against it downwards: 1 says nothing, ${decides}.</p>`;
}

function rowOf({ steps }: NonNullable<Analysis['claims']>[number], result: RuleResult, most: number): FigureRow {
  const y = (e: number, side: 1 | -1): number => {
    const share = Math.log(Math.min(HIGHEST, Math.max(1, e))) / Math.log(HIGHEST);
    return (HEIGHT / 2) * (1 - side * share);
  };
  const all = [{ pairs: 0, support: 1, refute: 1 }, ...steps];
  const sides = [
    { colour: 'var(--good)', points: all.map(({ pairs, support }) => [placed(pairs, most), y(support, 1)] as const) },
    { colour: 'var(--bad)', points: all.map(({ pairs, refute }) => [placed(pairs, most), y(refute, -1)] as const) },
  ];
  return {
    mark: null,
    name: claimSentence(result.rule),
    words: evidenceWords(result),
    height: HEIGHT,
    levels: [
      { y: y(WRONG_ONE_IN, 1), words: `${WRONG_ONE_IN}` },
      { y: HEIGHT / 2, words: '1' },
      { y: y(WRONG_ONE_IN, -1), words: `${WRONG_ONE_IN}` },
    ],
    paths: [
      path([across(0, 1, y(WRONG_ONE_IN, 1)), across(0, 1, y(WRONG_ONE_IN, -1))], { stroke: 'var(--text)' }),
      ...sides.map(({ colour, points }) =>
        path([curve(points)], { stroke: colour, 'stroke-width': 2, 'stroke-linejoin': 'round' }),
      ),
      ...sides.map(({ colour, points }) => dots(points.slice(-1), colour, 3, 1)),
    ],
  };
}

const LEFT = 0.06;

function placed(pairs: number, most: number): number {
  return LEFT + (0.97 - LEFT) * (pairs / most);
}

function pairAxis(most: number): Axis {
  const step = Math.ceil(most / 5);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
  return {
    type: 'linear',
    ticks,
    format: (pairs) => (pairs === 0 ? '0' : pairs === step ? plural(pairs, 'pair') : count(pairs)),
    place: (pairs) => placed(pairs, most),
  };
}
