import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import type { PageText } from './conversion.js';
import { pageTitle } from './pageTitle.js';

/** Returns the text of a PDF file, page by page. A file of scanned pages has no text. */
export async function pdfText(bytes: Uint8Array): Promise<PageText> {
  // The library changes the bytes that it gets.
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text: pages } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const title = typeof info['Title'] === 'string' ? pageTitle(info['Title']) : null;
  const text = pages.map((page) => page.trim()).join('\n\n');
  return { title, text, warning: text.trim() === '' ? 'empty' : null };
}
