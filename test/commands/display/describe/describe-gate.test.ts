import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../../src/commands/display/print.ts';
import { planCommand } from '../../../../src/commands/measuring/plan.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';

describe('the gate of a plan', () => {
  it('the gate of a plan has a line for each rule, with what it finds for which variants', async () => {
    const edge = memoryEdge(process.cwd());
    expect(await planCommand({ suite: 'suites/demo.yaml', set: [], json: false, bodies: false }, edge)).toBe(0);
    const lines = edge.stdout().split('\n');
    const from = lines.indexOf('Gate:') + 1;
    const gate = lines.slice(from, lines.indexOf('', from));
    expect(gate[0]).toMatch(
      /^ {2}latency\.total may rise by at most 5 %: fast, fast-lcm, anime-fast and anime-fast-lcm: 24 blocks each, detects 1\.\d\dx as long; video-fast, video-fast-lcm and animate-fast-lcm: 12 blocks each, /,
    );
    expect(gate[1]).toMatch(
      /^ {2}error_rate must be at most 20 %: text to image and anime image: 24 takes each, passes with up to 1 event, fails from 9/,
    );
    expect(gate[2]).toMatch(
      /^ {2}determinism\.pixel allows no differing take: text to image and anime image: .*; videos: 12 takes each, /,
    );
    expect(gate.at(-1)).toBe('  A change that a rule detects is found in 80 % of runs, if latencies vary by 15 %');
    expect(gate.length).toBeLessThan(7);
  });

  it('the gate of a plan refuses a limit of latency that the open load is too short for', async () => {
    const planned = async (load: string) => {
      const edge = memoryEdge(process.cwd());
      const set = [`load=${load}`, 'gate=[{metric: latency.total, max: 1s}]'];
      const code = await exitCodeOf(
        () => planCommand({ suite: 'suites/demo.yaml', set, json: false, bodies: false }, edge),
        edge,
      );
      return { code, said: edge.stdout() + edge.stderr() };
    };
    const constant = 'mode: open, arrivals: constant';
    expect(await planned(`{ ${constant}, rate: 1/s, duration: 12s }`)).toMatchObject({ code: 0 });
    const { code, said } = await planned(`{ ${constant}, rate: 2/s, duration: 9s }`);
    expect(code).toBe(2);
    expect(said).toContain('the open load of standard lasts 8.50 s, so that the rule can never pass; it needs 10.0 s');
  });
});
