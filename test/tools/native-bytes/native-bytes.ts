import { NATIVE_CALLS, type NativeCallName, type Size } from './native-calls.ts';
import { unequalUnderPoison } from './under-poison.ts';

/*
 * npm run native-bytes: whether encoders, decoders and scalers give the same bytes for the same input, whatever is in
 * memory. Each call 200 times at each of 30 sizes in each of four processes. Fails where one gives two results.
 *
 *   npm run native-bytes -- 'service video'             some calls only
 *   RETAKE_NATIVE_TIMES=20 npm run native-bytes         fewer times
 */

const times = Number(process.env.RETAKE_NATIVE_TIMES ?? 200);
if (!Number.isInteger(times) || times < 1) throw new Error('RETAKE_NATIVE_TIMES takes a number from 1 on');

/** Widths that fill no register of 16 macroblocks: 2 to 33 of them, but 16 and 32. Few are a multiple of 16 pixels. */
const SIZES: readonly Size[] = Array.from({ length: 32 }, (_, at) => at + 2)
  .filter((columns) => columns % 16 !== 0)
  .map((columns) => ({ width: 16 * columns - 2 * (columns % 8), height: 48 + 2 * ((7 * columns) % 40) }));

const names = Object.keys(NATIVE_CALLS) as NativeCallName[];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(NATIVE_CALLS, name));
if (unknown.length > 0) throw new Error(`unknown call: ${unknown.join(', ')}; there are ${names.join(', ')}`);

for (const call of names.filter((name) => asked.length === 0 || asked.includes(name))) {
  const start = performance.now();
  const unequal = await unequalUnderPoison({ calls: [call], sizes: SIZES, times });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${call}: ${SIZES.length} sizes, ${4 * times} times each: ${unequal.length} results differ (${seconds} s)`,
  );
  for (const line of unequal) console.log(`  ${line}`);
  if (unequal.length > 0) process.exitCode = 1;
}
