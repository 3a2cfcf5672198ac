import type { FrontMatter } from './frontMatter.js';

/** Reads a TOML command of Gemini CLI: its values, and the prompt as its body. Otherwise returns the problem. */
export async function tomlPrompt(source: string, content: string): Promise<FrontMatter | string> {
  // Loaded with the first file, because few workspaces have one.
  const { parse, TomlError } = await import('smol-toml');
  try {
    const { prompt, ...values } = parse(content.replace(/^\uFEFF/, ''));
    return typeof prompt === 'string'
      ? { values: new Map(Object.entries(values)), body: prompt.trim(), faults: [] }
      : `${source} has no text in "prompt", so Loupe cannot use the file.`;
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) {
      throw thrown;
    }
    const [reason = ''] = thrown.message.replace(/^Invalid TOML document: /, '').split('\n');
    return `${source} is not valid TOML, line ${String(thrown.line)}: ${reason}. Loupe cannot use the file.`;
  }
}
