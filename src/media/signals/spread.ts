/**
 * Mean and standard deviation of values that come in runs, as an image's rows: over all of them, divided by their number
 * n and not by n - 1. Sums are taken from the first value on, so that values that are all the same deviate by exactly 0 and
 * a spread that is small beside its mean keeps its digits.
 */
export class Spread {
  #origin = 0;
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(values: Float64Array): void {
    if (this.#count === 0) this.#origin = values[0] ?? 0;
    const origin = this.#origin;
    let [sum, squares] = [0, 0];
    for (let at = 0; at < values.length; at += 1) {
      const above = (values[at] ?? 0) - origin;
      sum += above;
      squares += above * above;
    }
    this.#count += values.length;
    this.#sum += sum;
    this.#squares += squares;
  }

  /** 0 where there was no value. */
  get mean(): number {
    return this.#count === 0 ? 0 : this.#origin + this.#sum / this.#count;
  }

  /** 0 where there was no value. */
  get variance(): number {
    if (this.#count === 0) return 0;
    const mean = this.#sum / this.#count;
    return Math.max(0, this.#squares / this.#count - mean * mean);
  }

  get stdDev(): number {
    return Math.sqrt(this.variance);
  }
}
