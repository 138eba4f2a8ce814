import { command, type OptionalPart } from '../line/declare.ts';
import { flag, listeningOn, out } from '../line/options.ts';

const view = command(
  'view',
  '[run]',
  'show results in a browser; follow a run in progress',
  (y, { offered }) =>
    y
      .positional('run', {
        type: 'string',
        describe: "the folder of a run, or a suite's folder: its latest run; without it, all results",
      })
      .options(
        offered({ ...out, ...listeningOn(8788), open: flag('open the address in the browser of this machine') }),
      ),
  async (args, edge) => (await import('./view.ts')).viewCommand(args, edge),
);

export const PART: OptionalPart = { commands: [view] };
