import type { TimedSample } from '../../../analysis/effective-sample.ts';
import type { Cell, Take } from '../../../analysis/summaries.ts';
import {
  columnsOfCells,
  type LikenessData,
  type OutputData,
  type PageData,
  type PairData,
  type PromptData,
  type TakeData,
} from '../../../markup/page-data.ts';
import type { Difference } from '../../../media/difference.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { firstOfEachOutput } from '../../cell-outputs.ts';
import { type Sheet, shownAgainst } from '../../shown-outputs.ts';

/** Further outputs are only compared with the usual one: pairs grow with the square. */
const MOST_COMPARED = 16;

export function takeData({ analysis, samples, pairs }: ReportSource, sheet: Sheet): PageData {
  const messages = new Map<string, number>();
  const byTrial = new Map(samples.map((sample) => [sample.sample.trial.id, sample]));
  const variants = indexes(analysis.variants.map(({ name }) => name));
  const prompts = indexes(analysis.prompts.map(({ id }) => id));
  const levels = new Map(analysis.variants.map((variant) => [variant.name, pairs.levels(variant.levels)]));

  const rows = analysis.cells.map((cell) => {
    const digests = firstOfEachOutput(cell).map(({ sha256 }) => sha256);
    const takes = cell.takes.map((take) => takeOf(take, byTrial.get(take.trial), digests, messages));
    const outputs = digests.map((sha256) => outputOf(sha256, cell, sheet));
    const place = { variant: variants.get(cell.variant) ?? 0, prompt: prompts.get(cell.prompt) ?? 0, seed: cell.seed };
    const compared = comparedPairs(cell, digests, levels.get(cell.variant), pairs);
    const likeness = likenessData(cell, digests, sheet);
    return { ...place, level: cell.level, outputs, takes, pairs: compared, likeness, stored: storedData(cell, sheet) };
  });
  return {
    variants: [...variants.keys()],
    baselines: analysis.variants.map((variant) => {
      const beside = shownAgainst(variant, analysis.variants);
      return beside === null ? null : (variants.get(beside.name) ?? null);
    }),
    units: analysis.variants.map(({ name }) => sheet.unitOf(name)),
    prompts: analysis.prompts.map(({ id, text, tags }): PromptData => {
      const [input] = sheet.kinds.flatMap(({ inputs }) => inputs.get(id)?.image ?? []);
      return input === undefined ? [id, text, tags] : [id, text, tags, [input.width, input.height]];
    }),
    ...columnsOfCells(rows),
    messages: [...messages.keys()],
  };
}

function comparedPairs(
  { outputGroups }: Cell,
  digests: readonly string[],
  levelOf: ReturnType<ReportSource['pairs']['levels']> | undefined,
  pairs: ReportSource['pairs'],
): readonly PairData[] {
  const usual = outputGroups.find(({ level }) => level === 'byte')?.sha256;
  return digests.flatMap((a, at) =>
    digests.slice(at + 1).flatMap((b, next): PairData[] => {
      if (at + 1 + next >= MOST_COMPARED && a !== usual && b !== usual) return [];
      const level = levelOf?.(a, b) ?? null;
      return level === null ? [] : [pairData(at, at + 1 + next, level, pairs.differenceOf(a, b))];
    }),
  );
}

function likenessData(cell: Cell, digests: readonly string[], { likenessOf, places }: Sheet): LikenessData | null {
  const likeness = likenessOf(cell);
  if (likeness === null) return null;
  if (likeness.word === 'unknown') return [likeness.word, likeness.why];
  const { word, output, baselineOutput, difference, sharpness, repeatSsim, otherSeed } = likeness;
  const reference = places.cell(likeness.baseline, cell.prompt, cell.seed);
  const theirs = reference === null ? [] : firstOfEachOutput(reference).map(({ sha256 }) => sha256);
  return [
    word,
    digests.indexOf(output),
    theirs.indexOf(baselineOutput),
    difference === null ? 1 : rounded(difference.ssim?.p5 ?? null),
    difference === null ? 0 : difference.pdqDistance,
    rounded(sharpness),
    rounded(repeatSsim),
    otherSeed === null ? null : [rounded(otherSeed.ssim), otherSeed.pdqDistance],
  ];
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

function takeOf(
  take: Take,
  effective: TimedSample | undefined,
  digests: readonly string[],
  messages: Map<string, number>,
): TakeData {
  const at = take.sha256 === null ? -1 : digests.indexOf(take.sha256);
  const {
    totalMs,
    submitMs = null,
    queueMs = null,
    runMs = null,
    detectMs = null,
    downloadMs = null,
  } = effective?.timings ?? { totalMs: take.totalMs };
  const error = effective?.error ?? null;
  // One literal: joining objects takes many times the memory, and a page has very many takes.
  return {
    repeat: take.repeat,
    step: take.step,
    outcome: take.outcome,
    output: at < 0 ? null : at,
    total: rounded(totalMs),
    submit: rounded(submitMs),
    queue: rounded(queueMs),
    run: rounded(runMs),
    detect: rounded(detectMs),
    download: rounded(downloadMs),
    httpStatus: effective?.sample.httpStatus ?? null,
    attempts: effective?.sample.attempts ?? 0,
    requestId: effective?.sample.reported.requestId ?? null,
    flags: effective?.flags ?? [],
    error: error === null ? null : [error.code, numberOf(error.message, messages)],
  };
}

function pairData(a: number, b: number, level: PairData[2], difference: Difference | null): PairData {
  if (difference === null) return [a, b, level, null, null, null, 1, 0, null];
  const { samples, ssim, chroma, pdqDistance, frames, unpaired } = difference;
  return [
    a,
    b,
    level,
    samples === null ? null : [samples.maxDifference, rounded(samples.psnrDb)],
    ssim === null ? null : [ssim.p5, ssim.worst],
    pdqDistance,
    frames,
    unpaired,
    rounded(chroma),
  ];
}

/** Rounds to five digits: more than is shown, and few bytes. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(5));
}

function numberOf(message: string, messages: Map<string, number>): number {
  const known = messages.get(message);
  if (known !== undefined) return known;
  messages.set(message, messages.size);
  return messages.size - 1;
}

function indexes(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, at) => [name, at]));
}
