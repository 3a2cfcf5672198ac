import type { WorkspacePrompt } from '../../context/catalog/readPrompts.js';
import type { Blank, FilledBlanks } from './fillBlanks.js';

/* Finds and fills the placeholders in prompts of the workspace. */

/** The placeholders whose values come from the editor. Other placeholders of VS Code ask the user. */
const VARIABLES = [
  'workspaceFolder',
  'workspaceFolderBasename',
  'file',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirname',
  'selection',
  'selectedText',
] as const;

export type PromptVariable = (typeof VARIABLES)[number];

/** The value of each variable, or why it has none, as the end of a sentence. */
export type PromptVariables = Readonly<Record<PromptVariable, { readonly value: string } | { readonly missing: string }>>;

/** A placeholder for all arguments, for one argument by number, or by name. `$1.50` is a price. */
const DOLLAR = /\$(ARGUMENTS(?:\[\d+\]|(?!\w))|\d(?![.,]?\d)|[A-Za-z][\w-]*)(?!\w)/g;

/** `${input:name}`, `${input:name:placeholder}` or `${variable}`. */
const BRACES = /\$\{(?:input:([^:{}]+)(?::([^{}]*))?|(\w+))\}/g;

type PlaceholderSource = Pick<WorkspacePrompt, 'text' | 'hint' | 'placeholders' | 'argumentNames'>;

/** The source of a placeholder's value: a question to the user, or a variable. */
type Placeholder = { readonly blank: Blank } | { readonly variable: PromptVariable };

/** The name of the question for the placeholders `$ARGUMENTS` and `{{args}}`. */
const ALL_ARGUMENTS = 'Arguments';

/** Returns the questions for the user, in the order of the prompt. The user can leave each of them open. */
export function blanksIn(prompt: PlaceholderSource): readonly Blank[] {
  const blanks = new Map<string, Blank>();
  replacePlaceholders(prompt, (written, placeholder) => {
    if ('blank' in placeholder && !blanks.has(placeholder.blank.name)) {
      blanks.set(placeholder.blank.name, placeholder.blank);
    }
    return written;
  });
  return [...blanks.values()];
}

export interface FilledPrompt {
  readonly text: string;
  /** The placeholders that are still in the text, each with the reason. */
  readonly unfilled: readonly string[];
}

/** Replaces each placeholder in the text of the prompt, but none in the inserted values. */
export function filledPrompt(prompt: PlaceholderSource, filled: FilledBlanks, variables: PromptVariables): FilledPrompt {
  const unfilled = new Set<string>();
  const text = replacePlaceholders(prompt, (written, placeholder) => {
    const found = 'blank' in placeholder ? blankValue(placeholder.blank, filled) : variables[placeholder.variable];
    if ('missing' in found) {
      unfilled.add(`${written} (${found.missing})`);
      return written;
    }
    return found.value;
  });
  return { text, unfilled: [...unfilled] };
}

/** Returns the user's value. `$ARGUMENTS` without a value becomes empty, because a prompt may need no arguments. */
function blankValue({ name }: Blank, filled: FilledBlanks): PromptVariables[PromptVariable] {
  const value = Object.hasOwn(filled, name) ? filled[name] : undefined;
  const none = name === ALL_ARGUMENTS ? { value: '' } : { missing: 'no value' };
  return value === undefined ? none : { value };
}

function replacePlaceholders(prompt: PlaceholderSource, replace: (written: string, placeholder: Placeholder) => string): string {
  switch (prompt.placeholders) {
    case 'dollar':
      return prompt.text.replace(DOLLAR, (written, name: string) => {
        const blank = dollarBlank(name, prompt);
        return blank === null ? written : replace(written, { blank });
      });
    case 'braces':
      return prompt.text.replace(BRACES, (written, input?: string, about?: string, name?: string) => {
        if (input !== undefined) {
          return replace(written, { blank: { name: input, description: textOrNull(about ?? ''), isRequired: false } });
        }
        const variable = VARIABLES.find((each) => each === name);
        return variable === undefined ? written : replace(written, { variable });
      });
    case 'args':
      return prompt.text.replaceAll('{{args}}', (written) => replace(written, { blank: allArguments(prompt) }));
    case null:
      return prompt.text;
  }
}

/** Returns the question for a placeholder such as `$1`. Null for a name that is no argument, such as `$PATH`. */
function dollarBlank(name: string, { hint, argumentNames }: Pick<PlaceholderSource, 'hint' | 'argumentNames'>): Blank | null {
  if (name === 'ARGUMENTS') {
    return allArguments({ hint });
  }
  const isNumbered = /^(?:\d|ARGUMENTS\[)/.test(name);
  return isNumbered || argumentNames.includes(name) ? { name: `$${name}`, description: textOrNull(hint), isRequired: false } : null;
}

function allArguments({ hint }: Pick<PlaceholderSource, 'hint'>): Blank {
  return { name: ALL_ARGUMENTS, description: textOrNull(hint), isRequired: false };
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}
