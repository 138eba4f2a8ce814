import type { Json, JsonObject } from '../../suite/document/json.ts';
import type { Kind } from '../../suite/format/kind.ts';
import type { Price } from '../../suite/format/load.ts';
import type { Locator, TimeLocator } from '../language/locator.ts';
import type { ValueTemplate } from '../language/render-template.ts';
import type { Template } from '../language/write-template.ts';
import type { ConstType } from './const-type.ts';
import type { Inputs } from './inputs.ts';
import type { Hop, Wait } from './job.ts';
import type { Origins } from './origins.ts';

/** The base URL that stands for the reference service of the run. */
export const EMBEDDED = 'embedded:';

/** A cost above it is not believed: sums of it would not be finite any more. */
export const MOST_COST_USD = 1e9;

/** How one endpoint is called, checked and compiled. Plain data: a worker thread can receive it. */
export interface Target {
  readonly id: string;
  /** As diagnostics print it. */
  readonly file: string;
  readonly kind: Kind;
  /** An absolute URL without credentials, query and trailing slash, or `embedded:`. */
  readonly baseUrl: string;
  readonly auth: Auth | null;
  /** What `${run.jwt}` of `auth` is made of. */
  readonly sign: Sign | null;
  readonly origins: Origins;
  /** Defaults of `${const.<name>}`. */
  readonly constants: JsonObject;
  /** What a variant may give for them; a constant without a type may be anything. */
  readonly constTypes: Readonly<Record<string, ConstType>>;
  readonly inputs: Inputs;
  readonly submit: CompiledRequest;
  /** Null: the reply to the submit is the answer. */
  readonly wait: Wait | null;
  /** Requests between the answer and the result. */
  readonly hops: readonly Hop[];
  readonly result: ResultRule;
  readonly fail: readonly FailRule[];
  readonly meta: Meta;
  /** The first that holds for a variant's constants counts. */
  readonly prices: readonly TargetPrice[];
  /** The header of the key that lets a submit be sent again; null: it never is. */
  readonly keyHeader: string | null;
  /** How often a GET (poll, download), or an idempotent submit, that failed is sent again. */
  readonly getRetries: number;
  /** The environment variables that `${secret.<name>}` names, sorted. */
  readonly secrets: readonly string[];
  /** Names that templates use of `case` and `const`, sorted. */
  readonly uses: { readonly case: readonly string[]; readonly const: readonly string[] };
  /** The path of `submit.body_file`, as diagnostics print it; null where it names none. */
  readonly storedBodyFile: string | null;
  /** The document of `submit.body_file`; null where it names none. */
  readonly storedBody: Json | null;
  /** The document as written, `${env.X}` not replaced. */
  readonly declared: Json;
  /** SHA-256 of each environment value that was used, by variable. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A price that holds where each of these constants has one of these values. */
export interface TargetPrice extends Price {
  /** The most units that one request is charged; absent: what the inputs say. */
  readonly most?: ValueTemplate;
  readonly when: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** How a request proves who asks. */
export interface Auth {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: Template;
}

/** A JSON Web Token, HS256. */
export interface Sign {
  readonly key: Template;
  readonly claims: ValueTemplate;
  readonly expiresMs: number;
  readonly notBeforeMs: number | null;
}

/** The request that asks for a generation. */
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

/** Where the output is. */
export type ResultRule = {
  /** The media type that must come (`image/*`); null for any. */
  readonly expect: string | null;
} & (
  | { readonly from: 'body' }
  | {
      readonly from: 'url' | 'b64' | 'data_uri';
      /** Each node the first fruitful one selects holds one output; null: the reply itself does. */
      readonly items: readonly Locator[] | null;
      readonly at: readonly Locator[];
    }
);

/** A reply that is a failure, whatever its status. Rules are tried in order; the first that holds counts. */
export interface FailRule {
  readonly when: {
    /** Any of these; null for every status. */
    readonly statuses: readonly StatusRange[] | null;
    /** Null: nothing in the reply is asked about. */
    readonly value: ValueCondition | null;
  };
  readonly is: 'moderated' | 'throttled' | 'no_credit' | 'rejected' | 'error';
  /** Where the reply says how long to wait. */
  readonly after: readonly TimeLocator[];
  readonly code: readonly Locator[];
  readonly message: readonly Locator[];
}

/** Both ends included: 429 to 429, 400 to 499. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Holds when something is there, and among `values` (`in`), not among them (`not`), or a text that holds one of them
 * (`contains`, in lower case).
 */
export type ValueCondition = { readonly at: readonly Locator[] } & (
  | { readonly test: 'present' | 'in' | 'not'; readonly values: readonly (string | number | boolean)[] }
  | { readonly test: 'contains'; readonly values: readonly string[] }
);

/** Where the server's own statements stand. */
export interface Meta {
  readonly inference: readonly TimeLocator[];
  readonly seed: readonly Locator[];
  readonly requestId: readonly Locator[];
  readonly cost: { readonly at: readonly Locator[]; readonly usdEach: number };
  readonly cached: readonly Locator[];
}
