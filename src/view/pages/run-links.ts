import { count } from '../../text/quantity.ts';
import type { ArrivedOutput } from '../progress/tally.ts';
import { historyAddress, INDEX_ADDRESS, type RunPlace, runAddress, suiteAddress } from './addresses.ts';
import type { NavigationLink } from './page.ts';

/** The navigation of every page of a run. */
export function runLinks(place: RunPlace): readonly NavigationLink[] {
  return [
    { href: INDEX_ADDRESS, title: 'All suites' },
    { href: suiteAddress(place.suite), title: place.suite },
    { href: historyAddress(place.suite), title: 'Trend' },
    { href: runAddress(place), title: place.run },
  ];
}

/** `fox, seed 1, take 2`. */
export function takeWords({ prompt, seed, repeat }: Pick<ArrivedOutput, 'prompt' | 'seed' | 'repeat'>): string {
  return `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}, take ${count(repeat)}`;
}
