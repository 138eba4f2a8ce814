import { readFileSync, rmSync } from 'node:fs';
import type { Examiners } from '../../examine/examiners.ts';
import type { ImageBox } from '../../media/shown-shape.ts';
import { commonBox } from '../../media/shown-shape.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import type { JudgedOutput } from '../../score/judge-items.ts';
import type { JudgeEdge } from '../../score/judge-scorer.ts';

/** In pixels: models scale larger images down themselves. */
const LARGEST_SIDE = 1024;

/** Frames of a video: in the middle of each quarter of its duration. */
const FRAMES = 4;

/** Both orders of a pair follow each other, with other pairs between them. */
const MOST_KEPT = 16;

interface ShownRecord {
  readonly folder: string;
  readonly record: Pick<StoredRun, 'facts'>;
  /** For files that are gone afterwards. */
  readonly to: string;
  readonly examiners: Pick<Examiners, 'show'>;
}

/** Makes what a judge sees: PNG without metadata, both outputs scaled to one size. */
export function pairShower({ folder, record: { facts }, to, examiners }: ShownRecord): JudgeEdge['show'] {
  const factOf = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const made = new Map<string, Promise<readonly Uint8Array[] | null>>();

  const make = async (sha256: string, worsening: JudgedOutput['worsening'], box: ImageBox | null) => {
    const fact = factOf.get(sha256);
    if (fact === undefined) return null;
    const how = { to, frames: FRAMES, worsening, original: false, ...(box === null ? {} : { box }) };
    const shown = await examiners.show(folder, fact, how);
    if (shown === null || !('images' in shown)) return null;
    const images = shown.images.map((path) => new Uint8Array(readFileSync(path)));
    for (const path of shown.images) rmSync(path, { force: true });
    return images;
  };
  const imagesOf = (sha256: string, worsening: JudgedOutput['worsening'], box: ImageBox | null) => {
    const key = JSON.stringify([sha256, worsening, box]);
    const images = made.get(key) ?? make(sha256, worsening, box);
    made.delete(key);
    made.set(key, images);
    for (const oldest of made.keys()) if (made.size > MOST_KEPT) made.delete(oldest);
    return images;
  };

  return async ({ prompt, first, second }) => {
    const decoded = [first, second].flatMap(({ output: { fact } }) => fact ?? []);
    const box = commonBox(decoded, LARGEST_SIDE);
    const [one, other] = await Promise.all(
      [first, second].map(({ output, worsening }) => imagesOf(output.sha256, worsening, box)),
    );
    if (!one || !other) return { ok: false, why: { code: 'undecodable' } };
    const input = prompt.image === null ? null : await imagesOf(prompt.image, null, null);
    const [inputImage] = input ?? [];
    if (prompt.image !== null && inputImage === undefined) return { ok: false, why: { code: 'input_missing' } };
    return { ok: true, first: { images: one }, second: { images: other }, input: inputImage ?? null };
  };
}
