import type { Diagnostic, Fault } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path } from '../../kit/document.ts';
import { type DeclaredTarget, targetSchema } from '../model/schema.ts';

export interface Check {
  readonly refuse: (path: Path, cause: string, remedy: string, at?: 'key' | 'value') => void;
  readonly warn: (path: Path, fault: Fault) => void;
  /** Whether an environment variable gave the text at `path`, or a part of it. */
  readonly isFilled: (path: Path) => boolean;
  /** Whether nothing below these keys was left out: only then is a missing value a fault. */
  readonly isWhole: (...keys: readonly (keyof DeclaredTarget)[]) => boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** @param without the paths of values that were left out, because they have faults of their own */
export function createCheck(document: Document, without: readonly Path[]): Check {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const cut = new Set<string>(without.map(([key]) => String(key)));
  // An unknown key may be any of them, misspelt.
  const isUnclear = [...cut].some((key) => !Object.hasOwn(targetSchema.shape, key));
  return {
    refuse: (path, cause, remedy, at) => diagnostics.push(diagnoseAt(document, path, { cause, remedy }, at)),
    warn: (path, fault) => warnings.push(diagnoseAt(document, path, fault)),
    isFilled: (path) => document.filledBy(path) !== null,
    isWhole: (...keys) => !isUnclear && !keys.some((key) => cut.has(key)),
    diagnostics,
    warnings,
  };
}
