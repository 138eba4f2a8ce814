import type { Comparison, Scope } from '../../analysis/comparison.ts';
import type { EffectiveSample } from '../../analysis/effective-sample.ts';
import { joinedNotes } from '../../analysis/note.ts';
import type { CellLikeness, ComparedCells } from '../../analysis/output-summaries.ts';
import { firstSentMs } from '../../analysis/sample-times.ts';
import type { Measure } from '../../analysis/summaries.ts';
import type { RuleResult, RuleVerdict } from '../../gate/verdict.ts';
import type { Difference } from '../../media/difference.ts';
import type { Likeness } from '../../media/level.ts';
import type { UndecodableReason } from '../../record/fact.ts';
import { type CsvColumn, columnsOf, csvTable, snakeCase, timesOf } from '../csv-table.ts';
import type { Reporter, ReportSource } from '../reporter.ts';

/** Rows of samples.csv are in the order they were sent, of a merged run in that of the plan. */
export const csv: Reporter<'csv'> = {
  format: 'csv',
  description: 'all tables',
  render: ({ analysis, samples, comparisons, verdict }: ReportSource) => {
    const targets = new Map(analysis.variants.map((variant) => [variant.name, variant.target]));
    const merged = analysis.run.shards?.merged ?? [];
    const shards = new Map(
      merged.flatMap(({ index, segments }) => segments.map((segment) => [segment, index] as const)),
    );
    const tags = new Map(analysis.prompts.map((prompt) => [prompt.id, prompt.tags]));
    const sampleRow = (effective: EffectiveSample): SampleRow => ({
      ...effective,
      run: analysis.run.id,
      label: analysis.run.label,
      target: targets.get(effective.sample.trial.variant) ?? null,
      tags: tags.get(effective.sample.trial.prompt) ?? [],
      shard: shards.get(effective.sample.segment) ?? analysis.run.shard?.index ?? null,
    });
    const comparisonRow = (comparison: Comparison): ComparisonRow => ({
      ...comparison,
      verdict: verdict.rules.find((result) => isAbout(result, comparison))?.verdict ?? null,
    });
    return [
      { name: 'samples.csv', content: csvTable(SAMPLE_COLUMNS, samples, sampleRow) },
      { name: 'measures.csv', content: csvTable(MEASURE_COLUMNS, analysis.measures, (measure) => measure) },
      { name: 'comparisons.csv', content: csvTable(COMPARISON_COLUMNS, comparisons, comparisonRow) },
      { name: 'likeness.csv', content: csvTable(LIKENESS_COLUMNS, analysis.likeness, likenessRow) },
    ];
  },
};

/** Whether a rule was decided on the blocks of a comparison: all of them, as independent units. */
function isAbout({ rule, variant, against, units }: RuleResult, comparison: Comparison): boolean {
  return (
    variant === comparison.variant &&
    against === comparison.baseline &&
    rule.metric === comparison.metric &&
    (rule.statistic ?? comparison.statistic) === comparison.statistic &&
    rule.prompts === null &&
    rule.tags === null &&
    units === comparison.scope.of
  );
}

const measureItself = (row: Measure) => row;

const MEASURE_COLUMNS: readonly CsvColumn<Measure>[] = [
  ...columnsOf(measureItself, ['variant', 'kind', 'prompt', 'step', 'metric', 'statistic', 'value', 'unit', 'better']),
  ...columnsOf(measureItself, ['n', 'ciLow', 'ciHigh', 'ciLevel', 'method']),
  ['note', ({ notes }) => joinedNotes(notes)],
];

/** The verdict is null where no rule is about the comparison. */
interface ComparisonRow extends Comparison {
  readonly verdict: RuleVerdict | null;
}

const comparisonItself = (row: ComparisonRow) => row;

