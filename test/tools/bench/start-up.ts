import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { medianOf, type Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const PROGRAM = 'dist/main.js';
const PAIRS = 15;

/**
 * How long the built program takes to say its help, to check a small suite and to plan 10,000 trials, beyond what node
 * takes to start. Node and the program are started by turns, and each is held against the start of node just before it:
 * the machine's load is in both.
 */
export function startUpRows(): readonly Row[] {
  const small = written('small.yaml', 'prompts: [a fox, a cat]');
  const large = written('large.yaml', 'prompts: [a fox, a cat]\nseeds: { first: 0, count: 1000 }\nrepeats: 5');
  return [
    startUp('retake --help', ['--help'], "<= node's own + 60 ms"),
    startUp('retake validate of a small suite', ['validate', small], "<= node's own + 200 ms"),
    startUp('retake plan of 10,000 trials', ['plan', large], '<= 1000 ms'),
  ];
}

function startUp(what: string, args: readonly string[], bar: string): Row {
  const pairs = Array.from({ length: PAIRS }, () => ({ bare: timeOf(['-e', '']), own: timeOf([PROGRAM, ...args]) }));
  const [bare, own] = [medianOf(pairs.map((pair) => pair.bare)), medianOf(pairs.map((pair) => pair.own))];
  const beyond = medianOf(pairs.map((pair) => pair.own - pair.bare));
  return {
    what: `start-up, ${what}`,
    measured: `node's own + ${beyond.toFixed(0)} ms (${own.toFixed(0)} ms; node alone ${bare.toFixed(0)} ms)`,
    bar,
  };
}

function written(name: string, rest: string): string {
  const file = join(scratchFolder(), name);
  const variants = 'variants: { fast: { target: reference/text-to-image } }';
  writeFileSync(file, `suite: 1\nname: bench\n${variants}\n${rest}\n`);
  return file;
}

/** Milliseconds from the start of a process to its end. */
function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}
