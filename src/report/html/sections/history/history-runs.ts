import { wallClock } from '../../../../text/wall-clock.ts';
import type { HistorySource } from '../../history-source.ts';
import { html, type Markup } from '../../markup/markup.ts';

export const VERDICT_STATES = {
  pass: html`<span class="state good">passed</span>`,
  fail: html`<span class="state bad">failed</span>`,
  inconclusive: html`<span class="state warn">inconclusive</span>`,
  none: html`<span class="state">no gate</span>`,
} as const;

export function historyRuns(source: HistorySource): Markup {
  const { runs } = source.trend;
  return html`<section id="runs" aria-labelledby="runs-title">
<h2 id="runs-title">Runs</h2>
<p class="note">The latest run first. A run without a link has no report.html beside this page.</p>
<table class="plain side-by-side lines" role="table" aria-label="Runs">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Run</th><th scope="col" role="columnheader">Began</th><th scope="col" role="columnheader">State</th><th scope="col" role="columnheader">Gate</th></tr></thead>
<tbody role="rowgroup">${runs.toReversed().map(
    ({ run, startedAt, complete, verdict }) =>
      html`<tr role="row"><th scope="row" role="rowheader">${runLink(run, source)}</th><td role="cell" data-label="Began">${wallClock(startedAt)}</td><td role="cell" data-label="State">${complete ? html`<span>complete</span>` : html`<span class="state bad">incomplete</span>`}</td><td role="cell" data-label="Gate">${VERDICT_STATES[verdict]}</td></tr>
`,
  )}</tbody></table>
</section>
`;
}

export function runLink(run: string, { reportOf }: Pick<HistorySource, 'reportOf'>): Markup {
  const url = reportOf(run);
  return url === null ? html`${run}` : html`<a href="${url}">${run}</a>`;
}
