import { within } from '../elements.ts';
import { nameOfOutput, type OutputFacts } from '../page-facts.ts';
import { loadMedia, type ShownMedia } from './load-media.ts';
import { captionOf } from './output-words.ts';
import { type CompareStage, openStage, type StageEvents } from './stage.ts';

export interface CompareSide {
  readonly figure: HTMLElement;
  readonly choice: HTMLSelectElement;
  readonly stage: CompareStage;
  readonly output: () => OutputFacts | null;
  /** Null while it loads, and where there is nothing to show. */
  readonly shown: () => ShownMedia | null;
  /** An optional side may be left without an output. */
  readonly offer: (outputs: readonly OutputFacts[]) => void;
  /** By index among the offered ones, wrapping round; resolves once it is loaded. */
  readonly choose: (index: number) => Promise<void>;
  /** Whether there is an output that the left and right side need not show. */
  readonly hasChoice: () => boolean;
  /** -1 where nothing is chosen. */
  readonly index: () => number;
  readonly clear: () => void;
}

export function openSide(figure: HTMLElement, isOptional: boolean, events: StageEvents): CompareSide {
  const choice = within(figure, 'select', HTMLSelectElement);
  const caption = within(figure, 'figcaption', HTMLElement);
  const stage = openStage(within(figure, '.stage', HTMLElement), events);
  const before = isOptional ? 1 : 0;
  let outputs: readonly OutputFacts[] = [];
  let output: OutputFacts | null = null;
  let shown: ShownMedia | null = null;

  const choose = async (index: number): Promise<void> => {
    const chosen = outputs[(index + outputs.length) % outputs.length] ?? null;
    output = index < 0 && isOptional ? null : chosen;
    choice.selectedIndex = output === null ? 0 : outputs.indexOf(output) + before;
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
      const none = isOptional ? [new Option('no third')] : [];
      choice.replaceChildren(...none, ...offered.map((each) => new Option(nameOfOutput(each))));
    },
    choose,
    hasChoice: () => outputs.length > 2,
    index: () => (output === null ? -1 : outputs.indexOf(output)),
    clear: () => {
      output = null;
      shown = null;
      stage.clear();
      caption.replaceChildren();
    },
  };
}
