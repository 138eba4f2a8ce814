import type { OutputScore, UnscoredReason } from '../../record/score.ts';
import type { OutputToScore } from '../outputs-to-score.ts';

/** What is tried again: nobody was asked, a limit may be higher, or media may be back. */
const NOT_FINAL: ReadonlySet<string> = new Set<UnscoredReason['code']>([
  'command_failed',
  'no_first_line',
  'call_failed',
  'limit_reached',
  'media_missing',
  'input_missing',
  'undecodable',
]);

/** Whether an output with this line is not asked about again. */
export function isFinal(line: OutputScore): boolean {
  return line.line !== 'unscored' || !NOT_FINAL.has(line.why.code);
}

/**
 * Why outputs of a prompt cannot be shown; null if they can.
 * @param isStored whether the record has the media with this digest
 */
export function whyNotShown(
  outputs: readonly OutputToScore[],
  { image }: OutputToScore['prompt'],
  isStored: (sha256: string) => boolean,
): UnscoredReason | null {
  if (outputs.some(({ fact }) => fact === null)) return { code: 'undecodable' };
  if (outputs.some(({ sha256 }) => !isStored(sha256))) return { code: 'media_missing' };
  return image === null || isStored(image) ? null : { code: 'input_missing' };
}
