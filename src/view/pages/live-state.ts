/** What the page of a run in progress shows; sent to it again whenever it changes. */
export interface LiveState {
  /** The text of each element, by its `data-live`. */
  readonly texts: Readonly<Record<string, string>>;
  /** Trials: ended, and in the plan. */
  readonly ended: number;
  readonly planned: number;
  /** The latest outputs, the earliest of them first. */
  readonly outputs: readonly LiveOutput[];
  /** Where the report is, once no process uses the run. */
  readonly report: string | null;
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
