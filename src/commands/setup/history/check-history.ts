import type { Checked } from '../../../suite/document/diagnostic.ts';
import type { Suite } from '../../../suite/format/suite.ts';

/**
 * Refuses a history with a line that cannot be read, where a rule of the suite needs it: before a request is paid for.
 *
 * @param folder of the suite: `results/<suite>`
 */
export async function checkHistory(folder: string, { gate }: Pick<Suite, 'gate'>): Promise<Checked<null>> {
  if (!gate.some(({ rule }) => rule.against === 'history')) return { ok: true, value: null };
  // Most suites have no such rule: its schema is loaded for those that do.
  const { readHistory } = await import('../../../record/read-record.ts');
  const read = await readHistory(folder);
  return read.ok ? { ok: true, value: null } : read;
}
