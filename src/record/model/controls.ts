/** Copies of an output that are worse than it. A scorer whose values have a direction must find one kind of them. */
export const CONTROLS = ['blurred', 'jpeg', 'other_prompt'] as const;
export type Control = (typeof CONTROLS)[number];

/** How many outputs a copy of each kind is made of; with fewer, none is made. */
export const CONTROL_SAMPLES = 16;
