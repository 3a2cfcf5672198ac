import { failure } from '../../../engine/errors.js';
import type { ResourceBase } from '../../../engine/record/item.js';
import { showBusy } from '../../window/chatView.js';
import { offerCancel } from '../../window/offerCancel.js';
import { slowWork } from '../../window/slowWork.js';
import { systemClock } from '../../window/systemPorts.js';
import type { MentionedResources } from './mentionedResources.js';

/** Reads a resource, which may start its server. Null after a cancel. Rejects for a resource that cannot be read. */
export async function textOfResource(item: ResourceBase, resources: Pick<MentionedResources, 'read'>): Promise<string | null> {
  const reading = async (signal: AbortSignal): Promise<string | null> => {
    const read = await resources.read(item, signal);
    if (signal.aborted) {
      return null;
    }
    if (!read.ok) {
      throw failure('mcp.resourceUnreadable', { reason: read.reason });
    }
    return read.content;
  };
  return slowWork(reading, { clock: systemClock, showBusy, offerCancel: offerCancel('Reading the resource from the MCP server') });
}
