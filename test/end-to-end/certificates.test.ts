import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpsServer } from 'node:https';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type JournalEntries, journalOf, onlyRun, retake } from '../fixtures/retake-process.ts';
import { createAuthority } from '../fixtures/self-signed.ts';

/*
 * Servers whose certificate comes from an authority that the process trusts, as it does for those of the internet: what
 * is wrong is then the certificate itself.
 */

const AUTHORITY = createAuthority('Test authority');
const KEY = 'sk-never-sent-0123456789';

/** What servers with their own TLS are asked, all in one run: the process trusts the authority when it starts. */
const SERVERS = {
  trusted: AUTHORITY.issue('localhost'),
  expired: AUTHORITY.issue('localhost', '210101000000Z'),
  elsewhere: AUTHORITY.issue('elsewhere.test'),
  unknown: createAuthority('Test authority').issue('localhost'),
  'demanding-1.2': demanding('TLSv1.2'),
  'demanding-1.3': demanding('TLSv1.3'),
} satisfies Record<string, TlsOptions>;

type Server = keyof typeof SERVERS;

/** A server that wants a certificate of its client. */
function demanding(maxVersion: 'TLSv1.2' | 'TLSv1.3'): TlsOptions {
  const issued = AUTHORITY.issue('localhost');
  return { ...issued, ca: AUTHORITY.cert, requestCert: true, rejectUnauthorized: true, maxVersion };
}

const asked = new Map<string, number>();
let samples: JournalEntries['samples'];

beforeAll(async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'ca.pem'), AUTHORITY.cert);
  const servers: HttpsServer[] = [];
  for (const [name, tls] of Object.entries(SERVERS)) {
    const server = countingServer(name, tls);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    writeFileSync(
      join(folder, 'targets', 'own', `${name}.yaml`),
      `target: 1
id: own/${name}
kind: text-to-image
base_url: https://localhost:${port}
auth: { in: header, name: Authorization, value: "Bearer \${secret.KEY}" }
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}" } }
result: { from: body, expect: image/* }
`,
    );
  }
  const variants = Object.keys(SERVERS)
    .map((name) => `"${name}": { target: own/${name} }`)
    .join(', ');
  writeFileSync(
    join(folder, 's.yaml'),
    `suite: 1\nname: s\nvariants: { ${variants} }\nprompts: [fox]\nrepeats: 1\nload: { warmup: 0 }\nlimits: { failures: 100% }\n`,
  );
  const env = { KEY, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  const { stderr } = await retake(['run', 's.yaml', '--quiet', '--set', 'reports=[]'], folder, env);
  for (const server of servers) server.close();
  expect(stderr).not.toContain('internal error');
  ({ samples } = journalOf(onlyRun(join(folder, 'results'))));
});

/** A server that counts what it is asked. */
function countingServer(name: string, tls: TlsOptions): HttpsServer {
  const server = createServer(tls, (_request, response) => {
    asked.set(name, (asked.get(name) ?? 0) + 1);
    response.writeHead(500).end();
  });
  server.on('tlsClientError', () => undefined);
  return server;
}

const sampleOf = (name: Server) => samples.filter(({ trial }) => trial.variant === name);

test('a certificate of a trusted authority is accepted: the server is asked', () => {
  expect(sampleOf('trusted')).toMatchObject([{ outcome: 'error', error: { code: 'http_500' } }]);
  expect(asked.get('trusted')).toBe(1);
});

test.each<[string, Server, RegExp]>([
  ['has expired', 'expired', /certificate has expired/],
  ['is that of another host', 'elsewhere', /does not match certificate.*elsewhere\.test/],
  ['comes from an authority that nobody knows', 'unknown', /certificate/],
])('a server whose certificate %s is never asked, and gets no key', (_what, name, says) => {
  const found = sampleOf(name);
  expect(found).toMatchObject([{ outcome: 'error', error: { code: 'tls_failed' } }]);
  expect(found[0]?.error?.message).toMatch(says);
  expect(asked.get(name)).toBeUndefined();
});

test.each<[string, Server]>([
  ['TLSv1.2', 'demanding-1.2'],
  ['TLSv1.3', 'demanding-1.3'],
])('a server that demands a certificate of its client: gets no request (%s)', (_version, name) => {
  const message = expect.stringMatching(
    /^the TLS handshake failed: .*alert.*; the server may demand a client certificate, and Retake sends none$/,
  );
  expect(sampleOf(name)).toMatchObject([{ outcome: 'error', error: { code: 'tls_failed', message } }]);
  expect(asked.get(name)).toBeUndefined();
});
