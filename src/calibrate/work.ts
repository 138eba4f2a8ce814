import { createHash } from 'node:crypto';
import type { Spread } from '../record/model/calibration.ts';
import { type Effort, type SamplingEdge, timeWork } from './sampling.ts';

const HASHED_BYTES = 1024 * 1024;
const STORED_BYTES = 64 * 1024;

export type KeepBytes = (bytes: Uint8Array, extension: string) => string;

/** SHA-256 of 1 MiB in one piece, as outputs are hashed. */
export function timeSha256(effort: Effort, edge: SamplingEdge): Promise<Spread | null> {
  const bytes = Buffer.alloc(HASHED_BYTES, 7);
  return timeWork('SHA-256 of 1 MiB', () => createHash('sha256').update(bytes).digest(), effort, edge);
}

/** Digest, file written and closed, for 64 KiB. Bytes differ each time, because equal ones are stored once. */
export function timeStore(keep: KeepBytes, effort: Effort, edge: SamplingEdge): Promise<Spread | null> {
  const bytes = Buffer.alloc(STORED_BYTES, 7);
  let kept = 0;
  const store = () => {
    kept += 1;
    bytes.writeUInt32BE(kept);
    keep(bytes, 'bin');
  };
  return timeWork('store 64 KiB', store, effort, edge);
}
