import assert from 'node:assert/strict';

/** A list from outside, such as rule files: how to make its items, and how Loupe reads it. */
export interface ForeignList<Item> {
  /** Makes a good item with this name. */
  readonly good: (name: string) => Item;
  /** Damaged items by the kind of damage, each with the name `bad`. */
  readonly bad: Readonly<Record<string, Item>>;
  /** Returns what Loupe reads by the name of the item, and the sentences that the user sees. */
  readonly read: (items: readonly Item[]) => Promise<{ readonly values: ReadonlyMap<string, unknown>; readonly said: readonly string[] }>;
  /** What a sentence about the bad item must contain, such as the file. Null if the item is read without a problem. */
  readonly named: string | null;
}

/** Tests that one bad item among three good ones changes none of the good ones, and is named. */
export function readsOneBadAmongThreeGood<Item>({ good, bad, read, named }: ForeignList<Item>): void {
  const names = ['first', 'second', 'third'];
  for (const [kind, item] of Object.entries(bad)) {
    it(`reads three good items as if a fourth were not there that is damaged: ${kind}`, async () => {
      const items = names.map((name) => good(name));
      const alone = await read(items);
      assert.equal(alone.values.size, names.length);
      assert.deepEqual(alone.said, [], 'good items have no remarks');
      for (const at of [0, 1, names.length]) {
        const { values, said } = await read(items.toSpliced(at, 0, item));
        assert.deepEqual(
          names.map((name) => values.get(name)),
          names.map((name) => alone.values.get(name)),
        );
        assert.ok(named === null || said.some((text) => text.includes(named)), `${kind} is not named: ${said.join(' ')}`);
      }
    });
  }
}
