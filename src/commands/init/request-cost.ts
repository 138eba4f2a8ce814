import type { Case } from '../../suite/format/suite.ts';
import type { Target } from '../../targets/model/target.ts';
import { costBounds } from '../../targets/request/cost-bounds.ts';
import { targetPrice } from '../../targets/resolve.ts';

/**
 * The most that one request costs by the prices of a target, in US dollars: of each model in order, or of its defaults where there
 * is no model. Null where that has no upper bound for one of them, and where all are free.
 */
export function requestCosts(target: Target, models: readonly string[]): readonly number[] | null {
  const each = models.length === 0 ? [target.constants] : models.map((model) => ({ ...target.constants, model }));
  const costs: number[] = [];
  for (const constants of each) {
    const priced = { target, constants, baseUrl: target.baseUrl, ...targetPrice(target, constants) };
    const bounds = costBounds(priced, WITHOUT_INPUTS);
    if (typeof bounds === 'string') return null;
    costs.push(bounds.mostUsd);
  }
  return costs.every((cost) => cost === 0) ? null : costs;
}

/** As the prompts of a new suite are. */
const WITHOUT_INPUTS: Case = {
  id: 'prompt',
  text: 'A prompt',
  tags: [],
  kinds: [],
  image: null,
  inputs: {},
  inputSources: {},
  place: { file: '', line: 1, column: 1 },
};
