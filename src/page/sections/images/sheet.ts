import type { EffectiveOutput } from '../../../analysis/effective-sample.ts';
import type { Cell, Take } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, shownName, takeName } from '../../../kit/names.ts';
import { outcomeWords } from '../../../kit/outcome-words.ts';
import { count, duration, plural } from '../../../kit/wording.ts';
import { html, type Markup, trusted } from '../../../markup/markup.ts';
import { INPUT, STORED } from '../../../markup/page-data.ts';
import { behindTwins, isTwin } from '../../../record/compared-variants.ts';
import type { RunPrompt } from '../../../record/run.ts';
import { LEVEL_WORDS, likenessWords, outputDifferenceWords } from '../../../report/level-words.ts';
import { type DeliveredTake, firstOfEachOutput, usualFirst } from '../../cell-outputs.ts';
import type { VariantMarks } from '../../drawing/variant-mark.ts';
import { differenceKey } from '../../markup/difference-key.ts';
import { cellAnchor, failedAnchor } from '../../markup/section.ts';
import type { PromptSeed, Sheet, SheetKind } from '../../shown-outputs.ts';
import { inputLayers, outlineLegend } from './input-layers.ts';

/** A piece for each kind and prompt. A cell shows the first delivered take and every output that differs. */
export function* sheetSection(sheet: Sheet, marks: VariantMarks): Generator<Markup> {
  const common = commonWords(sheet);
  yield html`<section id="images" class="columns-${columnsOf(sheet.kinds)}" aria-labelledby="images-title">
<h2 id="images-title">Images</h2>
<p class="note fine">Each image is the first that was delivered, with its latency; outputs with other bytes stand below it.${common !== null && ` ${common}.`} <span class="with-script">Select an image to compare it.</span>${
    hasOriginals(sheet) &&
    html`<span class="without-script"> Links named
<i>original</i> need this page in the folder of its run.</span>`
  }</p>
<div id="filter" role="search" aria-label="Images" hidden></div>
`;
  for (const kind of sheet.kinds) {
    const ranks = new Map(kind.rows.map((row, at) => [placeKey(row), at]));
    yield html`<h3 class="kind-name" data-kind="${kind.kind}">${KIND_NAMES[kind.kind]}</h3>
`;
    for (const [at, prompt] of kind.prompts.entries()) {
      if (at === MOST_OPEN)
        yield html`<details class="fold" data-kind="${kind.kind}"><summary>${plural(kind.prompts.length - at, 'more prompt')}</summary>
`;
      yield promptBlock(prompt, kind, { sheet, marks, common, ranks });
    }
    if (kind.prompts.length > MOST_OPEN) yield trusted('</details>\n');
  }
  const left = sheet.images.crowdedOut;
  const leftVideos = sheet.images.crowdedOutVideos;
  const gone = sheet.gone.size;
  yield html`${gone > 0 && html`<p class="note">${plural(gone, 'thumbnail')} of this run ${gone === 1 ? 'is' : 'are'} no longer in its folder: deleted by retake prune --thumbs, or not copied with the run.</p>`}${left > 0 && html`<p class="note">${plural(left, 'more image')} did not fit into this page; see the media folder of the run.</p>`}${leftVideos > 0 && html`<p class="note">${plural(leftVideos, 'more video')} did not fit into this page for playing; see the media folder of the run.</p>`}
</section>
`;
}

function hasOriginals({ places, kinds, originalOf }: Sheet): boolean {
  return kinds.some(({ strip, variants }) =>
    variants.some(({ name }) => {
      const cell = strip === null ? null : places.cell(name, strip.prompt.id, strip.seed);
      return cell !== null && firstOfEachOutput(cell).some((take) => originalOf(take) !== null);
    }),
  );
}

/** Prompts of a kind that are not folded; the script shows all. */
const MOST_OPEN = 12;

const NEW_LINE = trusted('\n');

/** With more variants, columns are narrow: more of them can be compared without scrolling. */
const MOST_WIDE = 8;

/** Up to so many columns are as wide as a thumbnail; more share that room. */
const MOST_COLUMNS = 6;

const INPUT_HEAD = trusted('<th scope="col" class="input">input</th>');

interface SheetLook {
  readonly sheet: Sheet;
  readonly marks: VariantMarks;
  /** Sentence above the images, which captions do not repeat. */
  readonly common: string | null;
  /** The place of each prompt and seed among all, the most changed first: the script turns to them in this order. */
  readonly ranks: ReadonlyMap<string, number>;
}

function placeKey({ prompt, seed }: PromptSeed): string {
  return JSON.stringify([prompt.id, seed]);
}

