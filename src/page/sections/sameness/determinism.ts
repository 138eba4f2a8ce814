import type { Analysis } from '../../../analysis/analysis.ts';
import type { ProbeFinding } from '../../../analysis/probe.ts';
import type { Cell, VariantSummary } from '../../../analysis/summaries.ts';
import { groupBy } from '../../../kit/grouping.ts';
import { KIND_NAMES, shownName, variantNames } from '../../../kit/names.ts';
import { textWidth } from '../../../kit/text-width.ts';
import { count, plural, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { table } from '../../../markup/table.ts';
import { LEVELS, type Level } from '../../../media/level.ts';
import { takesOfCell } from '../../../plan/plan.ts';
import { LEVEL_WORDS, layerSentence, outputDifferenceWords } from '../../../report/level-words.ts';
import { equalWords, sameOutputs } from '../../../report/sameness-statement.ts';
import { byKind, type Measures, measuresOf } from '../../../report/statement.ts';
import type { Kind } from '../../../suite/kind.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import { anyDelivered, cellAnchor, failedAnchor, ofKind, section } from '../../markup/section.ts';
import type { Sheet } from '../../shown-outputs.ts';

/** Colour alone must not tell levels apart. */
const SIGNS: Readonly<Record<Level, string>> = {
  byte: '=',
  pixel: 'p',
  near: 'n',
  similar: 's',
  related: 'r',
  different: '≠',
};

/** Widths in letters. */
const LETTERS_OF_SEED = 5;
const LETTERS_OF_GRID = 85;

const MOST_ROWS = 24;

export function determinismSection(analysis: Analysis, sheet: Sheet): Markup {
  const measures = measuresOf(analysis);
  const { load } = analysis.run.plan;
  return section({
    anchor: 'same-output',
    title: 'Equal repeats: the same prompt and seed sent again',
    note: 'Each square shows the lowest level between any two of its takes.',
    more: html`Each square is one variant, prompt and seed, sent ${plural(takesOfCell(analysis.run.plan.repeats, analysis.run.plan.looks), 'time')}${sweepSteps(load) !== null && ' at each concurrency'}. Two
files may have different bytes and still show the same image: then only metadata or compression differs.${load.mode === 'open' && ' After the plan was sent once, open load went on with fresh seeds: they count in the statements; the grid shows only the seeds of the plan.'}`,
    content: byKind(analysis.variants).map(
      ([kind, variants]) =>
        anyDelivered(variants) && ofKind(kind, analysis.variants, grid(kind, variants, analysis, sheet, measures)),
    ),
  });
}

function legend(cells: readonly Cell[]): Markup {
  const shown = new Set(cells.map(({ byte, level }) => (byte === 'same' ? 'byte' : level)));
  const others = [
    ['?', 'bytes differ, not compared', cells.some(({ byte, level }) => byte === 'differs' && level === null)],
    ['·', 'fewer than two takes delivered', cells.some((cell) => !hasTwoTakes(cell))],
  ] as const;
  return html`<ul class="legend">${LEVELS.map(
    (level) =>
      shown.has(level) && html`<li><span class="cell ${level}">${SIGNS[level]}</span> ${LEVEL_WORDS[level].same}</li>`,
  )}${others.map(([sign, words, isShown]) => isShown && html`<li><span class="cell few">${sign}</span> ${words}</li>`)}</ul>`;
}

function hasTwoTakes({ byte }: Cell): boolean {
  return byte !== 'too_few_takes';
}

function grid(
  kind: Kind,
  variants: readonly VariantSummary[],
  analysis: Analysis,
  sheet: Sheet,
  measures: Measures,
): Markup {
  const seeds = analysis.run.plan.seeds;
  const prompts = analysis.prompts.filter(({ kinds }) => kinds.includes(kind));
  const name = KIND_NAMES[kind];
  const upright = hasLongNames(variants, seeds.length);
  if (seeds.length === 0 || prompts.length === 0) return html`<p class="empty">No take was planned.</p>`;
  const stated = html`<ul class="statements">${statements(variants, analysis, measures)}</ul>`;
  const names = new Set(variants.map((variant) => variant.name));
  const cells = analysis.cells.filter((cell) => names.has(cell.variant));
  if (!cells.some(hasTwoTakes)) return stated;
  const squares = html`${legend(cells)}
<div class="${prompts.length > MOST_ROWS ? 'scroll tall' : 'scroll'}" tabindex="0" role="group" aria-label="${`Equal repeats, ${name}: scrolls`}"><table class="${upright ? 'grid upright' : 'grid'}">
<thead><tr><th rowspan="2" scope="col">Prompt</th>${variants.map(
    (variant) =>
      html`<th class="first" colspan="${seeds.length}" scope="colgroup" title="${shownName(variant.name)}"><span>${shownName(variant.name)}</span></th>`,
  )}</tr>
<tr>${variants.map(() => seeds.map((seed, index) => html`<th${index === 0 && html` class="first"`} scope="col"><small>${seed}</small></th>`))}</tr></thead>
<tbody>${prompts.map(
    (
      prompt,
    ) => html`<tr><th scope="row" title="${prompt.text}">${prompt.id}<small>${prompt.text}</small></th>${variants.map(
      (variant) =>
        seeds.map((seed, index) => square(sheet.places.cell(variant.name, prompt.id, seed), index === 0, sheet)),
    )}</tr>
`,
  )}</tbody></table></div>`;
  return html`${stated}
${
  cells.every(({ byte }) => byte === 'same')
    ? html`<details class="fold"><summary>${equalWords({ level: 'byte', same: cells.length, testable: cells.length })}</summary>${squares}</details>`
    : squares
}`;
}

/** Whether names are written upwards: otherwise they would make the grid wider than the page. */
function hasLongNames(variants: readonly VariantSummary[], seeds: number): boolean {
  const room = LETTERS_OF_SEED * seeds;
  const widths = variants.map(({ name }) => textWidth(name));
  const total = widths.reduce((sum, width) => sum + Math.max(width, room), 0);
  return total > LETTERS_OF_GRID && widths.some((width) => width > room);
}

function statements(variants: readonly VariantSummary[], { cells }: Analysis, measures: Measures): readonly Markup[] {
  const stated = variants.map((variant) => {
    const { level, value, bound } = sameOutputs(variant, cells, measures);
    const layer = layerSentence(cells.filter((cell) => cell.variant === variant.name));
    const words =
      value === null ? `not testable: ${bound}` : `repeats are ${LEVEL_WORDS[level].same} in ${value}; ${bound}`;
    return { name: variant.name, words: layer === null ? words : `${words}. ${layer}` };
  });
  return [...groupBy(stated, ({ words }) => words)].map(
    ([words, group]) =>
      html`<li><b>${variantNames(
        group.map(({ name }) => name),
        variants.length,
      )}</b>${group.length > 1 && ', each'}: ${unbroken(words)}</li>`,
  );
}

function square(cell: Cell | null, first: boolean, { places, failed }: Sheet): Markup {
  const begin = first && html` class="first"`;
  if (cell === null) return html`<td${begin}></td>`;
  const takes = plural(delivered(cell), 'take');
  if (cell.byte === 'same')
    return html`<td${begin}><a class="cell byte" href="#${cellAnchor(places, cell)}" title="${takes}, ${LEVEL_WORDS.byte.same}">=</a></td>`;
  if (cell.byte === 'too_few_takes') {
    const few = cell.takes.length === 0 ? 'not sent' : `${takes} delivered: too few`;
    const failure = failedAnchor(cell, failed);
    return failure === null
      ? html`<td${begin}><span class="cell few" title="${few}">·</span></td>`
      : html`<td${begin}><a class="cell few" href="#${failure}" title="${few}">·</a></td>`;
  }
  const outputs = `${count(cell.outputGroups.length)} distinct outputs in ${takes}`;
  const words =
    cell.level === null
      ? `${outputs}, not compared`
      : `${outputs}, ${LEVEL_WORDS[cell.level].same}${cell.farthest === null ? '' : `: ${outputDifferenceWords(cell.farthest)}`}`;
  return html`<td${begin}><a class="cell ${cell.level ?? 'few'}" href="#${cellAnchor(places, cell)}" title="${words}">${cell.level === null ? '?' : SIGNS[cell.level]}</a></td>`;
}

function delivered(cell: Cell): number {
  return cell.outputGroups.reduce((sum, group) => sum + group.takes, 0);
}

const HEADS: Readonly<Record<ProbeFinding['question'], string>> = {
  seed: 'What a seed does',
  no_seed: 'Without a seed',
  cache: 'Repeats',
  load: 'Concurrency',
};

export function probesSection({ probes, run: { plan } }: Analysis): Markup | null {
  const questions = [...new Set(probes.map(({ question }) => question))];
  if (questions.length === 0) return null;
  return section({
    anchor: 'probes',
    title: 'Probes: tests of the assumptions behind the numbers',
    note: `${plural(plan.probes?.trials ?? 0, 'request')} sent after all other requests; they count in no other number here.`,
    more: questions.map((question) => `${meaning(question, plan.load.concurrency)} `),
    content: table({
      label: 'Probes',
      as: 'stack',
      classes: 'side-by-side plain',
      columns: [
        { head: 'Variant', cell: ([variant]) => variant },
        ...questions.map((asked) => ({
          head: HEADS[asked],
          cell: ([, found]: readonly [string, readonly ProbeFinding[]]) =>
            found.filter(({ question }) => question === asked).map(findingCell),
        })),
      ],
      rows: [...groupBy(probes, ({ variant }) => variant)],
    }),
  });
}

function findingCell({ code, sentence, evidence, remedy }: ProbeFinding): Markup {
  const state = code === 'not_testable' ? 'state warn' : 'state bad';
  const found = remedy === null ? sentence : html`<span class="${state}">${sentence}</span>`;
  return html`<div>${found}<small>${evidence}</small></div>`;
}

function meaning(question: ProbeFinding['question'], concurrency: number): string {
  switch (question) {
    case 'seed':
      return 'Seeds: takes of the first prompt and seed are compared with each other and with other seeds.';
    case 'no_seed':
      return 'Without a seed: two takes are compared.';
    case 'cache':
      return 'Repeats: each pair is a repeat and a fresh seed. A variant is cached if the service says so, or if byte-identical repeats are significantly more than 1.1 times as fast; latency then counts only first takes.';
    case 'load':
      return `Concurrency: each prompt and seed is sent alone, at concurrency ${count(concurrency)}, and alone again; pixels are compared. The test needs five that differ.`;
  }
}
