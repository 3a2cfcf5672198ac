import type { WorkspacePrompt } from '../../context/catalog/readPrompts.js';
import { bracedTexts } from './braces.js';
import type { FilledBlanks } from './fillBlanks.js';
import { filledPrompt, type PromptVariables } from './placeholders.js';
import type { FoundReferences } from './references.js';

/** The text of a prompt for the message box. */
export interface PromptText {
  readonly name: string;
  readonly text: string;
  /** Sentences about what the text lacks, and about tools of the prompt that Loupe ignores. */
  readonly notes: readonly string[];
  /** The agent and the models that the prompt names. */
  readonly names: Pick<WorkspacePrompt, 'agent' | 'models'>;
  /** The workspace paths of the files that the text refers to. */
  readonly files: readonly string[];
}

/** Matches a command whose output the program of the prompt would insert: https://code.claude.com/docs/en/skills */
const COMMAND = /(?:^|\s)!`[^`\n]+`/g;

/** Maximum number of commands that a note names. */
const MOST_NAMED = 3;

interface FilePromptInput {
  readonly filled: FilledBlanks;
  readonly variables: PromptVariables;
  readonly found: FoundReferences;
}

function commandsIn(text: string, placeholders: WorkspacePrompt['placeholders']): readonly string[] {
  switch (placeholders) {
    case 'dollar':
      return [...text.matchAll(COMMAND)].map(([found]) => found.trim());
    case 'args':
      return bracedTexts(text, '!').map((command) => `!{${command}}`);
    case 'braces':
    case null:
      return [];
  }
}

/** Fills in the placeholders of a prompt file. Loupe never runs a command that the file contains. */
export function filePrompt(prompt: WorkspacePrompt, { filled, variables, found }: FilePromptInput): PromptText {
  const { name, placeholders, agent, models, tools, remarks } = prompt;
  const { text, unfilled } = filledPrompt(prompt, filled, variables);
  const commands = commandsIn(prompt.text, placeholders);
  const more = commands.length > MOST_NAMED ? ` and ${String(commands.length - MOST_NAMED)} more` : '';
  const notes = [
    ...(unfilled.length === 0 ? [] : [`Not filled in: ${unfilled.join(', ')}.`]),
    ...(commands.length === 0 ? [] : [`Loupe does not run commands of prompts: ${commands.slice(0, MOST_NAMED).join(', ')}${more}.`]),
    ...(found.problems.length === 0 ? [] : [`Not added to the chat: ${found.problems.join(' ')}`]),
    ...(tools === null ? [] : [`Loupe does not limit the tools for a prompt: ${tools}.`]),
    ...remarks,
  ];
  // Names the file of a skill, because the skill refers to other files in its folder.
  const sent = prompt.isSkill ? `# Skill: ${name} (${prompt.source})\n\n${text}` : text;
  return { name, text: sent, notes, files: found.files, names: { agent, models } };
}
