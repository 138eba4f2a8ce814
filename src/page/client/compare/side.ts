import { takeName } from '../../../kit/names.ts';
import { outcomeWords } from '../../../kit/outcome-words.ts';
import { count, duration } from '../../../kit/wording.ts';
import { make, within } from '../../../markup/elements.ts';
import { INPUT, OUTLINED, STORED } from '../../../markup/page-data.ts';
import { LEVEL_WORDS } from '../../../report/level-words.ts';
import { nameOfOutput, type OutputFacts, totalOf } from '../page-facts.ts';
import { takeTable } from '../take-table.ts';
import { loadMedia, originalOf, outlineOf, type ShownMedia } from './load-media.ts';
import { type CompareStage, openStage, type StageEvents } from './stage.ts';

export interface CompareSide {
  readonly figure: HTMLElement;
  readonly choice: HTMLSelectElement;
  readonly stage: CompareStage;
  readonly output: () => OutputFacts | null;
  /** Null while it loads, and where there is nothing to show. */
  readonly shown: () => ShownMedia | null;
  readonly offer: (outputs: readonly OutputFacts[]) => void;
  /** By index among the offered ones, wrapping round; resolves once it is loaded. */
  readonly choose: (index: number) => Promise<void>;
  /** -1 where nothing is chosen. */
  readonly index: () => number;
  readonly clear: () => void;
}

export function openSide(figure: HTMLElement, events: StageEvents): CompareSide {
  const choice = within(figure, 'select', HTMLSelectElement);
  const caption = within(figure, 'figcaption', HTMLElement);
  const stage = openStage(within(figure, '.stage', HTMLElement), events);
  let outputs: readonly OutputFacts[] = [];
  let output: OutputFacts | null = null;
  let shown: ShownMedia | null = null;

  const choose = async (index: number): Promise<void> => {
    output = outputs[(index + outputs.length) % outputs.length] ?? null;
    choice.selectedIndex = output === null ? 0 : outputs.indexOf(output);
    shown = null;
    // The image before is still visible.
    figure.setAttribute('aria-busy', 'true');
    const asked = output;
    const loaded = asked === null ? null : await loadMedia(asked);
    // Another output was chosen meanwhile.
    if (output !== asked) return;
    figure.removeAttribute('aria-busy');
    shown = loaded;
    caption.replaceChildren(...(asked === null ? [] : captionOf(asked, loaded)));
  };

  return {
    figure,
    choice,
    stage,
    output: () => output,
    shown: () => shown,
    offer: (offered) => {
      outputs = offered;
      choice.replaceChildren(...offered.map((facts) => new Option(nameOfOutput(facts))));
    },
    choose,
    index: () => (output === null ? -1 : outputs.indexOf(output)),
    clear: () => {
      output = null;
      shown = null;
      stage.clear();
      caption.replaceChildren();
    },
  };
}

function captionOf(output: OutputFacts, shown: ShownMedia | null): readonly Node[] {
  const { cell, takes, number } = output;
  const original = shown?.source === 'original' ? originalOf(output) : null;
  const about = [
    make('small', '', shownWords(output, shown)),
    ...(original === null ? [] : [make('small', '', originalLink(original, output))]),
  ];
  if (number === STORED) return about;
  if (number === INPUT) return [...(outlineOf(output) === null ? [] : [make('small', 'outlined', OUTLINED)]), ...about];
  const details = make('details', '', make('summary', '', 'Timings and request'), takeTable(cell, takes));
  return [make('small', '', takeWords(output)), make('small', '', groupWords(output)), ...about, details];
}

/** Of the first take: `331 ms, delivered, seed 1, take 1`. */
function takeWords({ cell, takes: [first] }: OutputFacts): string {
  if (first === undefined) return `seed ${cell.seed}`;
  const total = totalOf(first);
  return [
    ...(total === null ? [] : [duration(total, cell.unit)]),
    outcomeWords(first.outcome),
    `seed ${cell.seed}`,
    takeName(first),
  ].join(', ');
}

/** `2 of 3 takes gave these bytes; visually similar to the usual output`. */
function groupWords({ cell, takes, level }: OutputFacts): string {
  const delivered = cell.takes.filter(({ output }) => output !== null).length;
  if (delivered < 2) return '';
  const share = `${count(takes.length)} of ${count(delivered)} takes gave these bytes`;
  if (cell.outputs.length < 2 || level === null) return share;
  return level === 'byte'
    ? `${share}: the usual output`
    : `${share}: ${LEVEL_WORDS[level].same} ${level === 'different' ? 'from' : 'to'} the usual output`;
}

/** Opens the original in a tab of its own, where it can be saved and copied. */
function originalLink(url: string, output: OutputFacts): HTMLAnchorElement {
  const link = make('a', '', 'Open the original');
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener';
  link.setAttribute('aria-label', `Open the original of ${nameOfOutput(output)} in a new tab`);
  return link;
}

function shownWords({ width, height, durationS }: OutputFacts, shown: ShownMedia | null): string {
  const size = width === null || height === null ? null : pixels(width, height);
  if (shown === null) return 'This page holds no image of it, and the original is not beside this page.';
  if (shown.source === 'original') return `Shown: the original, ${pixels(shown.width, shown.height)}`;
  const what = durationS === null ? 'a copy' : 'a small copy';
  const isWhole = size === pixels(shown.width, shown.height);
  return `Shown: ${what} of ${pixels(shown.width, shown.height)}${isWhole ? ', all pixels, compressed' : ''}${
    size === null || isWhole ? '' : `; the original of ${size} is not beside this page`
  }`;
}

function pixels(width: number, height: number): string {
  return `${width} × ${height} pixels`;
}
