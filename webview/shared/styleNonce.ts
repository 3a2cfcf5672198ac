/*
 * Gives the toolkit the nonce of the page, in a `meta` element. Import this file before the toolkit, which tests a
 * style rule when it loads. Without the nonce, the content security policy refuses the rule, and the toolkit then draws
 * focus rings on mouse clicks too. The page uses the same nonce for scripts and styles.
 */
const script = document.querySelector<HTMLScriptElement>('script[nonce]');
if (script !== null) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = script.nonce;
  document.head.append(meta);
}

export {};
