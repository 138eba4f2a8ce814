import { TIMINGS, type TimedSample, timingOf } from '../../../analysis/effective-sample.ts';
import type { Cell, Take } from '../../../analysis/summaries.ts';
import type { LikenessData, OutputData, PageData, PairData, TakeData } from '../../../markup/page-data.ts';
import type { Difference } from '../../../media/difference.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { firstOfEachOutput } from '../../cell-outputs.ts';
import { type Sheet, shownAgainst } from '../../shown-outputs.ts';

/** Further outputs are only compared with the usual one: pairs grow with the square. */
const MOST_COMPARED = 16;

export function takeData({ analysis, samples, pairs }: ReportSource, sheet: Sheet): PageData {
  const byTrial = new Map(samples.map((sample) => [sample.sample.trial.id, sample]));
  const ofVariant = new Map(
    analysis.variants.map((variant) => [
      variant.name,
      {
        baseline: shownAgainst(variant, analysis.variants)?.name ?? null,
        unit: sheet.unitOf(variant.name),
        levelOf: pairs.levels(variant.levels),
      },
    ]),
  );
  const inputs = new Map(sheet.kinds.flatMap((kind) => [...kind.inputs]));
  return {
    prompts: analysis.prompts.map(({ id, text, tags }) => {
      const { width, height } = inputs.get(id)?.image ?? {};
      return { id, text, tags, input: width === undefined || height === undefined ? null : { width, height } };
    }),
    cells: analysis.cells.map((cell) => {
      const { variant, prompt, seed, level } = cell;
      const digests = firstOfEachOutput(cell).map(({ sha256 }) => sha256);
      const { baseline = null, unit = 'ms', levelOf } = ofVariant.get(variant) ?? {};
      return {
        variant,
        baseline,
        unit,
        prompt,
        seed,
        level,
        outputs: digests.map((sha256) => outputOf(sha256, cell, sheet)),
        takes: cell.takes.map((take) => takeOf(take, byTrial.get(take.trial), digests)),
        pairs: comparedPairs(cell, digests, levelOf, pairs),
        likeness: likenessData(cell, digests, sheet),
        stored: storedData(cell, sheet),
      };
    }),
  };
}

function comparedPairs(
  { outputGroups }: Cell,
  digests: readonly string[],
  levelOf: ReturnType<ReportSource['pairs']['levels']> | undefined,
  pairs: ReportSource['pairs'],
): readonly PairData[] {
  const usual = outputGroups.find(({ level }) => level === 'byte')?.sha256;
  return digests.flatMap((one, a) =>
    digests.slice(a + 1).flatMap((other, next): readonly PairData[] => {
      const b = a + 1 + next;
      if (b >= MOST_COMPARED && one !== usual && other !== usual) return [];
      const level = levelOf?.(one, other) ?? null;
      const difference = pairs.differenceOf(one, other);
      return level === null ? [] : [{ a, b, level, difference: difference && roundedDifference(difference) }];
    }),
  );
}

function likenessData(cell: Cell, digests: readonly string[], { likenessOf, places }: Sheet): LikenessData | null {
  const likeness = likenessOf(cell);
  if (likeness === null) return null;
  if (likeness.word === 'unknown') return { word: likeness.word, why: likeness.why };
  const { word, output, baselineOutput, difference, sharpness, repeatSsim, otherSeed } = likeness;
  const reference = places.cell(likeness.baseline, cell.prompt, cell.seed);
  const theirs = reference === null ? [] : firstOfEachOutput(reference).map(({ sha256 }) => sha256);
  return {
    word,
    output: digests.indexOf(output),
    baselineOutput: theirs.indexOf(baselineOutput),
    ssim: difference === null ? 1 : rounded(difference.ssim?.p5 ?? null),
    pdqDistance: difference === null ? 0 : difference.pdqDistance,
    sharpness: rounded(sharpness),
    repeatSsim: rounded(repeatSsim),
    otherSeed: otherSeed && { ssim: rounded(otherSeed.ssim), pdqDistance: otherSeed.pdqDistance },
  };
}

function storedData(cell: Cell, { changeOf, keptFact }: Sheet): OutputData | null {
  const change = changeOf(cell);
  const fact = change === null ? null : keptFact(change.stored);
  if (fact === null) return null;
  const { sha256, width, height, video } = fact;
  const { durationS = null, fps = null } = video ?? {};
  return { sha256: sha256.slice(0, 12), width, height, durationS, fps, level: null };
}

function outputOf(sha256: string, cell: Cell, { outputs }: Sheet): OutputData {
  const { width = null, height = null, durationS = null, fps = null } = outputs.get(sha256) ?? {};
  const level = cell.outputGroups.find((group) => group.sha256 === sha256)?.level ?? null;
  return { sha256: sha256.slice(0, 12), width, height, durationS, fps, level };
}

function takeOf(take: Take, effective: TimedSample | undefined, digests: readonly string[]): TakeData {
  const at = take.sha256 === null ? -1 : digests.indexOf(take.sha256);
  const timings = effective?.timings;
  const error = effective?.error ?? null;
  // One literal: joining objects takes many times the memory, and a page has very many takes.
  return {
    repeat: take.repeat,
    step: take.step,
    outcome: take.outcome,
    output: at < 0 ? null : at,
    times: Object.fromEntries([
      ['total', rounded(timings?.totalMs ?? take.totalMs)],
      ...TIMINGS.map((name) => [name, timings === undefined ? null : rounded(timingOf(timings, name))]),
    ]),
    httpStatus: effective?.sample.httpStatus ?? null,
    attempts: effective?.sample.attempts ?? 0,
    requestId: effective?.sample.reported.requestId ?? null,
    flags: effective?.flags ?? [],
    error: error && { code: error.code, message: error.message },
  };
}

function roundedDifference({ samples, ssim, chroma, ...difference }: Difference): Difference {
  return {
    ...difference,
    samples: samples && { ...samples, psnrDb: rounded(samples.psnrDb) },
    ssim,
    chroma: rounded(chroma),
  };
}

/** Rounds to five digits: more than is shown, and few bytes. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(5));
}
