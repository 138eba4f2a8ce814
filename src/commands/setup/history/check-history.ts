import type { Checked } from '../../../suite/document/diagnostic.ts';
import type { Suite } from '../../../suite/format/suite.ts';

/**
 * Before a request is charged.
 * @param folder `results/<suite>`
 */
export async function checkHistory(folder: string, { gate }: Pick<Suite, 'gate'>): Promise<Checked<null>> {
  if (!gate.some(({ rule }) => rule.against === 'history')) return { ok: true, value: null };
  // Loads the schema only if a rule needs it.
  const { readHistory } = await import('../../../record/read-record.ts');
  const read = await readHistory(folder);
  return read.ok ? { ok: true, value: null } : read;
}
