/** The longest words of a server that are kept, in characters: enough for any message, too little for a page. */
const LONGEST_TEXT = 2_000;

/** What a server says in its error; of a page, only that it is one, and its title. */
export function serverText(message: string): string {
  if (!/<(?:!doctype|html|head|title)\b/i.test(message)) {
    return cut(message.trim());
  }
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(message)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  return title === '' ? 'a page without a title' : cut(`a page with the title "${title}"`);
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
