/** Maximum number of characters of a title. Chips and rows show a part of it. */
const MOST_CHARACTERS = 200;

/** Returns the title of a page in one line. Null for an empty title. */
export function pageTitle(text: string): string | null {
  const title = Array.from(
    text
      .slice(0, 10 * MOST_CHARACTERS)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const shown = title.length > MOST_CHARACTERS ? `${title.slice(0, MOST_CHARACTERS - 1).join('')}…` : title.join('');
  return shown === '' ? null : shown;
}
