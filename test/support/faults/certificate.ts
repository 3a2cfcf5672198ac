import { generateKeyPairSync, sign } from 'node:crypto';

/* Writes a self-signed certificate (X.509 version 1, RFC 5280), so that the repository contains no key. */

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
const ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/** commonName, 2.5.4.3. */
const COMMON_NAME = [0x55, 0x04, 0x03];
/** The first byte of a bit string: the number of unused bits in its last byte. */
const NO_UNUSED_BITS = Buffer.from([0]);

export function selfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, der(OBJECT_ID, Buffer.from(ECDSA_SHA256)));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, Buffer.from(COMMON_NAME)), der(UTF8_STRING, Buffer.from('localhost')))));
  const validity = der(SEQUENCE, time('20000101000000Z'), time('20990101000000Z'));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(SEQUENCE, der(INTEGER, Buffer.from([1])), algorithm, name, validity, name, subjectKey);
  const signature = sign('sha256', content, privateKey);
  const certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, NO_UNUSED_BITS, signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function time(text: string): Buffer {
  return der(GENERALIZED_TIME, Buffer.from(text));
}

/** A value with tag and length (DER): one length byte below 128, else as many as the first one says. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
