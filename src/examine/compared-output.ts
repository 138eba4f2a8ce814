import type { OutputFact } from '../record/model/fact.ts';
import type { ComparedOutput } from './compare-outputs.ts';

export function comparedOutput(fact: OutputFact | undefined): ComparedOutput | null {
  if (fact?.decodes !== true || fact.mime === null) return null;
  const { sha256, mime, width, height, frames, video } = fact;
  return { sha256, mime, width, height, frames, fps: video?.fps ?? null };
}
