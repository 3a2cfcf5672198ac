export function column<T, K extends keyof T>(items: readonly T[], key: K): T[K][];
export function column<T, K extends keyof T>(items: readonly T[] | null | undefined, key: K): T[K][] | undefined;
export function column<T, K extends keyof T>(items: readonly T[] | null | undefined, key: K): T[K][] | undefined {
  return items?.map((item) => item[key]);
}

export function columns<T>(items: readonly T[], ...keys: (keyof T)[]): unknown[][];
export function columns<T>(items: readonly T[] | null | undefined, ...keys: (keyof T)[]): unknown[][] | undefined;
export function columns<T>(items: readonly T[] | null | undefined, ...keys: (keyof T)[]): unknown[][] | undefined {
  return items?.map((item) => keys.map((key) => item[key]));
}
