export class BoundedStore<T> {
  readonly #limit: number;
  readonly #items = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  put(key: string, item: T): void {
    this.#items.delete(key);
    this.#items.set(key, item);
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= this.#limit) return;
      this.#items.delete(oldest);
    }
  }
}
