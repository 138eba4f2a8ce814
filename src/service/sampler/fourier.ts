/**
 * Fast Fourier transforms of real images whose sides are products of 2 and 3.
 *
 * A spectrum is the half that a real image needs: `width` rows of `height / 2 + 1` complex numbers (interleaved real,
 * imaginary), row u column v with frequency (u, v); the other half follows from X(-u, -v) = conj X(u, v). Both
 * directions are unitary, so white noise of variance 1 stays white noise of variance 1.
 */

/** In pixels. Both even, and products of 2 and 3. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export function spectrumColumns({ height }: Size): number {
  return height / 2 + 1;
}

export function spectrumLength(size: Size): number {
  return size.width * spectrumColumns(size) * 2;
}

/** The spectrum of `height` rows of `width` doubles. Does not change the plane. */
export function toSpectrum(plane: Float64Array, size: Size): Float64Array {
  const { width, height } = size;
  const columns = spectrumColumns(size);
  // Two neighbouring columns are the real and the imaginary part of one: half the work of a complex transform.
  const pairs = transformRows(plane.slice(), height, width / 2, -1);
  const spectrum = new Float64Array(spectrumLength(size));
  const scale = 0.5 / Math.sqrt(width * height);
  for (let v = 0; v < columns; v++) {
    const row = v * width;
    const mirrored = ((height - v) % height) * width;
    for (let x = 0; x < width; x += 2) {
      const re = pairs[row + x] ?? 0;
      const im = pairs[row + x + 1] ?? 0;
      const mirroredRe = pairs[mirrored + x] ?? 0;
      const mirroredIm = pairs[mirrored + x + 1] ?? 0;
      const at = (x * columns + v) * 2;
      spectrum[at] = (re + mirroredRe) * scale;
      spectrum[at + 1] = (im - mirroredIm) * scale;
      const next = at + columns * 2;
      spectrum[next] = (im + mirroredIm) * scale;
      spectrum[next + 1] = (mirroredRe - re) * scale;
    }
  }
  return transformRows(spectrum, width, columns, -1);
}

/** The inverse of `toSpectrum`. Does not change the spectrum. */
export function toPlane(spectrum: Float64Array, size: Size): Float64Array {
  const { width, height } = size;
  const columns = spectrumColumns(size);
  const rows = transformRows(spectrum.slice(), width, columns, 1);
  const pairs = new Float64Array(width * height);
  const scale = 1 / Math.sqrt(width * height);
  for (let v = 0; v < columns; v++) {
    const row = v * width;
    const mirrored = ((height - v) % height) * width;
    for (let x = 0; x < width; x += 2) {
      const at = (x * columns + v) * 2;
      const next = at + columns * 2;
      const re = (rows[at] ?? 0) * scale;
      const im = (rows[at + 1] ?? 0) * scale;
      const nextRe = (rows[next] ?? 0) * scale;
      const nextIm = (rows[next + 1] ?? 0) * scale;
      pairs[mirrored + x] = re + nextIm;
      pairs[mirrored + x + 1] = nextRe - im;
      pairs[row + x] = re - nextIm;
      pairs[row + x + 1] = im + nextRe;
    }
  }
  return transformRows(pairs, height, width / 2, 1);
}

/**
 * Transforms a video over time: from complex numbers per frame to complex numbers per frequency in time (`direction`
 * -1), or back (1). Unitary. Overwrites `data`.
 */
export function transformTime(data: Float64Array, frames: number, direction: 1 | -1): Float64Array {
  const transformed = transformRows(data, frames, data.length / frames / 2, direction);
  const scale = 1 / Math.sqrt(frames);
  for (let i = 0; i < transformed.length; i++) transformed[i] = (transformed[i] ?? 0) * scale;
  return transformed;
}

/** Left and right exchanged: x'(n) = x(-1 - n) has X'(u) = X(-u) e^(2 pi i u / width). */
export function mirrorSpectrum(spectrum: Float64Array, size: Size): Float64Array {
  const columns = spectrumColumns(size);
  const mirrored = new Float64Array(spectrum.length);
  for (let u = 0; u < size.width; u++) {
    const angle = (2 * Math.PI * u) / size.width;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const from = ((size.width - u) % size.width) * columns * 2;
    const to = u * columns * 2;
    for (let j = 0; j < columns * 2; j += 2) {
      putTurned(mirrored, to + j, spectrum[from + j] ?? 0, spectrum[from + j + 1] ?? 0, cos, sin);
    }
  }
  return mirrored;
}

/**
 * The discrete Fourier transform along the rows' index, for all columns at once (not scaled): Stockham's self-sorting
 * algorithm in radix 4, 2 and 3 (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 1.7).
 * `direction` is the sign of the exponent. Overwrites `data`, which may be the result.
 */
