import type { LevelLimits } from '../../media/compare/level-limits.ts';
import type { Place, Source } from '../document/diagnostic.ts';
import type { Json, JsonObject } from '../document/json.ts';
import type { Kind } from './kind.ts';
import type { Limits, Load, Price } from './load.ts';
import type { GateRule } from './rule.ts';

/** The reports that are written, by name: the one list of them. report/reporters.ts has a reporter for each. */
export const REPORT_FORMATS = [
  'csv',
  'html',
  'json',
  'junit',
  'markdown',
  'bencher',
  'github-action-benchmark',
] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Extra trials that test the assumptions behind the numbers, in the order they are sent. */
export const PROBES = ['seed', 'cache', 'load'] as const;
export type ProbeKind = (typeof PROBES)[number];

/** A suite as Retake works with it: defaults filled in, prompts read, `${env.X}` replaced, every value checked. */
export interface Suite {
  readonly file: string;
  /** Absolute paths of its prompt files and input images, each once. */
  readonly files: readonly string[];
  readonly name: string;
  readonly description: string | null;
  readonly variants: readonly DeclaredVariant[];
  readonly cases: readonly Case[];
  /** Where the inputs of every case were written, by name. */
  readonly inputSources: Sources;
  /** Distinct, in declared order. */
  readonly seeds: readonly number[];
  /** Takes of every variant x case x seed; at least 1. */
  readonly repeats: number;
  readonly load: Load;
  readonly limits: Limits;
  /** Each at most once. */
  readonly probes: readonly ProbeKind[];
  /** Where the levels between two outputs begin, for variants that do not say otherwise. */
  readonly levels: LevelLimits;
  /** The rules that make the verdict, in the order declared; none: nothing is decided. */
  readonly gate: readonly DeclaredRule[];
  readonly reports: readonly ReportFormat[];
  /** The document as it was written, with `--set` applied and `${env.X}` not replaced: what run.json keeps. */
  readonly declared: Json;
  /** SHA-256 of each environment value that was used, by variable name; never the values. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A variant as the suite names it, or one combination of its matrix; its target is still a reference. */
export interface DeclaredVariant {
  readonly name: string;
  /** `provider/endpoint`, or a path to a target file. */
  readonly target: string;
  readonly targetSource: Source;
  readonly place: Place;
  readonly constants: JsonObject;
  /** Where each of them was written, by name. */
  readonly constantSources: Sources;
  readonly baseline: boolean;
  /** Left out without a word of the exit code where this machine cannot measure it. */
  readonly optional: boolean;
  readonly price: DeclaredPrice | null;
  /** Another server with the target's interface; null: the target's own. */
  readonly baseUrl: { readonly text: string; readonly source: Source } | null;
  /** Where media come from beside the target's own origins; absent: from nowhere else. */
  readonly origins?: DeclaredOrigins;
  /** Its own over the suite's. */
  readonly levels: LevelLimits;
}

/** Origins that a variant adds to its target's; never those that get the credential. */
export interface DeclaredOrigins {
  readonly download: readonly { readonly text: string; readonly source: Source }[];
  readonly allowPrivate: boolean;
}

/** A rule of the gate with where it was written: by its keys, and `''` for the rule itself. */
export interface DeclaredRule {
  readonly rule: GateRule;
  readonly sources: Sources;
  /** How its bound was written: a metric takes some of these only. Null of a bound without a value, and of one that takes one form. */
  readonly writtenAs: WrittenAs | null;
}

/** `500`, `500ms` or `5%`. */
export type WrittenAs = 'number' | 'duration' | 'percentage';

/** A price as a variant declares it. */
export interface DeclaredPrice extends Price {
  /** The most units that one request is charged; absent: what the target and the inputs say. */
  readonly most?: number | undefined;
}

/** A prompt with its inputs. */
export interface Case {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** The kinds that take this case; already resolved from `kinds:` or from whether it has an image. */
  readonly kinds: readonly Kind[];
  readonly image: InputImage | null;
  /** The suite's `inputs`, overridden by the prompt's. */
  readonly inputs: JsonObject;
  /** Where the prompt's own inputs were written, by name; the others are the suite's. */
  readonly inputSources: Sources;
  /** What `expect` keeps of its row in a file of prompts. Never sent. */
  readonly expect?: Expectation;
  readonly place: Place;
}

/** What a row of a file of prompts says beside the prompt: what a scorer looks for. */
export type Expectation = {
  /** The number of the row in its file, from 1. */
  readonly row: number;
  /** The columns that were kept, by name; null where the row has nothing. */
  readonly values: JsonObject;
};

/** Where values were written, by name. */
export type Sources = Readonly<Record<string, Source>>;

/** An input image, read once when the suite is loaded. */
export interface InputImage {
  readonly fileName: string;
  readonly sha256: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}
