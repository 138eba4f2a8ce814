import type {
  Analysis,
  Cell,
  EffectiveOutput,
  EffectiveSample,
  Take,
  VariantSummary,
} from '../../../../analysis/analysis.ts';
import type { RunPrompt } from '../../../../record/model/run.ts';
import type { Kind } from '../../../../suite/format/suite.ts';
import { count, duration, plural } from '../../../../text/quantity.ts';
import type { ReportSource } from '../../../reporter.ts';
import { byKind } from '../../../statements/statement.ts';
import { differenceWords } from '../../../words/difference-words.ts';
import { KIND_NAMES } from '../../../words/kind-name.ts';
import { LEVEL_WORDS } from '../../../words/level-words.ts';
import { cellAnchor, cellsByPlace, type Places } from '../../drawing/cell-place.ts';
import { Images } from '../../markup/images.ts';
import { html, type Markup } from '../../markup/markup.ts';

/** What the page says of an output. */
type Shown = Pick<EffectiveOutput, 'width' | 'height' | 'fps' | 'durationS' | 'shown' | 'thumbnail'>;

/** The images of a page, and what it says of them: shared by its strips and its contact sheet. */
export interface Sheet {
  readonly places: Places;
  readonly images: Images;
  readonly outputs: ReadonlyMap<string, Shown>;
  /** Outputs whose thumbnail was written and is no longer there. */
  readonly gone: Set<string>;
  readonly seeds: readonly number[];
}

/** @param source whose thumbnails and previews the page holds */
export function sheetOf({ analysis, samples, ...small }: ReportSource): Sheet {
  return {
    places: cellsByPlace(analysis),
    images: new Images(small),
    outputs: outputsOf(samples),
    gone: new Set(),
    seeds: analysis.run.plan.seeds,
  };
}

/**
 * The contact sheet in pieces, a piece for each kind and prompt: rows are variants, columns seeds, a cell shows the first
 * take that was delivered, and beside it every output that differs from it.
 */
export function* sheetSection({ analysis }: Pick<ReportSource, 'analysis'>, sheet: Sheet): Generator<Markup> {
  yield html`<section id="images" aria-labelledby="images-title">
<h2 id="images-title">Images</h2>
<p class="note">Each thumbnail is the first delivered take of a variant and seed; outputs with other bytes are shown
beside it. <span class="with-script">Select an image to compare it with another one of the same prompt.</span>${
    [...sheet.outputs.values()].some(({ durationS }) => durationS !== null) &&
    html` A video is shown by its first frame. <span class="with-script">Point at it, focus it or tap it to play a small copy without
sound; tap again to compare.</span>`
  }</p>
`;
  for (const [kind, variants] of byKind(analysis.variants)) {
    yield html`<h3>${KIND_NAMES[kind]}</h3>
`;
    for (const prompt of promptsOf(analysis, kind)) yield promptBlock(prompt, variants, sheet);
  }
  const left = sheet.images.crowdedOut;
  const leftVideos = sheet.images.crowdedOutVideos;
  const gone = sheet.gone.size;
  yield html`${gone > 0 && html`<p class="note">${plural(gone, 'thumbnail')} of this run ${gone === 1 ? 'is' : 'are'} no longer in its folder: deleted by retake prune --thumbs, or not copied with the run.</p>`}${left > 0 && html`<p class="note">${plural(left, 'more image')} did not fit into this page; see the media folder of the run.</p>`}${leftVideos > 0 && html`<p class="note">${plural(leftVideos, 'more video')} did not fit into this page for playing; see the media folder of the run.</p>`}
</section>
`;
}

/** The prompts that are sent to variants of a kind. */
export function promptsOf(analysis: Analysis, kind: Kind): readonly RunPrompt[] {
  return analysis.prompts.filter(({ kinds }) => kinds.some((own) => own === kind));
}

function promptBlock(prompt: RunPrompt, variants: readonly VariantSummary[], sheet: Sheet): Markup {
  return html`<article class="prompt" data-prompt="${prompt.id}"><h4>${prompt.id}</h4><p class="text" title="${prompt.text}">${prompt.text}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${`Images of ${prompt.id}: scrolls sideways`}"><table class="sheet">
<thead><tr><th scope="col">Variant</th>${sheet.seeds.map((seed) => html`<th scope="col">Seed ${seed}</th>`)}</tr></thead>
<tbody>${variants.map(
    (variant) => html`<tr><th scope="row">${variant.name}</th>${sheet.seeds.map((seed) => {
      const cell = sheet.places.cell(variant.name, prompt.id, seed);
      return cell === null ? html`<td></td>` : cellBlock(cell, sheet);
    })}</tr>
`,
  )}</tbody></table></div></article>
`;
}

function cellBlock(cell: Cell, sheet: Sheet): Markup {
  const firsts = firstOfEachOutput(cell);
  const [usual, ...others] = firsts;
  if (usual === undefined) {
    return html`<td id="${cellAnchor(sheet.places, cell)}"><span class="blank">${undelivered(cell.takes)}</span></td>`;
  }
  return html`<td id="${cellAnchor(sheet.places, cell)}"><div class="outputs">${image(usual, cell, sheet)}${
    others.length > 0 && html`<div class="others">${others.map((take) => image(take, cell, sheet))}</div>`
  }</div>${captionOf(cell, usual, sheet).map((line) => html`<small>${line}</small>`)}</td>`;
}

