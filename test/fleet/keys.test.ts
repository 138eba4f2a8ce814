import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type NatsConnection, nkeyAuthenticator, type Status } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Key, loadEngine } from '../../src/fleet/engine.ts';
import { checkNames, inboxPrefix, natsConf } from '../../src/fleet/keys.ts';
import { accepted } from '../../src/kit/diagnostic.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type NatsServer, NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';

const PUBLIC = `U${'A'.repeat(55)}`;

describe('nats.conf', () => {
  it('nats.conf says on its first lines how to start the server, and shows TLS', () => {
    const text = natsConf(PUBLIC, []);
    expect(text.split('\n').slice(0, 2).join('\n')).toContain('nats-server -c nats.conf');
    expect(text).toContain('#   tls { cert_file: "server-cert.pem", key_file: "server-key.pem" }');
  });

  it('nats.conf has the words of each worker and no others', () => {
    const text = natsConf(PUBLIC, [{ name: 'eu-1', publicKey: PUBLIC.replace('A', 'B') }]);
    const [, , worker] = text.split('nkey: ');
    expect(worker).toBe(`${PUBLIC.replace('A', 'B')}
      permissions: {
        publish: { allow: ["retake.hello.eu-1", "retake.from.eu-1"] }
        subscribe: { allow: ["retake.to.eu-1", "_INBOX_eu-1.>"] }
        allow_responses: { max: 1, expires: "1m" }
      }
    }
  ]
}
`);
  });
});

describe('names of workers', () => {
  it('names of workers have letters, digits, - and _', () => {
    expect(checkNames(['eu-1', 'US_2', '7', 'a'.repeat(64), '-', '__proto__']).ok).toBe(true);
  });

  it.each(['', 'a.b', '*', '>', 'a b', 'a\nb', '../x', 'a/b', 'ä', 'a"b', 'a'.repeat(65), 'x\0', '$SYS'])(
    'names of workers are refused with others: %j',
    (name) => {
      const checked = checkNames([name]);
      const remedy = 'use up to 64 letters, digits, - and _';
      const cause = `${JSON.stringify(name)} is not a valid name of a worker`;
      expect(checked).toEqual({ ok: false, diagnostics: [{ place: null, cause, remedy }] });
    },
  );

  it('names of workers are distinct, in lower case too, and not that of the coordinator', () => {
    const causes = (names: readonly string[]) => {
      const checked = checkNames(names);
      return checked.ok ? [] : checked.diagnostics.map(({ cause }) => cause);
    };
    expect(causes(['a', 'a'])).toEqual(['a is named twice']);
    expect(causes(['a', 'A'])).toEqual(['A and a differ only in case']);
    expect(causes(['coordinator', 'Coordinator'])).toEqual([
      '"coordinator" is the name of the coordinator',
      '"Coordinator" is the name of the coordinator',
    ]);
  });
});

