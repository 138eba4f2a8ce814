import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEWEST_RUNS } from '../../../analysis/earlier-runs.ts';
import { times } from '../../../kit/value-words.ts';
import { count } from '../../../kit/wording.ts';
import type { GateRule } from '../../../suite/rule.ts';
import type { PlannedSuite } from '../../../workflow/plan-suite.ts';

/**
 * What the gate of a suite cannot find in its first nights, and how it then does.
 * @param cwd the folder of the repository
 */
export function notGuarded({ suite, variants }: PlannedSuite, cwd: string): readonly string[] {
  const rules = suite.gate.map(({ rule }) => rule);
  const nights = rules.find(({ metric, against }) => against === 'history' && metric.startsWith('latency.'));
  const latency =
    nights === undefined
      ? noRule('latency.total, against: history, max_increase: 10%, at_first: 50%')
      : fromNights(nights);
  return [`latency: ${latency}`, ...pictures()];

  function pictures(): readonly string[] {
    if (!rules.some(({ metric }) => metric.startsWith('stability.'))) {
      const hasSeed = variants.some(({ target }) => target.inputs.seed.claim !== 'none');
      return hasSeed ? [`pictures: ${noRule('stability.pixel, none: change, against: baseline')}`] : [];
    }
    const folder = `results/${suite.name}`;
    if (existsSync(join(cwd, folder, 'baseline.json'))) return [];
    return [
      `pictures: after "retake baseline ${folder}" of the first night's record (download it, keep it, commit ${folder}/baseline.json)`,
    ];
  }
}

function noRule(rule: string): string {
  return `no rule looks at them; add to gate: { metric: ${rule}, on_inconclusive: pass }`;
}

/** The first night is what the second is compared with. */
function fromNights({ bound, atFirst }: GateRule): string {
  const from = (night: number, change: number) =>
    `from night ${count(night)} beyond ${times(bound.is === 'max_decrease' ? 1 - change : 1 + change)}`;
  return [
    ...(atFirst === undefined ? [] : [from(2, atFirst)]),
    ...('share' in bound ? [from(FEWEST_RUNS + 2, bound.share)] : []),
  ].join(', ');
}
