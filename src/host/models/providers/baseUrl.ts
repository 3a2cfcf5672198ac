/** Host names of this computer, as `URL.hostname` returns them. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A checked address, or the reason why it cannot be used, as a sentence. */
export type CheckedUrl =
  | { readonly ok: true; readonly baseUrl: string /** Null without a warning. */; readonly warning: string | null }
  | { readonly ok: false; readonly problem: string };

export function isThisComputer(baseUrl: string): boolean {
  return LOOPBACK.test(new URL(baseUrl).hostname);
}

/** Checks the address of a provider. Messages never quote the address, because it may contain a key. */
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
