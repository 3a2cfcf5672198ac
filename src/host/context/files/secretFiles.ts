import { fileDoubt } from '../../../engine/context/fileDoubt.js';

/** Matches names of files that usually contain keys or passwords. */
const SECRET_NAME =
  /^(?:\.env(?:\..+)?|.+\.env|\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc))$/i;

/** Names that match `SECRET_NAME`, but that by custom contain only examples. */
const EXAMPLE_NAME = /^\.env\.(?:example|sample|template|dist)$/i;

/** Returns whether a text of a file may contain secrets, by the file's name or the text. `path` is a workspace path. */
export function mayContainSecrets(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (SECRET_NAME.test(name) && !EXAMPLE_NAME.test(name)) || fileDoubt(path, text, false)?.code === 'secret';
}
