import { normalCriticalValue } from '../distributions/normal.ts';
import { firstWhere } from '../samples/first-where.ts';
import { pairedRiseTest, riseP } from './rise-test.ts';
import type { PairedEvents } from './tango.ts';

/**
 * The fewest further pairs after which a net is told apart from 0 (two-sided 5 %) with probability `power`, if the shares of all answers
 * stay as they are; null if more than `most`. With that probability the net of m further pairs is above m d - z(power)
 * sqrt(m (p - d^2)), nearly normal, p being the share of pairs that count for one side, and d the net of all.
 */
export function furtherPairs(
  { pairs, candidateOnly, baselineOnly }: PairedEvents,
  power: number,
  most: number,
): number | null {
  const [more, fewer] = [Math.max(candidateOnly, baselineOnly), Math.min(candidateOnly, baselineOnly)];
  const [either, net] = [(more + fewer) / pairs, (more - fewer) / pairs];
  const decides = (further: number) => {
    const least = further * net - normalCriticalValue(1 - power) * Math.sqrt(further * (either - net * net));
    const test = pairedRiseTest({
      pairs: pairs + further,
      candidateOnly: Math.floor(more + (further * either + least) / 2),
      baselineOnly: Math.floor(fewer + (further * either - least) / 2),
    });
    return test !== null && test.rise > 0 && riseP(test) <= 0.05;
  };
  const fewest = net === 0 ? Infinity : firstWhere(1, most, decides);
  return fewest > most ? null : fewest;
}
