import type { TimedSample } from '../../../analysis/effective-sample.ts';
import type { Cell, Take } from '../../../analysis/summaries.ts';
import { takeName } from '../../../kit/names.ts';
import { count, duration } from '../../../kit/wording.ts';
import type { CellData, LikenessData, OutputData, PageData, PairData } from '../../../markup/page-data.ts';
import { LEVEL_WORDS, likenessSentence, outputDifferenceWords, UNLIKENESS_WORDS } from '../../../report/level-words.ts';
import type { ReportSource } from '../../../report/reporter.ts';
import { type DeliveredTake, firstOfEachOutput } from '../../cell-outputs.ts';
import { type Sheet, shownAgainst } from '../../shown-outputs.ts';

/** Further outputs are only compared with the usual one: pairs grow with the square. */
const MOST_COMPARED = 16;

/** What the script of a report knows of its outputs. */
export function sheetData({ analysis, samples, pairs }: ReportSource, sheet: Sheet): PageData {
  const byTrial = new Map(samples.map((sample) => [sample.sample.trial.id, sample]));
  const ofVariant = new Map(
    analysis.variants.map((variant) => [
      variant.name,
      {
        baseline: shownAgainst(variant, analysis.variants)?.name ?? null,
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
    cells: analysis.cells.map((cell): CellData => {
      const { variant, prompt, seed, level, takes } = cell;
      const outputs = firstOfEachOutput(cell);
      const digests = outputs.map(({ sha256 }) => sha256);
      const { baseline = null, levelOf } = ofVariant.get(variant) ?? {};
      return {
        variant,
        baseline,
        prompt,
        seed,
        level,
        lost: [...new Set(takes.flatMap(({ outcome }) => (outcome === 'ok' ? [] : [outcome])))],
        failures: failuresOf(takes, byTrial),
        outputs: outputs.map((take) => outputOf(take, cell, sheet)),
        pairs: comparedPairs(cell, digests, levelOf, pairs),
        likeness: likenessData(cell, digests, sheet),
        stored: storedData(cell, sheet),
      };
    }),
  };
}

function failuresOf(takes: readonly Take[], byTrial: ReadonlyMap<string, TimedSample>): readonly string[] {
  return [...new Set(takes.flatMap(({ trial }) => byTrial.get(trial)?.error?.code ?? []))];
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
      if (level === null) return [];
      const difference = pairs.differenceOf(one, other);
      const { same } = LEVEL_WORDS[level];
      return [{ a, b, words: difference === null ? same : `${same}; ${outputDifferenceWords(difference)}` }];
    }),
  );
}

function likenessData(cell: Cell, digests: readonly string[], { likenessOf, places }: Sheet): LikenessData | null {
  const likeness = likenessOf(cell);
  if (likeness === null) return null;
  if (likeness.word === 'unknown') return { words: `Not compared: ${UNLIKENESS_WORDS[likeness.why]}.`, outputs: null };
  const { output, baselineOutput } = likeness;
  const reference = places.cell(likeness.baseline, cell.prompt, cell.seed);
  const theirs = reference === null ? [] : firstOfEachOutput(reference).map(({ sha256 }) => sha256);
  return {
    words: likenessSentence(likeness),
    outputs: [digests.indexOf(output), theirs.indexOf(baselineOutput)],
  };
}

function storedData(cell: Cell, { changeOf, keptFact }: Sheet): OutputData | null {
  const change = changeOf(cell);
  const fact = change === null ? null : keptFact(change.stored);
  if (fact === null) return null;
  const { sha256, width, height, video } = fact;
  const { durationS = null, fps = null } = video ?? {};
  return { sha256: sha256.slice(0, 12), width, height, durationS, fps, take: 'stored', took: null, about: null };
}

function outputOf(take: DeliveredTake, cell: Cell, { outputs, unitOf }: Sheet): OutputData {
  const { sha256, totalMs } = take;
  const { width = null, height = null, durationS = null, fps = null } = outputs.get(sha256) ?? {};
  return {
    sha256: sha256.slice(0, 12),
    width,
    height,
    durationS,
    fps,
    take: takeName(take),
    took: totalMs === null ? null : duration(totalMs, unitOf(cell.variant)),
    about: groupWords(sha256, cell),
  };
}

/** `2 of 3 takes gave these bytes: visually similar to the usual output`. */
function groupWords(sha256: string, { outputGroups }: Cell): string | null {
  const delivered = outputGroups.reduce((sum, group) => sum + group.takes, 0);
  const group = outputGroups.find((each) => each.sha256 === sha256);
  if (delivered < 2 || group === undefined) return null;
  const share = `${count(group.takes)} of ${count(delivered)} takes gave these bytes`;
  if (outputGroups.length < 2 || group.level === null) return share;
  if (group.level === 'byte') return `${share}: the usual output`;
  return `${share}: ${LEVEL_WORDS[group.level].same} ${group.level === 'different' ? 'from' : 'to'} the usual output`;
}
