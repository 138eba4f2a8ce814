import { createRandom } from '../../../src/statistics/random.ts';
import { falseBounds, quantileCoverage, rateCoverage } from '../../fixtures/interval-coverage.ts';
import { SERVICE_LAWS } from '../../fixtures/simulated-service.ts';
import { type Coverage, throughputCoverage } from '../../fixtures/throughput-coverage.ts';
import type { Row } from './figures.ts';

/** How often intervals hold the truth, by simulation through the functions that reports are made with. */
export function intervalRows(rounds: number): readonly Row[] {
  return [...throughputRows(rounds), ...quantileRows(rounds * 10), ...rateRows(rounds * 10)];
}

function throughputRows(rounds: number): Row[] {
  const random = createRandom(1);
  const shared = { rounds, random, workers: [Infinity, 1, 3] };
  const rows: Row[] = [];
  for (const [perSlot, concurrencies] of [
    [2, [1, 2, 4, 8, 16, 64]],
    [8, [1, 2, 4, 8, 16, 64]],
    [40, [1, 2, 4, 8, 16]],
  ] as const) {
    const all = SERVICE_LAWS.map((law) => ({
      what: law.name,
      ...throughputCoverage(law, { ...shared, perSlot: [perSlot], slices: [6, 12], concurrencies }),
    }));
    const pooled = { what: 'all laws', holds: total(all, 'holds'), of: total(all, 'of') };
    rows.push(
      ...[...all, pooled].map(({ what, holds, of }) => ({
        what: `throughput, slices of ${perSlot}c, ${what}`,
        measured: `${percent(holds / of)} of ${of}`,
        bar: what === 'all laws' ? '>= 95 %' : '>= 93 %',
      })),
    );
  }
  return rows;
}

function total(coverages: readonly Coverage[], part: keyof Coverage): number {
  return coverages.reduce((sum, each) => sum + each[part], 0);
}

function quantileRows(rounds: number): Row[] {
  const random = createRandom(2);
  return [12, 36, 100].flatMap((n) =>
    [0, 0.3, 0.6].flatMap((r) =>
      [50, ...(n >= 59 ? [95] : [])].map((percentage) => {
        const found = quantileCoverage(n, percentage, r, rounds, random);
        return {
          what: `p${percentage} of ${n} takes, autocorrelation ${r}`,
          measured: `${percent(found.holds / found.of)}, an interval in ${percent(found.of / rounds)}; not widened ${percent(found.plainHolds / found.plainOf)}; warned ${percent(found.warned / rounds)}`,
          bar: '>= 95 %',
        };
      }),
    ),
  );
}

function rateRows(rounds: number): Row[] {
  const random = createRandom(3);
  const rates = [0, 0.3, 0.6].flatMap((r) =>
    [0, 2].flatMap((spread) =>
      [0.02, 0.2].map((rate) => {
        const setup = { prompts: 8, takes: 45, rate, spread, r };
        return {
          what: `rate ${rate}, 8 prompts x 45 takes, logit spread ${spread}, autocorrelation ${r}`,
          measured: percent(rateCoverage(setup, rounds, random)),
          bar: r === 0 ? '>= 95 %' : 'none: takes are assumed independent',
        };
      }),
    ),
  );
  const bounds = [0.02, 0.05, 0.1].map((departs) => ({
    what: `bound of departures, 12 cells x 3 takes, ${departs} depart`,
    measured: `false in ${percent(falseBounds(12, 3, departs, rounds, random))}`,
    bar: '<= 5 %',
  }));
  return [...rates, ...bounds];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
