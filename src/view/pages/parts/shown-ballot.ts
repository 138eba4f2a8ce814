/** A pair as voters see it: nothing says which variant made which side. */
export interface ShownBallot {
  readonly ballot: string;
  /** The text of the prompt: hostile. */
  readonly prompt: string;
  /** The input image as a data URL; null without one. */
  readonly input: string | null;
  /** Of both sides: frames a second of two videos; null for two images. */
  readonly fps: number | null;
  /** As data URLs, both of one length. */
  readonly left: string;
  readonly right: string;
}

/** What a voter sees next. */
export interface BallotTurn {
  /** Null if there is none left. */
  readonly ballot: ShownBallot | null;
  /** How many ballots the voter has voted on. */
  readonly done: number;
  /** How many there are. */
  readonly of: number;
}

/** The headers in which the page names its voter, and proves that it came from this start of the server. */
export const VOTER_HEADER = 'x-retake-voter';
export const TOKEN_HEADER = 'x-retake-vote';

export const BALLOT_ADDRESS = '/ballot';
export const VOTE_ADDRESS = '/vote';
