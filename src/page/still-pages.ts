import { KIND_NAMES } from '../kit/names.ts';
import { plural } from '../kit/wording.ts';
import { documentHead, STYLE } from '../markup/document.ts';
import { html, type Markup, textOf } from '../markup/markup.ts';
import type { ReportSource } from '../report/reporter.ts';
import { blockIn, story } from '../report/story.ts';
import { SCRIPT } from './client-script.ts';
import { variantMarks } from './drawing/variant-mark.ts';
import { anyDelivered } from './markup/section.ts';
import { Images } from './sections/images/embedded-images.ts';
import { howItWent, outcomeSection, runHead, troubleLines, verdictMark } from './sections/outcome/outcome.ts';
import { firstImages, sideBySideSection, variantNumbers } from './sections/side-by-side/side-by-side.ts';
import { firstOutputsAt, type PromptSeed, type Sheet, type SheetKind, sheetOf } from './shown-outputs.ts';
import { CSS as CARD_STYLE } from './style/card-css.ts';
import { CSS as STILL } from './style/still-css.ts';

/** What chats and social networks show of a link, in pixels. */
export const CARD = { width: 1200, height: 630 } as const;

/** Images beside each other: the baseline variant and two others, or the input and two, or of a lone variant three prompts or seeds. */
const MOST_IMAGES = 3;

const MOST_LINES = 2;

const LARGE_LINES = 3;
const LARGE_LETTERS = 58;

/** The first screen of report.html as a page of the size of a card, without script, readable at half its size. */
export function* cardPage(source: ReportSource): Generator<string> {
  const { analysis, verdict } = source;
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  const sheet = sheetOf(source);
  const lines = troubleLines(source, sheet).slice(0, MOST_LINES);
  yield textOf(documentHead({ title, style: STYLE + CARD_STYLE, script: SCRIPT, loadsBeside: false }));
  yield textOf(html`<body>
<div class="page report card">
<header class="run-head"><h1>${analysis.run.suite}</h1> ${verdictMark(verdict)} ${howItWent(analysis)}<span class="end">${analysis.run.startedAt.slice(0, 10)} · Retake</span></header>
<main>${lines.length > 0 && html`<ul class="trouble">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}
${anyDelivered(analysis.variants) && answer(source, sheet)}</main>
</div>
</body>
</html>
`);
}

function answer(source: ReportSource, sheet: Sheet): Markup {
  const kind = sheet.kinds.find(({ strip }) => strip !== null);
  if (kind === undefined) return html``;
  const shown = cardVariants(kind);
  const blocks = story(source, 'card', { variants: shown, parts: ['answers', 'notes'] });
  const answers = blockIn(blocks, 'sentences', 'answers', kind.kind);
  const lines = [...answers.shown, ...answers.folded];
  const isLong = lines.reduce((sum, { sentence }) => sum + Math.ceil(sentence.length / LARGE_LETTERS), 0) > LARGE_LINES;
  const more = kind.variants.length - shown.length;
  const where = [
    ...(sheet.kinds.length > 1 ? [`${KIND_NAMES[kind.kind]}, ${plural(sheet.kinds.length - 1, 'more kind')}`] : []),
    ...(more > 0 ? [plural(more, 'more variant')] : []),
    ...blockIn(blocks, 'sentences', 'notes').shown.map(({ sentence }) => sentence),
  ];
  const { prompt, seed } = kind.strip ?? { prompt: null, seed: null };
  return html`<ul class="${`headlines${isLong ? ' long' : ''}`}">${lines.map(({ sentence, tone }) => html`<li${tone === 'void' && html` class="void"`}>${sentence}</li>`)}</ul>
${images({ ...kind, shownFirst: shown, varies: false }, source, sheet)}
<p class="where"><span class="text">${prompt !== null && shown.length > 1 && html`<b>${prompt.id}, seed ${seed}</b> ${prompt.text}`}</span><span>${where.join(' · ')}</span></p>`;
}

/** Includes the variant whose output changed most; one that changed since the stored baseline takes all the room. */
function cardVariants({ shownFirst, rows, inputs }: SheetKind): SheetKind['shownFirst'] {
  if (rows.some((row) => row.changed.length > 0)) return shownFirst.slice(0, 1);
  const most = MOST_IMAGES - Number(inputs.size > 0);
  const changed = rows[0]?.most?.variant;
  const first = shownFirst.slice(0, most);
  const others = shownFirst.slice(most).filter(({ name }) => name === changed);
  return others.length === 0 ? first : [...first.slice(0, -1), ...others];
}

function images(kind: SheetKind, source: ReportSource, sheet: Sheet): Markup {
  const { analysis, comparisons } = source;
  const isAlone = kind.shownFirst.length === 1 && kind.rows.every(({ changed }) => changed.length === 0);
  const outputsOf = (place: PromptSeed) => firstOutputsAt(kind, place, sheet);
  const delivered = kind.rows.filter((row) => outputsOf(row).length > 0);
  const places = isAlone
    ? promptsFirst(delivered).slice(0, MOST_IMAGES)
    : [kind.strip].filter((strip) => strip !== null);
  const shown = [...[...kind.inputs.values()].map(({ image }) => image.sha256), ...places.flatMap(outputsOf)];
  const cardSheet = { ...sheet, images: new Images(source, { strips: [shown], sheet: [], groups: [shown] }) };
  const looks = shown.some((sha256) => cardSheet.images.inStrip(sha256) !== null) ? '' : ' bare';
  const numbersOf = variantNumbers(analysis, comparisons, { marks: variantMarks(analysis.variants), sheet });
  return html`<div class="${`triptych${isAlone ? ' alone' : ''}${looks}`}">${places.map((strip) => firstImages({ ...kind, strip }, cardSheet, numbersOf))}</div>`;
}

function promptsFirst(rows: readonly PromptSeed[]): readonly PromptSeed[] {
  const isFirst = ({ prompt }: PromptSeed, at: number) => rows.findIndex((row) => row.prompt === prompt) === at;
  return [...rows.filter(isFirst), ...rows.filter((row, at) => !isFirst(row, at))];
}

/** The head of report.html as a page without script, for a screenshot. */
export function* headPage(source: ReportSource): Generator<string> {
  const { analysis } = source;
  const marks = variantMarks(analysis.variants);
  const sheet = sheetOf(source);
  const title = `${analysis.run.suite} · Retake report ${analysis.run.id}`;
  yield textOf(documentHead({ title, style: STYLE + STILL, script: SCRIPT, loadsBeside: true }));
  yield '<body>\n<div class="page report">\n';
  yield textOf(runHead(analysis, source.verdict, false));
  yield '<main>\n';
  yield textOf(outcomeSection(source, sheet));
  if (anyDelivered(analysis.variants)) yield textOf(sideBySideSection(source, sheet, marks));
  yield '</main></div>\n</body>\n</html>\n';
}
