/** Blocks, baselines and comparisons stay within one kind. */
export const KINDS = ['text-to-image', 'anime-image', 'image-to-video', 'text-to-video', 'image-edit'] as const;
export type Kind = (typeof KINDS)[number];

/** Whether its outputs are made from an image of the prompt. */
export function takesImage(kind: TargetKind): boolean {
  return kind === 'image-to-video' || kind === 'image-edit';
}

/** What an endpoint does: it generates, or is a model that compares outputs. */
export const TARGET_KINDS = [...KINDS, 'judge'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];
