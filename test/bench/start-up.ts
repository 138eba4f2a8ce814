import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { medianOf, type Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const PROGRAM = 'dist/main.js';

/** How long the built program takes to say its help, and to plan 10,000 trials. */
export function startUpRows(): readonly Row[] {
  const bare = medianOf(timesOf(['-e', '']));
  const help = medianOf(timesOf([PROGRAM, '--help']));
  const suite = join(scratchFolder(), 'suite.yaml');
  writeFileSync(
    suite,
    'suite: 1\nname: bench\nvariants: { fast: { target: reference/text-to-image } }\nprompts: [a fox, a cat]\nseeds: { first: 0, count: 1000 }\nrepeats: 5\n',
  );
  const plan = medianOf(timesOf([PROGRAM, 'plan', suite]));
  return [
    {
      what: 'start-up, retake --help',
      measured: `${help.toFixed(0)} ms (node alone ${bare.toFixed(0)} ms)`,
      bar: '<= 150 ms',
    },
    { what: 'start-up, retake plan of 10,000 trials', measured: `${plan.toFixed(0)} ms`, bar: '<= 1000 ms' },
  ];
}

function timesOf(args: readonly string[]): readonly number[] {
  return Array.from({ length: 9 }, () => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
    return performance.now() - start;
  });
}
