/**
 * For every lag from 0 on, the sum of x(i) x(i + lag), x being the values less their mean. By the fast Fourier
 * transform of Cooley and Tukey (Mathematics of Computation 19, 1965, 297-301), padded with as many zeros: O(n log n).
 */
export function autocovariances(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  let sum = 0;
  for (let at = 0; at < n; at += 1) sum += values[at] ?? 0;
  const mean = sum / n;
  let size = 1;
  while (size < 2 * n) size *= 2;
  const real = Float64Array.from({ length: size }, (_, at) => (at < n ? (values[at] ?? 0) - mean : 0));
  const imaginary = new Float64Array(size);
  transform(real, imaginary);
  for (let at = 0; at < size; at += 1) {
    const [re, im] = [real[at] ?? 0, imaginary[at] ?? 0];
    real[at] = (re * re + im * im) / size;
    imaginary[at] = 0;
  }
  // The power of a real series is even, so the transform is its own inverse.
  transform(real, imaginary);
  return real.subarray(0, n);
}

/**
 * The discrete Fourier transform in place; the length is a power of 2. Roots of unity come from half angles and
 * products: sines may differ in the last bit between versions of Node.
 */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  reverseBits(real, imaginary);
  let [stepRe, stepIm] = [-1, 0];
  for (let half = 1; half < size; half *= 2) {
    let [rootRe, rootIm] = [1, 0];
    for (let place = 0; place < half; place += 1) {
      for (let at = place; at < size; at += 2 * half) {
        const [re, im] = [real[at + half] ?? 0, imaginary[at + half] ?? 0];
        const [turnedRe, turnedIm] = [re * rootRe - im * rootIm, re * rootIm + im * rootRe];
        const [ownRe, ownIm] = [real[at] ?? 0, imaginary[at] ?? 0];
        real[at + half] = ownRe - turnedRe;
        imaginary[at + half] = ownIm - turnedIm;
        real[at] = ownRe + turnedRe;
        imaginary[at] = ownIm + turnedIm;
      }
      [rootRe, rootIm] = [rootRe * stepRe - rootIm * stepIm, rootRe * stepIm + rootIm * stepRe];
    }
    const cosine = Math.sqrt((1 + stepRe) / 2);
    [stepRe, stepIm] = [cosine, half === 1 ? -1 : stepIm / (2 * cosine)];
  }
}

function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  let reversed = 0;
  for (let at = 1; at < size; at += 1) {
    let bit = size / 2;
    for (; reversed >= bit && bit > 0; bit /= 2) reversed -= bit;
    reversed += bit;
    if (at >= reversed) continue;
    for (const values of [real, imaginary]) {
      const kept = values[at] ?? 0;
      values[at] = values[reversed] ?? 0;
      values[reversed] = kept;
    }
  }
}
