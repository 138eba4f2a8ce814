import type { FastifyInstance, FastifyReply } from 'fastify';
import pLimit from 'p-limit';
import type { TwoRuns } from '../../analysis/two-runs.ts';
import { capital, count, durationUnit, plural } from '../../kit/wording.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { type CellData, dataBlock, type OutputData, type PageData, type TakeData } from '../../markup/page-data.ts';
import { levelOf } from '../../media/level.ts';
import { SCRIPT } from '../../page/compare-script.ts';
import { compareDialog } from '../../page/dialogs.ts';
import { beganMs } from '../../record/codes.ts';
import type { OutputFact, PairFact } from '../../record/fact.ts';
import { createdAt } from '../../record/find-run.ts';
import type { Output } from '../../record/journal.ts';
import type { PairDifference } from '../../report/level-words.ts';
import { twoRunsHeads, twoRunsNotes, twoRunsRows, unfitSentences } from '../../report/two-runs.ts';
import {
  COMPARE_ADDRESS,
  compareAddress,
  DIFFERENCE_ADDRESS,
  keyOf,
  placeOfKey,
  type RunPlace,
  reportAddress,
} from '../addresses.ts';
import { compareForm, firstChoice, type RunChoice } from '../pages/parts/compare-form.ts';
import { outputFigure, type ShownOutput, shownOutput } from '../pages/parts/output-figure.ts';
import { type NavigationLink, type Page, type Part, page, pager } from '../pages/parts/page.ts';
import { COMPARE_LINK, INDEX_LINK, suiteLinks } from '../pages/parts/run-words.ts';
import { BoundedMap } from '../progress/bounded-map.ts';
import type { Makers } from '../reports.ts';
import {
  type Compared,
  type ComparedOutputs,
  type CompareRuns,
  type DeliveredSample,
  isSame,
  type Library,
} from '../results/library.ts';
import { placeFrom, refuse, refuseAbsent, refuseAbsentPlace, sendPage } from './guards.ts';

const PAIRS_OF_PART = 24;
const MOST_CHOICES = 200;

interface Query {
  readonly Querystring: { readonly a?: unknown; readonly b?: unknown; readonly from?: unknown };
}

export function addCompare(app: FastifyInstance, library: Library, compared: CompareRuns): void {
  app.get<Query>(COMPARE_ADDRESS, async ({ query }, reply) => {
    if (query.a === undefined && query.b === undefined)
      return sendPage(reply, choosePage(await library.choices(placesOf(library))));
    const [a, b] = [placeOfKey(query.a), placeOfKey(query.b)];
    if (a === null || b === null) return refuseAbsent(reply);
    for (const place of [a, b]) if (!(await library.has(place))) return refuseAbsentPlace(reply, library, place);
    const links = linksOf(b);
    if (keyOf(a) === keyOf(b)) {
      return refuse(reply, 409, { title: 'One run, not two', causes: ['Choose two different runs.'], links });
    }
    // The page says which run was measured first.
    if (isLater(a, b, library)) return reply.redirect(compareAddress(b, a), 302);
    const made = await compared(a, b);
    if (!made.ok) {
      const causes = library.reasons(made.diagnostics);
      return refuse(reply, 409, { title: `${b.run} and ${a.run} cannot be compared`, causes, links });
    }
    const { comparison, pairs, facts, texts } = made.value;
    const from = placeFrom(query.from, pairs.length);
    const [thereA, thereB] = [library.files(a), library.files(b)];
    const ofPart = pairs.slice(from, from + PAIRS_OF_PART);
    const names = a.run === b.run ? ([keyOf(a), keyOf(b)] as const) : ([a.run, b.run] as const);
    const data = pairData(ofPart, names, texts, facts);
    const shown = ofPart.map(
      ({ variant, prompt, seed, earlier, later }, at): ShownPair => ({
        variant,
        prompt,
        seed,
        earlier: shownOutput(a, earlier, (path) => thereA.has(path)),
        later: shownOutput(b, later, (path) => thereB.has(path)),
        sameBytes: isSame({ earlier, later }),
        number: from + at,
        cells: [2 * at, 2 * at + 1],
      }),
    );
    const same = pairs.filter(isSame).length;
    const suites = [...new Set([a.suite, b.suite])];
    const choices = await library.choices(suites.flatMap((suite) => library.runs(suite).slice(0, MOST_CHOICES)));
    const part = { from, size: PAIRS_OF_PART, of: pairs.length };
    return sendPage(reply, comparePage({ a, b, comparison, pairs: shown, data, part, same, choices }));
  });
}

