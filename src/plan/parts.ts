import { ownValue } from '../suite/document/own-value.ts';
import type { PlannedLooks, PlannedPart } from './planned-looks.ts';

export function caseSeedsOf({ kind, parts }: Pick<PlannedLooks, 'kind' | 'parts'>): number {
  // A confirmation asks for the same ones again.
  const asked = kind === 'confirm' ? parts.slice(0, 1) : parts;
  return asked.reduce((sum, { caseSeeds }) => sum + caseSeeds, 0);
}

export function trialsIn(parts: readonly PlannedPart[], variant: string): number {
  return parts.reduce((sum, { trials }) => sum + (ownValue(trials, variant) ?? 0), 0);
}

export function trialsInAll(parts: readonly PlannedPart[]): number {
  return parts.flatMap(({ trials }) => Object.values(trials)).reduce((sum, each) => sum + each, 0);
}

export function takesOfCell(repeats: number, looks: Pick<PlannedLooks, 'kind' | 'parts'> | null): number {
  return looks?.kind === 'confirm' ? looks.parts.length * repeats : repeats;
}
