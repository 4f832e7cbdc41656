import type { LocalWorld } from '../../player/world.ts';

/** What a step declares, plainly fake. */
export const three = {
  STRIPE_KEY: 'sk_not_a_real_key_0123456789',
  DATABASE_URL: 'postgres://not-a-real-host/site',
  SEARCH_TOKEN: 'fake-search-token-0123456789',
} as const;

/** Many variables by name, plainly fake. */
export const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `SETTING_${String(index + 1).padStart(3, '0')}`,
      `fake-value-${index + 1}`,
    ]),
  );

/** A site file with names in other scripts, and one as long as the service takes; each value is plainly fake. */
export const oddNames = `environment:
  支付密钥: { from: STRIPE_KEY }
  決済キー_本番: { from: STRIPE_KEY }
  ＷＩＤＥ: { value: wide, kind: plain }
  ${'LONG_NAME_'.repeat(12)}END: { value: long, kind: plain }
  SHORT: { value: short, kind: plain }
`;

/** The input `env-from` for some variables. */
export const from = (variables: Readonly<Record<string, string>>) => ({
  'env-from': Object.keys(variables).join('\n'),
});

/** A preview on a project of its own. */
export const preview = ({ project }: Pick<LocalWorld, 'project'>) => ({
  'preview-projects': project.id,
  'preview-domain': 'pr-{number}.preview.example.com',
});

/** A text that tries whatever a text can: commands, markup, mentions, references, and what hides text. */
export const hostile =
  '::error::not ours %0A##[error]nor this <img src=x onerror=alert(1)> @octocat #1 GH-2 [x](javascript:alert(1)) | `` </details> **bold** \u202Egnp.exe\u0007';

/** What a build says before it fails. */
export const failingBuild = [
  '> site@1.0.0 build',
  '> node build.js',
  '',
  'Installing 3 packages',
  'Building 2 pages',
  'src/about.html:12',
  '    {{ include "team" }}',
  '    ^',
  'Error: no page named "team", which src/about.html includes',
  '    at include (build.js:41:11)',
  '    at render (build.js:73:5)',
  'npm ERR! code 1',
] as const;
