/*
 * To be imported before the toolkit. On load it tries out a style rule and looks for the page's nonce in a `meta`
 * element; without one the content security policy refuses the rule, and the toolkit then draws focus rings on
 * mouse clicks, too. The page gives its scripts and styles the same nonce.
 */
const script = document.querySelector<HTMLScriptElement>('script[nonce]');
if (script !== null) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = script.nonce;
  document.head.append(meta);
}

export {};
