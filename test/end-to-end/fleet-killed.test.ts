import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FleetKilling, type KilledFleet, killFleet, type Victim } from '../fixtures/killed-run.ts';
import { NO_NATS_SERVER } from '../fixtures/nats-server.ts';
import { NIGHTLY } from '../test-options.ts';

/* A worker, the coordinator or the NATS server dies: nothing is lost, and nothing is sent twice. */

const LIMIT = 24;
const VICTIMS: readonly Victim[] = ['worker', 'coordinator', 'server'];

/** Every fourth has a limit of requests, every fourth one of dollars. */
const limitAt = (at: number): FleetKilling['limit'] => {
  const of = ([null, 'requests', null, 'usd'] as const)[at % 4] ?? null;
  return of === null ? null : { of, requests: LIMIT };
};

const KILLINGS: readonly FleetKilling[] = NIGHTLY
  ? VICTIMS.flatMap((victim, row) =>
      Array.from({ length: 20 }, (_, at) => ({
        victim,
        workers: at % 5 === 1 ? (4 as const) : (2 as const),
        restarts: at % 5 !== 0,
        limit: limitAt(at),
        waits: true,
        random: 1000 * (row + 1) + at,
      })),
    )
  : // What a fleet makes of the end of its coordinator and of the server, test/fleet/fleet.test.ts holds too.
    [{ victim: 'worker', workers: 2, restarts: true, limit: null, waits: false, random: 7 }];

/** Most of the time of one is waiting. */
const AT_ONCE = 4;

/** A line for each, where a file is named. */
const FIGURES = process.env.RETAKE_FLEET_FIGURES;

async function killAll(killings: readonly FleetKilling[]): Promise<readonly (readonly [FleetKilling, KilledFleet])[]> {
  const left = [...killings];
  const done: (readonly [FleetKilling, KilledFleet])[] = [];
  const next = async (): Promise<void> => {
    for (let killing = left.shift(); killing !== undefined; killing = left.shift()) {
      const killed = await killFleet(killing);
      done.push([killing, killed]);
      if (FIGURES !== undefined) appendFileSync(FIGURES, `${JSON.stringify({ killing, killed })}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return done;
}

describe.skipIf(NO_NATS_SERVER !== null)(`a fleet of which a part is killed${suffix(NO_NATS_SERVER)}`, () => {
  it('killed, resumed and merged: each planned sample is there once, and no request was sent twice', async () => {
    const all = await killAll(KILLINGS);
    expect(all.filter(([, { wasKilled }]) => wasKilled).length).toBeGreaterThan(KILLINGS.length / 2);
    for (const [killing, killed] of all) {
      const about = JSON.stringify({ killing, killed });
      expect(killed, about).toMatchObject({ submittedTwice: 0, repeatedIntents: 0, unjournalled: [] });
      expect(killed.submits, about).toBe(killed.submitted);
      expect(killed.submits, about).toBeGreaterThanOrEqual(killed.intents - killed.unknown);
      expect(killed.finishedJobs, about).toBe(killed.accepted);
      expect(killed.samples, about).toBe(killed.measured);
      if (killing.limit === null) {
        expect(killed.merged.code, about).toBe(0);
        expect(killed, about).toMatchObject({ measured: killed.trials, intents: killed.trials });
      } else {
        expect(killed.submits, about).toBeLessThanOrEqual(LIMIT);
        expect(killed.merged.code, about).toBe(3);
      }
      // At most those in flight when a process died.
      expect(killed.unknown, about).toBeLessThanOrEqual(killing.victim === 'worker' ? 3 : 0);
      if (killing.waits) expectTold(killing, killed, about);
      for (const { stderr } of [killed.coordinator, ...killed.workers, ...killed.resumed]) {
        expect(stderr, about).not.toContain('internal error');
      }
    }
  });
});

/** What the coordinator says of a worker that died, and what it does of a server that comes back. */
function expectTold({ victim, restarts, limit }: FleetKilling, killed: KilledFleet, about: string): void {
  const { coordinator, workers } = killed;
  if (victim === 'worker') {
    for (const { name, code, intents } of workers) {
      if (code !== null || coordinator.stderr.includes(`${name} handed over its shard`)) continue;
      const [, sent] = new RegExp(
        `lost ${name}: not heard for 30 s; it measures \\S+, and at its last report had sent (\\d+) requests?`,
      ).exec(coordinator.stderr) ?? [null, 'not told'];
      expect(Number(sent), about).toBeLessThanOrEqual(intents);
      expect(coordinator.code, about).toBe(3);
      // The others go on to the end of their shares.
      for (const other of workers) if (other.name !== name) expect(other.code, about).toBe(limit === null ? 0 : 3);
    }
  }
  if (victim === 'server' && restarts && limit === null) expect(coordinator.code, about).toBe(0);
  if (victim === 'server' && !restarts) expect(coordinator.code, about).toBe(3);
}

/** Why tests are skipped stands in the list of results. */
function suffix(reason: string | null): string {
  return reason === null ? '' : ` (${reason})`;
}
