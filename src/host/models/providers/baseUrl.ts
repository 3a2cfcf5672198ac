/** Host names of this computer, as `URL.hostname` writes them. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A checked address, or why it cannot be used, as a sentence. */
export type CheckedUrl =
  | { readonly ok: true; readonly baseUrl: string /** Null when there is nothing to say. */; readonly warning: string | null }
  | { readonly ok: false; readonly problem: string };

/** Whether an address is one of this computer. */
export function isThisComputer(baseUrl: string): boolean {
  return LOOPBACK.test(new URL(baseUrl).hostname);
}

/** Checks the address of a provider. No text quotes the address, because it may contain a key. */
export function checkBaseUrl(text: string): CheckedUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { ok: false, problem: 'Enter a URL that starts with https:// (http:// only for this computer).' };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, problem: 'Remove the user name and password. Enter keys with "Loupe: Set API Key".' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { ok: false, problem: 'Remove everything from "?" or "#" on.' };
  }
  const isOpen = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  return {
    ok: true,
    // `href` would keep an empty `?` or `#`.
    baseUrl: (url.origin + url.pathname).replace(/\/+$/, ''),
    warning: isOpen ? 'This connection is not encrypted: others could read your key and chats. Use https://.' : null,
  };
}
