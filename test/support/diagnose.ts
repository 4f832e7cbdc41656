import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ActionsMetadataProvider, validate } from '@actions/languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

const metadataShape = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z
    .record(
      z.string(),
      z.object({
        description: z.string(),
        required: z.boolean().default(false),
        default: z.coerce.string().optional(),
      }),
    )
    .optional(),
});

/** Tells the language service our own actions' inputs, so that it catches a wrong one in an example. */
const actionsMetadataProvider: ActionsMetadataProvider = {
  fetchActionMetadata: async ({ owner, name, path = '' }) => {
    const file = join(path, 'action.yml');
    const ours = `${owner}/${name}` === 'OWNER/site-deploy-action' && existsSync(join(root, file));
    if (!ours) return { name, description: '' };
    const { inputs = {}, ...rest } = metadataShape.parse(
      parse(readFileSync(join(root, file), 'utf8')),
    );
    return {
      ...rest,
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([input, { default: value, ...fields }]) => [
          input,
          value === undefined ? fields : { ...fields, default: value },
        ]),
      ),
    };
  },
};

/**
 * What GitHub's own language service finds wrong with a workflow or an action, a line each.
 *
 * @param file a name of its own: what was parsed is kept by name
 */
export async function diagnose(file: string, text: string): Promise<string[]> {
  const uri = pathToFileURL(join(root, file)).href;
  const document = TextDocument.create(uri, 'yaml', 0, text);
  const diagnostics = await validate(document, { actionsMetadataProvider });
  return diagnostics.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
}
