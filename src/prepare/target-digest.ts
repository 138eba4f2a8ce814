import { digestOf } from '../plan/build-trial.ts';
import type { Target } from '../targets/model/target.ts';

export function targetDigest({ declared, storedBody }: Pick<Target, 'declared' | 'storedBody'>): string {
  return digestOf(storedBody === null ? declared : [declared, storedBody]);
}
