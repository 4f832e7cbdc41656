import type { Topic } from './entry.ts';

/** What is wrong with the variables that a step declares, by code. */
export const declared = {
  title: 'Declared variables',
  intro: 'What `env`, `env-from`, `env-file` and `config` declare. Nothing was sent yet.',
  entries: {
    SD1201: {
      title: 'An item of env-from is no name',
      meaning:
        'An item must be `NAME`, or `NAME=SOURCE` where the value stands under another name. It is not shown, because it may be a value that was pasted.',
      remedy:
        'Write the name of an environment variable of the step, and give the value to the step by `env:`.',
      example:
        'env-from: item 1 is neither NAME nor NAME=SOURCE, where SOURCE is the name of an environment variable of the step (it is not shown, in case it is a value).',
    },
    SD1202: {
      title: "A variable has no value in the step's environment",
      meaning:
        "A variable takes its value from the step's environment, where that name is missing or empty. An empty value would be written over a good one, so nothing is written.",
      remedy:
        "Add the name to the step's `env:`, filled from the secret, and see that this event may read that secret.",
      example: `env-from: the step's environment has no EMPTY, or it is empty. Add it to the step's env: (EMPTY: \${{ secrets.EMPTY }}), and see that the secret exists and that this event may read it.`,
    },
    SD1203: {
      title: 'A reserved name is no source',
      meaning:
        "Names that begin with `INPUT_`, `STATE_`, `ACTIONS_`, `GITHUB_` or `RUNNER_` belong to the runner and to this action; their values must not get to where the site's code reads them.",
      remedy: "Give the value another name in the step's `env:`, and name that.",
      example: `env-from: item 1 takes a value from GITHUB_TOKEN: names that begin with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_ are the runner's and this action's own. Give the value another name in the step's env: (SITE_TOKEN: \${{ … }}), and write GITHUB_TOKEN=SITE_TOKEN.`,
    },
    SD1204: {
      title: 'A proposed site file names a source by itself',
      meaning:
        "In a run that somebody else than the repository's writers can cause, the site file may name only sources that the workflow names too. Otherwise a pull request could have any secret of the step written to its site.",
      remedy: 'Add the name to `env-from`, or leave the variable to a run after the merge.',
      example:
        "config: .github/site.yml line 3 wants API_KEY from the step's environment. In a run that others than the repository's writers can cause, a site file may name only what the input env-from names: add API_KEY to env-from, where the action has that input, or leave it to a run after the merge.",
    },
    SD1205: {
      title: 'A line of variables cannot be read',
      meaning:
        'A line of `env` or of an `env-file` is not `NAME=value` without doubt. It is never guessed, and never shown.',
      remedy: 'Put the value in single quotes, or use `env-from`.',
      example: 'env: line 2 is not NAME=value, a comment or blank.',
    },
    SD1206: {
      title: 'A variable cannot be written',
      meaning:
        'The name or the value is beyond what the service takes, or the value is one that only this action may know.',
      remedy: 'Correct the name, shorten the value, or give the site a secret of its own.',
      example: 'env: the value of A has 5121 characters; the service takes at most 5120.',
    },
    SD1207: {
      title: 'A variable is given twice',
      meaning: 'One source gives the same name two values, so that it is not clear which is meant.',
      remedy: 'Keep one of them.',
      example: 'env: A is given twice with different values: keep one of them.',
    },
    SD1208: {
      title: 'Two names differ only by case',
      meaning:
        'A warning: for the service these are different variables; most often one of them is a slip.',
      remedy: 'Rename one of them, if they were meant to be one.',
      example: 'KEY (env) and Key (env-from) differ only by case: they are different variables.',
    },
    SD1209: {
      title: 'No variable is declared',
      meaning: 'A warning: the step has nothing to sync.',
      remedy: 'Name variables in `env-from`, `env`, `env-file` or `config`, or take the step out.',
      example: 'No variable is declared: name some in env-from, env, env-file or config.',
    },
    SD1210: {
      title: 'An env-file cannot be read',
      meaning:
        'The file does not exist, lies outside the workspace, is too large or is not UTF-8 text.',
      remedy:
        'See that `actions/checkout` ran before, and that the path is relative to the workspace.',
      example: 'env-file: no/such.env does not exist (was the repository checked out?).',
    },
    SD1211: {
      title: 'A variable is declared and removed at once',
      meaning: 'Two places contradict each other: one gives the variable a value, one deletes it.',
      remedy:
        'Take the name out of `env-remove` (or `remove: true` out of the site file), or do not declare it.',
      example: 'env-remove: OLD_KEY is to be removed, and env-from declares it: keep one of them.',
    },
  },
} as const satisfies Topic<'SD1'>;
