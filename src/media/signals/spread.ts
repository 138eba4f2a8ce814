/**
 * Mean and standard deviation, divided by n and not n - 1, of values that come in runs, such as rows. Sums are relative
 * to the first value, so that equal values deviate by exactly 0 and a small spread keeps its digits.
 */
export class SampleSpread {
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

  get mean(): number {
    return this.#count === 0 ? 0 : this.#origin + this.#sum / this.#count;
  }

  get variance(): number {
    if (this.#count === 0) return 0;
    const mean = this.#sum / this.#count;
    return Math.max(0, this.#squares / this.#count - mean * mean);
  }

  get stdDev(): number {
    return Math.sqrt(this.variance);
  }
}
