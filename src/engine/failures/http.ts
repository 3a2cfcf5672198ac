import { entries, MODEL_GONE, NEEDS_KEY, TOO_LONG, WRONG_ADDRESS, type FailureTraits, type Texts } from './entry.js';

/** The parameters of sentences about an unsuccessful response. */
interface HttpAnswer {
  /** The provider's name. */
  readonly label: string;
  readonly status: number;
  /** The model's limit in tokens, if the server reported it; null otherwise. */
  readonly inputLimit: number | null;
  /** The member of the request that the server refused. Null if the failure has another reason. */
  readonly refusedMember: string | null;
}

/** The server to which Loupe connects. */
export interface ServerAddress {
  /** The provider's name. */
  readonly label: string;
  /** Host and port, such as `api.example.com:443`. */
  readonly address: string;
  readonly host: string;
}

/** Refers to the server's message: the `cause` of the error, which the chat shows as details. */
const OWN_WORDS = 'See Details.';

const ofTokens = (inputLimit: number | null): string => (inputLimit === null ? '' : ` (limit ${inputLimit.toLocaleString('en')} tokens)`);

/**
 * A proxy requires a login. For `http:`, the proxy answers instead of the server. For `https:`, the tunnel fails.
 * Unlike other network failures, this one lasts: without a login the proxy refuses every request.
 */
const PROXY_LOGIN: FailureTraits = { kind: 'network', isLasting: true };

/** Unsuccessful responses, grouped by meaning, because servers do not agree on statuses. */
export const HTTP_FAILURES = {
  ...entries(NEEDS_KEY, {
    'http.keyMissing': ({ label }: HttpAnswer) => `${label} needs an API key, but Loupe has no stored key for it.`,
    'http.keyRefused': ({ label }: HttpAnswer) => `${label} rejected the key.`,
    'http.notAllowed': ({ label }: HttpAnswer) => `${label} does not allow this request with this key. ${OWN_WORDS}`,
    'http.notAllowedWithoutKey': ({ label }: HttpAnswer) => `${label} does not allow this request without a key. ${OWN_WORDS}`,
  }),
  ...entries(PROXY_LOGIN, {
    'http.proxyLogin': ({ label }: Texts<'label'>) =>
      `A proxy on the way to ${label} requires a login (HTTP 407). Check the settings "http.proxy" and "http.proxyAuthorization".`,
  }),
  ...entries('refused', {
    'http.noCredit': ({ label }: HttpAnswer) =>
      `Your account at ${label} has no credit left. Add credit there, or choose another provider.`,
  }),
  ...entries(
    { kind: 'refused', actions: ['editMessage'] },
    { 'http.contentRefused': ({ label }: HttpAnswer) => `${label} blocked this request because of its content. ${OWN_WORDS}` },
  ),
  ...entries(TOO_LONG, {
    'http.tooLong': ({ label, inputLimit }: HttpAnswer) =>
      `${label}: The request is too long for this model${ofTokens(inputLimit)}. Remove files or start a new chat.`,
  }),
  ...entries(MODEL_GONE, {
    'http.modelGone': ({ label }: HttpAnswer) => `${label} does not offer this model, or your key does not allow it. Choose another model.`,
  }),
  ...entries(
    { kind: 'protocol', ...WRONG_ADDRESS },
    {
      'http.notHere': ({ label, status }: HttpAnswer) => `${label} found nothing at this address (HTTP ${status}). Check the base URL.`,
    },
  ),
  ...entries('protocol', {
    'http.errorInAnswer': ({ label }: HttpAnswer) => `${label} reported an error in its answer. ${OWN_WORDS}`,
    'http.notAccepted': ({ label, status }: HttpAnswer) => `${label} rejected the request (HTTP ${status}). ${OWN_WORDS}`,
  }),
  ...entries(
    { kind: 'protocol', actions: ['excludeTool', 'selectModel'] },
    {
      'http.toolRefused': ({ label, tool }: Texts<'label' | 'tool'>) =>
        `${label} does not accept the tool "${tool}". Loupe does not offer this model the tool for an hour, so you can retry. ${OWN_WORDS}`,
    },
  ),
  ...entries(
    { kind: 'invalidInput', passesAnew: true },
    {
      'http.memberRefused': ({ label, refusedMember }: HttpAnswer) =>
        `${label} does not accept the field "${refusedMember ?? ''}" of a request. Loupe no longer sends this field to this model.`,
    },
  ),
  ...entries('timeout', {
    'http.gaveUp': ({ label, status }: HttpAnswer) => `${label} took too long and gave up (HTTP ${status}).`,
  }),
  ...entries('rateLimit', {
    'http.rateLimit': ({ label }: HttpAnswer) => `${label}: Rate limit reached.`,
  }),
  ...entries('overloaded', {
    'http.overloaded': ({ label, status }: HttpAnswer) => `${label} is overloaded or unavailable right now (HTTP ${status}).`,
    'http.serverFailed': ({ label, status }: HttpAnswer) => `${label}: Server error (HTTP ${status}).`,
  }),
};

/** Connections that failed before a response. For the kind `network` there was no connection, so nothing was sent. */
export const CONNECTION_FAILURES = {
  ...entries('timeout', {
    'connection.noAnswer': ({ label, address }: ServerAddress) => `${label} (${address}) did not answer in time.`,
  }),
  ...entries(
    { kind: 'network', ...WRONG_ADDRESS },
    {
      'connection.unknownHost': ({ host }: ServerAddress) =>
        `The host ${host} was not found. Check the base URL and your network connection.`,
      'connection.refused': ({ address }: ServerAddress) =>
        `No server answers at ${address}. Check that the server is running, and check the base URL.`,
      'connection.unreachable': ({ address }: ServerAddress) =>
        `${address} cannot be reached. Check your network connection, your VPN and the base URL.`,
      'connection.certificateName': ({ address, host }: ServerAddress) =>
        `The certificate of ${address} is not for ${host}, so Loupe sent nothing. Check the base URL.`,
      'connection.notSecure': ({ address }: ServerAddress) =>
        `Loupe could not open a secure connection to ${address} (TLS). Check whether the base URL needs http:// or https://.`,
      'connection.badPort': ({ address }: ServerAddress) =>
        `VS Code blocks web requests to the port of ${address}. Set another port on the server, then change the base URL.`,
    },
  ),
  ...entries('network', {
    'connection.nameLookup': ({ host }: ServerAddress) => `The DNS lookup of ${host} failed. Check your network connection.`,
    'connection.certificateExpired': ({ address }: ServerAddress) =>
      `The certificate of ${address} has expired, or the clock of this computer is wrong.`,
    'connection.certificateTooNew': ({ address }: ServerAddress) =>
      `The certificate of ${address} is not valid yet, or the clock of this computer is wrong.`,
    'connection.certificateUntrusted': ({ address }: ServerAddress) =>
      `This computer does not trust the certificate of ${address}, so Loupe sent nothing. ` +
      'If the certificate is yours, or from a proxy, add it to the certificates of this computer.',
    'connection.proxy': ({ address }: ServerAddress) => `The proxy blocked the request to ${address}. Check the setting "http.proxy".`,
  }),
  // The server may already have received the request.
  ...entries('incomplete', {
    'connection.closed': ({ address }: ServerAddress) => `${address} closed the connection before it answered.`,
    'connection.failed': ({ address }: ServerAddress) => `The connection to ${address} failed.`,
  }),
  ...entries('protocol', {
    'connection.headersTooLong': ({ label }: ServerAddress) => `${label} sent headers that are too long.`,
  }),
};
