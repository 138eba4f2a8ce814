import type { Json, JsonObject } from '../kit/json.ts';
import type { LevelLimits } from '../media/difference.ts';
import type { Kind } from '../suite/kind.ts';
import type { Price } from '../suite/load.ts';
import type { Inputs } from './inputs.ts';
import type { Locator } from './language/locator.ts';
import type { Template, ValueTemplate } from './language/template.ts';
import type { Hop, StateRule } from './model/job.ts';
import type { ConstType, DeclaredTarget } from './model/schema.ts';
import type { Origins } from './origins.ts';

/**
 * What a target is by its schema alone. Without `wait`, the reply to the submit is the answer; `sign` makes
 * `${run.jwt}` of `auth`.
 */
export const COMPILED_BY_SCHEMA = [
  'id',
  'kind',
  'auth',
  'sign',
  'origins',
  'models',
  'seen',
  'wait',
  'fail',
  'meta',
  'retry',
] as const;

/** How one endpoint is called, checked and compiled. Plain data, so that a worker thread can receive it. */
export interface Target extends Pick<DeclaredTarget, (typeof COMPILED_BY_SCHEMA)[number]> {
  /** As diagnostics print it. */
  readonly file: string;
  /** An absolute URL without credentials, query and trailing slash, or `embedded:`. */
  readonly baseUrl: string;
  /** The first environment variable in it; null: none. */
  readonly baseUrlVariable: string | null;
  /** Defaults of `${const.<name>}`. */
  readonly constants: JsonObject;
  /** A constant without a type may be anything. */
  readonly constTypes: Readonly<Record<string, ConstType>>;
  readonly inputs: Inputs;
  readonly submit: CompiledRequest;
  readonly hops: readonly Hop[];
  /** Names of `${job.<name>}` that templates use without a default: a reply must give them. */
  readonly needed: readonly string[];
  readonly result: ResultRule;
  /** The first that matches a variant's constants counts. */
  readonly prices: DeclaredTarget['price'];
  /** Environment variables of `${secret.<name>}`, sorted. */
  readonly secrets: readonly string[];
  readonly uses: Uses;
  /** The path of `submit.body_file`, as diagnostics print it; null if none. */
  readonly storedBodyFile: string | null;
  /** The document of `submit.body_file`; null if none. */
  readonly storedBody: Json | null;
  /** The document as written, `${env.X}` not replaced. */
  readonly declared: Json;
  /** SHA-256 of each environment value that was used, by variable. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Names that templates use of each namespace, sorted. */
export interface Uses {
  readonly case: readonly string[];
  readonly const: readonly string[];
  readonly secret: readonly string[];
  readonly judge: readonly string[];
}

export interface CompiledRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly path: Template;
  readonly query: readonly (readonly [name: string, value: Template])[];
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  readonly body: BodyRule;
}

export type BodyRule =
  | { readonly encoding: 'none' }
  | { readonly encoding: 'json'; readonly value: ValueTemplate }
  | { readonly encoding: 'multipart' | 'form'; readonly fields: readonly (readonly [string, ValueTemplate])[] }
  | { readonly encoding: 'raw'; readonly content: Template };

export type ResultRule = {
  /** The required media type (`image/*`); null for any. */
  readonly expect: string | null;
  /** How many outputs a request asks for, of its constants; absent: not said. */
  readonly asks?: ValueTemplate;
} & (
  | { readonly from: 'body' }
  | {
      readonly from: 'url' | 'b64' | 'data_uri' | 'text';
      /** Each node of the first locator that finds some contains one output; null: the reply itself is the output. */
      readonly items: readonly Locator[] | null;
      readonly at: readonly Locator[];
    }
);

/** A target with fixed constants, and where it is called. */
export interface Endpoint {
  readonly name: string;
  readonly target: Target;
  /** The target's defaults, overridden by the suite's. */
  readonly constants: JsonObject;
  /** The suite's, else the target's: absolute without a slash at its end, or `embedded:`. */
  readonly baseUrl: string;
  /** The first environment variable in it; null or absent: none. */
  readonly baseUrlVariable?: string | null;
  /** The target's, and the suite's further download origins. */
  readonly origins: Origins;
  readonly price: Price | null;
  /** The most units that one request is charged; absent: by the target and its inputs. */
  readonly mostUnits?: ValueTemplate;
  /** How many outputs a request asks for; absent: its target does not say. */
  readonly asks?: number;
}

/** An endpoint that generates: what is compared. */
export interface Variant extends Endpoint {
  /** Name of the variant of this suite beside which one of a stored baseline is sent; absent: this suite's own. */
  readonly twinOf?: string;
  readonly kind: Kind;
  readonly baseline: boolean;
  /** If it cannot be measured on this machine, the exit code ignores it. */
  readonly optional: boolean;
  readonly timeoutMs: number;
  /** Ends included. */
  readonly seedRange: { readonly min: number; readonly max: number };
  readonly levels: LevelLimits;
}

/** Whether a poll can distinguish a waiting job from a running one. */
export function tellsRunning({ absent, listed }: StateRule): boolean {
  const states = [...listed.map(({ state }) => state), absent];
  return states.includes('pending') && states.includes('running');
}
