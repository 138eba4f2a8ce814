/** It stays 1 until the first publication; until then its meaning may change. */
export const RUN_FORMAT = 1;

export const BASELINE_FORMAT = 1;

export const HISTORY_FORMAT = 1;

/** More processes than ever resume one run. */
export const MOST_SEGMENTS = 1e9;
