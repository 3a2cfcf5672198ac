/** Returns the texts in braces after a mark, such as `git diff` in `!{git diff}`. They can have braces in pairs. */
export function bracedTexts(text: string, mark: '!' | '@'): readonly string[] {
  const found: string[] = [];
  for (let begin = text.indexOf(`${mark}{`); begin !== -1; begin = text.indexOf(`${mark}{`, begin + 2)) {
    const end = closingBrace(text, begin + 1);
    if (end !== null) {
      found.push(text.slice(begin + 2, end).trim());
    }
  }
  return found;
}

/** Returns the place of the brace that closes the brace at `from`. Null without one. */
function closingBrace(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    if (depth === 0) {
      return at;
    }
  }
  return null;
}
