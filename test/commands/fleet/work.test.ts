import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/commands/display/print.ts';
import { workCommand } from '../../../src/commands/fleet/work.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

test.skipIf(process.platform === 'win32')(
  'a key of a worker that is a pipe is refused before its suite is read',
  async () => {
    const folder = freshFolder();
    execFileSync('mkfifo', [join(folder, 'key')]);
    const edge = memoryEdge(folder);
    const args = {
      suite: 'none.yaml',
      set: [],
      allowOutside: false,
      allowOrigin: [],
      quiet: true,
      yes: true,
      out: 'results',
    };
    const work = () => workCommand({ ...args, fleet: 'nats://127.0.0.1:4222', key: 'key', name: 'a' }, edge);
    expect(await exitCodeOf(work, edge)).toBe(2);
    expect(edge.stderr()).toBe('cannot read key: it is not a file; name a file\n');
  },
);
