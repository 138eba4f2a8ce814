import type { Analysis } from '../analysis/analysis.ts';
import type { PairFindings } from '../analysis/cells/pair-levels.ts';
import type { TimedSample } from '../analysis/effective-sample.ts';
import type { VariantStability } from '../compare/baseline/stability-of-variants.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { Verdict } from '../compare/gate/verdict.ts';
import type { OutputFact } from '../record/model/fact.ts';
import type { ReportFormat } from '../suite/format/suite.ts';

/** What every reporter is given: the analysis, its samples in the order they were sent, what was compared and decided, how outputs differ, and small copies of them. */
export interface ReportSource {
  readonly analysis: Analysis;
  readonly samples: readonly TimedSample[];
  readonly comparisons: readonly Comparison[];
  readonly verdict: Verdict;
  /** Whether the usual outputs are still those of the stored baseline; empty where no rule asks for one. */
  readonly stability: readonly VariantStability[];
  /** What examination found of pairs of outputs. */
  readonly pairs: PairFindings;
  /** WebP bytes of an output's thumbnail; null where there is none. */
  readonly thumbnail: (sha256: string) => Uint8Array | null;
  /** WebP bytes of a smaller thumbnail; null where there is none: a record of earlier versions has none. */
  readonly smallThumbnail: (sha256: string) => Uint8Array | null;
  /** WebP bytes of a copy of an image with a longer side of up to 1,024 pixels; null where there is none. */
  readonly copy: (sha256: string) => Uint8Array | null;
  /** What examination found of an input image; null where the record does not hold it, or it does not decode. */
  readonly input: (sha256: string) => InputImageFact | null;
  /** MP4 bytes of a video's preview, H.264 without sound; null where there is none. */
  readonly preview: (sha256: string) => Uint8Array | null;
}

/** What is known of an input image: its pixels and its media type. */
export type InputImageFact = Pick<Extract<OutputFact, { decodes: true }>, 'sha256' | 'width' | 'height' | 'mime'>;

/** One file of a report, as text in pieces so that a large one need not be held whole. */
export interface ReportFile {
  /** A plain file name within the run's folder. */
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** The interface of a reporter. An adapter is one file: it returns text, the command writes it. */
export interface Reporter<Format extends ReportFormat = ReportFormat> {
  readonly format: Format;
  /** What it is for, in a few words: for the help of the command line. */
  readonly description: string;
  /** The names of its files, in the order they are written. */
  readonly files: readonly string[];
  /** Those files, each once. */
  readonly render: (source: ReportSource) => readonly ReportFile[];
}
