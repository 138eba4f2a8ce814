import { groupBy } from '../kit/grouping.ts';
import { KIND_NAMES } from '../kit/names.ts';
import { type ContentsEntry, contents, documentEnd, documentHead, HISTORY_STYLE } from '../markup/document.ts';
import { html, textOf } from '../markup/markup.ts';
import { SCRIPT } from '../markup/times-script.ts';
import {
  bandNote,
  type HistorySource,
  historyMethod,
  historyOverview,
  historyRuns,
  historyVariant,
} from './sections/history.ts';

export const HISTORY_POLICY = { style: HISTORY_STYLE, script: SCRIPT, loadsBeside: false };

/** history.html, in pieces: it needs no network and no other file. The same history gives the same bytes. */
export function* historyPage(source: HistorySource): Generator<string> {
  const { trend } = source;
  const kinds = [...groupBy(trend.variants, ({ kind }) => kind)];
  const entries: readonly ContentsEntry[] = [
    { anchor: 'overview', title: 'Overview' },
    ...kinds.map(([kind]) => ({ anchor: kind, title: KIND_NAMES[kind] })),
    { anchor: 'runs', title: 'Runs' },
    { anchor: 'method', title: 'Method' },
  ];
  yield textOf(documentHead({ title: `${trend.suite} · Retake history`, results: 'overview', ...HISTORY_POLICY }));
  yield textOf(html`<div class="page">
${contents(entries)}
<main>
`);
  yield textOf(historyOverview(source));
  for (const [kind, variants] of kinds) {
    yield textOf(html`<section id="${kind}" aria-labelledby="${kind}-title">
<h2 id="${kind}-title">${KIND_NAMES[kind]}</h2>
<p class="note fine">${bandNote(variants)}</p>
`);
    for (const variant of variants) yield textOf(historyVariant(variant, source));
    yield '</section>\n';
  }
  yield textOf(historyRuns(source));
  yield textOf(historyMethod(trend));
  yield textOf(html`</main>
<footer>Made by Retake from the history of ${trend.suite}. This page loads no other file.</footer>
</div>
${documentEnd(SCRIPT)}`);
}
