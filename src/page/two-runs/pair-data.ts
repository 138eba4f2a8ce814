import { takeName } from '../../kit/names.ts';
import { type DurationUnit, duration, durationUnit } from '../../kit/wording.ts';
import type { CellData, OutputData, PageData } from '../../markup/page-data.ts';
import { beganMs } from '../../record/codes.ts';
import type { OutputFact } from '../../record/fact.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import {
  type ComparedOutputs,
  type ComparedRecord,
  type DeliveredSample,
  differenceSentence,
} from '../compared-outputs.ts';

/** Each pair has two cells; runs stand in place of variants. */
export function pairData(
  pairs: readonly ComparedOutputs[],
  { earlier, later }: { readonly earlier: ComparedRecord; readonly later: ComparedRecord },
  names: readonly [earlier: string, later: string],
): PageData {
  const facts = factsByDigest([...earlier.facts, ...later.facts]);
  const texts = new Map([...earlier.run.prompts, ...later.run.prompts].map(({ id, text }) => [id, text]));
  // One unit for all pairs, since they are on one page.
  const unit = durationUnit(pairs.flatMap(({ takes }) => takes.map(totalOf)));
  const promptOf = ({ prompt, variant }: ComparedOutputs): string => `${prompt}, ${variant}`;
  return {
    prompts: pairs.map((pair) => ({ id: promptOf(pair), text: texts.get(pair.prompt) ?? '', tags: [], input: null })),
    cells: pairs.flatMap((pair) => {
      const words = differenceSentence(pair.difference);
      return ([0, 1] as const).map(
        (side): CellData => ({
          variant: names[side],
          baseline: side === 0 ? null : names[0],
          prompt: promptOf(pair),
          seed: pair.seed ?? 0,
          level: null,
          lost: [],
          failures: [],
          outputs: [outputData(pair.takes[side], unit, facts)],
          pairs: [],
          likeness: side === 0 ? null : { words, outputs: [0, 0] },
          stored: null,
        }),
      );
    }),
  };
}

function outputData(sample: DeliveredSample, unit: DurationUnit, facts: ReadonlyMap<string, OutputFact>): OutputData {
  const { trial, outputs } = sample;
  const [{ sha256, mime }] = outputs;
  const take = takeName({ repeat: trial.repeat, step: trial.step ?? null });
  const common = { sha256: sha256.slice(0, 12), take, took: duration(totalOf(sample), unit), about: null };
  const fact = facts.get(sha256);
  if (fact?.decodes === true) {
    const { width, height, video } = fact;
    const durationS = video === null ? null : (video.durationS ?? 0);
    return { ...common, width, height, durationS, fps: video?.fps ?? null };
  }
  const isVideo = mime?.startsWith('video/') === true;
  return { ...common, width: null, height: null, durationS: isVideo ? 0 : null, fps: null };
}

function totalOf(sample: DeliveredSample): number {
  return sample.marks.doneMs - beganMs(sample);
}
