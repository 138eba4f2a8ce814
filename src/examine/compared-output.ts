import type { OutputFact } from '../record/model/fact.ts';
import type { ComparedOutput } from './compare-outputs.ts';

/** An output as a comparison needs it; null of one that does not decode, or is not known. */
export function comparedOutput(fact: OutputFact | undefined): ComparedOutput | null {
  if (fact?.decodes !== true || fact.mime === null) return null;
  const { sha256, mime, width, height, frames, video } = fact;
  return { sha256, mime, width, height, frames, fps: video?.fps ?? null };
}
