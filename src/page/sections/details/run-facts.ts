import type { Analysis } from '../../../analysis/analysis.ts';
import type { Comparison } from '../../../analysis/comparison.ts';
import { headlineLatency, type TimedSample } from '../../../analysis/effective-sample.ts';
import { medianLatency } from '../../../analysis/medians.ts';
import { NEW_AGAINST_IN_USE } from '../../../analysis/note.ts';
import type { MedianLatency } from '../../../analysis/summaries.ts';
import { stateWords, verdictSentence } from '../../../gate/run-state.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, proxyWords } from '../../../kit/names.ts';
import { speedWords } from '../../../kit/value-words.ts';
import { capital, count, type DurationUnit, duration, durationInterval, listed, plural } from '../../../kit/wording.ts';
import { toned } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { comparedSpeed, headlineComparisons } from '../../../report/comparison-statement.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import {
  droppedStarts,
  loadsWords,
  loadWords,
  looksSentence,
  partsNote,
  spendSentence,
  tookWords,
  undelivered,
  whatIsComplete,
} from '../../../report/run-statement.ts';
import { byKind, latencyUnits } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { type Load, sweepSteps } from '../../../suite/load.ts';
import { markedName, type VariantMarks } from '../../drawing/variant-mark.ts';
import { anyDelivered, ofKind, scrollingTable, section } from '../../markup/section.ts';

export function runSection(analysis: Analysis, verdict: Verdict): Markup {
  const { run } = analysis;
  const looks = looksSentence(verdict);
  const spent = spendSentence(analysis);
  return section({
    anchor: 'run',
    title: 'The run',
    note: run.description,
    content: html`<p class="meta"><span>${run.id}</span>${run.label !== null && html`<span>${run.label}</span>`}${run.vantage !== undefined && html`<span>sent from ${run.vantage}</span>`}${proxyWords(analysis.variants).map((words) => html`<span>${words}</span>`)}<span>Retake ${run.machine.retake}</span></p>
<dl class="facts">
<div><dt>Verdict</dt><dd>${toned(stateWords(verdict))}
<p>${verdictSentence(verdict, analysis)}.${looks !== null && ` ${looks}.`}</p></dd></div>
<div><dt>Run</dt><dd>${runState(analysis)}
<p>${capital(whatIsComplete(analysis))}.${failedNote(analysis)}${leftOutNote(analysis)}${warningsNote(analysis)}</p></dd></div>
<div><dt>Plan</dt><dd><span class="figure">${plural(analysis.variants.length, 'variant')}</span>
<p>${planWords(analysis)}</p></dd></div>
<div><dt>Sent</dt><dd><span class="figure">${plural(run.requestsSent, 'request')}</span>
<p>${run.durationMs === null ? 'Nothing was sent' : `${capital(tookWords(run, run.durationMs))}, ${loadWords(run.plan.load)}`}.${othersNote(analysis)}</p>${spent !== null && html`<p>${spent}.</p>`}</dd></div>
</dl>`,
  });
}

/** ` Includes warm-ups and probes.` */
function othersNote({ run, variants, probes, warnings }: Analysis): string {
  const takes = variants.reduce(
    (sum, { plannedTrials, missing, outcomes }) => sum + plannedTrials - missing - (outcomes.dropped ?? 0),
    0,
  );
  if (run.requestsSent <= takes) return '';
  const others = [
    ...(run.plan.load.warmup > 0 ? ['warm-ups'] : []),
    ...(probes.length > 0 ? ['probes'] : []),
    ...(warnings.some(({ code }) => code === 'rate_limited') ? ['requests sent again'] : []),
  ];
  return others.length === 0 ? '' : ` Includes ${listed(others)}.`;
}

/** Good only with every variant measured and all takes delivered. */
function runState(analysis: Analysis): Markup {
  const { run, variants, failures } = analysis;
  if (!run.complete) return html`<span class="state bad">Incomplete</span>`;
  if (!anyDelivered(variants)) return html`<span class="state bad">Nothing delivered</span>`;
  if (failures.length > 0) return html`<span class="state warn">Complete, with failures</span>`;
  if (droppedStarts(variants) > 0) return html`<span class="state warn">Complete, with drops</span>`;
  return html`<span class="${leftOut(analysis) === 0 ? 'state good' : 'state'}">Complete</span>`;
}

function leftOut({ warnings }: Analysis): number {
  return warnings.flatMap(({ code, variants }) => (code === 'variants_left_out' ? variants : [])).length;
}

