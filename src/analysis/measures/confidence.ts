/** Level of every printed interval. */
export const CONFIDENCE = 0.95;
