import type { FoundDifference } from '../../kit/first-difference.ts';
import { visibleLine } from '../../kit/visible.ts';

/** Why the numbers of a record do not follow from it, or why that cannot be checked here. Ends the checks. */
export class FollowEnd extends Error {
  readonly is: 'differs' | 'unchecked';
  /** As a clause. */
  readonly what: string;

  constructor(is: FollowEnd['is'], what: string) {
    super(what);
    this.is = is;
    this.what = visibleLine(what);
  }
}

const LONGEST_VALUE = 80;

/** `run.json: gate[0].max is 0.5, and 0.05 follows`. @param found with what the file holds first */
export function wordsOfDifference(file: string, { path, one, other }: FoundDifference): string {
  return `${file}: ${path === '' ? 'it' : path} is ${shown(one)}, and ${shown(other)} follows`;
}

function shown(value: FoundDifference['one']): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}
