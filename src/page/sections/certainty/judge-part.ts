import type { Analysis } from '../../../analysis/analysis.ts';
import type { JudgedVariants, JudgeSummary, ScorerSummary } from '../../../analysis/output-summaries.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  agreementWords,
  consistentWords,
  firstPlaceWords,
  preferenceComparison,
  sameOriginWords,
  spendWords,
} from '../../../report/preference-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { comparedScore, unscoredReasons } from '../../../report/score-statement.ts';
import { byKind } from '../../../report/statement.ts';
import { figure } from '../../drawing/figure.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { ofKind } from '../../markup/scope.ts';
import { stackedRow, stackedTable } from '../../markup/tables.ts';

interface JudgeSource extends Pick<ReportSource, 'analysis' | 'comparisons'> {
  readonly marks: VariantMarks;
}

const HEADS = ['Variant', 'Preferred', 'Baseline preferred', 'Neither', 'Net loss', 'Pairs judged'] as const;

/** Preferences of a judge, and how far it contradicts itself. */
export function judgeTables(scorer: ScorerSummary, judge: JudgeSummary, source: JudgeSource): Markup {
  const { variants } = source.analysis;
  const tables = byKind(variants).map(([kind, own]) => {
    const names = new Set(own.map(({ name }) => name));
    const judged = judge.variants.filter(({ variant }) => names.has(variant));
    if (judged.length === 0) return null;
    const rows = judged.map((each) => row(each, scorer, source));
    return ofKind(kind, variants, stackedTable(`${scorer.scorer}: preferences of ${KIND_NAMES[kind]}`, HEADS, rows));
  });
  return html`${tables.map((table) => table !== null && table)}`;
}

/** Holds hostile text: the question of the suite. */
export function judgeNotes(
  { source, metrics: [metric = ''] }: ScorerSummary,
  judge: JudgeSummary,
  analysis: Analysis,
): Markup {
  const agreement = agreementWords(analysis, metric);
  const identity = source?.judge;
  const question = source?.declared.use === 'judge' ? source.declared.question : null;
  const place = firstPlaceWords(judge);
  const family = sameOriginWords(judge);
  return html`${question !== null && html`<p class="note">Its question, asked in both orders for each pair: <q>${question}</q></p>`}
${
  identity !== undefined &&
  html`<p class="note">Model ${identity.model === null ? 'not named' : html`<code>${identity.model}</code>`} at <code>${identity.origin}</code>; ${spendWords(judge)}. ${metric} is a preference of this model, not a judgement of people.</p>`
}
<p class="note">It gave ${consistentWords(judge)}${place !== null && `; ${place}`}.${family !== null && html` ${family}.`} ${agreement === null ? 'No vote confirms this judge.' : `${agreement.said}${agreement.evidence}.`}</p>`;
}

function row(judged: JudgedVariants, { variants, metrics: [metric = ''] }: ScorerSummary, source: JudgeSource): Markup {
  const { variant, baseline, won, lost, neither, identical, open } = judged;
  const pairs = won + lost + neither;
  const comparison = preferenceComparison(source.comparisons, metric, judged);
  const { value, interval, remark } = comparison === undefined ? NOT_COMPARED : comparedScore(comparison);
  // That it lost says what the judge prefers, not that it is worse.
  const isToldApart = comparison?.finding === 'lower' || comparison?.finding === 'higher';
  const reasons = unscoredReasons(variants.filter((each) => each.variant === variant));
  const cells: readonly (readonly [string, Markup])[] = [
    [HEADS[1], figure(count(won))],
    [HEADS[2], figure(count(lost), baseline)],
    [HEADS[3], figure(count(neither), identical === 0 ? null : `${plural(identical, 'pair')} identical`)],
    [HEADS[4], figure(value, interval, isToldApart ? null : remark)],
    [
      HEADS[5],
      figure(
        `${count(pairs)} of ${count(pairs + open)}`,
        ...(open === 0 ? [] : reasons.map(({ words, takes }) => `${count(takes)}: ${words}`)),
      ),
    ],
  ];
  return stackedRow(markedName(variant, source.marks), cells);
}

const NOT_COMPARED = { value: null, interval: null, remark: '' } as const;
