/**
 * Returns the texts in braces after a mark, such as `git diff` in `!{git diff}`, in the order of their beginnings. They
 * can have braces in pairs. Takes linear time, also for many braces without an end.
 */
export function bracedTexts(text: string, mark: '!' | '@'): readonly string[] {
  const open: number[] = [];
  const found: { readonly from: number; readonly until: number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') {
      open.push(at);
    } else if (text[at] === '}') {
      const from = open.pop();
      if (from !== undefined && text[from - 1] === mark) {
        found.push({ from, until: at });
      }
    }
  }
  return found.toSorted((a, b) => a.from - b.from).map(({ from, until }) => text.slice(from + 1, until).trim());
}
