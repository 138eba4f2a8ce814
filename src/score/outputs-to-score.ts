import { isMeasured } from '../plan/plan.ts';
import type { OutputFact } from '../record/fact.ts';
import type { StoredRun } from '../record/kept-run.ts';
import type { RunPrompt } from '../record/run.ts';
import type { OutputScore, UnscoredReason } from '../record/score.ts';
import { scoredDigest } from '../record/score-key.ts';
import type { Kind } from '../suite/kind.ts';

type DecodedFact = Extract<OutputFact, { readonly decodes: true }>;

/** An output of a prompt; equal ones of several takes and variants are one. */
export interface OutputToScore {
  readonly prompt: RunPrompt;
  readonly kind: Kind;
  /** By which lines of scores.jsonl name it. */
  readonly digest: string;
  /** Of one of its files. */
  readonly sha256: string;
  /** What examination found; null if it does not decode. */
  readonly fact: DecodedFact | null;
}

/**
 * What scorers read of a run: the first output of each measured take that was delivered, twins included, without
 * warm-ups, probes and blank images.
 */
export function outputsToScore({ run, samples, facts }: StoredRun): readonly OutputToScore[] {
  const prompts = new Map(run.prompts.map((prompt) => [prompt.id, prompt]));
  const kinds = new Map(run.variants.map(({ name, kind }) => [name, kind]));
  const factOf = new Map(facts.flatMap((fact) => (fact.fact === 'output' ? [[fact.sha256, fact] as const] : [])));
  const outputs = new Map<string, OutputToScore>();
  for (const { trial, ...sample } of samples) {
    const prompt = prompts.get(trial.prompt);
    const kind = kinds.get(trial.variant);
    if (sample.outcome !== 'ok' || !isMeasured(trial) || prompt === undefined || kind === undefined) continue;
    const { sha256 } = sample.outputs[0];
    const known = factOf.get(sha256);
    const fact = known?.decodes === true ? known : null;
    if (fact?.shown.blank === true) continue;
    const digest = scoredDigest({ sha256, shown: fact?.shown ?? null });
    const key = `${prompt.id} ${digest}`;
    if (!outputs.has(key)) outputs.set(key, { prompt, kind, digest, sha256, fact });
  }
  return [...outputs.values()];
}

/** What is tried again: nobody was asked, a limit may be higher, or media may be back. */
const NOT_FINAL: ReadonlySet<string> = new Set<UnscoredReason['code']>([
  'command_failed',
  'no_first_line',
  'call_failed',
  'limit_reached',
  'media_missing',
  'input_missing',
  'undecodable',
]);

/** Whether an output with this line is not asked about again. */
export function isFinal(line: OutputScore): boolean {
  return line.line !== 'unscored' || !NOT_FINAL.has(line.why.code);
}

/**
 * Why outputs of a prompt cannot be shown; null if they can.
 * @param isStored whether the record has the media with this digest
 */
export function whyNotShown(
  outputs: readonly OutputToScore[],
  { image }: OutputToScore['prompt'],
  isStored: (sha256: string) => boolean,
): UnscoredReason | null {
  if (outputs.some(({ fact }) => fact === null)) return { code: 'undecodable' };
  if (outputs.some(({ sha256 }) => !isStored(sha256))) return { code: 'media_missing' };
  return image === null || isStored(image) ? null : { code: 'input_missing' };
}
