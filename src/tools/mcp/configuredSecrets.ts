import { resolve, sep } from 'node:path';
import { toLoupeError } from '../../engine/errors.js';
import type { ServerConfig } from './config/mcpConfig.js';
import { textsOf } from './mcpLaunch.js';
import type { McpPorts } from './mcpPorts.js';
import { substituted, type Variable, variablesIn } from './config/mcpVariables.js';
import { inputKey, variablesOfFile } from './resolveLaunch.js';
import { secretsOf } from './secrets.js';

type SecretPorts = Pick<McpPorts, 'environment' | 'home' | 'inputs' | 'sha256' | 'setting' | 'folderNamed' | 'reportError'>;

/**
 * Returns the secrets in a server's configuration, even before its first start: entered passwords, and values of
 * headers and variables with a secret name. Never asks the user. Rejects when stored values cannot be read.
 */
export async function configuredSecrets(
  { launch, inputs, identity, folder }: ServerConfig,
  ports: SecretPorts,
): Promise<readonly string[]> {
  const entered = new Map<string, string>();
  for (const id of inputs.keys()) {
    entered.set(id, (await ports.inputs.get(inputKey(identity, id, ports))) ?? '');
  }
  const valueOf = (variable: Variable): string => {
    switch (variable.kind) {
      case 'input':
        return entered.get(variable.id) ?? '';
      case 'env':
        return ports.environment[variable.name] ?? '';
      case 'config':
        return ports.setting(variable.key) ?? '';
      case 'userHome':
        return ports.home;
      case 'pathSeparator':
        return sep;
      case 'workspaceFolder':
      case 'workspaceFolderBasename':
        return (variable.name === null ? folder : ports.folderNamed(variable.name)) ?? '';
      case 'unknown':
        return variable.text;
    }
  };
  const text = (template: string): string => substituted(template, valueOf);
  const named = textsOf(launch)
    .flatMap((each) => variablesIn(each.text))
    .flatMap((variable) => {
      const name = variable.kind === 'env' ? variable.name : variable.kind === 'config' ? variable.key : null;
      return name === null ? [] : [[name, valueOf(variable)] as const];
    });
  const own =
    launch.type === 'http' ? launch.headers : { ...(await fileVariables(launch.envFile, text, { folder, ports })), ...launch.env };
  // Skips a template whose variables have no values. Without the values, only a word such as `Bearer` would remain.
  const isWhole = (template: string): boolean =>
    variablesIn(template).every(
      (variable) =>
        (variable.kind !== 'input' || entered.get(variable.id) !== '') &&
        (variable.kind !== 'env' || ports.environment[variable.name] !== undefined) &&
        (variable.kind !== 'config' || ports.setting(variable.key) !== null),
    );
  const members = Object.entries(own).flatMap(([name, value]) =>
    typeof value === 'string' && isWhole(value) ? [[name, text(value)] as const] : [],
  );
  return [
    ...[...entered].filter(([id]) => inputs.get(id)?.isPassword === true).map(([, value]) => value),
    ...[...named, ...members].flatMap(([name, value]) => secretsOf(name, value)),
  ].filter((value) => value !== '');
}

async function fileVariables(
  file: string | null,
  text: (template: string) => string,
  { folder, ports }: Pick<ServerConfig, 'folder'> & { readonly ports: SecretPorts },
): Promise<Readonly<Record<string, string | undefined>>> {
  if (file === null) {
    return {};
  }
  try {
    return await variablesOfFile(resolve(folder ?? ports.home, text(file)));
  } catch (thrown) {
    // Without its variables file, the server cannot start, and its view shows the error. Returns all other secrets.
    ports.reportError(toLoupeError(thrown));
    return {};
  }
}
