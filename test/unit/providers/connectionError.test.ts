import assert from 'node:assert/strict';
import { type LoupeError, toErrorRecord } from '../../../src/engine/errors.js';
import { connectionError } from '../../../src/providers/http/connectionError.js';
import { endpointAt } from '../../support/http/endpoints.js';

const ENDPOINT = endpointAt('https://api.example.com/v1');
const fetchFailed = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });
const coded = (code: string, message: string, more: object): Error => Object.assign(new Error(message), { code, ...more });
const error = (cause: unknown): LoupeError => connectionError(cause, ENDPOINT, 'the-key');

describe('the error for a connection that failed', () => {
  it('says what is wrong and what to do, for what Node tells by code', () => {
    const messages: Record<string, string> = {
      ENOTFOUND: 'The host api.example.com was not found. Check the base URL and your network connection.',
      EAI_AGAIN: 'The DNS lookup of api.example.com failed. Check your network connection.',
      ECONNREFUSED: 'No server answers at api.example.com:443. Check that the server is running, and check the base URL.',
      ETIMEDOUT: 'api.example.com:443 cannot be reached. Check your network connection, your VPN and the base URL.',
      UND_ERR_CONNECT_TIMEOUT: 'api.example.com:443 cannot be reached. Check your network connection, your VPN and the base URL.',
      ENETUNREACH: 'api.example.com:443 cannot be reached. Check your network connection, your VPN and the base URL.',
      CERT_HAS_EXPIRED: 'The certificate of api.example.com:443 has expired, or the clock of this computer is wrong.',
      DEPTH_ZERO_SELF_SIGNED_CERT:
        'This computer does not trust the certificate of api.example.com:443, so Loupe sent nothing. If the certificate is yours, or from a proxy, add it to the certificates of this computer.',
      ERR_TLS_CERT_ALTNAME_INVALID:
        'The certificate of api.example.com:443 is not for api.example.com, so Loupe sent nothing. Check the base URL.',
      ERR_SSL_WRONG_VERSION_NUMBER:
        'Loupe could not open a secure connection to api.example.com:443 (TLS). Check whether the base URL needs http:// or https://.',
      EPROTO:
        'Loupe could not open a secure connection to api.example.com:443 (TLS). Check whether the base URL needs http:// or https://.',
    };
    for (const [code, message] of Object.entries(messages)) {
      const { kind, message: told } = error(fetchFailed(coded(code, `x ${code}`, {})));
      assert.deepEqual([kind, told], ['network', message], code);
    }
  });

  it('says of a connection that was made and lost that the server may have answered', () => {
    for (const cause of [
      coded('ECONNRESET', 'x', {}),
      coded('UND_ERR_SOCKET', 'x', {}),
      coded('EPIPE', 'x', {}),
      coded('ETIMEDOUT', 'x', { syscall: 'read' }),
      coded('EHOSTUNREACH', 'x', { syscall: 'write' }),
    ]) {
      const { kind, message } = error(fetchFailed(cause));
      assert.deepEqual([kind, message], ['incomplete', 'api.example.com:443 closed the connection before it answered.'], cause.message);
    }
    assert.equal(error(fetchFailed(coded('ETIMEDOUT', 'x', { syscall: 'connect' }))).kind, 'network');
    const unknown = error(fetchFailed(coded('EWHATEVER', 'x', {})));
    assert.deepEqual([unknown.kind, unknown.message], ['incomplete', 'The connection to api.example.com:443 failed.']);
  });

  it('names the port of the base URL, or that of its protocol', () => {
    const refused = fetchFailed(coded('ECONNREFUSED', 'x', {}));
    const at = (baseUrl: string): string => connectionError(refused, endpointAt(baseUrl), null).message;
    assert.match(at('http://localhost:11434/v1'), / at localhost:11434\. /);
    assert.match(at('http://localhost/v1'), / at localhost:80\. /);
    assert.match(at('http://[::1]:8080'), / at \[::1\]:8080\. /);
  });

  it('names a proxy when that is what cannot be reached', () => {
    assert.match(error(fetchFailed(coded('ENOTFOUND', 'x', { hostname: 'proxy.example' }))).message, /host proxy\.example was not found\./);
    const refused = coded('ECONNREFUSED', 'x', { address: '10.0.0.1', port: 3128 });
    assert.match(error(fetchFailed(refused)).message, /^No server answers at 10\.0\.0\.1:3128\. /);
    const ended = new Error('Proxy response (403) !== 200 when HTTP Tunneling');
    assert.equal(
      error(fetchFailed(ended)).message,
      'The proxy blocked the request to api.example.com:443. Check the setting "http.proxy".',
    );
  });

  it('tells a proxy that asks for a log-in from one that is in the way, and does not try again', () => {
    const told = error(fetchFailed(new Error('Proxy response (407) !== 200 when HTTP Tunneling')));
    assert.deepEqual([told.code, told.kind, told.retryable], ['http.proxyLogin', 'network', false]);
    const other = error(fetchFailed(new Error('Proxy response (502) !== 200 when HTTP Tunneling')));
    assert.deepEqual([other.code, other.retryable], ['connection.proxy', true]);
  });

  it('finds the reason among the attempts to reach the addresses of a host', () => {
    const attempts = [coded('ENETUNREACH', 'x ::1', {}), coded('ENETUNREACH', 'x 127.0.0.1', {})];
    const { message } = error(fetchFailed(new AggregateError(attempts)));
    assert.match(message, /cannot be reached/);
  });

  it('keeps the chain of causes, without the key', () => {
    const { detail } = toErrorRecord(error(fetchFailed(coded('ECONNRESET', 'read ECONNRESET the-key', {}))));
    assert.equal(detail, 'TypeError: fetch failed; caused by: Error: read ECONNRESET [key]');
  });

  it('tells a limit on silence from a connection that broke', () => {
    for (const thrown of [
      fetchFailed(coded('UND_ERR_HEADERS_TIMEOUT', 'x', {})),
      new TypeError('terminated', { cause: coded('UND_ERR_BODY_TIMEOUT', 'x', {}) }),
    ]) {
      const { kind, message } = error(thrown);
      assert.deepEqual([kind, message], ['timeout', 'Weather AI (api.example.com:443) did not answer in time.']);
    }
  });

  it('takes what is no error at all', () => {
    assert.deepEqual([error('the-key').message, error('the-key').cause], ['The connection to api.example.com:443 failed.', '[key]']);
    assert.equal(error(undefined).kind, 'incomplete');
  });

  describe('because of the configuration', () => {
    it('says that a port is never used', () => {
      const thrown = fetchFailed(new Error('bad port'));
      assert.equal(
        connectionError(thrown, endpointAt('http://localhost:6000'), null).message,
        'VS Code blocks web requests to the port of localhost:6000. Set another port on the server, then change the base URL.',
      );
    });
  });
});
