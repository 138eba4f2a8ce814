import type { RunMerged } from '../model/run.ts';

export function missingShards({ of, shards }: RunMerged): readonly number[] {
  const there = new Set(shards.map(({ index }) => index));
  return Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
}
