import { count } from '../../../text/wording.ts';
import type { ArrivedOutput } from '../../progress/tally.ts';
import { historyAddress, INDEX_ADDRESS, type RunPlace, reportAddress, runAddress, suiteAddress } from './addresses.ts';
import type { NavigationLink } from './page.ts';

export function suiteLinks(suite: string): readonly NavigationLink[] {
  return [
    { href: INDEX_ADDRESS, title: 'All suites' },
    { href: suiteAddress(suite), title: suite },
    { href: historyAddress(suite), title: 'Trend' },
  ];
}

export function runLinks(place: RunPlace): readonly NavigationLink[] {
  return [
    ...suiteLinks(place.suite),
    { href: reportAddress(place), title: 'Report' },
    { href: runAddress(place), title: 'Files and media' },
  ];
}

/** `fox, seed 1, take 2`. */
export function takeWords({ prompt, seed, repeat }: Pick<ArrivedOutput, 'prompt' | 'seed' | 'repeat'>): string {
  return `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}, take ${count(repeat)}`;
}