const COMPARISON_COLUMNS: readonly CsvColumn<ComparisonRow>[] = [
  ...columnsOf(comparisonItself, ['variant', 'baseline', 'kind']),
  ['scope', ({ scope }) => scopeText(scope)],
  ...columnsOf(comparisonItself, ['metric', 'statistic', 'effect', 'value', 'ciLow', 'ciHigh']),
  ['n_pairs', ({ cellPairs }) => cellPairs],
  ['missing_pairs', ({ missingBlocks }) => missingBlocks],
  ...columnsOf(comparisonItself, ['p', 'pAdjusted', 'verdict', 'baselineRun']),
  ['note', ({ notes }) => joinedNotes(notes)],
  ...columnsOf(comparisonItself, ['unit', 'better', 'ciLevel', 'method', 'step']),
  ['n_better', ({ cellPairsBetter }) => cellPairsBetter],
  ['censored_pairs', ({ censoredBlocks }) => censoredBlocks],
  ...columnsOf(comparisonItself, ['valueUnflagged', 'finding', 'units', 'nUnits', 'family', 'ratioOfMeans']),
];

/** `blocks`, `rounds`, `cells`, `prompts`, `prompt:<id>`, `tag:<tag>`. */
function scopeText(scope: Scope): string {
  if (scope.of === 'prompt') return `prompt:${scope.id}`;
  return scope.of === 'tag' ? `tag:${scope.tag}` : scope.of;
}

/** What only cells that were compared have is null in the others. */
type LikenessRow = Pick<
  CellLikeness,
  'variant' | 'baseline' | 'kind' | 'prompt' | 'seed' | 'output' | 'baselineOutput'
> &
  Pick<ComparedCells, 'sharpness' | 'repeatSsim' | 'otherSeed' | 'decidedBy'> & {
    readonly word: Likeness | null;
    readonly why: string | null;
    readonly ssim: number | null;
    readonly difference: Difference | null;
  };

function likenessRow(cells: CellLikeness): LikenessRow {
  if (cells.word !== 'unknown') {
    const { difference } = cells;
    return { ...cells, why: null, ssim: difference === null ? 1 : (difference.ssim?.p5 ?? null) };
  }
  const nothing = { difference: null, decidedBy: null, sharpness: null, repeatSsim: null, otherSeed: null };
  return { ...cells, ...nothing, word: null, ssim: null };
}

const likenessItself = (row: LikenessRow) => row;
const differenceOf = ({ difference }: LikenessRow) => difference;

const LIKENESS_COLUMNS: readonly CsvColumn<LikenessRow>[] = [
  ...columnsOf(likenessItself, ['variant', 'baseline', 'kind', 'prompt', 'seed']),
  ['likeness', ({ word }) => word],
  ['why_not', ({ why }) => why],
  ...columnsOf(likenessItself, ['ssim']),
  ...columnsOf(differenceOf, ['pdqDistance', 'chroma']),
  ...columnsOf(likenessItself, ['sharpness', 'repeatSsim']),
  ['other_seed_ssim', ({ otherSeed }) => otherSeed?.ssim ?? null],
  ['other_seed_pdq_distance', ({ otherSeed }) => otherSeed?.pdqDistance ?? null],
  ['sha256', ({ output }) => output],
  ['baseline_sha256', ({ baselineOutput }) => baselineOutput],
  ['correlation', ({ difference }) => difference?.correlation ?? null],
  ['decided_by', ({ decidedBy }) => decidedBy?.measure ?? null],
];

interface SampleRow extends EffectiveSample {
  readonly run: string;
  readonly label: string | null;
  readonly target: string | null;
  readonly shard: number | null;
  readonly tags: readonly string[];
}

const rowItself = (row: SampleRow) => row;
const sampleOf = ({ sample }: SampleRow) => sample;
const trialOf = ({ sample }: SampleRow) => sample.trial;
const reportedOf = ({ sample }: SampleRow) => sample.reported;
const timingsOf = ({ timings }: SampleRow) => timings;
const outputOf = ({ output }: SampleRow) => output;
const shownOf = ({ output }: SampleRow) => output?.shown;
const firstFrameOf = ({ output }: SampleRow) => output?.shown?.first;
const movingOf = ({ output }: SampleRow) => output?.shown?.moving;