describe.skipIf(NO_NATS_SERVER !== null)('nats-server with the keys of a fleet', () => {
  let server: NatsServer;
  const keys = new Map<string, Key>();
  const open: NatsConnection[] = [];

  beforeAll(async () => {
    const engine = accepted(await loadEngine());
    for (const name of ['coordinator', 'eu-1', 'us-1', 'stranger']) keys.set(name, engine.makeKey());
    const publicKey = (name: string) => keys.get(name)?.publicKey ?? '';
    const workers = ['eu-1', 'us-1'].map((name) => ({ name, publicKey: publicKey(name) }));
    const conf = join(freshFolder(), 'nats.conf');
    writeFileSync(conf, natsConf(publicKey('coordinator'), workers));
    server = await startNatsServer({ conf });
  });

  afterAll(async () => {
    for (const each of open) await each.close();
    await server.stop();
  });

  /** A connection with somebody's key, and what the server refused it. */
  async function member(name: string, inbox = inboxPrefix(name)): Promise<Connected> {
    const seed = Buffer.from(keys.get(name)?.seed ?? '');
    const connection = await connect({
      servers: server.url,
      authenticator: nkeyAuthenticator(seed),
      inboxPrefix: inbox,
      reconnect: false,
    });
    open.push(connection);
    const refusals: string[] = [];
    void (async () => {
      for await (const status of connection.status()) if (status.type === 'error') refusals.push(errorOf(status));
    })();
    return { connection, refusals };
  }

  /** Waits until the server has read all that was sent to it. */
  async function refusedOf({ connection, refusals }: Connected): Promise<readonly string[]> {
    await connection.flush();
    await connection.flush();
    return refusals;
  }

  it('a worker says hello and hears the answer, and the coordinator the same of a worker', async () => {
    const [coordinator, worker] = [await member('coordinator'), await member('eu-1')];
    const told: string[] = [];
    coordinator.connection.subscribe('retake.from.*', { callback: (_, message) => void told.push(message.string()) });
    coordinator.connection.subscribe('retake.hello.*', { callback: (_, message) => void message.respond('accepted') });
    worker.connection.subscribe('retake.to.eu-1', { callback: (_, message) => void message.respond('taken') });
    await refusedOf(coordinator);
    await refusedOf(worker);
    expect((await worker.connection.request('retake.hello.eu-1', 'hello')).string()).toBe('accepted');
    expect((await coordinator.connection.request('retake.to.eu-1', 'share')).string()).toBe('taken');
    worker.connection.publish('retake.from.eu-1', 'ready');
    await expect.poll(() => told).toEqual(['ready']);
    expect([await refusedOf(coordinator), await refusedOf(worker)]).toEqual([[], []]);
  });

  it.each([
    'retake.hello.us-1',
    'retake.from.us-1',
    'retake.to.eu-1',
    'retake.to.us-1',
    '_INBOX_us-1.x',
    '_INBOX_coordinator.x',
    '$SYS.REQ.SERVER.PING',
    'other',
  ])('a worker cannot publish %s, and nobody hears it', async (subject) => {
    const [coordinator, victim, forger] = [await member('coordinator'), await member('us-1'), await member('eu-1')];
    const heard: string[] = [];
    const callback = (_: Error | null, message: { readonly subject: string }) => void heard.push(message.subject);
    for (const own of ['retake.hello.*', 'retake.from.*', '_INBOX_coordinator.>']) {
      coordinator.connection.subscribe(own, { callback });
    }
    for (const own of ['retake.to.us-1', '_INBOX_us-1.>']) victim.connection.subscribe(own, { callback });
    await refusedOf(coordinator);
    await refusedOf(victim);
    forger.connection.publish(subject, 'forged');
    // It arrives after what was forged.
    forger.connection.publish('retake.from.eu-1', 'own');
    await expect.poll(() => heard).toContain('retake.from.eu-1');
    expect(await refusedOf(forger)).toEqual([`Permissions Violation for Publish to "${subject}"`]);
    expect(await refusedOf(victim)).toEqual([]);
    expect(heard).toEqual(['retake.from.eu-1']);
  });

  it.each([
    'retake.to.us-1',
    'retake.to.*',
    'retake.from.us-1',
    'retake.hello.*',
    '_INBOX_us-1.>',
    '_INBOX_coordinator.>',
    '>',
    '*.*.*',
  ])('a worker cannot subscribe to %s', async (subject) => {
    const [coordinator, spy] = [await member('coordinator'), await member('eu-1')];
    const heard: string[] = [];
    spy.connection.subscribe(subject, {
      callback: (error, message) => void heard.push(error?.message ?? message.subject),
    });
    await refusedOf(spy);
    await expect.poll(() => heard).toEqual([`Permissions Violation for Subscription to "${subject}"`]);
    coordinator.connection.publish('retake.to.us-1', 'share');
    await refusedOf(coordinator);
    await refusedOf(spy);
    expect(heard.length).toBe(1);
  });

  it('the coordinator cannot speak for a worker, and hears no more than is told to it', async () => {
    const coordinator = await member('coordinator');
    coordinator.connection.publish('retake.from.eu-1', 'forged');
    coordinator.connection.subscribe('_INBOX_eu-1.>', { callback: () => {} });
    expect(await refusedOf(coordinator)).toEqual([
      'Permissions Violation for Publish to "retake.from.eu-1"',
      'Permissions Violation for Subscription to "_INBOX_eu-1.>"',
    ]);
  });

  it('a worker gives one answer to one message', async () => {
    const [coordinator, worker] = [await member('coordinator'), await member('us-1')];
    worker.connection.subscribe('retake.to.us-1', {
      callback: (_, message) => {
        message.respond('first');
        message.respond('second');
      },
    });
    await refusedOf(worker);
    expect((await coordinator.connection.request('retake.to.us-1', 'go')).string()).toBe('first');
    expect(await refusedOf(worker)).toEqual([
      expect.stringMatching(/^Permissions Violation for Publish to "_INBOX_coordinator\./),
    ]);
  });

  it('nobody connects without a key, or with a key that nats.conf does not have', async () => {
    const keyless = await accepted(await loadEngine()).connect({ url: server.url, name: 'eu-1', key: null });
    expect(keyless).toMatchObject({ ok: false, diagnostics: [{ remedy: expect.stringContaining('add --key') }] });
    await expect(member('stranger')).rejects.toThrow(/Authorization Violation/i);
    // Knowing a public key does not help.
    const nkey = keys.get('eu-1')?.publicKey ?? '';
    const forged = connect({ servers: server.url, reconnect: false, authenticator: () => ({ nkey, sig: 'AAAA' }) });
    await expect(forged).rejects.toThrow(/Authorization Violation/i);
  });

  it('a worker connects again after the server was killed', async () => {
    await server.kill();
    await expect(member('eu-1')).rejects.toThrow(/ECONNREFUSED|refused/i);
    await server.restart();
    expect((await member('eu-1')).connection.isClosed()).toBe(false);
  });
});

interface Connected {
  readonly connection: NatsConnection;
  readonly refusals: readonly string[];
}

function errorOf(status: Status): string {
  return 'error' in status && status.error instanceof Error ? status.error.message : '';
}
