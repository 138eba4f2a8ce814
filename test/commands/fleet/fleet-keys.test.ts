import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../../fixtures/nats-server.ts';
import { retakeHere } from '../../fixtures/retake-process.ts';

function modeOf(...path: readonly string[]): number {
  return statSync(join(...path)).mode & 0o777;
}

describe('retake fleet keys', () => {
  it('retake fleet keys writes nats.conf and secret keys, and says what is next', async () => {
    const folder = freshFolder();
    const { code, stdout, stderr } = await retakeHere(['fleet', 'keys', 'eu-1', 'us_1', '--out', 'keys'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Written: keys/nats.conf, keys/coordinator.key, keys/eu-1.key, keys/us_1.key

Next:
  # start the server; for other machines, first edit the file, as it says
  nats-server -c keys/nats.conf
  # start each worker with its own name and key; copy the key to its machine first
  retake work suite.yaml --fleet nats://127.0.0.1:4222 --name eu-1 --key keys/eu-1.key
  # measure
  retake run suite.yaml --fleet nats://127.0.0.1:4222 --workers 2 --key keys/coordinator.key
`);
    const written = readdirSync(join(folder, 'keys'));
    expect(written.toSorted()).toEqual(['coordinator.key', 'eu-1.key', 'nats.conf', 'us_1.key']);
    const seeds = written
      .filter((name) => name.endsWith('.key'))
      .map((name) => {
        expect(modeOf(folder, 'keys', name)).toBe(0o600);
        return readFileSync(join(folder, 'keys', name), 'utf8');
      });
    expect(new Set(seeds).size).toBe(3);
    const conf = readFileSync(join(folder, 'keys', 'nats.conf'), 'utf8');
    for (const seed of seeds) {
      expect(seed).toMatch(/^SU[A-Z2-7]{56}\n$/);
      expect(conf + stdout).not.toContain(seed.trim());
    }
  });

  it.each(['nats.conf', 'coordinator.key', 'us-1.key'])(
    'retake fleet keys never overwrites %s, and writes nothing then',
    async (there) => {
      const folder = freshFolder();
      writeFileSync(join(folder, there), 'mine');
      const { code, stdout, stderr } = await retakeHere(['fleet', 'keys', 'eu-1', 'us-1'], folder);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toBe(
        `${there} exists; retake fleet keys never overwrites a file: name another folder with --out, or move it away\n`,
      );
      expect(readdirSync(folder)).toEqual([there]);
      expect(readFileSync(join(folder, there), 'utf8')).toBe('mine');
    },
  );

  it('retake fleet keys follows no link that leads nowhere', async () => {
    const folder = freshFolder();
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'eu-1.key'));
    expect((await retakeHere(['fleet', 'keys', 'eu-1'], folder)).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['eu-1.key']);
  });

  it.each(['../x', 'a.b', '*', 'a b', '', 'coordinator', 'a'.repeat(65)])(
    'retake fleet keys refuses the name %j in one sentence, and writes nothing',
    async (name) => {
      const folder = freshFolder();
      const { code, stdout, stderr } = await retakeHere(['fleet', 'keys', 'eu-1', name, '--out', 'keys'], folder);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^"[^"\n]*" is (?:not a valid name of a worker|the name of the coordinator); use [^\n]+\n$/,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('retake fleet keys needs names, and fleet the word keys', async () => {
    const folder = freshFolder();
    const said = async (...args: string[]) => (await retakeHere(['fleet', ...args], folder)).stderr;
    expect(await said()).toBe('retake: name keys, and the workers of a fleet: retake fleet keys eu-1 us-1\n');
    expect(await said('keys')).toBe('retake: name keys, and the workers of a fleet: retake fleet keys eu-1 us-1\n');
    expect(await said('key', 'eu-1')).toContain('write one of "keys"');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('retake fleet keys names the folder that cannot be written to', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await retakeHere(['fleet', 'keys', 'eu-1', '--out', 'file'], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^cannot write to .*file \(E\w+\); name another folder with --out\n$/);
  });

  it.skipIf(NO_NATS_SERVER !== null)('retake fleet keys writes what nats-server takes', async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'keys'));
    await retakeHere(['fleet', 'keys', 'eu-1', '--out', 'keys'], folder);
    const server = await startNatsServer({ conf: join(folder, 'keys', 'nats.conf') });
    for (const name of ['eu-1', 'coordinator']) {
      const seed = readFileSync(join(folder, 'keys', `${name}.key`));
      const authenticator = nkeyAuthenticator(new Uint8Array(seed.subarray(0, -1)));
      const connection = await connect({ servers: server.url, authenticator, reconnect: false });
      expect(connection.info?.nonce).toBeTypeOf('string');
      await connection.close();
    }
    await server.stop();
    expect(existsSync(join(folder, 'keys', 'nats.conf'))).toBe(true);
  });
});
