import { previewSecret } from '../secret-names.ts';
import { starterSource } from './starter-source.ts';

/** What the starter of a repository is made with. */
export interface StarterChoice {
  /** The names of the site's variables. */
  names: readonly string[];
  /** The branch whose pushes are deployed: letters, digits, `.`, `_`, `-` and `/`. */
  branch: string;
  hasPreviews: boolean;
}

/** The starter's files for a repository, by their paths in it. */
export const starterFiles = (choice: StarterChoice): [path: string, text: string][] =>
  Object.entries(starterSource())
    .filter(([path]) => choice.hasPreviews || !isPreview(path))
    .map(([path, text]) => [
      path,
      path.endsWith('/site.yml') ? siteFile(text, choice) : workflow(path, text, choice),
    ]);

const isPreview = (path: string): boolean => path.endsWith('/preview.yml');

function workflow(path: string, text: string, { names, branch }: StarterChoice): string {
  const secretOf = (name: string) => (isPreview(path) ? previewSecret(name) : name);
  const lines = names.map((name) => `          ${name}: \${{ secrets.${secretOf(name)} }}\n`);
  const env = lines.length === 0 ? '' : `        env:\n${lines.join('')}`;
  // YAML reads some names of branches, such as 2.0, as another value than a text.
  const written = branch === 'main' ? branch : `'${branch}'`;
  return text
    .replace(/ and EXAMPLE_(?:TEST_)?KEY;/, ' and all in `env:`;')
    .replace(/^ {8}env:\n {10}EXAMPLE_KEY: .*\n/m, env.replaceAll('$', '$$$$'))
    .replace('each commit on main:', `each commit on ${branch}:`)
    .replace('branches: [main]', `branches: [${written}]`)
    .replace("'refs/heads/main'", `'refs/heads/${branch}'`);
}

const ofVariables = `  # A run overwrites the project's variables of these names, and no one can read the old values back. Each value is in
  # the \`env:\` of the steps, from a secret. To add a variable: site-deploy add-variable NAME
  # What is not secret can be here with its value, which previews share: NAME: { value: My site, kind: plain }
`;

function siteFile(text: string, { names, hasPreviews }: StarterChoice): string {
  const [header = ''] = text.split(/^environment:\n/m);
  const kept = hasPreviews
    ? header
    : header.replace(', preview.yml to the projects of previews,', ',');
  return `${kept}environment:\n${ofVariables}${names.map((name) => `  ${name}: {}\n`).join('')}`;
}
