import { entries, type Numbers, type Texts } from './entry.js';

type Host = Texts<'host'>;

/** Failures of fetching web pages. */
export const PAGE_FAILURES = {
  ...entries('invalidInput', {
    'page.badAddress': ({ text }: Texts<'text'>) =>
      `${JSON.stringify(text)} is not the address of a web page. Use an address that begins with https:// or http://.`,
    'page.credentials': ({ host }: Host) =>
      `The address of a page at ${host} contains a user name or a password. Remove them from the address.`,
    'page.longAddress': ({ host, most }: Host & Numbers<'most'>) =>
      `The address of a page at ${host} is too long (limit ${most.toLocaleString('en')} characters). Use a shorter address.`,
  }),
  ...entries('refused', {
    'page.status': ({ host, status }: Host & Numbers<'status'>) =>
      `${host} did not send the page (HTTP ${String(status)}). Check the address in a browser.`,
    'page.redirects': ({ host, most }: Host & Numbers<'most'>) =>
      `${host} redirected more than ${String(most)} times. Open the page in a browser, and add the address that the browser shows.`,
    'page.badRedirect': ({ host }: Host) => `${host} redirected to an address that Loupe cannot open. Check the address in a browser.`,
    'page.tooLarge': ({ host, megabytes }: Host & Numbers<'megabytes'>) =>
      `The page at ${host} is larger than ${String(megabytes)} MB. Copy the part that you need into a file, and add the file.`,
    'page.textTooLarge': ({ host }: Host) =>
      `The text of the page at ${host} is larger than 1 MB. Copy the part that you need into a file, and add the file.`,
    'page.type': ({ host, type }: Host & Texts<'type'>) =>
      `${host} sent a file of the type ${type}. Loupe reads web pages, PDF files and text.`,
    'page.notAllowed': ({ host }: Host) =>
      `Loupe did not open ${host}, because it is in a private network or on this computer, and you did not allow it.`,
  }),
  ...entries('protocol', {
    'page.unreadable': ({ host }: Host) => `Loupe could not read the page that ${host} sent. Copy its text into a file, and add the file.`,
  }),
  ...entries('network', {
    'page.unknownHost': ({ host }: Host) => `The host ${host} was not found. Check the address and your network connection.`,
    'page.noServer': ({ host }: Host) => `No server answers at ${host}. Check the address.`,
    'page.notSecure': ({ host }: Host) => `Loupe could not open a secure connection to ${host}. Check its certificate in a browser.`,
    'page.connection': ({ host }: Host) => `The connection to ${host} failed. Check your network connection, then try again.`,
  }),
  ...entries('timeout', {
    'page.timeout': ({ host, seconds }: Host & Numbers<'seconds'>) =>
      `${host} did not send the whole page within ${String(seconds)} seconds. Try again later.`,
  }),
  ...entries('cancelled', {
    'page.cancelled': 'Fetching the page was cancelled.',
  }),
};
