/** The level of every interval that is printed. */
export const CONFIDENCE = 0.95;