function leftOutNote(analysis: Analysis): Markup | false {
  const variants = leftOut(analysis);
  return variants > 0 && html` <a class="bad" href="#warnings">${plural(variants, 'variant')} left out</a>.`;
}

function failedNote({ failures, variants }: Analysis): Markup | false {
  const { failed, blocked } = undelivered(failures);
  const dropped = droppedStarts(variants);
  const failedWords = failed > 0 && html` <a class="bad" href="#what-failed">${plural(failed, 'take')} failed</a>.`;
  const blockedWords =
    blocked > 0 &&
    html` <a class="bad" href="#what-failed">${plural(blocked, 'take')} ${blocked === 1 ? 'was' : 'were'} blocked</a>: moderated, or blank.`;
  const droppedWords =
    dropped > 0 &&
    html` <a class="bad" href="#timeline">${plural(dropped, 'start')} ${dropped === 1 ? 'was' : 'were'} dropped</a>.`;
  if (failedWords === false && blockedWords === false && droppedWords === false)
    return anyDelivered(variants) && html` No take failed.`;
  return html`${failedWords}${blockedWords}${droppedWords}`;
}

function warningsNote({ warnings }: Analysis): Markup | false {
  return warnings.length > 0 && html` <a href="#warnings">${plural(warnings.length, 'warning')}</a>.`;
}

/** `Text to image, 36 takes: 3 prompts × 4 seeds × 3 takes.` */
function planWords({ run, variants, prompts }: Analysis): string {
  const { load, seeds, repeats, looks } = run.plan;
  const takes = plural(
    variants.reduce((sum, { plannedTrials }) => sum + plannedTrials, 0),
    'take',
  );
  const kinds = byKind(variants);
  const [first] = kinds;
  const isOne = kinds.length === 1 && first !== undefined;
  const notes = `${planNote(load)}${partsNote(looks)}`;
  const [ofPrompts, ofSeeds] = [plural(prompts.length, 'prompt'), plural(seeds.length, 'seed')];
  // A kind may leave prompts out, so the numbers of several kinds do not multiply.
  return isOne
    ? `${KIND_NAMES[first[0]]}, ${takes}: ${plural(variants.length, 'variant')} × ${ofPrompts} × ${ofSeeds} × ${plural(repeats, 'take')}${notes}.`
    : `${plural(kinds.length, 'kind')}, ${ofPrompts}, ${ofSeeds}; ${takes}: ${count(repeats)} of each variant, prompt and seed${notes}.`;
}

function planNote(load: Load): string {
  const steps = sweepSteps(load);
  if (steps !== null) return ` × ${loadsWords(steps, load)}`;
  return load.mode === 'open' && load.stages.at(-1)?.forMs !== null
    ? ', repeated with fresh seeds while takes arrive'
    : '';
}

const MOST_PLACES = 3;

const MOST_ROWS = 12;

export function placesSection(
  { analysis, samples, comparisons }: Pick<ReportSource, 'analysis' | 'samples' | 'comparisons'>,
  marks: VariantMarks,
): Markup | null {
  const worst = worstPlaces(analysis, comparisons, marks);
  const byTag = tagTables(analysis, samples, marks);
  if (worst === null && byTag.length === 0) return null;
  return section({
    anchor: 'places',
    title: worst === null ? 'Latency by tag' : 'Where each variant does worst',
    note: worst !== null && 'The prompts and tags with the lowest speed against the baseline variant, in each kind.',
    more: worst !== null && 'comparisons.csv has all prompts and tags, with intervals.',
    content: [worst, byTag],
  });
}

