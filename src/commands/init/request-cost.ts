import type { Case } from '../../suite/format/suite.ts';
import type { Target } from '../../targets/model/target.ts';
import { costBounds } from '../../targets/request/cost-bounds.ts';
import { targetPrice } from '../../targets/resolve.ts';

/** In US dollars: per model in order, or for the defaults. Null if one has no upper bound, or all are free. */
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
