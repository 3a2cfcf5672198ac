/*
 * Import this before the toolkit. On load, the toolkit tries out a style rule, with the page's nonce from a `meta`
 * element. Without the nonce, the content security policy refuses the rule, and the toolkit draws focus rings on
 * mouse clicks, too. The page gives its scripts and its styles the same nonce.
 */
const script = document.querySelector<HTMLScriptElement>('script[nonce]');
if (script !== null) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = script.nonce;
  document.head.append(meta);
}

export {};
