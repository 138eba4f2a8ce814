import { describe, expect, it } from 'vitest';
import type { Ballot, Vote } from '../../src/record/score.ts';
import { readVotes } from '../../src/score/read-values.ts';

const [ONE, TWO, ANNA, BEN] = ['1', '2', 'a', 'b'].map((digit) => digit.repeat(32));
const BALLOTS = [ONE, TWO].map(
  (ballot = ''): Ballot => ({
    line: 'ballot',
    ballot,
    prompt: 'fox',
    seed: 1,
    block: 'fox/1/1',
    left: { variant: 'fast', sha256: 'c'.repeat(64) },
    right: { variant: 'standard', sha256: 'd'.repeat(64) },
    mirrors: null,
    scored: false,
  }),
);
const WRITTEN: Vote = { line: 'vote', ballot: ONE ?? '', choice: 'left', voter: ANNA ?? '' };

const read = (text: string) => readVotes({ file: 'votes.csv', text }, BALLOTS, [...BALLOTS, WRITTEN]);

describe('a file of votes', () => {
  it('a file of votes gives what the run lacks; what it has already is counted', () => {
    expect(read(`voter,ballot,choice\n${ANNA},${ONE},left\n${BEN},${ONE},neither\n${ANNA},${TWO},skip\n`)).toEqual({
      ok: true,
      value: {
        votes: [
          { line: 'vote', ballot: ONE, choice: 'neither', voter: BEN },
          { line: 'vote', ballot: TWO, choice: 'skip', voter: ANNA },
        ],
        known: 1,
      },
    });
  });

  it.each([
    ['an empty file', '', 1, 1, 'the file is empty'],
    ['no row', 'ballot,choice,voter\n', 1, 1, 'no row'],
    ['a missing column', 'ballot,choice\nx,y\n', 1, 1, 'no column "voter"'],
    ['an unknown column', 'ballot,choice,voter,name\na,b,c,d\n', 1, 21, 'unknown column "name"'],
    ['a column twice', 'ballot,choice,voter,voter\na,b,c,d\n', 1, 21, 'occurs twice'],
    ['semicolons', 'ballot;choice;voter\na;b;c\n', 1, 1, 'one column'],
    ['an unknown ballot', `ballot,choice,voter\n${BEN},left,${BEN}\n`, 2, 1, 'no ballot'],
    ['an unknown choice', `ballot,choice,voter\n${ONE},lft,${BEN}\n`, 2, 34, '"lft" is not a choice'],
    ['a choice in capitals', `ballot,choice,voter\n${ONE},LEFT,${BEN}\n`, 2, 34, 'is not a choice'],
    ['a name for a voter', `ballot,choice,voter\n${ONE},left,Anna\n`, 2, 39, '"Anna" is not the id of a voter'],
    ['an empty cell', `ballot,choice,voter\n${ONE},,${BEN}\n`, 2, 34, 'is not a choice'],
    ['a short row', `ballot,choice,voter\n${ONE},left\n`, 2, 1, 'this row has 2 cells'],
    ['another choice than in the run', `ballot,choice,voter\n${ONE},right,${ANNA}\n`, 2, 34, 'chosen "left"'],
    [
      'two choices in the file',
      `ballot,choice,voter\n${TWO},left,${BEN}\n${TWO},right,${BEN}\n`,
      3,
      34,
      'chosen "left"',
    ],
  ])('%s is refused with its line and column', (_, text, line, column, cause) => {
    const found = read(text);
    if (found.ok) throw new Error('it was read');
    expect(found.diagnostics[0]?.place).toEqual({ file: 'votes.csv', line, column });
    expect(found.diagnostics[0]?.cause).toContain(cause);
    expect(found.diagnostics[0]?.remedy).not.toBe('');
  });
});
