import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetShare } from '../../fleet/messages.ts';
import type { FleetWorker } from '../../fleet/roll.ts';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import type { CostEstimate } from '../../plan/estimate.ts';
import { isRunName, runId } from '../../record/codes.ts';
import { createRandom } from '../../statistics/random.ts';
import { costEstimate } from '../../workflow/confirm-run.ts';
import type { PlannedSuite } from '../../workflow/plan-suite.ts';
import { takeShare } from '../../workflow/prepare-run.ts';

/** A run of a fleet: one, or one for each vantage. */
export interface FleetGroup {
  readonly run: string;
  readonly vantage: string | null;
  /** In the order of their shares. */
  readonly names: readonly string[];
}

/** Workers in the order of their names; with `byVantage` a run for each vantage, each measured whole. */
export function groupWorkers(
  workers: readonly Pick<FleetWorker, 'name' | 'vantage'>[],
  run: string,
  byVantage: boolean,
): readonly FleetGroup[] {
  const names = workers.map(({ name }) => name);
  if (!byVantage) return [{ run, vantage: workers[0]?.vantage ?? null, names }];
  const vantages = [...new Set(workers.map(({ vantage }) => vantage))].sort();
  const groups = vantages.map((vantage) => ({
    run: `${run}-${vantage}`,
    vantage,
    names: workers.filter((worker) => worker.vantage === vantage).map(({ name }) => name),
  }));
  if (groups.length < 2) {
    throw refusal(
      `--by-vantage needs at least two vantages; all workers have ${vantages[0] ?? 'none'}`,
      'start workers with another --vantage, or remove --by-vantage',
    );
  }
  const unnamed = groups.find((group) => !isRunName(group.run));
  if (unnamed === undefined) return groups;
  throw refusal(`${unnamed.run} is too long for the name of a run`, 'use a shorter --run or --vantage');
}

export interface PlannedShares {
  readonly cost: CostEstimate;
  readonly requests: number;
  readonly slices: number;
}

/** What all workers will send together; an error if the plan cannot be split so, or a folder is taken. */
export function planShares(
  whole: PlannedSuite,
  groups: readonly { readonly run: string; readonly of: number }[],
  results: string,
): PlannedShares {
  const costs: CostEstimate[] = [];
  let requests = 0;
  let slices = 0;
  for (const { run, of } of groups) {
    const numbers = new Set<number>();
    for (const id of [run, ...indicesTo(of).map((index) => runId(run, { index, of }))]) {
      const folder = join(results, whole.suite.name, id);
      if (existsSync(folder))
        throw refusal(`run ${run} was started before: ${folder} exists`, 'use another --run, or delete that folder');
    }
    for (const index of indicesTo(of)) {
      const taken = accepted(takeShare(whole, { index, of }));
      costs.push(costEstimate(taken));
      requests += taken.plan.requests;
      for (const slice of taken.plan.slices) numbers.add(slice.index);
    }
    slices += numbers.size;
  }
  return { cost: sumOf(costs), requests, slices };
}

function indicesTo(of: number): readonly number[] {
  return Array.from({ length: of }, (_, at) => at + 1);
}

function sumOf(costs: readonly CostEstimate[]): CostEstimate {
  const sum = (of: (cost: CostEstimate) => number): number => costs.reduce((total, each) => total + of(each), 0);
  // Variants of unknown cost are unknown in each share.
  return {
    variants: costs[0]?.variants ?? [],
    leastUsd: sum((each) => each.leastUsd),
    mostUsd: sum((each) => each.mostUsd),
  };
}

export function offersOf(groups: readonly FleetGroup[]): ReadonlyMap<string, FleetShare> {
  return new Map(
    groups.flatMap(({ run, names }) =>
      names.map((name, at): [string, FleetShare] => [name, { run, index: at + 1, of: names.length }]),
    ),
  );
}

/** Drawn for each slice, so that no vantage is always the first. */
export function orderOfVantages(
  groups: readonly FleetGroup[],
  shuffle: number,
  slice: number,
): readonly (string | null)[] {
  return createRandom(shuffle + slice).shuffle(groups.map(({ vantage }) => vantage));
}
