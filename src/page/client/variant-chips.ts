import { plural } from '../../kit/wording.ts';
import { make } from '../../markup/elements.ts';

/** Most variants beside the baseline variant at a size that shows detail. */
export const MOST_CHOSEN = 6;

const MOST_OPEN = 6;

export interface VariantChips {
  readonly element: HTMLElement;
  readonly show: (chosen: readonly string[], ofKind: ReadonlySet<string>) => void;
}

/** A box for each variant that stands beside the baseline variant; none is checked where all are shown. */
export function variantChips(candidates: readonly string[], choose: (chosen: readonly string[]) => void): VariantChips {
  const chips = candidates.map((name) => {
    const input = make('input', '');
    input.type = 'checkbox';
    input.value = name;
    input.addEventListener('change', () =>
      choose(chips.filter(({ input: { checked } }) => checked).map(({ input: { value } }) => value)),
    );
    return { input, label: make('label', '', input, make('span', '', name)) };
  });
  const legend = make('legend', 'quiet', `Variants, up to ${MOST_CHOSEN}`);
  const group = make('fieldset', 'views', legend, ...chips.map(({ label }) => label));
  const summary = make('summary', '');
  const fold = make('details', 'fold', summary);
  const element = make('div', 'variant-chips', fold);
  return {
    element,
    show: (chosen, ofKind) => {
      const own = chips.filter(({ label, input }) => {
        label.hidden = !ofKind.has(input.value);
        return !label.hidden;
      });
      const isFull = chosen.length >= MOST_CHOSEN;
      for (const { input } of chips) {
        input.checked = chosen.includes(input.value);
        input.disabled = isFull && !input.checked;
      }
      const isFolded = own.length > MOST_OPEN;
      const place = isFolded ? fold : element;
      // Moving what has the focus would lose it.
      if (group.parentElement !== place) place.append(group);
      fold.hidden = !isFolded;
      element.hidden = own.length < 2;
      summary.textContent =
        chosen.length === 0
          ? `every variant: choose up to ${MOST_CHOSEN} of ${plural(own.length, 'variant')}`
          : plural(chosen.length, 'variant');
    },
  };
}
