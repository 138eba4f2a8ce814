import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { NO_NODE_AV } from '../../fixtures/no-node-av.ts';
import { NIGHTLY } from '../../test-options.ts';
import { unequalUnderPoison } from './under-poison.ts';

/*
 * A sample of `npm run native-bytes`. Where the C library is not glibc, memory is not filled, and what remains is that
 * calls in several processes give the same.
 */

/** 11 and 6 macroblocks wide: neither a multiple of 16, nor is either width. The larger in the long form alone. */
const SIZES = [...(NIGHTLY ? [{ width: 174, height: 98 }] : []), { width: 94, height: 66 }];

const OF_VIDEO = ['service video by instructions', 'decoded video', 'decoded VP9', 'decoded frames'] as const;
const OF_IMAGES = ['service image', 'service upload', 'decoded images'] as const;

beforeAll(() => {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(manifest), 'bin', 'tsc');
  // What `npm run types` checks is not checked again.
  const project = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  execFileSync(process.execPath, [compiler, '-p', project, '--noCheck']);
});

test('native code gives the same bytes for the same input, whatever is in memory and whatever instructions x264 uses', async () => {
  const calls = [...(NO_NODE_AV ? [] : OF_VIDEO), ...OF_IMAGES];
  expect(await unequalUnderPoison({ calls, sizes: SIZES, times: NIGHTLY ? 50 : 1 })).toEqual([]);
});
