import { entries, MODEL_GONE, NEEDS_KEY, TOO_LONG, type FailureTraits, type Texts } from './entry.js';

/** What the sentences about an answer that is no success are made of. */
interface HttpAnswer {
  /** Name of the provider. */
  readonly label: string;
  readonly status: number;
  /** The model's limit in tokens, where the server told it; null otherwise. */
  readonly inputLimit: number | null;
}

/** Where a connection was to go. */
export interface Place {
  /** Name of the provider. */
  readonly label: string;
  /** Host and port, such as `api.example.com:443`. */
  readonly address: string;
  readonly host: string;
}

/** What the server said is the cause of the error, which the chat shows as its details. */
const OWN_WORDS = 'Its own words are in the details.';

const ofTokens = (inputLimit: number | null): string => (inputLimit === null ? '' : ` (${inputLimit.toLocaleString('en')} tokens)`);

/**
 * A proxy on the way wants a log-in: for `http:` it answers in the place of the server, for `https:` the tunnel fails.
 * Unlike other trouble of the network this does not pass: without a log-in the proxy refuses each request.
 */
const PROXY_LOGIN: FailureTraits = { kind: 'network', isLasting: true };

/** Answers that are no success, by what they mean: servers do not agree on statuses. */
export const HTTP_FAILURES = {
  ...entries(NEEDS_KEY, {
    'http.keyMissing': ({ label }: HttpAnswer) =>
      `${label} wants a key, and none is stored for it. Enter one with the command "Loupe: Set API Key".`,
    'http.keyRefused': ({ label }: HttpAnswer) =>
      `${label} did not accept the key. Enter a valid one with the command "Loupe: Set API Key".`,
    'http.notAllowed': ({ label }: HttpAnswer) => `${label} does not allow this request with this key. ${OWN_WORDS}`,
    'http.notAllowedWithoutKey': ({ label }: HttpAnswer) => `${label} does not allow this request without a key. ${OWN_WORDS}`,
  }),
  ...entries(PROXY_LOGIN, {
    'http.proxyLogin': ({ label }: Texts<'label'>) =>
      `A proxy on the way to ${label} asks for a log-in (HTTP 407). Check the settings "http.proxy" and "http.proxyAuthorization".`,
  }),
  ...entries('refused', {
    'http.noCredit': ({ label }: HttpAnswer) =>
      `${label} says that the account has no credit left. Add credit there, or choose another provider.`,
    'http.contentRefused': ({ label }: HttpAnswer) => `${label} refused this request because of its content. ${OWN_WORDS}`,
  }),
  ...entries(TOO_LONG, {
    'http.tooLong': ({ label, inputLimit }: HttpAnswer) =>
      `${label} says that the request is longer than the model can take${ofTokens(inputLimit)}. Summarize the conversation, or take context out.`,
  }),
  ...entries(MODEL_GONE, {
    'http.modelGone': ({ label }: HttpAnswer) => `${label} does not offer this model, or not with this key. Choose another model.`,
  }),
  ...entries('protocol', {
    'http.notHere': ({ label, status }: HttpAnswer) =>
      `${label} takes no such requests at this address (HTTP ${status}). Check the base URL.`,
    'http.errorInAnswer': ({ label }: HttpAnswer) => `${label} reported an error in its answer. ${OWN_WORDS}`,
    'http.notAccepted': ({ label, status }: HttpAnswer) => `${label} did not accept the request (HTTP ${status}). ${OWN_WORDS}`,
  }),
  ...entries('timeout', { 'http.gaveUp': ({ label, status }: HttpAnswer) => `${label} gave up waiting for the request (HTTP ${status}).` }),
  ...entries('rateLimit', {
    'http.rateLimit': ({ label }: HttpAnswer) => `${label} takes no more requests for the moment: a rate limit is reached.`,
  }),
  ...entries('overloaded', {
    'http.overloaded': ({ label, status }: HttpAnswer) => `${label} is overloaded or not available at the moment (HTTP ${status}).`,
    'http.serverFailed': ({ label, status }: HttpAnswer) => `${label} had a failure of its own (HTTP ${status}).`,
  }),
};

/** Connections on which no answer came. */
export const CONNECTION_FAILURES = {
  ...entries('timeout', {
    'connection.noAnswer': ({ label, address }: Place) => `${label} (${address}) did not answer in the time that is allowed.`,
  }),
  ...entries('network', {
    'connection.unknownHost': ({ host }: Place) => `There is no host named ${host}. Check the base URL and the connection to the network.`,
    'connection.nameLookup': ({ host }: Place) => `The name ${host} could not be looked up (DNS). Check the connection to the network.`,
    'connection.refused': ({ address }: Place) => `Nothing answers at ${address}. Check that the server runs, and the base URL.`,
    'connection.unreachable': ({ address }: Place) =>
      `${address} cannot be reached. Check the connection to the network, a VPN and the base URL.`,
    'connection.closed': ({ address }: Place) => `The connection to ${address} was closed before an answer came.`,
    'connection.headersTooLong': ({ label }: Place) => `The answer of ${label} has headers that are too long.`,
    'connection.certificateExpired': ({ address }: Place) =>
      `The certificate of ${address} has expired, or the clock of this computer is wrong.`,
    'connection.certificateTooNew': ({ address }: Place) =>
      `The certificate of ${address} is not valid yet, or the clock of this computer is wrong.`,
    'connection.certificateName': ({ address, host }: Place) =>
      `The certificate of ${address} is for another name than ${host}, so nothing was sent. Check the base URL.`,
    'connection.certificateUntrusted': ({ address }: Place) =>
      `The certificate of ${address} is not signed by anyone whom this computer trusts, so nothing was sent. ` +
      'If it is your own, or that of a proxy, add it to the certificates of the system.',
    'connection.notSecure': ({ address }: Place) =>
      `No secure connection to ${address} could be made (TLS). Check whether the base URL wants http:// or https://.`,
    'connection.proxy': ({ address }: Place) => `The proxy did not let the request to ${address} through. Check the setting "http.proxy".`,
    'connection.redirect': ({ label }: Place) =>
      `${label} sends requests on to another address. Loupe does not follow, since the key would go there too.`,
    'connection.badPort': ({ address }: Place) => `The port of ${address} is one of those that are never used for web requests.`,
    'connection.failed': ({ address }: Place) => `The connection to ${address} failed.`,
  }),
};
