import type { LeftOutReason } from '../../../record/model/run.ts';

import { packageWords } from '../outputs/decode-reason.ts';

/** As a clause. */
export function leftOutReason(reason: LeftOutReason): string {
  const why =
    reason.code === 'no_video_package' ? packageWords(reason.fault) : `node-av was built without ${reason.encoder}`;
  return `the reference service makes no video here: ${why}`;
}
