import { digestOf } from '../plan/build-trial.ts';
import type { Target } from '../targets/model/target.ts';

/** SHA-256 (hex) of what a target file declares, with the stored body where it names one. */
export function targetDigest({ declared, storedBody }: Pick<Target, 'declared' | 'storedBody'>): string {
  return digestOf(storedBody === null ? declared : [declared, storedBody]);
}
