import { FAILURES, failureActions, failureHelp, type FailureCode } from '../../src/engine/failures/failures.js';
import type { FailureEntry } from '../../src/engine/failures/entry.js';

const LABELS = {
  setApiKey: 'Set key',
  selectModel: 'Choose model',
  summarize: 'Summarize…',
  goOnOnce: 'Go on once',
  openSpendSettings: 'Spend settings',
} as const;

/** The sentence with its parameter names in braces. */
export function shownSentence({ says }: FailureEntry): string {
  const names = new Proxy({}, { get: (_, name) => `{${String(name)}}` });
  return typeof says === 'string' ? says : says(names as never);
}

function shownKind({ kind, isLasting, isHarmless }: FailureEntry): string {
  const remarks = [...(isLasting === true ? ['not repeated'] : []), ...(isHarmless === true ? ['harmless'] : [])];
  return remarks.length === 0 ? kind : `${kind} (${remarks.join(', ')})`;
}

export function failureTable(): string {
  const codes = (Object.keys(FAILURES) as FailureCode[]).sort();
  const rows = codes.map((code) => {
    const entry: FailureEntry = FAILURES[code];
    const next = [
      failureActions(code)
        .map((action) => LABELS[action])
        .join(', '),
      ...failureHelp(code),
    ]
      .filter((text) => text !== '')
      .join(' ');
    return `| \`${code}\` | ${shownKind(entry)} | ${shownSentence(entry).replaceAll('|', '\\|')} | ${next} |\n`;
  });
  return `| Code | Kind | Sentence | Next action |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
