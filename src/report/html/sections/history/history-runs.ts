import { wallClock } from '../../../../text/wall-clock.ts';
import type { HistorySource } from '../../history-source.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What the gate said of a run. */
export const VERDICT_STATES = {
  pass: html`<span class="state good">passed</span>`,
  fail: html`<span class="state bad">failed</span>`,
  inconclusive: html`<span class="state warn">inconclusive</span>`,
  none: html`<span class="state">no gate</span>`,
} as const;

/** Every run with its verdict and a link to its report, the latest first. */
export function historyRuns(source: HistorySource): Markup {
  const { runs } = source.trend;
  return html`<section id="runs" aria-labelledby="runs-title">
<h2 id="runs-title">Runs</h2>
<p class="note">The latest run first. A run without a link has no report.html beside this page.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Runs: scrolls sideways"><table class="plain">
<thead><tr><th scope="col">Run</th><th scope="col">Began</th><th scope="col">State</th><th scope="col">Gate</th></tr></thead>
<tbody>${runs.toReversed().map(
    ({ run, startedAt, complete, verdict }) =>
      html`<tr><th scope="row">${runLink(run, source)}</th><td>${wallClock(startedAt)}</td><td>${complete ? 'complete' : html`<span class="state bad">incomplete</span>`}</td><td>${VERDICT_STATES[verdict]}</td></tr>
`,
  )}</tbody></table></div>
</section>
`;
}

/** The name of a run, as a link to its report where it has one. */
export function runLink(run: string, { reportOf }: Pick<HistorySource, 'reportOf'>): Markup {
  const url = reportOf(run);
  return url === null ? html`${run}` : html`<a href="${url}">${run}</a>`;
}
