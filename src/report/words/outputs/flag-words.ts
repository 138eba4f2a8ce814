/** The codes are those of samples.csv. */
const FLAG_WORDS: ReadonlyMap<string, string> = new Map([
  ['harness_lag', 'timestamped late'],
  ['orphans', 'beside abandoned requests'],
  ['reconnected', 'sent after a wait for its server'],
  ['resumed', 'measured by two processes'],
  ['slowed', 'sent below load.concurrency'],
  ['cached', 'served from a cache'],
  ['blank', 'one colour only'],
  ['seed_echo', 'another seed reported'],
]);

/** An unknown code, of a later version, stays a code. */
export function flagWords(code: string): string {
  return FLAG_WORDS.get(code) ?? code;
}