/** The lowest speed by prompt and by tag; null where nothing was compared by prompt. */
function worstPlaces(
  { run: { plan }, variants }: Analysis,
  comparisons: readonly Comparison[],
  marks: VariantMarks,
): Markup | null {
  const metric = headlineLatency(plan.load);
  const byVariant = groupBy(
    comparisons.filter((comparison) => comparison.metric === metric && comparison.value !== null),
    ({ variant }) => variant,
  );
  const rowsOf = (kind: Kind) =>
    headlineComparisons(comparisons, plan.load).flatMap((headline) => {
      // Without an interval of all takes, parts of them tell nothing either.
      if (headline.kind !== kind || comparedSpeed(headline).speed === null) return [];
      const worstFirst = (byVariant.get(headline.variant) ?? [])
        .filter(({ baseline, step }) => baseline === headline.baseline && step === headline.step)
        .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
      const prompts = worstFirst.flatMap(({ scope, value }) => (scope.of === 'prompt' ? [place(scope.id, value)] : []));
      const tags = worstFirst.flatMap(({ scope, value }) => (scope.of === 'tag' ? [place(scope.tag, value)] : []));
      if (prompts.length < 2) return [];
      return [
        html`<tr><th scope="row">${markedName(headline.variant, marks)}<small>${notesOf(headline)}</small></th><td>${placesListed(prompts)}</td><td>${
          tags.length < 2 ? '–' : placesListed(tags)
        }</td></tr>
`,
      ];
    });
  const tables = byKind(variants).flatMap(([kind]) => {
    const rows = rowsOf(kind);
    return rows.length === 0 ? [] : [ofKind(kind, variants, worstTable(rows))];
  });
  return tables.length === 0 ? null : html`${tables}`;
}

function worstTable(rows: readonly Markup[]): Markup {
  return html`<div class="${rows.length > MOST_ROWS ? 'scroll tall' : 'scroll'}" tabindex="0" role="group" aria-label="Worst prompts and tags: scrolls"><table class="plain">
<thead><tr><th scope="col">Variant</th><th scope="col">By prompt</th><th scope="col">By tag</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** A name may be written from right to left. */
function place(name: string, value: number | null): Markup {
  return html`<bdi>${name}</bdi> ${value === null ? '–' : speedWords(value)}`;
}

function placesListed(places: readonly Markup[]): readonly Markup[] {
  return places.slice(0, MOST_PLACES).map((place, at) => html`${at > 0 && ', '}${place}`);
}

function notesOf({ step, baseline, baselineRun }: Comparison): string {
  const against = baselineRun === null ? `against ${baseline}` : NEW_AGAINST_IN_USE;
  return step === null ? against : `${against}, at concurrency ${count(step)}`;
}

/** Tags of all prompts of a kind, which equal all takes, are left out; so are sweeps, whose latency is by step. */
function tagTables(analysis: Analysis, samples: readonly TimedSample[], marks: VariantMarks): readonly Markup[] {
  const { load } = analysis.run.plan;
  if (sweepSteps(load) !== null) return [];
  const unitOf = latencyUnits(analysis);
  const timed = groupBy(
    samples.filter((sample) => sample.timed),
    ({ sample }) => sample.trial.variant,
  );
  return byKind(analysis.variants).flatMap(([kind, variants]) => {
    const tags = promptsByTag(analysis, kind);
    if (tags.size === 0) return [];
    const rows = variants.map(({ name }) => {
      const cells = [...tags.values()].map((prompts) => {
        const tagged = (timed.get(name) ?? []).filter(({ sample }) => prompts.has(sample.trial.prompt));
        return medianCell(medianLatency(tagged, load), unitOf(name));
      });
      return html`<tr><th scope="row">${markedName(name, marks)}</th>${cells}</tr>
`;
    });
    const table = scrollingTable(
      `Latency by tag, ${KIND_NAMES[kind]}`,
      ['Variant', ...[...tags.keys()].map((tag) => html`<bdi>${tag}</bdi>`)],
      rows,
      'plain tags',
    );
    return [
      ofKind(
        kind,
        analysis.variants,
        html`<h4>Median ${headlineLatency(load)} by tag</h4>
${table}`,
      ),
    ];
  });
}

function promptsByTag({ prompts }: Analysis, kind: Kind): ReadonlyMap<string, ReadonlySet<string>> {
  const planned = prompts.filter(({ kinds }) => kinds.includes(kind));
  const tags = [...new Set(planned.flatMap((prompt) => prompt.tags))];
  const tagged = tags.map((tag) => [tag, planned.filter((prompt) => prompt.tags.includes(tag))] as const);
  return new Map(
    tagged
      .filter(([, prompts]) => prompts.length < planned.length)
      .map(([tag, prompts]) => [tag, new Set(prompts.map(({ id }) => id))]),
  );
}

function medianCell({ valueMs, lowMs, highMs, n }: MedianLatency, unit: DurationUnit): Markup {
  const interval = lowMs === null || highMs === null ? 'no interval' : `[${durationInterval(lowMs, highMs, unit)}]`;
  return html`<td>${valueMs === null ? '–' : duration(valueMs, unit)}<small>${`${interval}, n = ${count(n)}`}</small></td>`;
}
