import { createHash } from 'node:crypto';
import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { apportion } from '../../statistics/apportion.ts';
import { createRandom } from '../../statistics/random.ts';
import type { PromptFileEntry } from '../format/schema.ts';
import { columnsIn, type PromptRow, type PromptRows, type RefuseEntry } from './prompt-row.ts';

/** Nobody compares more values of `by`. */
const MOST_STRATA = 1000;

/**
 * The rows of `sample`, in file order: seats by Webster's method among the values of `by`, and for each value the first
 * rows of its own shuffle. So a smaller sample of one draw is part of each larger one.
 */
export function sampleRows(
  { kind, rows }: PromptRows,
  entry: PromptFileEntry,
  refuse: RefuseEntry,
): Checked<readonly PromptRow[]> {
  const { sample, by, draw } = entry;
  if (sample === undefined) {
    const needless = by !== undefined ? 'by' : draw !== undefined ? 'draw' : null;
    if (needless === null) return { ok: true, value: rows };
    return failed(refuse([needless], `"${needless}" without "sample"`, `add "sample", or leave "${needless}" out`));
  }
  if (sample > rows.length) {
    return failed(
      refuse(['sample'], `a sample of ${sample} from ${rows.length} rows`, 'ask for no more than there are'),
    );
  }
  const columns = [by ?? []].flat().map((name) => [entry.map?.[name] ?? name].flat());
  const known = columnsIn(rows);
  for (const [index, names] of columns.entries()) {
    const unknown = names.find((name) => !known.has(name) && rows.every((row) => row.value(name) === undefined));
    if (unknown === undefined && kind !== 'lines') continue;
    const path = typeof by === 'string' ? ['by'] : ['by', index];
    const column = unknown ?? names.join();
    return failed(refuse(path, `no column "${column}" in the file`, suggest(column, [...known], 'the columns are')));
  }
  const strata = new Map<string, PromptRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((names) => names.map((name) => row.value(name) ?? null)));
    const stratum = strata.get(key);
    if (stratum === undefined) strata.set(key, [row]);
    else stratum.push(row);
  }
  const most = Math.min(sample, MOST_STRATA);
  if (strata.size > most) {
    const cause = `"by" has ${strata.size} values, more than ${most === sample ? 'the sample' : most}`;
    return failed(refuse(['by'], cause, 'use a column with fewer values'));
  }
  const groups = [...strata];
  const seats = apportion(
    groups.map(([, stratum]) => stratum.length),
    sample,
  );
  const chosen = new Set(
    groups.flatMap(([key, stratum], index) =>
      createRandom(seedOf(draw ?? 1, key))
        .shuffle(stratum)
        .slice(0, seats[index]),
    ),
  );
  const left = groups.flatMap(([key], index) => (seats[index] === 0 ? [describe(key)] : []));
  return {
    ok: true,
    value: rows.filter((row) => chosen.has(row)),
    warnings:
      left.length === 0 ? [] : [refuse(['sample'], `the sample has no row of ${left.join(', ')}`, 'ask for more')],
  };
}

/** 52 bits of a digest: a stratum's shuffle does not depend on others. */
function seedOf(draw: number, key: string): number {
  return Number.parseInt(createHash('sha256').update(`${draw} ${key}`).digest('hex').slice(0, 13), 16);
}

function describe(key: string): string {
  const values: readonly unknown[] = JSON.parse(key).flat(2);
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' / ');
}

function failed(diagnostic: Diagnostic): Checked<never> {
  return { ok: false, diagnostics: [diagnostic] };
}
