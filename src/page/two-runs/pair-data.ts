import { durationUnit } from '../../kit/wording.ts';
import type { CellData, OutputData, PageData, TakeData } from '../../markup/page-data.ts';
import { beganMs } from '../../record/codes.ts';
import type { OutputFact } from '../../record/fact.ts';
import type { Output } from '../../record/journal.ts';
import { factsByDigest } from '../../record/output-pairs.ts';
import type { ComparedOutputs, ComparedRecord, DeliveredSample } from '../compared-outputs.ts';

interface BothRecords {
  readonly earlier: ComparedRecord;
  readonly later: ComparedRecord;
}

/** Each pair has two cells; runs stand in place of variants. */
export function pairData(
  pairs: readonly ComparedOutputs[],
  { earlier, later }: BothRecords,
  names: readonly [earlier: string, later: string],
): PageData {
  const facts = factsByDigest([...earlier.facts, ...later.facts]);
  const texts = new Map([...earlier.run.prompts, ...later.run.prompts].map(({ id, text }) => [id, text]));
  // One unit for all pairs, since they are on one page.
  const unit = durationUnit(pairs.flatMap(({ takes }) => takes.map(totalOf)));
  const promptOf = ({ prompt, variant }: ComparedOutputs): string => `${prompt}, ${variant}`;
  return {
    prompts: pairs.map((pair) => ({ id: promptOf(pair), text: texts.get(pair.prompt) ?? '', tags: [], input: null })),
    cells: pairs.flatMap((pair) =>
      ([0, 1] as const).map(
        (side): CellData => ({
          variant: names[side],
          baseline: side === 0 ? null : names[0],
          prompt: promptOf(pair),
          unit,
          seed: pair.seed ?? 0,
          level: null,
          pairs: [],
          likeness: null,
          stored: null,
          outputs: [outputData(pair.outputs[side], facts)],
          takes: [takeData(pair.takes[side])],
        }),
      ),
    ),
  };
}

function outputData({ sha256, mime }: Output, facts: ReadonlyMap<string, OutputFact>): OutputData {
  const common = { sha256: sha256.slice(0, 12), level: null };
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

function takeData(sample: DeliveredSample): TakeData {
  const { trial, httpStatus, attempts, reported, flags } = sample;
  const totalMs = Number(totalOf(sample).toPrecision(5));
  const place = { repeat: trial.repeat, step: trial.step ?? null, outcome: 'ok', output: 0 };
  const times = { total: totalMs };
  return { ...place, times, httpStatus, attempts, requestId: reported.requestId, flags, error: null };
}