/** The most frequent agreement, which captions leave out. Null if no cell has equal takes. */
function commonWords({ places, kinds }: Sheet): string | null {
  const agreements = groupBy(
    kinds.flatMap(({ variants, prompts, seeds }) =>
      variants.flatMap(({ name }) =>
        prompts.flatMap(({ id }) => seeds.flatMap((seed) => places.cell(name, id, seed) ?? [])),
      ),
    ),
    (cell) => (cell.byte === 'same' ? agreementOf(cell) : ''),
  );
  const [most] = [...agreements].filter(([words]) => words !== '').toSorted(([, a], [, b]) => b.length - a.length);
  return most === undefined ? null : `Where nothing else is said: ${most[0]}`;
}

/** Columns without those of heads; a wider table scrolls sideways. */
function columnsOf(kinds: readonly SheetKind[]): number {
  const columns = kinds.map(({ variants, inputs }) => variants.length + Number(inputs.size > 0));
  return Math.min(MOST_COLUMNS, Math.max(1, ...columns));
}

function promptBlock(prompt: RunPrompt, kind: SheetKind, look: SheetLook): Markup {
  return html`<article class="prompt" data-kind="${kind.kind}" data-prompt="${prompt.id}"><h4>${prompt.id}</h4><p class="text" title="${prompt.text}">${prompt.text}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${`Images of ${prompt.id}: scrolls sideways`}">${table(prompt, kind, look)}</div></article>
`;
}

/** A row for each seed, the baseline's column first: it stays where the others scroll. */
function table(prompt: RunPrompt, kind: SheetKind, look: SheetLook): Markup {
  const { seeds, inputs } = kind;
  const { sheet, marks, ranks } = look;
  const hasInputs = inputs.size > 0;
  const variants = behindTwins(kind.variants.toSorted((a, b) => Number(b.baseline) - Number(a.baseline)));
  const [first] = variants;
  const isPinned = !hasInputs && first !== undefined && (first.baseline || isTwin(first));
  const classes = ['sheet', ...(variants.length > MOST_WIDE ? ['many'] : []), ...(isPinned ? ['pinned'] : [])];
  return html`<table class="${classes.join(' ')}">
<thead><tr><td></td>${hasInputs && INPUT_HEAD}${variants.map(({ name }) => html`<th scope="col" class="${marks(name).classes}">${shownName(name)}</th>`)}</tr></thead>
<tbody>${seeds.map(
    (seed) =>
      html`<tr data-seed="${seed}" data-rank="${ranks.get(placeKey({ prompt, seed }))}"><th scope="row">Seed ${seed}</th>${hasInputs && html`<td class="input">${inputFigure({ prompt, seed }, kind, sheet, 'sheet')}${outlineLegend([inputs.get(prompt.id)], sheet)}</td>`}${variants.map(({ name }) => place(name, prompt, seed, look))}</tr>
`,
  )}</tbody></table>`;
}

function place(variant: string, prompt: RunPrompt, seed: number, { sheet, common }: SheetLook): Markup {
  const cell = sheet.places.cell(variant, prompt.id, seed);
  return cell === null ? html`<td></td>` : cellBlock(cell, sheet, common);
}

function cellBlock(cell: Cell, sheet: Sheet, common: string | null): Markup {
  const [usual, ...others] = usualFirst(cell, sheet);
  const anchor = cellAnchor(sheet.places, cell);
  if (usual === undefined) return html`<td id="${anchor}">${nothingShown(cell, sheet)}</td>`;
  return html`<td id="${anchor}">${usualFigure(usual, cell, sheet, 'sheet')}${scaleMark(cell, sheet)}${
    others.length > 0 &&
    html`<div class="others">${others.map((take) => outputFigure(take, cell, sheet, 'sheet'))}</div>`
  }<small>${cellCaption(cell, usual, sheet, common).map((line, at) => [at > 0 && NEW_LINE, line])}</small></td>`;
}

/** A line each, the latency first. @param usual the first take that was delivered */
function cellCaption(
  cell: Cell,
  usual: DeliveredTake,
  { outputs, unitOf, failed }: Sheet,
  common: string | null,
): readonly (Markup | string)[] {
  const words = cell.takes.some(({ outcome }) => outcome !== 'ok') ? undelivered(cell.takes) : '';
  const anchor = failedAnchor(cell, failed);
  const lost = words === '' || anchor === null ? words : html`<a href="#${anchor}">${words}</a>`;
  const took = usual.totalMs === null ? '' : duration(usual.totalMs, unitOf(cell.variant));
  const agreement = agreementOf(cell);
  return [
    took,
    cell.takes.length === 1 || common?.endsWith(`: ${agreement}`) === true ? '' : agreement,
    shares(cell),
    cell.farthest === null ? '' : outputDifferenceWords(cell.farthest),
    film(outputs.get(usual.sha256)),
    lost,
  ].filter((line) => line !== '');
}

