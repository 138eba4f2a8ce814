import type { Coordinator } from '../../fleet/coordinator.ts';
import { type Checked, refused } from '../../kit/diagnostic.ts';
import { plural, bytes as sayBytes } from '../../kit/wording.ts';
import { copyRecord, mostHandedOver } from '../../record/hand-over.ts';

/** Copies the record of a worker's shard into a folder; refuses more than its share can have. */
export async function takeRecord(
  name: string,
  folder: string,
  fleet: Pick<Coordinator, 'list' | 'read'>,
  { requests, prompts }: { readonly requests: number; readonly prompts: number },
  leaveMedia: boolean,
): Promise<Checked<null>> {
  const gone = refused(
    `${name} was lost before it handed over its shard`,
    'copy the folder of its shard here, then merge all shards (retake merge)',
  );
  const most = mostHandedOver(requests, prompts);
  const listed: Parameters<typeof copyRecord>[1][number][] = [];
  let bytes = 0;
  for (;;) {
    const part = await fleet.list(name, listed.length, leaveMedia);
    if (part === null) return gone;
    listed.push(...part.files);
    for (const file of part.files) bytes += file.bytes;
    if (listed.length > most.files || bytes > most.bytes) {
      return refused(
        `${name} lists ${plural(listed.length, 'file')} of ${sayBytes(bytes)}, more than a share of ${plural(requests, 'request')} can have`,
        'its shard was not taken; check that machine',
      );
    }
    if (listed.length >= part.all || part.files.length === 0) break;
  }
  let isGone = false;
  const read = async (file: string, from: number): Promise<Uint8Array> => {
    const piece = await fleet.read(name, file, from);
    if (piece !== null) return piece;
    isGone = true;
    throw new Error(`${name} is lost`);
  };
  try {
    return await copyRecord(folder, listed, read);
  } catch (error) {
    if (isGone) return gone;
    throw error;
  }
}