const SAMPLE_COLUMNS: readonly CsvColumn<SampleRow>[] = [
  ...columnsOf(rowItself, ['run']),
  ['trial', ({ sample }) => sample.trial.id],
  ...columnsOf(trialOf, ['variant']),
  ...columnsOf(rowItself, ['target']),
  ...columnsOf(trialOf, ['kind', 'prompt', 'seed', 'repeat', 'block']),
  ['step', ({ sample }) => sample.trial.step ?? null],
  ...columnsOf(trialOf, ['phase']),
  ['warmup', ({ sample }) => sample.trial.phase === 'warmup'],
  ['probe', ({ sample }) => sample.trial.phase === 'probe'],
  ...columnsOf(rowItself, ['outcome']),
  ['error_code', ({ error }) => error?.code ?? null],
  ['error_message', ({ error }) => (error?.undecodable ? reasonOf(error.undecodable) : (error?.message ?? null))],
  ...columnsOf(sampleOf, ['httpStatus', 'scheduledAt']),
  ...timesOf(timingsOf, ['startLagMs']),
  ...columnsOf(sampleOf, ['attempts']),
  ...timesOf(sampleOf, ['throttleWaitMs']),
  ...timesOf(({ sample }: SampleRow) => sample.connection, ['dnsMs', 'tcpMs', 'tlsMs']),
  ...timesOf(timingsOf, ['submitMs', 'queueMs', 'runMs', 'detectMs', 'downloadMs', 'ttfbMs']),
  ...timesOf(timingsOf, ['generationLowMs', 'generationMs', 'totalMs', 'responseMs']),
  ...timesOf(reportedOf, ['serverMs']),
  ...columnsOf(sampleOf, ['polls']),
  ['items', ({ outputs }) => outputs.length || null],
  ...columnsOf(outputOf, ['bytes', 'mime', 'width', 'height', 'frames', 'fps', 'durationS', 'sha256']),
  ...columnsOf(shownOf, ['strippedSha256', 'pixelSha256', 'pdq', 'pdqQuality', 'blank']),
  ...columnsOf(reportedOf, ['seedEcho']),
  ...columnsOf(rowItself, ['costUsd']),
  ...columnsOf(reportedOf, ['requestId']),
  ['flags', ({ flags }) => flags.join(';')],
  ['probe_kind', ({ sample }) => sample.trial.probe?.kind ?? null],
  ['probe_role', ({ sample }) => sample.trial.probe?.role ?? null],
  ['probe_pair', ({ sample }) => pairOf(sample.trial)],
  ...columnsOf(reportedOf, ['cached']),
  ...columnsOf(firstFrameOf, ['sharpness', 'colourfulness']),
  ['luma', (row) => firstFrameOf(row)?.lumaMean ?? null],
  ...columnsOf(firstFrameOf, ['clippedLow', 'clippedHigh']),
  ['spatial_information', (row) => movingOf(row)?.siMax ?? null],
  ['temporal_information', (row) => movingOf(row)?.tiMax ?? null],
  ['frozen', (row) => movingOf(row)?.frozenShare ?? null],
  ['duplicates', (row) => movingOf(row)?.duplicateShare ?? null],
  ['black', (row) => movingOf(row)?.blackShare ?? null],
  ...columnsOf(movingOf, ['flicker']),
  ...timesOf(timingsOf, ['queueLowMs', 'runHighMs']),
  ...columnsOf(rowItself, ['shard', 'label']),
  ['tags', ({ tags }) => tags.join(';')],
  ['answered_model', ({ sample }) => sample.reported.model ?? null],
  ['rewritten_prompt', ({ sample }) => sample.reported.prompt ?? null],
  ['memory_mb', ({ sample }) => sample.reported.memoryMb ?? null],
  ['stages', ({ sample }) => countsOf(sample.reported.stages)],
  ['usage', ({ sample }) => countsOf(sample.reported.usage)],
  ...columnsOf(sampleOf, ['segment', 'slice']),
  ...timesOf(({ sample }: SampleRow) => ({ beganMs: firstSentMs(sample) }), ['beganMs']),
  ...timesOf(sampleOf, ['endedMs']),
];

/** Joined by `;`, the code first: `cut_off;declared_bytes=90;bytes=45`. */
function reasonOf({ code, ...fields }: UndecodableReason): string {
  return [code, ...fieldsOf(fields)].join(';');
}

function fieldsOf(fields: object): readonly string[] {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  return known.map(([name, value]) => `${snakeCase(name)}=${value}`);
}

function countsOf(counts: Readonly<Record<string, number>> | undefined): string | null {
  return counts === undefined ? null : fieldsOf(counts).join(';');
}

/** The number of a cache probe's pair; null for other samples. */
function pairOf({ probe }: EffectiveSample['sample']['trial']): number | null {
  return probe?.kind === 'cache' ? probe.pair : null;
}
