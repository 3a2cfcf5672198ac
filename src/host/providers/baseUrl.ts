/** Names of this computer itself, as `URL.hostname` writes them. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A checked address: as it is used, or why it cannot be. The texts follow the name of the setting. */
export type CheckedUrl =
  | { readonly ok: true; readonly baseUrl: string /** Null when there is nothing to say. */; readonly warning: string | null }
  | { readonly ok: false; readonly problem: string };

/** Checks the address of a provider. What it says never quotes the address, in which somebody may have put a key. */
export function checkBaseUrl(text: string): CheckedUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { ok: false, problem: 'wants an address that begins with https:// (or http:// on this computer).' };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, problem: 'has a user name or password in it. Keys belong into "Loupe: Set API Key".' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { ok: false, problem: 'wants an address without ? and #: the paths of the protocol follow it.' };
  }
  const isOpen = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  return {
    ok: true,
    // Not `href`, which keeps a `?` or `#` that nothing follows.
    baseUrl: (url.origin + url.pathname).replace(/\/+$/, ''),
    warning: isOpen ? 'is not encrypted (http://): key and chats would travel in the clear. Use https://.' : null,
  };
}
