import { within } from '../elements.ts';
import { nameOfOutput, type OutputFacts } from '../page-facts.ts';
import { loadMedia, type ShownMedia } from './load-media.ts';
import { captionOf } from './output-words.ts';
import { openStage, type Stage, type StageEvents } from './stage.ts';

/** One of the images that are compared: which it is, where it stands, what is said of it. */
export interface Side {
  readonly figure: HTMLElement;
  readonly choice: HTMLSelectElement;
  readonly stage: Stage;
  /** Null where nothing is chosen. */
  readonly output: () => OutputFacts | null;
  /** Null while it loads, and where there is nothing to show. */
  readonly shown: () => ShownMedia | null;
  /** Offers these outputs; an optional side may be left without one. */
  readonly offer: (outputs: readonly OutputFacts[]) => void;
  /** Chooses an output by its number among those offered, round their ends; resolves once it is loaded. */
  readonly choose: (index: number) => Promise<void>;
  /** Whether there is one that the left and the right side need not show. */
  readonly hasChoice: () => boolean;
  /** The number of the chosen output; -1 where nothing is. */
  readonly index: () => number;
  readonly clear: () => void;
}

/** A side in its figure. `isOptional`: it begins without an image. */
export function openSide(figure: HTMLElement, isOptional: boolean, events: StageEvents): Side {
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
    // The image before it is still to be seen.
    figure.setAttribute('aria-busy', 'true');
    const asked = output;
    const loaded = asked === null ? null : await loadMedia(asked);
    // Another one was chosen meanwhile.
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
