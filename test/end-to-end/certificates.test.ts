import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type JournalEntries, journalOf, onlyRun, retake } from '../fixtures/retake-process.ts';
import { createAuthority } from '../fixtures/self-signed.ts';

/*
 * Servers whose certificate comes from an authority that the process trusts, as it does for those of the internet: what is wrong is then
 * the certificate itself.
 */

const AUTHORITY = createAuthority('Test authority');
const KEY = 'sk-never-sent-0123456789';

/** What a run of one request finds at a server with that TLS, and what the server was asked. */
async function runAt(
  tls: TlsOptions,
): Promise<JournalEntries & { readonly asked: number; readonly code: number | null }> {
  let asked = 0;
  const server = createServer(tls, (_request, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const folder = freshFolder();
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'ca.pem'), AUTHORITY.cert);
  writeFileSync(
    join(folder, 'targets', 'own', 'images.yaml'),
    `target: 1
id: own/images
kind: text-to-image
base_url: https://localhost:${port}
auth: { in: header, name: Authorization, value: "Bearer \${secret.KEY}" }
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}" } }
result: { from: body, expect: image/* }
`,
  );
  writeFileSync(
    join(folder, 's.yaml'),
    'suite: 1\nname: s\nvariants: { a: { target: own/images } }\nprompts: [fox]\nrepeats: 1\nload: { warmup: 0 }\nlimits: { failures: 100% }\n',
  );
  const env = { KEY, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  const { code } = await retake(['run', 's.yaml', '--quiet'], folder, env);
  return { ...journalOf(onlyRun(join(folder, 'results'))), asked, code };
}

test('a certificate of a trusted authority is accepted: the server is asked', async () => {
  const { samples, asked } = await runAt(AUTHORITY.issue('localhost'));
  expect(samples).toMatchObject([{ outcome: 'error', error: { code: 'http_500' } }]);
  expect(asked).toBe(1);
});

test.each<[string, TlsOptions, RegExp]>([
  ['has expired', AUTHORITY.issue('localhost', '210101000000Z'), /certificate has expired/],
  ['is that of another host', AUTHORITY.issue('elsewhere.test'), /does not match certificate.*elsewhere\.test/],
  ['comes from an authority that nobody knows', createAuthority('Test authority').issue('localhost'), /certificate/],
])('a server whose certificate %s is never asked, and gets no key', async (_what, tls, says) => {
  const { samples, asked } = await runAt(tls);
  expect(samples).toMatchObject([{ outcome: 'error', error: { code: 'tls_failed' } }]);
  expect(samples[0]?.error?.message).toMatch(says);
  expect(asked).toBe(0);
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a server that demands a certificate of its client: gets no request (%s)',
  async (maxVersion) => {
    const { samples, asked } = await runAt({
      ...AUTHORITY.issue('localhost'),
      ca: AUTHORITY.cert,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion,
    });
    const message = expect.stringMatching(
      /^the TLS handshake failed: .*alert.*; the server may demand a client certificate, and Retake sends none$/,
    );
    expect(samples).toMatchObject([{ outcome: 'error', error: { code: 'tls_failed', message } }]);
    expect(asked).toBe(0);
  },
);
