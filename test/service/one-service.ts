import { afterAll, beforeAll, test } from 'vitest';
import type { ServiceStats } from '../../src/service/jobs/request-log.ts';
import { quick, type Running, runService } from './running-service.ts';

type Counted = Pick<ServiceStats, 'behaviours' | 'generations' | 'requests' | 'jobs'>;

/** The service, for a test that asks with a prompt of its own. */
interface Asking extends Pick<Running, 'port' | 'url'> {
  readonly own: Running;
  readonly prompt: string;
  /** The parts of an image. */
  readonly parts: (seed?: number) => Record<string, string>;
  /** Asks for an image. */
  readonly ask: (seed?: number) => Promise<Response>;
  /** What the service counted since the test began, once no other request is open. */
  readonly counted: () => Promise<Counted>;
}

/**
 * Defines tests with rules that hold for the prompt of each alone. One service serves all of a file: what takes longest
 * of a service is its first image.
 */
export function testsOfOneService() {
  const rules: string[] = [];
  let service: Running;
  beforeAll(async () => {
    service = await runService({ rules });
  });
  afterAll(() => service.close());

  return (name: string, own: readonly string[], run: (asking: Asking) => Promise<void>): void => {
    const prompt = `test-${rules.length}-`;
    const limited = own.map((rule) => (rule.includes('when: {') ? rule : `${rule}, when: {}`));
    rules.push(...limited.map((rule) => rule.replace('when: {', `when: { prompt: ${prompt}, `)));
    test(name, async () => {
      const before = await service.quietStats();
      const parts = (seed = 1) => quick(seed, prompt);
      const ask = (seed?: number) => service.ask(parts(seed));
      const counted = async () => since(before, await service.quietStats());
      await run({ own: service, port: service.port, url: service.url, prompt, parts, ask, counted });
    });
  };
}

/** Rules of one kind are counted together. */
function since(before: ServiceStats, { behaviours, generations, requests, jobs }: ServiceStats): Counted {
  const fired: Record<string, number> = {};
  for (const [rule, times] of Object.entries(behaviours)) {
    const kind = rule.replace(/-\d+$/, '');
    const more = times - (before.behaviours[rule] ?? 0);
    if (more > 0) fired[kind] = (fired[kind] ?? 0) + more;
  }
  return {
    behaviours: fired,
    generations: { ...generations, sampled: generations.sampled - before.generations.sampled },
    requests: requests.slice(before.requests.length),
    jobs: jobs.slice(before.jobs.length),
  };
}
