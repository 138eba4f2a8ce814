import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { fleetProcesses } from '../fixtures/fleet-processes.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { OTHER_NODES } from '../fixtures/other-nodes.ts';
import { retakeHere, serveHere } from '../fixtures/retake-process.ts';
import { createAuthority } from '../fixtures/self-signed.ts';

/* As over machines: the server has a certificate and gives each key its rights, and each machine has its own Node. */

const SUITE = `suite: 1
name: machines
variants: { usual: { target: reference/text-to-image, const: { model: fast-lcm } } }
prompts: [A red fox]
seeds: { first: 1, count: 4 }
repeats: 1
load: { concurrency: 2, warmup: 0 }
reports: [json]
`;
const NAMES = ['w1', 'w2'];
/** Of the coordinator, then of the workers. */
const NODES = [null, ...OTHER_NODES].slice(0, NAMES.length + 1);
const versions = [...new Set(NODES.map((node) => node?.version ?? process.version))].join(', ');
const why = NO_NATS_SERVER === null ? '' : ` (${NO_NATS_SERVER})`;

describe.skipIf(NO_NATS_SERVER !== null)(`a fleet over TLS${why}`, () => {
  it(`a fleet over TLS measures with keys, on ${versions}; who does not trust the certificate sends nothing`, async () => {
    const folder = freshFolder();
    const authority = createAuthority('the authority of a test');
    const { cert, key } = authority.issue('localhost');
    for (const [name, text] of Object.entries({ 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': key })) {
      writeFileSync(join(folder, name), text);
    }
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    expect((await retakeHere(['fleet', 'keys', ...NAMES], folder)).code).toBe(0);
    const conf = readFileSync(join(folder, 'nats.conf'), 'utf8');
    writeFileSync(
      join(folder, 'nats.conf'),
      `${conf}\ntls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }\n`,
    );
    const nats = await startNatsServer({ conf: join(folder, 'nats.conf') });
    onTestFinished(nats.stop);
    const service = await serveHere(['{ cached: {} }']);
    onTestFinished(() => service.close());

    const url = nats.url.replace('nats://127.0.0.1', 'tls://localhost');
    const trusts = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    const env = { ...service.env, ...trusts };
    const nodeOf = (at: number) => NODES[at]?.program ?? process.execPath;
    const fleet = fleetProcesses({ folder, suite: 'machines', run: 'r', url, workers: NAMES, env });
    const alone = ['work', 'suite.yaml', '--fleet', url, '--name', 'w1', '--key', 'w1.key'];
    const stranger = await retakeHere(alone, folder, service.env);
    expect([stranger.code, stranger.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringMatching(/the certificate of the NATS server at \S+ is not trusted .+ set NODE_EXTRA_CA_CERTS/),
    ]);
    const elsewhere = ['--fleet', url.replace('localhost', '127.0.0.1'), '--key', 'coordinator.key'];
    const refused = await fleet.coordinate(elsewhere).ended;
    expect([refused.code, refused.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringMatching(/the certificate of the NATS server at \S+ is for another host/),
    ]);
    expect((await service.stats()).routes).not.toHaveProperty('POST /v2/image/generations');

    const workers = NAMES.map((name, at) => fleet.work(name, ['--key', `${name}.key`], env, nodeOf(at + 1)));
    const coordinator = fleet.coordinate(['--key', 'coordinator.key'], env, nodeOf(0));
    // One waits for another that did not come about: then all end, and the test says why that one did.
    const parts = [coordinator, ...workers];
    const killAll = () => {
      for (const each of parts) each.kill('SIGKILL');
    };
    onTestFinished(killAll);
    const ended = await Promise.all(
      parts.map(async (each) => {
        const end = await each.ended;
        if (end.code !== 0) killAll();
        return end;
      }),
    );
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(({ stderr }) => [0, stderr]));
    const merged = join(folder, 'coordinator', 'machines', 'r');
    const { run }: Analysis = JSON.parse(readFileSync(join(merged, 'analysis.json'), 'utf8'));
    expect(run).toMatchObject({ complete: true, requestsSent: 4 });
    expect(existsSync(join(merged, 'media'))).toBe(true);
  });
});
