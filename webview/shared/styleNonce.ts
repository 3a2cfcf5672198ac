/*
 * Gives the toolkit the nonce of the page. Import this file before the toolkit, which tests a style rule when it loads.
 * It takes the nonce from a `meta` element. Without the nonce, the content security policy refuses the rule, and the
 * toolkit also draws focus rings on mouse clicks. The page uses the same nonce for scripts and styles.
 */
const script = document.querySelector<HTMLScriptElement>('script[nonce]');
if (script !== null) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = script.nonce;
  document.head.append(meta);
}

export {};
