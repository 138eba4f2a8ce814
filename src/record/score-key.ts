import { hash } from 'node:crypto';
import { canonicalJson } from '../kit/json.ts';
import type { Control } from './codes.ts';
import type { RunPrompt } from './run.ts';
import type { CopyPlace, OutputScore, RequestLine, ScoreLine, ScorerLine } from './score.ts';

/** Digest of what identifies a scorer. */
export function byOf({
  declared,
  files,
  version,
  weights,
  judge,
}: Pick<ScorerLine, 'declared' | 'files' | 'version' | 'weights' | 'judge'>): string {
  return digest([asksOf(declared), files, version, weights, ...(judge === undefined ? [] : [judge])]);
}

/** Without limits: with a higher one, a judge continues, and is not asked again. */
function asksOf(declared: ScorerLine['declared']): unknown {
  if (declared.use !== 'judge') return declared;
  const { limits: _limits, priceUsd: _price, ...asks } = declared;
  return asks;
}

export interface Scored {
  readonly by: string;
  readonly prompt: Pick<RunPrompt, 'text' | 'expect' | 'media'>;
  /** Digests from `scoredDigest`, in order. */
  readonly media: readonly string[];
  readonly control: Control | null;
  /** Position of the copy, for a judge. */
  readonly copy?: CopyPlace | null;
}

/** Digest of a scorer's whole question: equal questions need one answer. */
export function scoreKey({ by, prompt: { text, expect, media: inputs }, media, control, copy = null }: Scored): string {
  const [input = null, ...others] = inputs.map(({ sha256 }) => sha256);
  const asked = others.length === 0 ? input : [input, ...others];
  return digest([by, text, expect ?? null, asked, media, control, ...(copy === null ? [] : [copy])]);
}

function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Lines in scores.jsonl. */
export interface WrittenScores {
  /** The last line with this key, or null. */
  readonly find: (key: string) => OutputScore | null;
  /** Distinct lines missing from scores.jsonl, or superseded there. */
  readonly missing: <Line extends ScoreLine>(lines: readonly Line[]) => readonly Line[];
}

/** Finds what scores.jsonl has. `written` is in its order. */
export function writtenScores(written: readonly ScoreLine[]): WrittenScores {
  const byKey = new Map<string, OutputScore>();
  const counting = new Map<string, string>();
  const count = (line: ScoreLine): void => {
    if (isRequest(line)) return;
    if (line.line !== 'scorer') byKey.set(line.key, line);
    counting.set(placeOf(line), canonicalJson(line));
  };
  written.forEach(count);
  return {
    find: (key) => byKey.get(key) ?? null,
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

/** The place of a line: the last of one place counts; each request has its own. */
export function placeOf(line: ScoreLine): string {
  if (line.line === 'scorer') return JSON.stringify([line.scorer]);
  if (isRequest(line)) return JSON.stringify([line.scorer, line.by, line.key]);
  const { scorer, by, prompt, media } = line;
  const control = line.line === 'value' ? null : (line.control ?? null);
  const copy = line.line === 'preference' || line.line === 'unscored' ? (line.copy ?? null) : null;
  return JSON.stringify([scorer, by, prompt, media, control, copy]);
}

/** An output, from its fact or an examined sample. */
interface ScoredOutput {
  readonly sha256: string;
  readonly shown?: { readonly pixelSha256: string } | null;
}

/**
 * Digest of an output in scores.jsonl: of its pixels, so that equal images share scores; without pixels, of its bytes.
 */
export function scoredDigest({ sha256, shown }: ScoredOutput): string {
  return shown?.pixelSha256 ?? sha256;
}
