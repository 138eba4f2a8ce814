import { command, type OptionalPart } from '../line/declare.ts';
import {
  against,
  allowOrigin,
  allowOutside,
  fleet,
  optionalText,
  out,
  overrides,
  quiet,
  required,
  requiredTexts,
  suite,
  textOr,
  vantage,
  yes,
} from '../line/options.ts';

const work = command(
  'work',
  '<suite>',
  'measure a share of a suite, in step with the other workers of a fleet',
  (y, { offered }) =>
    y
      .positional('suite', suite)
      .options(
        offered({
          fleet: fleet.fleet,
          name: optionalText('the name of this worker, its own in the fleet: --name eu-1'),
          key: fleet.key,
          vantage,
          ...overrides,
          ...out,
          ...quiet,
          ...against,
          ...allowOutside,
          ...allowOrigin,
          ...yes,
        }),
      )
      .check(isNamed),
  async ({ fleet: url, name, ...args }, edge) => {
    // `isNamed` has checked that both are given.
    const { workCommand } = await import('./work.ts');
    return workCommand({ ...args, fleet: url ?? '', name: name ?? '' }, edge);
  },
);

function isNamed({ fleet: url, name }: Partial<Record<'fleet' | 'name', unknown>>): true {
  if (url === undefined || name === undefined) throw new Error('work needs --fleet and --name');
  return true;
}

const keys = command(
  'fleet',
  '<action> <names..>',
  'write the keys of a fleet: one for each worker, and the configuration of nats-server',
  (y, { offered }) =>
    y
      .positional('action', { ...required('what to write'), choices: ['keys'] as const })
      .positional('names', requiredTexts('the names of the workers: letters, digits, - and _'))
      .options(offered({ out: textOr('.', 'the folder to write to') }))
      .epilogue('It never overwrites a file.'),
  async (args, edge) => (await import('./fleet-keys.ts')).fleetKeysCommand(args, edge),
);

export const PART: OptionalPart = {
  commands: [work, keys],
  runFleet: async (args, edge) => (await import('./fleet-run.ts')).fleetRunCommand(args, edge),
};
