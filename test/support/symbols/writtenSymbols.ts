import type { FileSymbols } from '../../../src/engine/repository/symbols.js';

/** Writes symbols as lines: line, kind, container and signature of each definition, then all references. */
export function writtenSymbols({ definitions, references }: FileSymbols): string {
  const lines = definitions.map(
    ({ name, kind, line, signature, container, isLocal }) =>
      `${String(line).padStart(3)} ${kind.padEnd(9)} ${container === null ? '' : `${container} › `}${name}${isLocal ? ' (local)' : ''} | ${signature}`,
  );
  const uses = [...references].map(([name, count]) => `${name} ${String(count)}`).sort();
  return [...lines, '', ...uses].join('\n');
}
