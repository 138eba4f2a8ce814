import { openVideoEncoder } from '../../../src/service/rendering/encode-video.ts';
import { wholeNumber } from '../arguments.ts';
import { clipPairs } from './clips.ts';
import { pairsOfSets } from './image-pairs.ts';
import type { KnownPair } from './known-pairs.ts';
import {
  CHOSEN_ON,
  faintSets,
  HELD_OUT,
  type PromptSet,
  paintedSets,
  plainSets,
  renderedSets,
  setsOfFolder,
} from './originals.ts';
import { errorTable, kindTable, ruleTable } from './tables.ts';

/*
 * npm run likeness: what the words of likeness say of pairs of which is known what people would say, and how often they
 * err. Prints tables in Markdown; nothing here passes or fails. The same versions of sharp and FFmpeg give the same
 * tables on every machine. About 10 minutes on an idle machine.
 *
 *   npm run likeness -- images                     some parts only: `images`, `held-out`, `faint`,
 *                                                  `plain`, `clips`
 *   RETAKE_LIKENESS_PROMPTS=2 npm run likeness     fewer prompts
 *   npm run likeness -- FOLDER                     the images of a folder, such as photographs
 */

const asked = process.argv.slice(2);
const PARTS = ['images', 'held-out', 'faint', 'plain', 'clips'];
const folders = asked.filter((part) => !PARTS.includes(part));
const isAsked = (part: string) => asked.length === 0 || asked.includes(part);
const prompts = wholeNumber('RETAKE_LIKENESS_PROMPTS', 12);
const SEEDS = 4;

const parts = new Map<string, readonly KnownPair[]>();
const measure = async (name: string, sets: readonly PromptSet[]): Promise<void> => {
  parts.set(name, await pairsOfSets(sets));
  console.error(`${name}: ${sets.length} prompts, ${parts.get(name)?.length} pairs`);
};

if (isAsked('images') || isAsked('faint')) {
  const sets = [...(await all(renderedSets(CHOSEN_ON.slice(0, prompts), SEEDS))), ...paintedSets(SEEDS)];
  if (isAsked('images')) await measure('images', sets);
  if (isAsked('faint')) await measure('faint images', faintSets(sets.slice(0, 12)));
}
if (isAsked('held-out')) await measure('held-out images', await all(renderedSets(HELD_OUT.slice(0, prompts), 3)));
if (isAsked('plain')) await measure('plain images', plainSets());
if (isAsked('clips')) {
  const encoder = await openVideoEncoder();
  if (encoder === null) console.error('no clips: this installation has no video encoder');
  else parts.set('clips', await all(clipPairs(encoder, prompts, 3)));
}
for (const folder of folders) await measure(folder, await setsOfFolder(folder));

console.log(`${errorTable(parts)}\n`);
for (const [name, pairs] of parts) console.log(`${name}\n\n${ruleTable(pairs)}\n\n${kindTable(pairs)}\n`);

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
