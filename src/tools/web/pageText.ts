import { decoded } from './charset.js';
import type { Conversion, PageFile } from './conversion.js';
import { markdownOf } from './htmlToMarkdown.js';

type FileType = 'html' | 'pdf' | 'text';

/** Types that are text although their names do not begin with `text/`. */
const TEXT_TYPES =
  /^(?:text\/|application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|x-yaml|toml|javascript|x-javascript|x-ndjson|x-sh|sql|graphql)$)/;
const HTML_TYPES = /^(?:text\/html|application\/xhtml\+xml)$/;

/** Maximum size of the text of a page, the same as of a file. */
const MOST_TEXT = 1024 * 1024;

/** Converts a fetched file to text: HTML to Markdown, PDF to its text, other text as it is. */
export async function pageText(file: PageFile): Promise<Conversion> {
  const conversion = await converted(file);
  return conversion.ok && Buffer.byteLength(conversion.text) > MOST_TEXT ? { ok: false, problem: 'textTooLarge' } : conversion;
}

async function converted(file: PageFile): Promise<Conversion> {
  const mime = (file.contentType.split(';')[0] ?? '').trim().toLowerCase();
  const type = typeOf(mime, file.bytes);
  try {
    switch (type) {
      case 'html':
        return { ok: true, ...markdownOf(decoded(file.bytes, file.contentType, 'html')) };
      case 'pdf': {
        const { pdfText } = await import('./pdfText.js');
        return { ok: true, ...(await pdfText(file.bytes)) };
      }
      case 'text': {
        const text = decoded(file.bytes, file.contentType, 'text');
        return text.includes('\0')
          ? { ok: false, problem: 'type', type: mime === '' ? 'unknown' : mime }
          : { ok: true, title: null, text, warning: text.trim() === '' ? 'empty' : null };
      }
      case null:
        return { ok: false, problem: 'type', type: mime };
    }
  } catch (thrown) {
    return { ok: false, problem: 'unreadable', cause: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Returns the type of a file by its beginning and its `content-type`. Null for a type that is no text. */
function typeOf(mime: string, bytes: Uint8Array): FileType | null {
  const begin = Buffer.from(bytes.subarray(0, SNIFFED)).toString('latin1');
  if (mime === 'application/pdf' || begin.startsWith('%PDF-')) {
    return 'pdf';
  }
  if (HTML_TYPES.test(mime)) {
    return 'html';
  }
  if (TEXT_TYPES.test(mime)) {
    return 'text';
  }
  if (mime !== '' && mime !== 'application/octet-stream') {
    return null;
  }
  return /^\s*<(?:!doctype html|html)\b/i.test(begin) ? 'html' : 'text';
}

/** Number of bytes that show the type of a file whose server does not name it. */
const SNIFFED = 512;