function agreementOf({ byte, level, outputGroups }: Cell): string {
  const delivered = outputGroups.reduce((sum, group) => sum + group.takes, 0);
  const takes = plural(delivered, 'take');
  if (byte === 'same') return `${takes}, ${LEVEL_WORDS.byte.same}`;
  if (byte === 'too_few_takes') return takes;
  const outputs = `${count(outputGroups.length)} outputs in ${takes}`;
  return level === null ? outputs : `${outputs}, ${LEVEL_WORDS[level].same}`;
}

/** Takes of each of several images: `two images, 3 : 2`. */
function shares({ outputGroups }: Cell): string {
  const takes = new Map<number, number>();
  for (const group of outputGroups) takes.set(group.image, (takes.get(group.image) ?? 0) + group.takes);
  const counts = [...takes.values()].sort((a, b) => b - a);
  if (counts.length < 2 || (counts[1] ?? 0) < 2) return '';
  return `${plural(counts.length, 'image')}, ${counts.map(count).join(' : ')} takes`;
}

/** Leads to the first failed take of the cell. */
export function nothingShown(cell: Cell | null, { failed }: Sheet): Markup {
  if (cell === null) return html`<span class="blank">not sent</span>`;
  const anchor = failedAnchor(cell, failed);
  const words = undelivered(cell.takes);
  return anchor === null
    ? html`<span class="blank">${words}</span>`
    : html`<a class="blank" href="#${anchor}">${words}</a>`;
}

/** `2 blank (suspected moderation), 1 timed out`. */
function undelivered(takes: readonly Take[]): string {
  const tally = new Map<string, number>();
  for (const { outcome } of takes) if (outcome !== 'ok') tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  const words = [...tally].map(
    ([outcome, number]) =>
      `${count(number)} ${outcomeWords(outcome)}${outcome === 'blank' ? ' (suspected moderation)' : ''}`,
  );
  return words.length === 0 ? 'not sent' : words.join(', ');
}

/** `2.00 s of video, 24 fps`; empty of an image. */
function film(output: EffectiveOutput | undefined): string {
  if (output === undefined || output.durationS === null) return '';
  const rate = output.fps === null ? '' : `, ${Number(output.fps.toFixed(2))} fps`;
  return `${duration(1000 * output.durationS)} of video${rate}`;
}

type FigurePlace = 'strip' | 'sheet';

/** Image or video with a link to the original. The script makes `.pick` a button that compares it. */
export function outputFigure(take: DeliveredTake, cell: Cell, sheet: Sheet, place: FigurePlace): Markup {
  const number = firstOfEachOutput(cell).findIndex(({ sha256 }) => sha256 === take.sha256);
  const pick = html`<span class="pick" data-cell="${sheet.places.number(cell)}"${number !== 0 && html` data-output="${number}"`}>${shown(sheet.outputs.get(take.sha256) ?? { sha256: take.sha256, width: null, height: null }, labelOf(take, cell), sheet, place)}${likenessMark(take, cell, sheet)}</span>`;
  return html`<div class="output">${pick}${originalLink(sheet.originalOf(take), labelOf(take, cell), place)}</div>`;
}

/** The usual output of a cell; of one that changed, between that of the stored baseline and their difference. */
export function usualFigure(usual: DeliveredTake, cell: Cell, sheet: Sheet, place: FigurePlace): Markup {
  const change = sheet.changeOf(cell);
  const figure = outputFigure(usual, cell, sheet, place);
  if (change === null) return figure;
  const heat = sheet.images.heatMap(change.stored, change.now);
  return html`<div class="trio"><div>${storedFigure(change.stored, cell, sheet, place)}<small>stored, ${sheet.baselineRun}</small></div><div>${figure}<small class="changed">now: changed</small></div>${heat !== null && html`<div><img class="image" alt="${`where ${cell.prompt}, seed ${cell.seed} differs from what is stored`}" loading="lazy" decoding="async" src="${heat.image}"><small>difference ${differenceKey()}</small></div>`}</div>`;
}

function storedFigure(sha256: string, cell: Cell, sheet: Sheet, place: FigurePlace): Markup {
  const fact = sheet.keptFact(sha256);
  if (fact === null) return html`<span class="blank">not kept: the media of ${sheet.baselineRun} are gone</span>`;
  const label = `${cell.prompt}, ${cell.variant}, seed ${cell.seed}, stored`;
  return html`<div class="output"><span class="pick" data-cell="${sheet.places.number(cell)}" data-output="${STORED}">${shown(fact, label, sheet, place)}</span>${originalLink(sheet.originalOf(fact), label, place)}</div>`;
}

function originalLink(original: string | null, label: string, place: FigurePlace): Markup | false {
  return (
    original !== null &&
    html`<a class="original" href="${original}"${place === 'strip' && html` aria-label="${`Original: ${label}`}"`}>original</a>`
  );
}

