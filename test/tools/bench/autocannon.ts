import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { startServer } from './child.ts';
import type { Row } from './figures.ts';

const WHAT = 'for orientation: autocannon on the server of the throughput rows, 16 connections';

/** A general load generator on the same server, where one is installed; it is no dependency. */
export async function autocannonRows(): Promise<readonly Row[]> {
  const bar = 'none';
  if (!existsSync('node_modules/.bin/autocannon')) {
    return [{ what: WHAT, measured: 'skipped: autocannon is not installed', bar }];
  }
  const { baseUrl, child: server } = await startServer('body-server', [String(64 * 1024)]);
  const args = ['--no-install', 'autocannon', '--json', '-m', 'POST', '-b', '{}', '-c', '16', '-d', '5'];
  const cannon = spawn('npx', [...args, `${baseUrl}/generate`], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(cannon, 'exit');
  const told = await text(cannon.stdout);
  await ended;
  await server.close();
  const { requests, latency } = JSON.parse(told);
  return [
    { what: WHAT, measured: `${Math.round(requests.average)} / s, p50 ${latency.p50} ms, p99 ${latency.p99} ms`, bar },
  ];
}
