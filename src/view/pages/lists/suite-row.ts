import { shownName } from '../../../kit/names.ts';
import { count, duration, durationUnit, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import type { ShownFirst } from '../../../record/kept-run.ts';
import { historyAddress, type RunPlace, reportAddress, runAddress, suiteAddress } from '../../addresses.ts';
import type { HeadlineTrend, KnownLine } from '../../progress/suite-history.ts';
import { stateMarkup, timeAgo } from '../parts/run-words.ts';
import { answerMarkup, type ListedRun, stateOf } from './runs-table.ts';

export interface ListedSuite {
  readonly suite: string;
  /** Including shards. */
  readonly runs: number;
  readonly trends: readonly HeadlineTrend[];
  /** The latest first; empty where there is none. */
  readonly latest: readonly ListedRun[];
  /** What the report of the last decided run shows first; null if it showed nothing, or that is gone. */
  readonly shown: ShownOutputs | null;
}

export interface ShownOutputs extends Pick<ShownFirst, 'prompt' | 'seed'> {
  readonly place: RunPlace;
  readonly outputs: readonly (ShownFirst['outputs'][number] & {
    readonly image: string;
    /** Of what the stored baseline has; null where that is gone. */
    readonly before: string | null;
  })[];
  readonly medians: KnownLine['medians'];
}

/** Most trends of a suite that has no images to show. */
const MOST_TRENDS = 3;

export function suiteRow({ suite, runs, trends, latest, shown }: ListedSuite, at: number, nowMs: number): Markup {
  const id = `suite-${at}`;
  const decided = lastDecided(latest);
  const [newest] = latest;
  return html`<article class="suite" aria-labelledby="${id}" data-key="${`suite ${suite}`}">
<div class="about"><h3 id="${id}"><a href="${suiteAddress(suite)}">${suite}</a></h3>
${decided !== null && html`<p class="said">${decidedWords(decided, nowMs)}</p>`}${
  newest !== undefined &&
  newest !== decided &&
  html`<p class="said">${newestWords(newest, decided !== null, nowMs)}</p>`
}${
  shown !== null &&
  html`<p class="said">Shown: ${shown.prompt}, seed ${shown.seed}</p>
`
}<ul class="actions">${
    decided !== null &&
    html`<li><a href="${reportAddress(decided)}" aria-label="${`Open report of ${suite}`}"><strong>Open report</strong></a></li>`
  }<li><a href="${suiteAddress(suite)}" aria-label="${`${allRuns(runs)} of ${suite}`}">${allRuns(runs)}</a></li><li><a href="${historyAddress(suite)}" aria-label="${`Trend of ${suite}`}">Trend</a></li></ul></div>
${shown === null ? trendList(suite, trends.slice(0, MOST_TRENDS), false) : triptych(shown, trends)}</article>
`;
}

function allRuns(runs: number): string {
  return runs === 1 ? '1 run' : `All ${count(runs)} runs`;
}

/** The latest run with a line in the history of its suite; null if none of these has one. */
export function lastDecided(latest: readonly ListedRun[]): ListedRun | null {
  return latest.find(({ line }) => line !== null) ?? null;
}

function decidedWords({ line, answer, outline }: ListedRun, nowMs: number): Markup {
  return html`${line !== null && stateOf(line, answer)}${line?.label !== undefined && html`, ${line.label}`}, ${outline === null ? html`<span class="state bad">not readable</span>` : timeAgo(outline.createdAt, nowMs)}${answerMarkup(answer)}`;
}

function newestWords(newest: ListedRun, isOtherDecided: boolean, nowMs: number): Markup {
  const address = newest.isInUse ? runAddress(newest) : reportAddress(newest);
  const link = html`<a href="${address}">${isOtherDecided ? 'Newest run' : 'Run'}</a>`;
  if (newest.outline === null) return html`${link}: <span class="state bad">not readable</span>`;
  const { measuring, createdAt } = newest.outline;
  return html`${link}: ${stateMarkup({ ...newest, measuring })}, ${timeAgo(createdAt, nowMs)}`;
}

/** Its images lead to the report; the keyboard skips them. */
function triptych({ place, prompt, seed, outputs, medians }: ShownOutputs, trends: readonly HeadlineTrend[]): Markup {
  const unit = durationUnit(outputs.flatMap(({ variant }) => medians.get(variant) ?? []));
  const link = (image: string, words: string) =>
    html`<a href="${reportAddress(place)}" tabindex="-1"><img alt="${`${words}: ${prompt}, seed ${seed}`}" loading="lazy" decoding="async" src="${image}"></a>`;
  return html`<div class="${`triptych of-${outputs.length}`}">${outputs.map(
    ({ variant, image, baseline, similar, compared, stored, before }) => {
      const p50Ms = medians.get(variant);
      const trend = trends.find(({ variant: name }) => name === variant);
      return html`${stored !== undefined && before !== null && html`<figure>${link(before, `${variant}, stored`)}<figcaption><span class="name">stored</span></figcaption></figure>`}<figure>${link(image, variant)}<figcaption><span class="name" title="${shownName(variant)}">${shownName(variant)}</span>${p50Ms !== undefined && html`<b title="p50">${duration(p50Ms, unit)}</b>`}${
        trend !== undefined && sparkLine(trend.mediansMs)
      }<span class="alike">${stored !== undefined ? 'changed' : baseline ? 'baseline' : compared > 0 && `${count(similar)}/${count(compared)} similar`}</span></figcaption></figure>`;
    },
  )}</div>
`;
}

const MOST_LISTED = 24;

/** In pixels; drawn at this size. */
const WIDTH = 96;
const HEIGHT = 20;
const SIDE = 3;

/** @param isExplained whether a note says what its numbers are */
export function trendList(suite: string, trends: readonly HeadlineTrend[], isExplained = true): Markup | null {
  if (trends.length === 0) return null;
  const shown = trends.slice(0, MOST_LISTED);
  const unit = durationUnit(trends.map(lastOf));
  return html`<ul class="trends" aria-label="Latency from run to run">${shown.map(
    (trend) =>
      html`<li><span class="name" title="${trend.variant}">${trend.variant}</span>${sparkLine(trend.mediansMs)}<b title="p50">${duration(lastOf(trend), unit)}</b></li>`,
  )}</ul>
${
  isExplained &&
  html`<p class="note fine">${trendWords(shown)}${
    shown.length < trends.length &&
    html` ${count(shown.length)} of ${plural(trends.length, 'variant')} are shown; <a href="${historyAddress(suite)}">the trend</a> has all.`
  }</p>
`
}`;
}

export function trendWords(trends: readonly HeadlineTrend[]): string {
  const line = trends.some(({ mediansMs }) => mediansMs.length > 1) ? '; the line: p50 from run to run' : '';
  return `Latency: p50 of the latest complete run, as its report shows it${line}.`;
}

function lastOf({ mediansMs }: HeadlineTrend): number {
  return mediansMs.at(-1) ?? 0;
}

/** On a log scale; at least a factor of 1.5 fills its height, so that noise does not look like a change. */
function sparkLine(mediansMs: readonly number[]): Markup {
  const lnValues = mediansMs.map(Math.log);
  const least = lnValues.reduce((a, b) => Math.min(a, b), Infinity);
  const most = lnValues.reduce((a, b) => Math.max(a, b), -Infinity);
  const middle = (least + most) / 2;
  const half = Math.max(most - least, Math.log(1.5)) / 2;
  const points = lnValues.map((value, at) => ({
    x: rounded(SIDE + (lnValues.length === 1 ? 1 : at / (lnValues.length - 1)) * (WIDTH - 2 * SIDE)),
    y: rounded(HEIGHT / 2 - ((value - middle) / half) * (HEIGHT / 2 - SIDE)),
  }));
  const last = points.at(-1);
  if (last === undefined || points.length === 1) return html``;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"><polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="none" stroke="var(--dot)" stroke-width="1.4"/><circle cx="${last.x}" cy="${last.y}" r="2.6" fill="var(--accent)"/></svg>`;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
