/** Number of bytes at the beginning of a page in which HTML allows the name of the encoding. */
const META_BYTES = 1024;

/**
 * Decodes the bytes of a page. Uses the first encoding without an error: of the byte order mark, of the header
 * `content-type`, of the page itself, then UTF-8. If none fits, uses windows-1252 like browsers, which fits all bytes.
 */
export function decoded(bytes: Uint8Array, contentType: string, type: 'html' | 'text'): string {
  const labels = [markOf(bytes), labelIn(contentType), type === 'html' ? metaOf(bytes) : null, 'utf-8'];
  for (const label of labels) {
    const text = label === null ? null : decodedAs(label, bytes);
    if (text !== null) {
      return text;
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Returns null when the encoding is unknown, or the bytes are not valid in it. */
function decodedAs(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof RangeError || thrown instanceof TypeError) {
      return null;
    }
    throw thrown;
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return 'utf-8';
  }
  if (first === 0xfe && second === 0xff) {
    return 'utf-16be';
  }
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

function metaOf(bytes: Uint8Array): string | null {
  const begin = Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
  const tag = /<meta\b[^>]*\bcharset\b[^>]*>/i.exec(begin);
  return tag === null ? null : labelIn(tag[0]);
}

function labelIn(text: string): string | null {
  return /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1] ?? null;
}
