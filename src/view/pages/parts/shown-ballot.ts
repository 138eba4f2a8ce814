/** A pair as voters see it: nothing says which variant made which image. */
export interface ShownBallot {
  readonly ballot: string;
  /** The text of the prompt: hostile. */
  readonly prompt: string;
  /** The input image as a data URL; null without one. */
  readonly input: string | null;
  /** As data URLs, both of one length. */
  readonly left: string;
  readonly right: string;
}
