import type { FetchedPage } from '../../../engine/record/item.js';

/** Warnings about pages that probably are not what the user wants: in two words, and what to do. */
export const PAGE_WARNINGS: Readonly<Record<NonNullable<FetchedPage['warning']>, { readonly brief: string; readonly text: string }>> = {
  empty: { brief: 'no text', text: 'The page has no text. Copy the text that your browser shows into a file, and add the file.' },
  login: {
    brief: 'log-in page',
    text: 'This is probably a form to log in, not the page. Copy the text that your browser shows into a file, and add the file.',
  },
};
