import { type FoundDifference, valueWords } from '../../kit/first-difference.ts';
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

/** `run.json: gate[0].max is 0.5, and 0.05 follows`. @param found with what the file holds first */
export function wordsOfDifference(file: string, { path, one, other }: FoundDifference): string {
  return `${file}: ${path === '' ? 'it' : path} is ${valueWords(one)}, and ${valueWords(other)} follows`;
}