function linksOf({ suite }: RunPlace): readonly NavigationLink[] {
  return [...suiteLinks(suite).slice(0, 2), COMPARE_LINK];
}

/** False if one of them cannot be read. */
function isLater(a: RunPlace, b: RunPlace, library: Library): boolean {
  const [one, other] = [createdAt(library.folder(a)), createdAt(library.folder(b))];
  return other !== '' && one > other;
}

function placesOf(library: Library): readonly RunPlace[] {
  const places: RunPlace[] = [];
  for (const suite of library.suites()) {
    if (places.length >= MOST_CHOICES) break;
    places.push(...library.runs(suite).slice(0, MOST_CHOICES - places.length));
  }
  return places;
}

/** A pair has two cells; runs stand in place of variants. @param texts by id of the prompt @param facts by digest */
function pairData(
  pairs: readonly ComparedOutputs[],
  names: readonly [earlier: string, later: string],
  texts: ReadonlyMap<string, string>,
  facts: ReadonlyMap<string, OutputFact>,
): PageData {
  // One unit for all pairs, since they are on one page.
  const unit = durationUnit(pairs.flatMap(({ takes }) => takes.map(totalOf)));
  const [before, after] = names;
  const promptOf = ({ prompt, variant }: ComparedOutputs): string => `${prompt}, ${variant}`;
  return {
    prompts: pairs.map((pair) => ({ id: promptOf(pair), text: texts.get(pair.prompt) ?? '', tags: [], input: null })),
    cells: pairs.flatMap((pair): readonly CellData[] => {
      const { seed, earlier, later, takes } = pair;
      const place = {
        prompt: promptOf(pair),
        unit,
        seed: seed ?? 0,
        level: null,
        pairs: [],
        likeness: null,
        stored: null,
      };
      const cell = (output: Output, take: DeliveredSample) => ({
        ...place,
        outputs: [outputData(output, facts)],
        takes: [takeData(take)],
      });
      return [
        { variant: before, baseline: null, ...cell(earlier, takes[0]) },
        { variant: after, baseline: before, ...cell(later, takes[1]) },
      ];
    }),
  };
}

function outputData({ sha256, mime }: Output, facts: ReadonlyMap<string, OutputFact>): OutputData {
  const common = { sha256: sha256.slice(0, 12), level: null };
  const fact = facts.get(sha256);
  if (fact?.decodes === true) {
    const { width, height, video } = fact;
    const durationS = video === null ? null : (video.durationS ?? 0);
    return { ...common, width, height, durationS, fps: video?.fps ?? null };
  }
  const isVideo = mime?.startsWith('video/') === true;
  return { ...common, width: null, height: null, durationS: isVideo ? 0 : null, fps: null };
}

function totalOf(sample: DeliveredSample): number {
  return sample.marks.doneMs - beganMs(sample);
}

function takeData(sample: DeliveredSample): TakeData {
  const { trial, httpStatus, attempts, reported, flags } = sample;
  const totalMs = Number(totalOf(sample).toPrecision(5));
  const place = { repeat: trial.repeat, step: trial.step ?? null, outcome: 'ok', output: 0 };
  return {
    ...place,
    times: { total: totalMs },
    httpStatus,
    attempts,
    requestId: reported.requestId,
    flags,
    error: null,
  };
}

const MOST_KEPT = 500;
/** Only one comparison is made at a time. */
const MOST_WAITING = 8;

