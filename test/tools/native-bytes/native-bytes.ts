import { askedOf, wholeNumber } from '../arguments.ts';
import { NATIVE_CALLS, type NativeCallName, type Size } from './native-calls.ts';
import { unequalUnderPoison } from './under-poison.ts';

/*
 * npm run native-bytes: whether encoders, decoders and scalers give the same bytes for the same input, whatever is in
 * memory. Each call 200 times at each of 30 sizes in each of four processes. Fails where one gives two results.
 *
 *   npm run native-bytes -- 'service video'             some calls only
 *   RETAKE_NATIVE_TIMES=20 npm run native-bytes         fewer times
 */

const times = wholeNumber('RETAKE_NATIVE_TIMES', 200);

/** Widths that fill no register of 16 macroblocks: 2 to 33 of them, but 16 and 32. Few are a multiple of 16 pixels. */
const SIZES: readonly Size[] = Array.from({ length: 32 }, (_, at) => at + 2)
  .filter((columns) => columns % 16 !== 0)
  .map((columns) => ({ width: 16 * columns - 2 * (columns % 8), height: 48 + 2 * ((7 * columns) % 40) }));

for (const call of askedOf(Object.keys(NATIVE_CALLS) as NativeCallName[])) {
  const start = performance.now();
  const unequal = await unequalUnderPoison({ calls: [call], sizes: SIZES, times });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${call}: ${SIZES.length} sizes, ${4 * times} times each: ${unequal.length} results differ (${seconds} s)`,
  );
  for (const line of unequal) console.log(`  ${line}`);
  if (unequal.length > 0) process.exitCode = 1;
}
