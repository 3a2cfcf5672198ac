import type { JsonObject } from '../../json.js';
import type { Block } from '../../model/block.js';
import type { Model } from '../../model/model.js';
import type { Adaptations, RefusedTool } from '../../record/adaptations.js';
import { type ToolNames, withSentName } from '../../record/toolNames.js';
import type { BlockFactory } from '../blockFactory.js';
import { sentSchema } from './toolSchema.js';

/** The schemas that differ from the schemas of the tools, by the block of the tool. */
type ChangedSchemas = ReadonlyMap<Block, JsonObject>;

interface ToolRules extends Pick<Model, 'refusedTools'> {
  readonly capabilities: Pick<Model['capabilities'], 'toolSchemas' | 'mostTools'>;
}

interface AcceptedTools {
  readonly offered: readonly Block[];
  readonly schemas: ChangedSchemas;
  readonly adaptations: Pick<Adaptations, 'toolSchemasChanged' | 'toolsRefused' | 'toolsRefusedEarlier' | 'toolsAboveLimit'>;
}

/**
 * Selects the tools that the provider accepts, in their order: one refused tool would make it refuse the whole request.
 * Also converts their schemas. The only place that applies these rules.
 */
export function acceptedTools(
  tools: readonly Block[],
  { capabilities: { toolSchemas, mostTools: most }, refusedTools }: ToolRules,
): AcceptedTools {
  const refusedEarlier: string[] = [];
  const refused: RefusedTool[] = [];
  const schemas = new Map<Block, JsonObject>();
  const accepted = tools.filter((block) => {
    const { part } = block;
    if (part.type !== 'toolDefinition') {
      return true;
    }
    if (refusedTools?.includes(part.name) === true) {
      refusedEarlier.push(part.name);
      return false;
    }
    const sent = sentSchema(part.schema, toolSchemas);
    if ('refused' in sent) {
      refused.push({ name: part.name, argument: sent.refused === 'form' ? null : sent.refused.argument });
      return false;
    }
    if (sent.schema !== part.schema) {
      schemas.set(block, sent.schema);
    }
    return true;
  });
  const offered = most === null ? accepted : accepted.slice(0, most);
  const changed = offered.filter((block) => schemas.has(block)).length;
  const above = most === null || offered.length === accepted.length ? null : { tools: accepted.length - most, most };
  const adaptations = {
    ...(changed === 0 ? {} : { toolSchemasChanged: changed }),
    ...(refused.length === 0 ? {} : { toolsRefused: refused }),
    ...(refusedEarlier.length === 0 ? {} : { toolsRefusedEarlier: refusedEarlier }),
    ...(above === null ? {} : { toolsAboveLimit: above }),
  };
  return { offered, schemas, adaptations };
}

/** Returns the tool with the name and schema that the provider accepts. */
export function sentTool(
  block: Block,
  schemas: ChangedSchemas,
  { toolNames, factory }: { readonly toolNames: ToolNames; readonly factory: BlockFactory },
): Block {
  const named = withSentName(block.part, toolNames);
  const schema = schemas.get(block);
  const part = schema === undefined || named.type !== 'toolDefinition' ? named : { ...named, schema };
  return part === block.part || part.type !== 'toolDefinition' ? block : factory.sentBlock(block, part);
}