/** One output: its thumbnail, or why there is none. */
export function image(take: DeliveredTake, cell: Cell, sheet: Sheet): Markup {
  const at = take.step === null ? '' : ` at concurrency ${take.step}`;
  const label = `${cell.variant}, seed ${cell.seed}, take ${take.repeat}${at}`;
  const { width, height } = sheet.outputs.get(take.sha256) ?? { width: null, height: null };
  const shown = sheet.images.shown(take.sha256, label, { width: width ?? 1, height: height ?? 1 });
  if (shown === null) {
    if (sheet.outputs.get(take.sha256)?.thumbnail === true && sheet.images.isAbsent(take.sha256))
      sheet.gone.add(take.sha256);
    return html`<span class="blank">no thumbnail</span>`;
  }
  const video = sheet.images.video(take.sha256);
  return html`<span class="pick" data-label="${label}" data-seed="${cell.seed}" data-digest="${take.sha256.slice(0, 12)}"${
    video !== null && html` data-video="${video.number}"`
  }>${shown}${video?.data}</span>`;
}

/** A take with an output. */
export type DeliveredTake = Take & { readonly sha256: string };

/** The take that first gave each distinct output, in order of takes. */
export function firstOfEachOutput(cell: Cell): readonly DeliveredTake[] {
  const known = new Set<string>();
  return [...cell.takes]
    .sort((a, b) => (a.step ?? 0) - (b.step ?? 0) || a.repeat - b.repeat)
    .filter((take): take is DeliveredTake => {
      if (take.sha256 === null || take.outcome !== 'ok' || known.has(take.sha256)) return false;
      known.add(take.sha256);
      return true;
    });
}

function captionOf(cell: Cell, usual: DeliveredTake, sheet: Sheet): readonly string[] {
  const delivered = cell.outputGroups.reduce((sum, group) => sum + group.takes, 0);
  const blank = cell.takes.filter(({ sha256 }) => sha256 !== null && sheet.outputs.get(sha256)?.shown?.blank).length;
  const lost = cell.takes.some(({ outcome }) => outcome !== 'ok') ? undelivered(cell.takes) : '';
  const first = usual.totalMs === null ? '' : `take ${usual.repeat}: ${duration(usual.totalMs)}`;
  return [
    agreementOf(cell, delivered),
    shares(cell),
    cell.farthest === null ? '' : differenceWords(cell.farthest),
    blank === 0 ? '' : `${plural(blank, 'take')} blank: suspected moderation`,
    first,
    film(sheet.outputs.get(usual.sha256)),
    lost,
  ].filter((line) => line !== '');
}

function agreementOf({ byte, level, outputGroups }: Cell, delivered: number): string {
  const takes = plural(delivered, 'take');
  if (byte === 'same') return `${takes}, ${LEVEL_WORDS.byte.caption}`;
  if (byte === 'too_few_takes') return takes;
  const outputs = `${count(outputGroups.length)} outputs in ${takes}`;
  const agreement = level === null ? null : LEVEL_WORDS[level].caption;
  return agreement === null ? outputs : `${outputs}, ${agreement}`;
}

/** Images that came more than once beside others: `two images, 3 : 2`. */
function shares({ outputGroups }: Cell): string {
  const takes = new Map<number, number>();
  for (const group of outputGroups) takes.set(group.image, (takes.get(group.image) ?? 0) + group.takes);
  const counts = [...takes.values()].sort((a, b) => b - a);
  if (counts.length < 2 || (counts[1] ?? 0) < 2) return '';
  return `${plural(counts.length, 'image')}, ${counts.map(count).join(' : ')} takes`;
}

/** What became of the takes that gave no image: `2 moderated, 1 timed out`. */
export function undelivered(takes: readonly Take[]): string {
  const tally = new Map<string, number>();
  for (const { outcome } of takes) if (outcome !== 'ok') tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  const words = [...tally].map(([outcome, number]) => `${count(number)} ${outcome.replaceAll('_', ' ')}`);
  return words.length === 0 ? 'not sent' : words.join(', ');
}

/** Of a video, its length and rate: `2.00 s of video, 24 fps`. */
function film(output: Shown | undefined): string {
  if (output === undefined || output.durationS === null) return '';
  const rate = output.fps === null ? '' : `, ${Number(output.fps.toFixed(2))} fps`;
  return `${duration(1000 * output.durationS)} of video${rate}`;
}

/** What is known of each output that was decoded: the shape of its frame, and of a video its length. */
function outputsOf(samples: readonly EffectiveSample[]): ReadonlyMap<string, Shown> {
  const outputs = new Map<string, Shown>();
  for (const { output } of samples) if (output?.width && output.height) outputs.set(output.sha256, output);
  return outputs;
}
