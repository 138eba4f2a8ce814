import { command, type OptionalPart } from '../line/declare.ts';
import { listeningOn, numberOr, optionalText, texts } from '../line/options.ts';

const serve = command(
  'serve',
  '',
  'start the reference service',
  (y, { offered }) =>
    y.options(
      offered({
        ...listeningOn(8787),
        'allow-host': texts('accept one more host name in requests: --allow-host bench.example.com'),
        workers: numberOr(1, 'the number of sampling threads'),
        behaviour: optionalText('a YAML file of faults to inject'),
        embedded: { type: 'boolean', default: false, hidden: true },
      }),
    ),
  async (args, edge) => (await import('./serve.ts')).serveCommand(args, edge),
);

export const PART: OptionalPart = {
  commands: [serve],
  startService: async (program) => (await import('./embedded-service.ts')).startEmbeddedService(program),
};
