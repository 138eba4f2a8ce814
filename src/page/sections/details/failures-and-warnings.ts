import type { Analysis } from '../../../analysis/analysis.ts';
import type { FailureGroup } from '../../../analysis/summaries.ts';
import type { Warning } from '../../../analysis/warning.ts';
import { unfitKinds, type WarningKind, warningCount, warningKinds } from '../../../analysis/warnings.ts';
import { shownName, takeName } from '../../../kit/names.ts';
import { failureMessage, OUTCOME_WORDS } from '../../../kit/outcome-words.ts';
import { count, plural, share, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import type { StoryWarning } from '../../../report/story-block.ts';
import type { Kind } from '../../../suite/kind.ts';
import { hasTabs, section } from '../../markup/section.ts';
import { type Sheet, sheetAnchor } from '../../shown-outputs.ts';

/** A row for each cause; code and message are the server's words. Every failed take is in samples.csv. */
export function failuresSection({ failures, variants }: Analysis, sheet: Sheet): Markup | null {
  if (failures.length === 0) return null;
  const sent = new Map(variants.map((variant) => [variant.name, variant.plannedTrials - variant.missing]));
  return section({
    anchor: 'failures',
    title: 'Failures',
    note: 'samples.csv has every failed take, with its times and request.',
    content: table<FailureGroup>({
      label: 'Failures',
      as: 'stack',
      classes: 'side-by-side failures',
      columns: [
        { head: 'Variant', cell: ({ variant }) => shownName(variant) },
        { head: 'Outcome', cell: ({ outcome }) => html`<span class="state bad">${OUTCOME_WORDS[outcome]}</span>` },
        { head: 'Takes', cell: (group) => takesOf(group, sent.get(group.variant) ?? 0, sheet) },
        {
          head: 'Code',
          room: 'wide',
          cell: ({ code, httpStatus }) =>
            html`<code>${code}</code>${httpStatus !== null && html`<small>HTTP ${httpStatus}</small>`}`,
        },
        {
          head: 'First message',
          room: 'wide',
          cell: (group) => html`<q>${failureMessage(group)}</q>${firstTake(group.exampleTrial, sheet)}`,
        },
      ],
      rows: failures,
      attributes: ({ exampleTrial }) => {
        const anchor = sheet.failed.anchorOf(exampleTrial);
        return anchor !== null && html` id="${anchor}"`;
      },
    }),
  });
}

function takesOf({ variant, code, count: failed }: FailureGroup, sent: number, { kinds }: Sheet): Markup {
  const kind = kinds.find(({ variants }) => variants.some(({ name }) => name === variant))?.kind ?? '';
  const filter = new URLSearchParams({ kind, variant, failure: code });
  const hasImages = code !== '' && kinds.some(({ strip }) => strip !== null);
  return html`<span class="whole">${count(failed)} of ${count(sent)}</span>${sent > 0 && html`<small class="whole">${share(failed / sent)}</small>`}${
    hasImages && html`<small class="with-script"><a href="${`#images?${filter}`}">in the images</a></small>`
  }`;
}

/** Where the first take of a cause stands, what came back, and what its provider finds it by. */
function firstTake(id: string, sheet: Sheet): Markup {
  const take = sheet.failed.take(id);
  if (take === null) return html`<small>take <code>${id}</code></small>`;
  const { trial, reported, scheduledAt } = take.sample;
  const cell = sheetAnchor(sheet.places.cell(trial.variant, trial.prompt, trial.seed ?? 0), sheet);
  const place = `${trial.prompt}, seed ${trial.seed}, ${takeName({ repeat: trial.repeat, step: trial.step ?? null })}`;
  const file = take.output === null ? null : sheet.originalOf(take.output);
  return html`<small>${cell === null ? place : html`<a href="#${cell}">${place}</a>`}${file !== null && html`: <a href="${file}">what came back</a>`}</small><small>take <code>${id}</code>${reported.requestId !== null && html`, request <code>${reported.requestId}</code>`}, sent ${scheduledAt.slice(11, 23)} UTC</small>`;
}

/** Links to the row of the cause of a failed take, if it has one. */
export function causeLink(trial: string, words: Markup | string, { failed }: Pick<Sheet, 'failed'>): Markup {
  const anchor = failed.anchorOf(trial);
  return anchor === null ? html`${words}` : html`<a href="#${anchor}">${words}</a>`;
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
