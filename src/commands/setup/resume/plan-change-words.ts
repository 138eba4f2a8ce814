import { visibleLine } from '../../../text/visible.ts';
import type { PlanChange } from './plan-changes.ts';

const LONGEST_VALUE = 60;

const MOST_NAMED = 5;

/** A clause: `seeds was [1,2], is [7]`. */
export function planChangeWords(changes: readonly PlanChange[]): string {
  const named = changes.slice(0, MOST_NAMED).map(changeWords);
  const more = changes.length - named.length;
  return visibleLine([...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
}

function changeWords(change: PlanChange): string {
  switch (change.part) {
    case 'suite':
      return `it is the suite ${change.is}, not ${change.was}`;
    case 'setting':
      return `${change.name} was ${shown(change.was)}, is ${shown(change.is)}`;
    default:
      return change.how === 'changed' && change.fields.length > 0
        ? `the ${change.part} ${change.name} has another ${change.fields.map(fieldWords).join(', ')}`
        : `the ${change.part} ${change.name} was ${change.how}`;
  }
}

function fieldWords(field: string): string {
  return FIELD_WORDS[field] ?? field;
}

/** Fields whose key in a suite differs. */
const FIELD_WORDS: Readonly<Record<string, string>> = { constants: 'const', baseUrl: 'base_url' };

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}
