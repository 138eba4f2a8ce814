/** A pair as voters see it: nothing says which variant made which side. */
export interface ShownBallot {
  readonly ballot: string;
  /** Hostile. */
  readonly prompt: string;
  /** The input image as a data URL; null without one. */
  readonly input: string | null;
  /** Frames per second of both videos; null for images. */
  readonly fps: number | null;
  /** Data URLs, both of one length. */
  readonly left: string;
  readonly right: string;
}

export interface BallotTurn {
  /** Null if there is none left. */
  readonly ballot: ShownBallot | null;
  /** Ballots that the voter has voted on. */
  readonly done: number;
  /** All ballots are so many pairs and checks: pairs that are shown again, with their sides exchanged. */
  readonly pairs: number;
  readonly checks: number;
}

/** The headers in which the page names its voter, and proves that it came from this start of the server. */
export const VOTER_HEADER = 'x-retake-voter';
export const TOKEN_HEADER = 'x-retake-vote';

export const BALLOT_ADDRESS = '/ballot';
export const VOTE_ADDRESS = '/vote';
