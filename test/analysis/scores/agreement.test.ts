import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreementWithVotes, type Preference, type PreferringJudge } from '../../../src/analysis/scores/agreement.ts';
import type { Ballot, VoteLine } from '../../../src/record/score.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import { chance } from '../../fixtures/scripted-run.ts';

/** What voters say of a pair of the variants a, on the left, and b. */
type Answers = readonly ('left' | 'right' | 'neither' | 'skip')[];

function votesOn(pairs: readonly Answers[]): readonly VoteLine[] {
  return pairs.flatMap((answers, at): readonly VoteLine[] => {
    const side = (variant: string) => ({ variant, sha256: `${variant} ${at}` });
    const ballot: Ballot = {
      line: 'ballot',
      ballot: `ballot ${at}`,
      prompt: 'fox',
      seed: at,
      block: String(at),
      left: side('a'),
      right: side('b'),
      mirrors: null,
      scored: false,
    };
    return [
      ballot,
      ...answers.map(
        (choice, voter): VoteLine => ({
          line: 'vote',
          ballot: ballot.ballot,
          choice,
          voter: `voter ${voter}`,
        }),
      ),
    ];
  });
}

/** A judge that says of each pair, by its number, what is better. */
function judge(says: (at: number) => string | null | undefined): PreferringJudge {
  return {
    metric: 'score.judge',
    preferences: (block): Preference | null | undefined => {
      const said = says(Number(block));
      return said === undefined ? undefined : { preferred: said };
    },
  };
}

function agreed(pairs: readonly Answers[], says: Parameters<typeof judge>[0]) {
  return agreementWithVotes(votesOn(pairs), [], [judge(says)])?.judges[0];
}

const of = (count: number, ...answers: Answers) => Array.from({ length: count }, () => answers);
const HALVES = [...of(20, 'left'), ...of(20, 'right')];
const copied = (at: number) => (at < 20 ? 'a' : 'b');

