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

  get(key: K, load: () => Promise<V>): Promise<V> {
    const known = this.#values.get(key);
    if (known !== undefined) {
      return known;
    }
    const loading = load();
    this.#values.set(key, loading);
    loading.catch(() => this.#values.delete(key));
    return loading;
  }
}
