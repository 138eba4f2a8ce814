import { command, type OptionalPart } from '../line/declare.ts';
import { allowCommands, flag, optionalNumber, optionalText, quiet, run } from '../line/options.ts';

const score = command(
  'score',
  '<run>',
  'add scores to the outputs of a run, and report it again',
  (y, { offered }) =>
    y.positional('run', run).options(
      offered({
        ...quiet,
        from: optionalText('a CSV file of scores, with the columns trial, metric and value'),
        suite: optionalText('use the scorers and expect of this suite; by default the suite of the run'),
        ...allowCommands,
        yes: flag('start without confirmation, even if a judge may cost more than 1 USD'),
      }),
    ),
  async (args, edge) => (await import('./score.ts')).scoreCommand(args, edge),
);

const vote = command(
  'vote',
  '<run>',
  'blind votes: which of two images or videos is better',
  (y, { offered }) =>
    y.positional('run', run).options(
      offered({
        ...quiet,
        pairs: {
          ...optionalNumber('pairs per variant, each with the baseline variant; fixed when ballots are first drawn'),
          defaultDescription: '40',
        },
        port: { ...optionalNumber('the port; 0 picks a free port'), defaultDescription: '8789' },
        host: {
          ...optionalText('the IP address to listen on; by default, only this machine can connect'),
          defaultDescription: '127.0.0.1',
        },
        export: optionalText('serve nothing; write a page to vote in: one file, for anybody'),
        import: optionalText('add the votes that such a page saved: a CSV file with ballot, choice and voter'),
      }),
    ),
  async (args, edge) => (await import('./vote.ts')).voteCommand(args, edge),
);

export const PART: OptionalPart = {
  commands: [score, vote],
  loadScoring: async () => (await import('./scoring.ts')).SCORING,
};
