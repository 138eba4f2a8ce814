import type { Analysis } from '../../../analysis/analysis.ts';
import type { JudgeSummary, ScorerSummary } from '../../../analysis/output-summaries.ts';
import { declaredWords } from '../../../kit/value-words.ts';
import { capital } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  agreementSentence,
  consistentWords,
  firstPlaceWords,
  judgeSentences,
  sameOriginWords,
  spendWords,
} from '../../../report/preference-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import {
  controlNote,
  controlWords,
  missingScores,
  type ScoreMetric,
  scoreCommand,
  scoreMetrics,
} from '../../../report/score-statement.ts';
import { definedIn, section } from '../../markup/section.ts';

export function scoresSection(source: Pick<ReportSource, 'analysis' | 'comparisons'>): Markup | null {
  const { analysis } = source;
  const { scorers = [] } = analysis;
  if (scorers.length === 0) return null;
  return section({
    anchor: 'scores',
    title: 'Scores',
    note: 'What each scorer says of the outputs, and how far to trust it. The suite or the file of scores says which scores are better.',
    more: html`Retake compares scores; it does not judge images. Each variant is compared with the baseline variant of its kind over pairs of outputs of the same prompt and seed: the top of this page says what came of it; measures.csv and comparisons.csv have the numbers. A control: whether a scorer finds copies that are known to be worse.${analysis.agreement !== undefined && AGREEMENT_MEANING} ${definedIn('Score outputs')}`,
    content: html`${scorers.map((scorer) => scorerPart(scorer, source))}`,
  });
}

const AGREEMENT_MEANING =
  ' Agreement with the votes is counted over the pairs in which most votes prefer one side, of all variants together; a coin agrees in half of them.';

function scorerPart(
  scorer: ScorerSummary,
  { analysis, comparisons }: Pick<ReportSource, 'analysis' | 'comparisons'>,
): Markup {
  const metrics = scoreMetrics(analysis).filter((metric) => metric.scorer === scorer);
  const { judge } = scorer;
  const names = new Set(analysis.variants.map(({ name }) => name));
  return html`<h4>${scorer.scorer}</h4>
${judge !== undefined && scorer.source !== null && judgeNotes(scorer, judge, analysis)}
${metrics.map((metric) => html`${judge === undefined && html`<p class="note">${metrics.length > 1 && html`<b>${metric.name}</b>: `}${readingOf(metric)}</p>`}${controlOf(metric, analysis)}`)}
${
  scorer.source === null
    ? html`<p class="note">Nothing is scored yet: <code>${scoreCommand(scorer.use)}</code></p>`
    : judge !== undefined && sentenceItems(judgeSentences(scorer, comparisons, analysis.variants))
}${scorer.source !== null && sentenceItems(missingScores(scorer, names))}${
  scorer.source !== null &&
  html`
<details class="fold"><summary>Who made these numbers</summary>${madeBy(scorer.source, lastWords(scorer))}</details>`
}
`;
}

function sentenceItems(sentences: readonly string[]): Markup | false {
  return (
    sentences.length > 0 &&
    html`<ul class="statements">${sentences.map((sentence) => html`<li>${sentence}.</li>`)}</ul>`
  );
}

/** Holds hostile text: the meaning that the suite gives. */
function readingOf({ name, unit, better, scorer: { source, metrics } }: ScoreMetric): Markup {
  const given = source !== null && 'gives' in source.declared ? source.declared.gives[metrics.indexOf(name)] : null;
  const range = given?.range ?? null;
  const words = given?.meaning ?? null;
  return html`${better === null ? 'Neither higher nor lower is better' : `${capital(better)} is better`}${
    range !== null && `, from ${declaredWords(range[0], unit)} to ${declaredWords(range[1], unit)}`
  }.${words !== null && html` ${words}`}`;
}

/** False for a score without a direction, which has no control. */
function controlOf({ name, better, scorer }: ScoreMetric, analysis: Analysis): Markup | false {
  if (better === null || scorer.source === null) return false;
  if (scorer.use !== 'command' && scorer.use !== 'judge')
    return html`<p class="note">No control: scores from a file are not tested on worse copies.</p>`;
  const words = controlWords(scorer, name);
  const evidence = words === '' ? '' : `: ${words}`;
  switch (controlNote(analysis, name)) {
    case 'control_failed':
      return html`<p class="note"><span class="state bad">Its control failed</span>${evidence}.</p>`;
    case 'too_few_for_control':
      return html`<p class="note"><span class="state warn">Too few outputs for a control</span>${evidence}.</p>`;
    case null:
      return words !== '' && html`<p class="note">Its control passed${evidence}.</p>`;
  }
}

/** Holds hostile text: what the suite and the program say. */
function madeBy(
  { declared, files, version, weights }: NonNullable<ScorerSummary['source']>,
  stderr: string | null,
): Markup {
  const digests = Object.entries(files).map(
    ([file, digest], at) => html`${at > 0 && ', '}<code>${file}</code> (SHA-256 <code>${digest.slice(0, 16)}</code>)`,
  );
  const pairs: readonly (readonly [string, Markup])[] =
    declared.use === 'command'
      ? [
          ['Command', html`<code>${declared.command.join(' ')}</code>`],
          ...(digests.length > 0 ? [['Its files', html`${digests}`] as const] : []),
          ['Version', html`${version ?? 'not stated'}`],
          ['Weights', html`${weights ?? 'not stated'}`],
          ...(stderr === null ? [] : [['End of its standard error', html`<code>${stderr}</code>`] as const]),
        ]
      : [[declared.use === 'judge' ? 'Target' : 'File of scores', html`${digests}`]];
  return html`<dl class="pairs">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** End of the standard error of a program that did not start or ended again and again. */
function lastWords({ variants }: ScorerSummary): string | null {
  const stderrs = variants.flatMap(({ unscored }) =>
    unscored.flatMap(({ why }) => (why.code === 'command_failed' ? (why.stderr ?? []) : [])),
  );
  return stderrs[0] ?? null;
}

/** Holds hostile text: the question of the suite. */
function judgeNotes(
  { source, metrics: [metric = ''] }: ScorerSummary,
  judge: JudgeSummary,
  analysis: Analysis,
): Markup {
  const agreement = agreementSentence(analysis, metric);
  const identity = source?.judge;
  const question = source?.declared.use === 'judge' ? source.declared.question : null;
  const place = firstPlaceWords(judge);
  const family = sameOriginWords(judge);
  return html`${question !== null && html`<p class="note">Its question, asked in both orders for each pair: <q>${question}</q></p>`}
${
  identity !== undefined &&
  html`<p class="note">Model ${identity.model === null ? 'not named' : html`<code>${identity.model}</code>`} at <code>${identity.origin}</code>; ${spendWords(judge)}. ${metric} is a preference of this model, not a judgement of people.</p>`
}
<p class="note">It gave ${consistentWords(judge)}${place !== null && `; ${place}`}.${family !== null && html` ${family}.`} ${agreement === null ? 'No vote confirms this judge.' : `${agreement.sentence}.`}</p>`;
}
