/** The version of the record's format. Until the first publication it stays 1, and what it means may change. */
export const RUN_FORMAT = 1;

/** The version of baseline.json. */
export const BASELINE_FORMAT = 1;

/** The version of history.jsonl. */
export const HISTORY_FORMAT = 1;

/** The processes of a run are numbered from 1 to this: more than ever resume one. */
export const MOST_SEGMENTS = 1e9;
