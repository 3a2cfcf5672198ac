/** Returns a name for each title. Adds a number to a title that an earlier tab has: `Tides`, `Tides (2)`. */
export function tabNames(titles: readonly string[]): readonly string[] {
  return titles.map((title, at) => {
    const before = titles.slice(0, at).filter((other) => other === title).length;
    return before === 0 ? title : `${title} (${String(before + 1)})`;
  });
}
