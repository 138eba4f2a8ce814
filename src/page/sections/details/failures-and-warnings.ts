import type { Analysis } from '../../../analysis/analysis.ts';
import type { TimedSample, Timings } from '../../../analysis/effective-sample.ts';
import type { FailureGroup } from '../../../analysis/summaries.ts';
import type { Warning } from '../../../analysis/warning.ts';
import { unfitKinds, type WarningKind, warningCount, warningKinds } from '../../../analysis/warnings.ts';
import { shownName, takeName } from '../../../kit/names.ts';
import { failureMessage, flagWords, OUTCOME_WORDS } from '../../../kit/outcome-words.ts';
import { count, duration, plural, share, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { StoryWarning } from '../../../report/story-block.ts';
import type { Kind } from '../../../suite/kind.ts';
import { hasTabs, section, stackedTable } from '../../markup/section.ts';
import { type Sheet, sheetAnchor } from '../../shown-outputs.ts';

const HEADS = ['Variant', 'Outcome', 'Takes', 'Code', 'First message'] as const;
const TAKE_HEADS = ['Take', 'Outcome', 'Times', 'Message', 'Request'] as const;

/** Code and message are the server's words. */
export function failuresSection(analysis: Analysis, sheet: Sheet): Markup | null {
  const { failures, variants } = analysis;
  const { shown, all } = sheet.failed;
  if (failures.length === 0) return null;
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  const groups = stackedTable(
    'Failures',
    HEADS,
    failures.map((group) => groupRow(group, sent.get(group.variant) ?? 0, sheet)),
    'side-by-side failures',
  );
  const takes = stackedTable(
    'Failed takes',
    TAKE_HEADS,
    shown.map((take) => takeRow(take, sheet)),
    'side-by-side failures takes',
  );
  return section({
    anchor: 'failures',
    title: 'Failures',
    content: html`${groups}
<details class="fold every"><summary>${shown.length < all ? `${count(shown.length)} of ${plural(all, 'failed take')}; samples.csv has all` : plural(all, 'failed take')}</summary>
${takes}</details>`,
  });
}

function groupRow(group: FailureGroup, sent: number, sheet: Sheet): Markup {
  const { variant, outcome, code, httpStatus, count: failed, exampleTrial } = group;
  const failedOfSent = `${count(failed)} of ${count(sent)}`;
  const kind = sheet.kinds.find(({ variants }) => variants.some(({ name }) => name === variant))?.kind ?? '';
  const filter = new URLSearchParams({ kind, variant, failure: code });
  return row(shownName(variant), HEADS, [
    html`<span class="state bad">${OUTCOME_WORDS[outcome]}</span>`,
    html`<span class="whole">${takeLink(exampleTrial, failedOfSent, sheet)}</span>${sent > 0 && html`<small class="whole">${share(failed / sent)}</small>`}${
      code !== '' &&
      sheet.kinds.some(({ strip }) => strip !== null) &&
      html`<small class="with-script"><a href="${`#images?${filter}`}">in the images</a></small>`
    }`,
    html`<code>${code}</code>${httpStatus !== null && html`<small>HTTP ${httpStatus}</small>`}`,
    html`<q>${failureMessage(group)}</q><small>take ${takeLink(exampleTrial, html`<code>${exampleTrial}</code>`, sheet)}</small>`,
  ]);
}

/** Links to the row of a failed take, if it has one. */
export function takeLink(trial: string, words: Markup | string, { failed }: Pick<Sheet, 'failed'>): Markup {
  const anchor = failed.anchorOf(trial);
  return anchor === null ? html`${words}` : html`<a href="#${anchor}">${words}</a>`;
}

function takeRow(take: TimedSample, sheet: Sheet): Markup {
  const { sample, outcome, error, timings, output, flags } = take;
  const { trial, httpStatus, reported } = sample;
  const outputs = sheetAnchor(sheet.places.cell(trial.variant, trial.prompt, trial.seed ?? 0), sheet);
  const place = `${trial.prompt}, seed ${trial.seed}, ${takeName({ repeat: trial.repeat, step: trial.step ?? null })}`;
  const file = output === null ? null : sheet.originalOf(output);
  const message = failureMessage({ outcome, message: error?.message ?? '', undecodable: error?.undecodable ?? null });
  const times = timesOf(timings);
  const tried = [
    ...(sample.attempts > 1 ? [plural(sample.attempts, 'attempt')] : []),
    ...(sample.polls > 0 ? [plural(sample.polls, 'poll')] : []),
    ...(sample.throttleWaitMs > 0 ? [`waited ${duration(sample.throttleWaitMs)} for rate limits`] : []),
  ];
  return row(
    html`${shownName(trial.variant)}<small>${outputs === null ? place : html`<a href="#${outputs}">${place}</a>`}</small>`,
    TAKE_HEADS,
    [
      html`<span class="state bad">${OUTCOME_WORDS[outcome]}</span><small><code>${error?.code ?? ''}</code></small>${httpStatus !== null && html`<small>HTTP ${httpStatus}</small>`}`,
      html`${times.map((words) => html`<small class="whole">${words}</small>`)}${tried.map((words) => html`<small>${words}</small>`)}${flags.length > 0 && html`<small>${flags.map(flagWords).join(', ')}</small>`}`,
      html`${message !== '' && html`<q>${message}</q>`}${file !== null && html`<small><a href="${file}">what came back</a></small>`}`,
      html`<small>take <code>${trial.id}</code></small>${reported.requestId !== null && html`<small>request <code>${reported.requestId}</code></small>`}<small class="whole">sent ${sample.scheduledAt.slice(11, 23)} UTC</small>`,
    ],
    sheet.failed.anchorOf(trial.id),
  );
}

/** `submit 2.9 ms`, each that the call reached. */
function timesOf(timings: Timings): readonly string[] {
  const { totalMs, submitMs, queueMs, runMs, detectMs, downloadMs } = timings;
  const all = [
    ['total', totalMs],
    ['submit', submitMs],
    ['queue', queueMs],
    ['run', runMs],
    ['detect', detectMs],
    ['download', downloadMs],
  ] as const;
  return all.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${duration(ms)}`]));
}

function row(
  head: Markup | string,
  heads: readonly string[],
  cells: readonly Markup[],
  anchor: string | null = null,
): Markup {
  return html`<tr role="row"${anchor !== null && html` id="${anchor}"`}><th scope="row" role="rowheader">${head}</th>${cells.map(
    (cell, at) =>
      html`<td role="cell" data-label="${heads[at + 1] ?? ''}"${at >= 2 && html` class="wide-cell"`}><div>${cell}</div></td>`,
  )}</tr>
`;
}

/** Those that stand at the top of the page are only counted here. One of a kind stands in its tab alone. */
export function warningsSection({ warnings, variants }: Pick<Analysis, 'warnings' | 'variants'>): Markup | false {
  const kinds = new Map(variants.map(({ name, kind }) => [name, kind]));
  const kindOf = (warning: Warning): Kind | null => {
    const all = new Set(warning.variants.map((name) => kinds.get(name)));
    const [kind] = all;
    return all.size === 1 && hasTabs(variants) ? (kind ?? null) : null;
  };
  const first = unfitKinds(warnings).map(([warning]) => warning);
  const others = warnings.filter((warning) => !first.includes(warning));
  const above = warnings.length - others.length;
  return (
    warnings.length > 0 &&
    section({
      anchor: 'warnings',
      title: 'What may distort the numbers',
      note: `${warningCount(warnings)}${above > 0 ? `, ${count(above)} of them at the top of this page` : ''}.`,
      content: html`<ul class="warnings folded">${warningKinds(others).map((alike) => alikeItems(alike, kindOf))}</ul>`,
    })
  );
}

const MOST_ALIKE = 3;

function alikeItems(warnings: WarningKind, kindOf: (warning: Warning) => Kind | null): Markup {
  const items = warnings.map((warning) => foldedItem(warning, kindOf(warning)));
  // One more line takes no more room than the summary of a fold.
  if (items.length <= MOST_ALIKE + 1) return html`${items}`;
  return html`${items.slice(0, MOST_ALIKE)}<li class="more"><details class="fold"><summary>${plural(items.length - MOST_ALIKE, 'more warning')} of this kind</summary><ul class="warnings folded">${items.slice(MOST_ALIKE)}</ul></details></li>`;
}

function foldedItem(warning: Warning, kind: Kind | null): Markup {
  return html`<li${kind !== null && html` data-kind="${kind}"`}><details><summary>${unbroken(warning.what)}</summary>${causeAndRemedy(warning)}</details></li>`;
}

export function unfitItem({ warning, end }: StoryWarning): Markup {
  return html`<li><strong>${unbroken(warning.what)}${end}</strong>
<details class="fold"><summary>Cause and remedy</summary>${causeAndRemedy(warning)}</details></li>`;
}

function causeAndRemedy({ cause, remedy }: Warning): Markup {
  return html`<dl><div><dt>Cause</dt><dd>${unbroken(cause)}</dd></div><div><dt>Remedy</dt><dd>${unbroken(remedy)}</dd></div></dl>`;
}
