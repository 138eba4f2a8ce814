import type { Unit } from '../../../analysis/measures/unit.ts';

const WORDS: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  '1': '1',
  '1/s': '1/s',
  usd: 'usd',
  outputs: 'outputs',
  in_flight: 'in flight',
  levels: 'levels',
  levels2: 'levels²',
};

export function unitWords(unit: Unit): string {
  return WORDS[unit];
}