describe('agreement with votes', () => {
  it('agreement of a judge that copies the votes is `agrees`, with the interval of Clopper and Pearson over pairs', () => {
    const { low, high } = clopperPearson(40, 40, 0.95);
    expect(agreed(HALVES, copied)).toEqual({
      metric: 'score.judge',
      agree: 40,
      equal: 0,
      of: 40,
      without: 0,
      ciLow: low,
      ciHigh: high,
      finding: 'agrees',
    });
  });

  it('agreement of a judge that says the opposite is `disagrees`, and that of a coin `undecided`', () => {
    expect(agreed(HALVES, (at) => (at < 20 ? 'b' : 'a'))).toMatchObject({ agree: 0, of: 40, finding: 'disagrees' });
    const coin = agreed(of(400, 'left'), (at) => (chance('coin', at) < 0.5 ? 'a' : 'b'));
    expect(coin).toMatchObject({ of: 400, finding: 'undecided' });
  });

  it('agreement without a vote that prefers a side is `no_votes`, and absent without ballots or scorers', () => {
    const none = { agree: 0, of: 0, without: 0, ciLow: null, ciHigh: null, finding: 'no_votes' };
    expect(agreed(of(3), copied)).toMatchObject(none);
    expect(agreed([...of(3, 'neither'), ...of(2, 'skip'), ...of(4, 'left', 'right')], copied)).toMatchObject(none);
    expect(agreementWithVotes([], [], [judge(copied)])).toBeNull();
    expect(agreementWithVotes(votesOn(HALVES), [], [])).toBeNull();
  });

  it('agreement leaves out pairs without an answer, and counts them', () => {
    expect(agreed(HALVES, (at) => (at % 2 === 0 ? undefined : copied(at)))).toMatchObject({
      agree: 20,
      of: 20,
      without: 20,
      finding: 'agrees',
    });
    expect(agreed(HALVES, () => undefined)).toMatchObject({ of: 0, without: 40, ciLow: null, finding: 'undecided' });
  });

  it('agreement counts a tie of the judge as no agreement, and never as the opposite', () => {
    const half = agreed(HALVES, (at) => (at % 2 === 0 ? null : copied(at)));
    expect(half).toMatchObject({ agree: 20, equal: 20, of: 40, finding: 'undecided' });
    expect(agreed(HALVES, () => null)).toMatchObject({ agree: 0, equal: 40, of: 40, finding: 'undecided' });
  });

  it('agreement is with the majority of several voters, beside how often two of them agree', () => {
    const pairs = [
      ...of(10, 'left', 'left', 'right'),
      ...of(5, 'left', 'right'),
      ...of(5, 'right', 'neither', 'skip'),
      ...of(5, 'left', 'left'),
    ];
    const found = agreementWithVotes(votesOn(pairs), [], [judge(() => 'a')]);
    // 15 with a majority for a; a vote beside `neither` is not one.
    expect(found?.judges).toMatchObject([{ agree: 15, of: 15 }]);
    // Of three voters: three twos, of which one agrees.
    expect(found?.voters).toEqual({ agree: 10 + 5, of: 30 + 5 + 5 });
  });

  it('a voter counts once on a ballot, with the last vote, however many lines the record has and whatever wrote them', () => {
    const said = (choice: Answers[number], voter: string): VoteLine => {
      return { line: 'vote', ballot: 'ballot 0', choice, voter: `voter ${voter}` };
    };
    const once = votesOn([['left', 'right']]);
    const again = (...lines: VoteLine[]) => agreementWithVotes([...once, ...lines], [], [judge(() => 'a')]);
    expect(again()).toMatchObject({ judges: [{ of: 0 }], voters: { agree: 0, of: 1 } });
    expect(again(said('left', '0'), said('left', '0'))).toEqual(again());
    expect(again(said('left', '1'), said('left', '1'))).toMatchObject({ judges: [{ agree: 1, of: 1 }] });
    expect(again(said('skip', '1'), said('skip', '1'))).toMatchObject({ judges: [{ of: 1 }], voters: { of: 0 } });
  });

  it('agreement of a judge and that of its opposite add up, and only one of both has a finding', () => {
    const answer = fc.constantFrom('left', 'right', 'neither' as const);
    const said = fc.constantFrom('a', 'b', null, undefined);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(answer, { maxLength: 3 }), said), { maxLength: 60 }), (told) => {
        const pairs = told.map(([answers]) => answers as Answers);
        const other = { a: 'b', b: 'a' } as const;
        const says = (at: number) => told[at]?.[1];
        const one = agreed(pairs, says);
        const opposite = agreed(pairs, (at) => {
          const found = says(at);
          return found === 'a' || found === 'b' ? other[found] : found;
        });
        if (one === undefined || opposite === undefined) return pairs.length === 0;
        const findings = [one.finding, opposite.finding].toSorted().join();
        return (
          one.agree + opposite.agree + one.equal === one.of &&
          one.without === opposite.without &&
          ['agrees,disagrees', 'undecided,undecided', 'no_votes,no_votes'].includes(findings)
        );
      }),
    );
  });
});

describe('the interval of agreement', () => {
  it('the interval is the one that decides: ties may speak for either side', () => {
    // 1 of 10 pairs alone would be 0.25 to 44.5 %, which is below a half.
    const tied = agreed([...of(10, 'left')], (at) => (at < 1 ? 'a' : at < 6 ? null : 'b'));
    expect(tied).toMatchObject({ agree: 1, equal: 5, of: 10, finding: 'undecided' });
    expect(tied?.ciLow).toBeCloseTo(clopperPearson(1, 10, 0.95).low, 12);
    expect(tied?.ciHigh).toBeCloseTo(clopperPearson(6, 10, 0.95).high, 12);
    for (let equal = 0; equal < 10; equal += 1) {
      const found = agreed([...of(10, 'left')], (at) => (at < 1 ? 'a' : at <= equal ? null : 'b'));
      const { ciLow, ciHigh } = found ?? {};
      const contains = (ciLow ?? 0) <= 0.5 && (ciHigh ?? 1) >= 0.5;
      expect(found?.finding === 'undecided').toBe(contains);
    }
  });
});