interface DifferenceQuery {
  readonly Querystring: { readonly a?: unknown; readonly b?: unknown; readonly pair?: unknown };
}

/** Compares two outputs once somebody looks at them, in a process of its own, one pair at a time. */
export function addDifference(
  app: FastifyInstance,
  library: Library,
  { compared, difference }: Pick<Makers, 'difference'> & { readonly compared: CompareRuns },
): void {
  const kept = new BoundedMap<string, PairFact>(MOST_KEPT);
  const one = pLimit(1);
  app.get<DifferenceQuery>(DIFFERENCE_ADDRESS, { exposeHeadRoute: false }, async ({ query }, reply) => {
    const [a, b] = [placeOfKey(query.a), placeOfKey(query.b)];
    if (a === null || b === null || !(await library.has(a)) || !(await library.has(b))) return refuseAbsent(reply);
    const made = await compared(a, b);
    const pair = made.ok ? made.value.pairs[numberOf(query.pair)] : undefined;
    if (!made.ok || pair === undefined) return refuseAbsent(reply);
    const known = knownDifference(pair, made.value);
    if (known !== null) return reply.send(known);
    const facts = [made.value.facts.get(pair.earlier.sha256), made.value.facts.get(pair.later.sha256)] as const;
    const key = `${pair.earlier.sha256} ${pair.later.sha256}`;
    const keptFact = kept.get(key);
    if (keptFact !== undefined) return reply.send(answerOf(keptFact, pair, made.value));
    if (one.pendingCount >= MOST_WAITING) {
      const causes = ['Other outputs are compared now. Try again later.'];
      return refuse(reply.header('retry-after', '5'), 503, { title: 'Too many comparisons', causes });
    }
    const gone = goneSignal(reply);
    const folders = [library.folder(a), library.folder(b)];
    const fact = await one(() => (areDecoded(facts) && !gone.aborted ? difference(folders, facts, gone) : null));
    if (fact === null) return reply.send({ state: 'not_decoded' } satisfies PairDifference);
    // Failures of a comparison are not kept: they may pass.
    if (fact.compared) kept.set(key, fact);
    return reply.send(answerOf(fact, pair, made.value));
  });
}

/** Null if the media must be compared. */
function knownDifference({ earlier, later }: ComparedOutputs, { facts }: Compared): PairDifference | null {
  if (earlier.sha256 === later.sha256) return { state: 'compared', level: 'byte', difference: null };
  const [one, other] = [facts.get(earlier.sha256), facts.get(later.sha256)];
  if (one?.decodes !== true || other?.decodes !== true) return { state: 'not_decoded' };
  const isSame = one.shown.pixelSha256 === other.shown.pixelSha256;
  return isSame ? { state: 'compared', level: 'pixel', difference: null } : null;
}

function answerOf(fact: PairFact, { variant }: ComparedOutputs, { levels }: Compared): PairDifference {
  if (!fact.compared) return { state: 'uncompared', reason: fact.reason };
  return { state: 'compared', level: levelOf(fact.difference, levels.get(variant)), difference: fact.difference };
}

function areDecoded(
  facts: readonly [OutputFact | undefined, OutputFact | undefined],
): facts is readonly [OutputFact, OutputFact] {
  return facts.every((fact) => fact !== undefined);
}

/** Aborted once the reader has gone. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

function numberOf(asked: unknown): number {
  return typeof asked === 'string' && /^\d{1,9}$/.test(asked) ? Number(asked) : -1;
}

interface ShownPair extends Pick<ComparedOutputs, 'variant' | 'prompt' | 'seed'> {
  readonly earlier: ShownOutput;
  readonly later: ShownOutput;
  readonly sameBytes: boolean;
  readonly number: number;
  /** Where both stand in the data of the page. */
  readonly cells: readonly [earlier: number, later: number];
}

interface CompareSource {
  readonly a: RunPlace;
  readonly b: RunPlace;
  readonly comparison: TwoRuns;
  readonly pairs: readonly ShownPair[];
  readonly data: PageData;
  readonly part: Part;
  /** Pairs with the same bytes, of all pairs. */
  readonly same: number;
  readonly choices: readonly RunChoice[];
}

