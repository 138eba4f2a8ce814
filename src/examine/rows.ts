import { caseSeedOf } from '../plan/plan.ts';
import type { Sample } from '../record/journal.ts';
import type { StoredOutput } from './examiners.ts';
import type { OutputPair } from './pairs.ts';

/* A process decodes an output once for a whole row. Rows are short, so that no process waits long for the last. */

const OUTPUTS_IN_A_ROW = 16;
const PAIRS_IN_A_ROW = 8;
const ROWS_EACH = 8;

export interface OutputRow {
  readonly outputs: readonly StoredOutput[];
  /** All samples of a prompt and seed, if the row has all its outputs and no other prompt shares one; else none. */
  readonly samples: readonly Sample[];
}

/** Outputs without a fact, those of a prompt and seed together. */
export function outputRows(
  samples: readonly Sample[],
  outputs: readonly StoredOutput[],
  workers: number,
): readonly OutputRow[] {
  const caseSeeds = new Map<string, { readonly samples: Sample[]; readonly digests: Set<string> }>();
  const owners = new Map<string, string | null>();
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    const key = caseSeedOf(sample.trial);
    const row = caseSeeds.get(key) ?? { samples: [], digests: new Set<string>() };
    caseSeeds.set(key, row);
    row.samples.push(sample);
    for (const { sha256 } of sample.outputs) {
      row.digests.add(sha256);
      owners.set(sha256, owners.has(sha256) && owners.get(sha256) !== key ? null : key);
    }
  }
  const rest = new Map(outputs.map((output) => [output.sha256, output]));
  const most = Math.max(OUTPUTS_IN_A_ROW, outputs.length / (ROWS_EACH * workers));
  const rows: OutputRow[] = [];
  for (const [key, { digests, ...row }] of caseSeeds) {
    const together = [...digests].flatMap((sha256) => (owners.get(sha256) === key ? (rest.get(sha256) ?? []) : []));
    if (together.length < digests.size || digests.size > most) continue;
    for (const sha256 of digests) rest.delete(sha256);
    rows.push({ outputs: together, ...row });
  }
  return [...rows, ...[...rest.values()].map((output) => ({ outputs: [output], samples: [] }))];
}

export function pairRows(pairs: readonly OutputPair[], workers: number): readonly (readonly OutputPair[])[] {
  const length = Math.min(PAIRS_IN_A_ROW, Math.max(1, Math.floor(pairs.length / (ROWS_EACH * workers))));
  return Array.from({ length: Math.ceil(pairs.length / length) }, (_, row) =>
    pairs.slice(row * length, (row + 1) * length),
  );
}
