import { entries, TOO_LONG, type Numbers, type Texts } from './entry.js';

/** What goes wrong with requests before and after a provider has them, and defects of Loupe itself. */
export const RUN_FAILURES = {
  ...entries('internal', {
    'internal.defect': ({ text }: Texts<'text'>) => text,
    'internal.unexpected': ({ text }: Texts<'text'>) => `Something unexpected failed in Loupe: ${text}`,
  }),
  ...entries('invalidInput', {
    'internal.panelMessage': ({ reason }: Texts<'reason'>) => `The panel sent a message that is not valid: ${reason}`,
    'tokens.unknownCounter': ({ id }: Texts<'id'>) => `There is no token counter named ${id}.`,
  }),
  ...entries('cancelled', { 'request.stopped': 'The request was stopped.' }),
  ...entries('incomplete', { 'request.noEndMarker': 'The reply ended before it was complete: the model sent no end marker.' }),
  ...entries(TOO_LONG, { 'request.overBudget': ({ problem }: Texts<'problem'>) => problem }),
  ...entries('storage', {
    'request.imageMissing': ({ mimeType, blob }: Texts<'mimeType' | 'blob'>) => `An image (${mimeType}) of this chat is missing: ${blob}.`,
    'rebuild.baseMissing': 'The request cannot be rebuilt: the record of one that it builds on is missing.',
    'rebuild.contentChanged': ({ key }: Texts<'key'>) => `The request cannot be rebuilt: the content of ${key} is missing or has changed.`,
  }),
  ...entries('protocol', {
    'request.misplacedPart': ({ format, part, where }: Texts<'format' | 'part' | 'where'>) =>
      `${format} has no place for a ${part} ${where}.`,
    'rebuild.unknownForm': ({ protocol }: Texts<'protocol'>) =>
      `The request cannot be rebuilt: its form ("${protocol}") is not known to this Loupe.`,
    'tool.badSchema': ({ name }: Texts<'name'>) => `The input schema of the tool "${name}" is no JSON object.`,
    'request.endlessReply': ({ characters, parts }: Numbers<'characters' | 'parts'>) =>
      `The reply is longer than ${characters} million characters or ${parts} parts. It was stopped there.`,
  }),
  ...entries('toolFailed', {
    'tool.unknown': ({ name }: Texts<'name'>) => `There is no tool named ${name}.`,
    'tool.noneRan': ({ rounds }: Numbers<'rounds'>) =>
      `None of the tools that the model called could run, ${rounds} times in a row. Loupe stopped there.`,
    'tool.endless': ({ steps }: Numbers<'steps'>) =>
      `The model has called tools ${steps} times without an answer. Loupe stopped there: each time is a request.`,
  }),
};
