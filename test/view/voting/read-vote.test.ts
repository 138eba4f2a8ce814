import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VOTE_CHOICES } from '../../../src/record/codes.ts';
import { readVote } from '../../../src/view/voting-server.ts';

const id = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 32, maxLength: 32 })
  .map((all) => all.join(''));
const vote = fc.record({ ballot: id, choice: fc.constantFrom(...VOTE_CHOICES), voter: id });

it('a vote that a page sends is read as it was given, in any order of its keys', () => {
  fc.assert(
    fc.property(vote, ({ ballot, choice, voter }) => {
      expect(readVote(JSON.stringify({ voter, choice, ballot }))).toEqual({ line: 'vote', ballot, choice, voter });
    }),
  );
});

it('any other text is not a vote, and is read without an error', () => {
  const almost = fc.tuple(vote, fc.constantFrom('ballot', 'choice', 'voter', 'more'), fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readVote(text)).toBe(null);
    }),
  );
  fc.assert(
    fc.property(almost, ([good, key, value]) => {
      const read = readVote(JSON.stringify({ ...good, [key]: value }));
      // A ballot may have any text: whether the run has it is asked later.
      if (key === 'more' || typeof value !== 'string') expect(read).toBe(null);
      else if (read !== null)
        expect(JSON.stringify(read)).toBe(JSON.stringify({ line: 'vote', ...good, [key]: value }));
    }),
  );
});
