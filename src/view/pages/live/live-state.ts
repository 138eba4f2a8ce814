/** What the page of a run in progress shows; sent to it again whenever it changes. */
export interface LiveState {
  /** Of the page, without the product's name: how much has ended comes first, since a tab shows little. */
  readonly title: string;
  /** The text of each element, by its `data-live`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Trials: ended, and in the plan. */
  readonly ended: number;
  readonly planned: number;
  /** The same of each variant, in the order of the page. */
  readonly bars: readonly LiveBar[];
  /** Why requests ended without an output, the most frequent reasons first. */
  readonly undelivered: readonly LiveReason[];
  /** The latest outputs, the earliest of them first. */
  readonly outputs: readonly LiveOutput[];
  /** Where the report is, once no process uses the run. */
  readonly report: string | null;
}

/** How far a variant is. */
export interface LiveBar {
  readonly ended: number;
  readonly planned: number;
}

/** A reason why requests ended without an output. */
export interface LiveReason {
  /** `3 × fast: rejected, http_400`. */
  readonly words: string;
  /** What was said the last time. */
  readonly message: string;
}

/** An output that came. */
export interface LiveOutput {
  /** From 1, in the order they came. */
  readonly number: number;
  /** The file as it came; null where it is of no known type. */
  readonly original: string | null;
  readonly isVideo: boolean;
  readonly variant: string;
  /** `fox, seed 1, take 2`. */
  readonly words: string;
}