/** `a` was measured before `b`. */
function comparePage({ a, b, comparison, pairs, data, part, same, choices }: CompareSource): Page {
  return page({
    title: `${b.run} against ${a.run}`,
    links: linksOf(b),
    content: html`<header class="title">
<p class="eyebrow">Two runs, one after the other</p>
<h1>${b.run} against ${a.run}</h1>
<p class="meta"><a href="${reportAddress(a)}">Report of ${a.run}</a> <a href="${reportAddress(b)}">Report of ${b.run}</a></p>
</header>
${compareForm(choices, { a: keyOf(a), b: keyOf(b) })}<section aria-labelledby="numbers"><h2 id="numbers">Numbers</h2>
${unfitSentences(comparison).map((sentence) => html`<p class="state warn">${sentence}.</p>`)}
<p class="note">${plural(comparison.commonCells, 'cell')} (variant, prompt and seed) in both runs.</p>
${numbers(comparison)}${twoRunsNotes(comparison).map((sentence) => html`<p class="note fine">${sentence}.</p>`)}
</section>
<section aria-labelledby="outputs"><h2 id="outputs">Outputs side by side</h2>
${
  part.of === 0
    ? html`<p class="empty">No variant, prompt and seed was delivered in both runs.</p>`
    : html`<p class="note">The first delivered take of each run, the earlier run at the left. ${sameWords(same, part.of)} <span class="with-script">Select an image to see both at full size, above each other, or their difference.</span></p>`
}${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}<div class="pairs-of-outputs">${pairs.map((pair) => pairFigure(pair, a, b))}</div>
${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}</section>
${compareDialog()}${dataBlock(data)}`,
    script: SCRIPT,
  });
}

function sameWords(same: number, of: number): string {
  if (same === 0) return `${of === 1 ? 'Their' : 'In every pair the'} bytes differ.`;
  if (same === of) return of === 1 ? 'Both have the same bytes.' : `All ${count(of)} pairs have the same bytes.`;
  return `${count(same)} of ${plural(of, 'pair')} have the same bytes; the others come first.`;
}

function pairFigure(
  { variant, prompt, seed, earlier, later, sameBytes, number, cells }: ShownPair,
  a: RunPlace,
  b: RunPlace,
): Markup {
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}`;
  const side = (output: ShownOutput, { run }: RunPlace, cell: number): Markup =>
    outputFigure(output, `${variant}, ${words}, ${run}`, html`${run}`, { cell });
  return html`<article class="prompt" data-pair="${number}"><h3><b>${variant}</b> ${words} <span class="tag">${sameBytes ? 'same bytes' : 'other bytes'}</span></h3><div class="media">${side(earlier, a, cells[0])}${side(later, b, cells[1])}</div></article>
`;
}

function numbers(comparison: TwoRuns): Markup {
  const heads = twoRunsHeads(comparison).map(capital);
  return html`<table class="plain side-by-side runs of-three" aria-label="Variants of both runs">
<thead><tr><th scope="col">Variant</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${twoRunsRows(comparison).map(
    ({ name, cells }) =>
      html`<tr><th scope="row">${name}</th>${cells.map(({ value, evidence }, at) => html`<td data-label="${heads[at]}">${value}${evidence !== '' && html` <small>${evidence}</small>`}</td>`)}</tr>
`,
  )}</tbody></table>
`;
}

function choosePage(choices: readonly RunChoice[]): Page {
  const first = firstChoice(choices);
  return page({
    title: 'Compare two runs',
    links: [INDEX_LINK, COMPARE_LINK],
    here: COMPARE_ADDRESS,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>Compare two runs</h1>
<p class="lede">By the prompts and seeds that both have: how latency, errors and outputs changed.</p>
</header>
${first === null ? html`<p class="empty">There are fewer than two runs.</p>` : compareForm(choices, first)}`,
  });
}
