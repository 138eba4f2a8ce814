import type { Place, Source } from '../kit/diagnostic.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { LevelLimits } from '../media/difference.ts';
import type { Kind, MaskForm } from './kind.ts';
import type { Hold, Limits, Load, Price } from './load.ts';
import type { ReportFormat } from './report-format.ts';
import type { GateRule, WrittenAs } from './rule.ts';
import type { DeclaredScorer, JudgeScorer } from './scorer.ts';

/** Extra trials that test the assumptions behind the numbers, in sending order. */
export const PROBES = ['seed', 'cache', 'load'] as const;
export type ProbeKind = (typeof PROBES)[number];

/** A checked suite: with defaults, prompts read, and `${env.X}` replaced. */
export interface Suite {
  readonly file: string;
  /** Distinct absolute paths of prompt files and input images. */
  readonly files: readonly string[];
  readonly name: string;
  readonly description: string | null;
  readonly variants: readonly DeclaredVariant[];
  readonly cases: readonly Case[];
  readonly inputSources: Sources;
  /** Distinct, in declared order. */
  readonly seeds: readonly number[];
  /** Takes of every variant x case x seed; at least 1. */
  readonly repeats: number;
  readonly load: Load;
  /** What each load of a sweep must hold; null: nothing. */
  readonly hold: Hold | null;
  readonly limits: Limits;
  readonly probes: readonly ProbeKind[];
  /** For variants without limits of their own. */
  readonly levels: LevelLimits;
  /** In declared order, as written: `${env.X}` is not replaced. */
  readonly scorers: readonly DeclaredScorer[];
  readonly judges: readonly DeclaredJudge[];
  /** In declared order; empty: no verdict. */
  readonly gate: readonly DeclaredRule[];
  readonly reports: readonly ReportFormat[];
  /** The document with `--set` applied and `${env.X}` not replaced, for run.json. */
  readonly declared: Json;
  /** SHA-256 of each environment value used, by variable. */
  readonly environment: Readonly<Record<string, string>>;
}

/** An endpoint as the suite names it; its target is still a reference. */
export interface DeclaredEndpoint {
  readonly name: string;
  /** `provider/endpoint`, or a path to a target file. */
  readonly target: string;
  readonly targetSource: Source;
  /** Null if not declared by a file. */
  readonly place: Place | null;
  readonly constants: JsonObject;
  readonly constantSources: Sources;
  readonly price: DeclaredPrice | null;
  /** Another server with the target's interface; null: the target's own. */
  readonly baseUrl: {
    readonly text: string;
    readonly source: Source;
    /** The first environment variable in it; null or absent: none. */
    readonly variable?: string | null;
  } | null;
  /** Download origins beside the target's own. */
  readonly origins?: DeclaredOrigins;
}

/** A variant, or one combination of its matrix. */
export interface DeclaredVariant extends DeclaredEndpoint {
  readonly place: Place;
  readonly baseline: boolean;
  /** If it cannot be measured on this machine, the exit code ignores it. */
  readonly optional: boolean;
  /** The suite's, overridden by its own. */
  readonly levels: LevelLimits;
}

/** The endpoint of a judge, with `${env.X}` replaced. */
export interface DeclaredJudge extends DeclaredEndpoint {
  readonly scorer: JudgeScorer;
  readonly question: string;
}

/** Origins that a variant adds to its target's; never for credentials. */
export interface DeclaredOrigins {
  readonly download: readonly { readonly text: string; readonly source: Source }[];
  readonly allowPrivate: boolean;
}

/** `''` is the key of the rule itself. */
export interface DeclaredRule {
  readonly rule: GateRule;
  readonly sources: Sources;
  /** Metrics accept only some forms of a bound. Null for one that is written alike for every metric. */
  readonly writtenAs: WrittenAs | null;
}

export interface DeclaredPrice extends Price {
  /** The most units charged per request; absent: follows from the target and inputs. */
  readonly most?: number | undefined;
}

export interface Case {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** From `kinds:`, or from whether it has an image. */
  readonly kinds: readonly Kind[];
  /** In the order that they are sent. */
  readonly images: readonly InputImage[];
  /** Which part of the first image may change; null: all of it. */
  readonly mask: InputMask | null;
  /** The suite's `inputs`, overridden by the prompt's. */
  readonly inputs: JsonObject;
  /** Places of the prompt's own inputs, by name; other inputs are the suite's. */
  readonly inputSources: Sources;
  /** Never sent. */
  readonly expect?: Expectation;
  readonly place: Place;
}

/** What a scorer must know of a prompt's outputs: from `expect:`, or columns of its row. */
export type Expectation = {
  /** In its file, from 1; absent for a prompt of the suite. */
  readonly row?: number;
  /** By name; null if the row has nothing. */
  readonly values: JsonObject;
};

export type Sources = Readonly<Record<string, Source>>;

export interface InputImage {
  readonly fileName: string;
  readonly sha256: string;
  readonly mime: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether pixels may be transparent. */
  readonly alpha: boolean;
  readonly bytes: Uint8Array;
}

/** Its own file marks by white what may change; `forms`: what endpoints that mark it in other ways are sent. */
export interface InputMask extends InputImage {
  readonly forms: Readonly<Record<MaskForm, Uint8Array>>;
}
