import { chatText } from '../chat/chatText.js';
import type { ChatSession } from '../chat/chatSession.js';
import { damage } from './exportDamage.js';
import { exportLines, exportZip } from './exportLog.js';
import type { ExportFormat } from './exportName.js';
import { exportSpans } from './exportSpans.js';
import type { ExportContentPorts, ExportTarget, MissingParts } from './exportTarget.js';
import { readOn } from './readWhole.js';

/**
 * Writes a chat in a format and returns what is missing. Throws `storage` when the format needs unreadable data,
 * `cancelled`, and errors of the target.
 */
export function exportContent(
  session: ChatSession,
  format: ExportFormat,
  ports: ExportContentPorts,
  target: ExportTarget,
): Promise<MissingParts> {
  switch (format) {
    case 'markdown':
      return exportMarkdown(session, ports, target);
    case 'jsonLines':
      return exportLines(session, ports, target);
    case 'zip':
      return exportZip(session, ports, target);
    case 'openTelemetry':
    case 'openTelemetryWithTexts':
      return exportSpans(session, format === 'openTelemetryWithTexts', ports, target);
  }
}

/** Writes the conversation in memory, after trying to read the rest. */
async function exportMarkdown(session: ChatSession, ports: ExportContentPorts, { write, watch }: ExportTarget): Promise<MissingParts> {
  const failure = await readOn(session, watch);
  if (failure !== null) {
    ports.logError(failure);
  }
  const unread = failure === null ? [] : [failure.message];
  await write(Buffer.from(chatText(session.state)));
  return [...unread, ...damage(session.faults)];
}
