import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { accepted } from '../../kit/diagnostic.ts';
import type { Behaviour } from '../../service/parse-behaviour.ts';
import { startService } from '../../service/service.ts';
import type { serve } from '../declared/tool-commands.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { listenUntilEnd } from '../line/listening.ts';

type ServeArguments = ArgumentsOf<typeof serve>;

/** `retake serve`: the reference service, by default only for this machine, until it is interrupted. */
export async function serveCommand(args: ServeArguments, edge: Edge): Promise<ExitCode> {
  const behaviour = await loadBehaviour(args.behaviour, edge.cwd);
  return args.embedded ? serveParent(args, behaviour, edge) : serveUser(args, behaviour, edge);
}

async function serveUser(
  { port, host, allowHost, workers }: ServeArguments,
  behaviour: Behaviour,
  edge: Edge,
): Promise<ExitCode> {
  const ownKey = edge.env.RETAKE_API_KEY;
  const key = ownKey === undefined || ownKey === '' ? `rtk-${randomBytes(18).toString('base64url')}` : ownKey;
  const options = { port, host, allowedHosts: allowHost, keys: [key], workers, behaviour };
  const tell = ({ url }: { readonly url: string }) => {
    edge.out.write(`The reference service listens on ${url}\n`);
    // Do not print a key of the environment: it is the user's secret.
    edge.out.write(
      key === ownKey
        ? 'Its key is the value of RETAKE_API_KEY.\n'
        : `Its key is ${key}\n\nTo measure it from another terminal:\n  export RETAKE_BASE_URL=${url} RETAKE_API_KEY=${key}\n`,
    );
    edge.out.write('Press Ctrl-C to stop it.\n');
  };
  const start = () => startService(options);
  return listenUntilEnd({ command: 'serve', asked: options, start, exposes: null, tell }, edge);
}

async function serveParent({ workers }: ServeArguments, behaviour: Behaviour, edge: Edge): Promise<ExitCode> {
  const lines = createInterface({ input: edge.input });
  const parentGone = once(lines, 'close');
  const [key] = await once(lines, 'line');
  const service = await startService({ port: 0, keys: [String(key)], workers, behaviour });
  edge.out.write(`${JSON.stringify({ url: service.url })}\n`);
  await parentGone;
  await service.close();
  return EXIT.ok;
}

async function loadBehaviour(path: string | undefined, cwd: string): Promise<Behaviour> {
  if (path === undefined) return { seed: 1, rules: [] };
  const { loadNamed } = await import('../../suite/named-file.ts');
  const { parseBehaviour } = await import('../../service/parse-behaviour.ts');
  return accepted(parseBehaviour(accepted(await loadNamed(path, cwd)).text, path));
}