/** Nothing where the output stands beside what is stored: it would read as the difference of the two. */
function likenessMark({ sha256 }: DeliveredTake, cell: Cell, { images, likenessOf, changeOf }: Sheet): Markup | false {
  const likeness = changeOf(cell) === null ? likenessOf(cell) : null;
  if (likeness === null || likeness.word === 'unknown' || likeness.output !== sha256) return false;
  const { word, baseline, baselineOutput, difference } = likeness;
  const said = difference === null ? 'same' : word === 'similar' ? null : word;
  const heat = images.heatMap(sha256, baselineOutput);
  return html`${said !== null && html`<span class="like ${word}" title="${likenessWords(likeness)}">${said}</span>`}${heat !== null && html`<span class="${`heat ${heat.corner}`}"><img alt="${`where it differs from ${baseline}`}" decoding="async" src="${heat.image}"><small aria-hidden="true">difference</small></span>`}`;
}

/** Ends of the scale of likeness, on the baseline's output: `SSIM 1.00 if sent again, 0.41 with another seed`. */
export function scaleMark(cell: Cell, { scaleOf, changeOf }: Sheet): Markup | false {
  const scale = changeOf(cell) === null ? scaleOf(cell) : null;
  if (scale === null) return false;
  const ends = [
    ['if sent again', scale.repeatSsim],
    ['with another seed', scale.otherSeed?.ssim ?? null],
  ] as const;
  const words = ends.flatMap(([what, ssim]) => (ssim === null ? [] : [`${ssim.toFixed(2)} ${what}`]));
  return words.length > 0 && html`<small class="scale">SSIM ${words.join(', ')}</small>`;
}

/** A side of the comparison like an output, where the row has a cell. */
export function inputFigure(
  { prompt: { id }, seed }: PromptSeed,
  { inputs, variants }: SheetKind,
  sheet: Sheet,
  place: FigurePlace,
): Markup {
  const input = inputs.get(id);
  if (input === undefined) return html`<span class="blank">no input image</span>`;
  const [cell] = variants.flatMap(({ name }) => sheet.places.cell(name, id, seed) ?? []);
  const label = `${id}, input image`;
  const picked = cell !== undefined && html` data-cell="${sheet.places.number(cell)}" data-output="${INPUT}"`;
  return html`<div class="output"><span class="${cell === undefined ? 'input' : 'pick input'}"${picked}>${shown(input.image, label, sheet, place)}${inputLayers(input, sheet)}</span>${originalLink(sheet.originalOf(input.image), label, place)}</div>`;
}

/** `fox, fast, seed 1, take 2`. */
function labelOf(take: DeliveredTake, { prompt, variant, seed }: Cell): string {
  return `${prompt}, ${variant}, seed ${seed}, ${takeName(take)}`;
}

type ShownImage = Pick<EffectiveOutput, 'sha256' | 'width' | 'height'>;

/** Pixels of an image: a larger one is printed as a thumbnail, also in a strip. */
const MOST_PRINTED = 512 * 512;

function shown({ sha256, width, height }: ShownImage, label: string, sheet: Sheet, place: FigurePlace): Markup {
  const media = place === 'strip' ? sheet.images.inStrip(sha256) : sheet.images.inSheet(sha256);
  if (media === null) return missing(sha256, sheet);
  if (media.image === null) return repeated(`media-${media.number}`);
  const id = 'number' in media && 'isRepeated' in media && media.isRepeated ? `media-${media.number}` : null;
  const shape = html`${id !== null && html` id="${id}"`} width="${width ?? 1}" height="${height ?? 1}"`;
  const { image, video } = media;
  const printed = place === 'strip' && (width ?? 0) * (height ?? 0) <= MOST_PRINTED ? null : media.printed;
  return video === null
    ? html`<img class="image"${shape} loading="lazy" decoding="async" alt="${label}" src="${image}">${printed !== null && html`<img class="printed" alt="${label}" src="${printed}">`}`
    : html`<video class="image"${shape} controls muted loop playsinline preload="none" aria-label="${label}" poster="${image}" src="${video}"></video>`;
}

/** @param first the id of the image that holds the bytes */
function repeated(first: string): Markup {
  return html`<a class="blank" data-same="${first}" href="${`#${first}`}">the same bytes as an image above</a>`;
}

function missing(sha256: string, sheet: Sheet): Markup {
  if (sheet.outputs.get(sha256)?.thumbnail === true && sheet.images.isAbsent(sha256)) sheet.gone.add(sha256);
  return html`<span class="blank">${sheet.images.isCrowdedOut(sha256) ? 'left out of this page: too many images' : 'no thumbnail'}</span>`;
}
