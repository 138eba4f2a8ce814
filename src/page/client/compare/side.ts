import { make, within } from '../../../markup/elements.ts';
import { OUTLINED } from '../../../markup/page-data.ts';
import type { OutputFacts } from '../page-facts.ts';
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
      choice.replaceChildren(...offered.map((facts) => new Option(facts.name)));
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
  const { cell, took, take, about } = output;
  const original = shown?.source === 'original' ? originalOf(output) : null;
  const words = [took === null ? [] : `${took}, seed ${cell.seed}, ${take}`, about ?? [], shownWords(output, shown)];
  return [
    ...(outlineOf(output) === null ? [] : [make('small', 'outlined', OUTLINED)]),
    ...words.flat().map((line) => make('small', '', line)),
    ...(original === null ? [] : [make('small', '', originalLink(original, output))]),
  ];
}

/** Opens the original in a tab of its own, where it can be saved and copied. */
function originalLink(url: string, output: OutputFacts): HTMLAnchorElement {
  const link = make('a', '', 'Open the original');
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener';
  link.setAttribute('aria-label', `Open the original of ${output.name} in a new tab`);
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
