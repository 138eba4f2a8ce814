import { hash } from 'node:crypto';
import { canonicalJson } from '../kit/json.ts';
import type { Control } from './codes.ts';
import type { RunPrompt } from './run.ts';
import type { CopyPlace, OutputScore, RequestLine, ScoreLine, ScorerLine } from './score.ts';

/** The digest of all that makes one scorer another one. */
export function byOf({
  declared,
  files,
  version,
  weights,
  judge,
}: Pick<ScorerLine, 'declared' | 'files' | 'version' | 'weights' | 'judge'>): string {
  return digest([asksOf(declared), files, version, weights, ...(judge === undefined ? [] : [judge])]);
}

/** With a higher limit a judge goes on; it is asked nothing again. */
function asksOf(declared: ScorerLine['declared']): unknown {
  if (declared.use !== 'judge') return declared;
  const { limits: _limits, priceUsd: _price, ...asks } = declared;
  return asks;
}

export interface Scored {
  /** As `byOf` gives it. */
  readonly by: string;
  readonly prompt: Pick<RunPrompt, 'text' | 'expect' | 'image'>;
  /** As `scoredDigest` gives them, in order. */
  readonly media: readonly string[];
  readonly control: Control | null;
  /** Of a judge: where the copy stands. */
  readonly copy?: CopyPlace | null;
}

/** The digest of all that a scorer is asked: equal ones need no second answer. */
export function scoreKey({ by, prompt: { text, expect, image }, media, control, copy = null }: Scored): string {
  return digest([by, text, expect ?? null, image, media, control, ...(copy === null ? [] : [copy])]);
}

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** What scores.jsonl has. */
export interface WrittenScores {
  /** The last line with this key; null without one. */
  readonly find: (key: string) => OutputScore | null;
  /** Those lines that scores.jsonl lacks, or has where a later line counts in their place; each once. */
  readonly missing: <Line extends ScoreLine>(lines: readonly Line[]) => readonly Line[];
}

/** @param written in their order */
export function writtenScores(written: readonly ScoreLine[]): WrittenScores {
  const found = new Map<string, OutputScore>();
  const counting = new Map<string, string>();
  const count = (line: ScoreLine): void => {
    if (isRequest(line)) return;
    if (line.line !== 'scorer') found.set(line.key, line);
    counting.set(placeOf(line), canonicalJson(line));
  };
  written.forEach(count);
  return {
    find: (key) => found.get(key) ?? null,
    missing: (lines) =>
      lines.filter((line) => {
        if (!isRequest(line) && counting.get(placeOf(line)) === canonicalJson(line)) return false;
        count(line);
        return true;
      }),
  };
}

export function isRequest(line: ScoreLine): line is RequestLine {
  return line.line === 'asked' || line.line === 'charged';
}

/** Of lines with one place, the last counts; of requests each. */
export function placeOf(line: ScoreLine): string {
  if (line.line === 'scorer') return JSON.stringify([line.scorer]);
  if (isRequest(line)) return JSON.stringify([line.scorer, line.by, line.key]);
  const { scorer, by, prompt, media } = line;
  const control = line.line === 'value' ? null : (line.control ?? null);
  const copy = line.line === 'preference' || line.line === 'unscored' ? (line.copy ?? null) : null;
  return JSON.stringify([scorer, by, prompt, media, control, copy]);
}

/** Of an output, from its fact or from a sample that was examined. */
interface ScoredOutput {
  readonly sha256: string;
  readonly shown?: { readonly pixelSha256: string } | null;
}

/**
 * The digest by which lines of scores.jsonl name an output: that of its pixels, so that equal images have one score;
 * that of its bytes where it has no pixels.
 */
export function scoredDigest({ sha256, shown }: ScoredOutput): string {
  return shown?.pixelSha256 ?? sha256;
}
