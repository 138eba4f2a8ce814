import { durationUnit } from '../../kit/wording.ts';
import { type CellRow, columnsOfCells, type OutputData, type PageData, type TakeData } from '../../markup/page-data.ts';
import { beganMs } from '../../record/codes.ts';
import type { OutputFact } from '../../record/fact.ts';
import type { Output } from '../../record/journal.ts';
import type { ComparedOutputs, DeliveredSample } from './compared-runs.ts';

/**
 * Each pair has two cells, with the names of the runs in place of variants.
 * @param names of the earlier and the later run
 * @param texts of prompts, by their ids
 * @param facts of outputs, by their digests
 */
export function pairData(
  pairs: readonly ComparedOutputs[],
  names: readonly [earlier: string, later: string],
  texts: ReadonlyMap<string, string>,
  facts: ReadonlyMap<string, OutputFact>,
): PageData {
  const cells = pairs.flatMap(({ seed, earlier, later, takes: [before, after] }, at): readonly CellRow[] => {
    const place = { prompt: at, seed: seed ?? 0, level: null, pairs: [], likeness: null };
    return [
      { ...place, variant: 0, outputs: [outputData(earlier, facts)], takes: [takeData(before)] },
      { ...place, variant: 1, outputs: [outputData(later, facts)], takes: [takeData(after)] },
    ];
  });
  // The outputs of a pair stand side by side, and all pairs on one page.
  const unit = durationUnit(pairs.flatMap(({ takes }) => takes.map(totalOf)));
  const prompts = pairs.map(({ prompt, variant }) => [`${prompt}, ${variant}`, texts.get(prompt) ?? '', []] as const);
  return {
    variants: [...names],
    baselines: [null, 0],
    units: [unit, unit],
    prompts,
    ...columnsOfCells(cells),
    messages: [],
  };
}

export function cellsOf(pair: number): readonly [earlier: number, later: number] {
  return [2 * pair, 2 * pair + 1];
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
  const times = { total: totalMs, submit: null, queue: null, run: null, detect: null, download: null };
  return { ...place, ...times, httpStatus, attempts, requestId: reported.requestId, flags, error: null };
}
