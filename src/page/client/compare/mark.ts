import { allWithin, makeButton } from '../../../markup/elements.ts';
import type { OutputFacts } from '../page-facts.ts';
import { namesOf } from './between.ts';
import type { ComparedAddress } from './compare-hash.ts';

/** Marks the figure of the output that was selected. */
export function showMark(figures: readonly HTMLElement[], marked: number | null): void {
  for (const [at, figure] of figures.entries()) {
    if (at === marked) figure.setAttribute('aria-current', 'true');
    else figure.removeAttribute('aria-current');
  }
}

/**
 * A button for each output that may stand beside the left one of three.
 *
 * @param opposite the one that does; null where all are shown
 * @param choose gets its place
 */
export function showOpposites(
  group: HTMLElement,
  outputs: ComparedAddress['outputs'] | null,
  opposite: OutputFacts | null,
  choose: (place: number) => void,
): void {
  const hadFocus = group.contains(document.activeElement);
  const others = opposite === null || outputs?.[2] === undefined ? [] : outputs.slice(1);
  const nameOf = namesOf(outputs ?? []);
  group.hidden = others.length === 0;
  group.replaceChildren(
    ...others.flatMap((output, at) => {
      if (output === undefined) return [];
      const button = makeButton(nameOf(output), '', () => choose(at + 1));
      button.setAttribute('aria-pressed', String(output === opposite));
      return [button];
    }),
  );
  // The focused button was replaced.
  if (hadFocus) allWithin(group, '[aria-pressed=true]', HTMLButtonElement)[0]?.focus();
}
