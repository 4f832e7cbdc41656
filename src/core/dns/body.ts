import { targetTypes } from './content.ts';
import { asciiName } from './name.ts';
import type { DeclaredRecord, RecordBody } from './record.ts';

/**
 * The record that a write sends: exactly the fields that the user gave, in the user's spelling, because
 * which fields and spellings the service takes is not shown. Only the type is put in upper case, an empty
 * name is `@`, and names in other scripts are put in punycode, without which they are no DNS names.
 */
export function bodyOf(declared: DeclaredRecord): RecordBody {
  const type = declared.type.trim().toUpperCase();
  const name = asciiName(declared.name.trim()) || '@';
  const content = declared.content.trim();
  const isTarget = targetTypes.has(type);
  return { ...declared, type, name, content: isTarget ? asciiName(content) : content };
}
