/** Blocks, baselines and comparisons stay within one kind. */
export const KINDS = ['text-to-image', 'anime-image', 'image-to-video', 'text-to-video', 'image-edit'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * How an endpoint is told what of an image may change: by white pixels of the mask, black ones, or transparent ones.
 */
export const MASK_FORMS = ['white', 'black', 'transparent'] as const;
export type MaskForm = (typeof MASK_FORMS)[number];

/** Whether its outputs are made from an image of the prompt. */
export function takesImage(kind: TargetKind): boolean {
  return kind === 'image-to-video' || kind === 'image-edit';
}

/** What an endpoint does: it generates, or is a model that compares outputs. */
export const TARGET_KINDS = [...KINDS, 'judge'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];