function transformRows(data: Float64Array, rows: number, columns: number, direction: 1 | -1): Float64Array {
  let from: Float64Array = data;
  let to: Float64Array = new Float64Array(data.length);
  let stride = columns * 2;
  let length = rows;
  while (length > 1) {
    const radix = length % 4 === 0 ? 4 : length % 2 === 0 ? 2 : 3;
    if (length % radix !== 0) throw new Error(`no transform of length ${rows}: not a product of 2 and 3`);
    const parts = length / radix;
    const step: FourierStep = { x: from, y: to, apart: stride * parts, stride, direction };
    const butterfly = radix === 4 ? butterfly4 : radix === 2 ? butterfly2 : butterfly3;
    for (let p = 0; p < parts; p++) {
      butterfly(step, stride * p, stride * radix * p, (direction * 2 * Math.PI * p) / length);
    }
    [from, to] = [to, from];
    length = parts;
    stride *= radix;
  }
  return from;
}

/** One pass over all rows: `apart` lies between the parts of `x` that a butterfly joins. */
interface FourierStep {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly apart: number;
  readonly stride: number;
  readonly direction: 1 | -1;
}

function putTurned(y: Float64Array, at: number, re: number, im: number, cos: number, sin: number): void {
  y[at] = re * cos - im * sin;
  y[at + 1] = re * sin + im * cos;
}

function butterfly2({ x, y, apart, stride }: FourierStep, input: number, output: number, angle: number): void {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  for (let q = 0; q < stride; q += 2) {
    const a = input + q;
    const o = output + q;
    const aRe = x[a] ?? 0;
    const aIm = x[a + 1] ?? 0;
    const bRe = x[a + apart] ?? 0;
    const bIm = x[a + apart + 1] ?? 0;
    y[o] = aRe + bRe;
    y[o + 1] = aIm + bIm;
    putTurned(y, o + stride, aRe - bRe, aIm - bIm, cos, sin);
  }
}

function butterfly3(
  { x, y, apart, stride, direction }: FourierStep,
  input: number,
  output: number,
  angle: number,
): void {
  const cos1 = Math.cos(angle);
  const sin1 = Math.sin(angle);
  const cos2 = Math.cos(2 * angle);
  const sin2 = Math.sin(2 * angle);
  const half = direction * Math.sqrt(0.75);
  for (let q = 0; q < stride; q += 2) {
    const a = input + q;
    const b = a + apart;
    const c = b + apart;
    const o = output + q;
    const aRe = x[a] ?? 0;
    const aIm = x[a + 1] ?? 0;
    const sumRe = (x[b] ?? 0) + (x[c] ?? 0);
    const sumIm = (x[b + 1] ?? 0) + (x[c + 1] ?? 0);
    const turnRe = half * ((x[c + 1] ?? 0) - (x[b + 1] ?? 0));
    const turnIm = half * ((x[b] ?? 0) - (x[c] ?? 0));
    const midRe = aRe - 0.5 * sumRe;
    const midIm = aIm - 0.5 * sumIm;
    y[o] = aRe + sumRe;
    y[o + 1] = aIm + sumIm;
    putTurned(y, o + stride, midRe + turnRe, midIm + turnIm, cos1, sin1);
    putTurned(y, o + 2 * stride, midRe - turnRe, midIm - turnIm, cos2, sin2);
  }
}

function butterfly4(
  { x, y, apart, stride, direction }: FourierStep,
  input: number,
  output: number,
  angle: number,
): void {
  const cos1 = Math.cos(angle);
  const sin1 = Math.sin(angle);
  const cos2 = Math.cos(2 * angle);
  const sin2 = Math.sin(2 * angle);
  const cos3 = Math.cos(3 * angle);
  const sin3 = Math.sin(3 * angle);
  for (let q = 0; q < stride; q += 2) {
    const a = input + q;
    const b = a + apart;
    const c = b + apart;
    const d = c + apart;
    const o = output + q;
    const evenRe = (x[a] ?? 0) + (x[c] ?? 0);
    const evenIm = (x[a + 1] ?? 0) + (x[c + 1] ?? 0);
    const oddRe = (x[b] ?? 0) + (x[d] ?? 0);
    const oddIm = (x[b + 1] ?? 0) + (x[d + 1] ?? 0);
    const lessRe = (x[a] ?? 0) - (x[c] ?? 0);
    const lessIm = (x[a + 1] ?? 0) - (x[c + 1] ?? 0);
    const turnRe = direction * ((x[d + 1] ?? 0) - (x[b + 1] ?? 0));
    const turnIm = direction * ((x[b] ?? 0) - (x[d] ?? 0));
    y[o] = evenRe + oddRe;
    y[o + 1] = evenIm + oddIm;
    putTurned(y, o + stride, lessRe + turnRe, lessIm + turnIm, cos1, sin1);
    putTurned(y, o + 2 * stride, evenRe - oddRe, evenIm - oddIm, cos2, sin2);
    putTurned(y, o + 3 * stride, lessRe - turnRe, lessIm - turnIm, cos3, sin3);
  }
}
