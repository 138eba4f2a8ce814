/** What is asked for. Blocks, baselines and comparisons stay within one kind. */
export const KINDS = ['text-to-image', 'anime-image', 'image-to-video', 'text-to-video'] as const;
export type Kind = (typeof KINDS)[number];
