interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): boolean;
}

/** Loads each value once, at its first use. After a failed load, the next call tries again. */
export class LoadCache<K, V> {
  readonly #values: Store<K, Promise<V>>;

  constructor(values: Store<K, Promise<V>>) {
    this.#values = values;
  }

  async get(key: K, load: () => Promise<V>): Promise<V> {
    const loading = this.#values.get(key) ?? load();
    this.#values.set(key, loading);
    try {
      return await loading;
    } catch (thrown) {
      this.#values.delete(key);
      throw thrown;
    }
  }
}
