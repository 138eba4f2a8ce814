/** `neither`: both are equally good. `skip`: the voter cannot say. */
export const VOTE_CHOICES = ['left', 'right', 'neither', 'skip'] as const;
export type VoteChoice = (typeof VOTE_CHOICES)[number];
