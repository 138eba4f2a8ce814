import type { Comparison, Scope } from '../analysis/comparison.ts';
import type { EffectiveSample } from '../analysis/effective-sample.ts';
import { joinedNotes } from '../analysis/note.ts';
import type { CellLikeness, ComparedCells } from '../analysis/output-summaries.ts';
import type { Measure } from '../analysis/summaries.ts';
import type { RuleResult, RuleVerdict } from '../analysis/verdict.ts';
import type { Difference } from '../media/difference.ts';
import type { Likeness } from '../media/level.ts';
import { SAMPLE_COLUMNS, type SampleRow } from './csv/sample-columns.ts';
import { type CsvColumn, table } from './csv/table.ts';
import type { Reporter, ReportSource } from './reporter.ts';

/** Rows of samples.csv are in the order they were sent, of a merged run in that of the plan. */
export const csv: Reporter<'csv'> = {
  format: 'csv',
  description: 'all tables',
  files: ['samples.csv', 'measures.csv', 'comparisons.csv', 'likeness.csv'],
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
      { name: 'samples.csv', content: table(SAMPLE_COLUMNS, samples, sampleRow) },
      { name: 'measures.csv', content: table(MEASURE_COLUMNS, analysis.measures, (measure) => measure) },
      { name: 'comparisons.csv', content: table(COMPARISON_COLUMNS, comparisons, comparisonRow) },
      { name: 'likeness.csv', content: table(LIKENESS_COLUMNS, analysis.likeness, likenessRow) },
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

const MEASURE_COLUMNS: readonly CsvColumn<Measure>[] = [
  ['variant', (row) => row.variant],
  ['kind', (row) => row.kind],
  ['prompt', (row) => row.prompt],
  ['step', (row) => row.step],
  ['metric', (row) => row.metric],
  ['statistic', (row) => row.statistic],
  ['value', (row) => row.value],
  ['unit', (row) => row.unit],
  ['better', (row) => row.better],
  ['n', (row) => row.n],
  ['ci_low', (row) => row.ciLow],
  ['ci_high', (row) => row.ciHigh],
  ['ci_level', (row) => row.ciLevel],
  ['method', (row) => row.method],
  ['note', (row) => joinedNotes(row.notes)],
];

/** The verdict is null where no rule is about the comparison. */
interface ComparisonRow extends Comparison {
  readonly verdict: RuleVerdict | null;
}

const COMPARISON_COLUMNS: readonly CsvColumn<ComparisonRow>[] = [
  ['variant', (row) => row.variant],
  ['baseline', (row) => row.baseline],
  ['kind', (row) => row.kind],
  ['scope', (row) => scopeText(row.scope)],
  ['metric', (row) => row.metric],
  ['statistic', (row) => row.statistic],
  ['effect', (row) => row.effect],
  ['value', (row) => row.value],
  ['ci_low', (row) => row.ciLow],
  ['ci_high', (row) => row.ciHigh],
  ['n_pairs', (row) => row.cellPairs],
  ['missing_pairs', (row) => row.missingBlocks],
  ['p', (row) => row.p],
  ['p_adjusted', (row) => row.pAdjusted],
  ['verdict', (row) => row.verdict],
  ['baseline_run', (row) => row.baselineRun],
  ['note', (row) => joinedNotes(row.notes)],
  ['unit', (row) => row.unit],
  ['better', (row) => row.better],
  ['ci_level', (row) => row.ciLevel],
  ['method', (row) => row.method],
  ['step', (row) => row.step],
  ['n_better', (row) => row.cellPairsBetter],
  ['censored_pairs', (row) => row.censoredBlocks],
  ['value_unflagged', (row) => row.valueUnflagged],
  ['finding', (row) => row.finding],
  ['units', (row) => row.units],
  ['n_units', (row) => row.nUnits],
  ['family', (row) => row.family],
  ['ratio_of_means', (row) => row.ratioOfMeans],
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

const LIKENESS_COLUMNS: readonly CsvColumn<LikenessRow>[] = [
  ['variant', (row) => row.variant],
  ['baseline', (row) => row.baseline],
  ['kind', (row) => row.kind],
  ['prompt', (row) => row.prompt],
  ['seed', (row) => row.seed],
  ['likeness', (row) => row.word],
  ['why_not', (row) => row.why],
  ['ssim', (row) => row.ssim],
  ['pdq_distance', (row) => row.difference?.pdqDistance ?? null],
  ['chroma', (row) => row.difference?.chroma ?? null],
  ['sharpness', (row) => row.sharpness],
  ['repeat_ssim', (row) => row.repeatSsim],
  ['other_seed_ssim', (row) => row.otherSeed?.ssim ?? null],
  ['other_seed_pdq_distance', (row) => row.otherSeed?.pdqDistance ?? null],
  ['sha256', (row) => row.output],
  ['baseline_sha256', (row) => row.baselineOutput],
  ['correlation', (row) => row.difference?.correlation ?? null],
  ['decided_by', (row) => row.decidedBy?.measure ?? null],
];
