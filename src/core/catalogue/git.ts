import type { Topic } from './entry.ts';

/** What kept a commit from its project's repository, by code. */
export const git = {
  title: "The commit's way",
  intro:
    "With `git-url`, the commit is brought to the project's own repository. What fails there fails before anything is deployed.",
  entries: {
    SD7001: {
      title: 'There is no git',
      meaning: '`git-url` needs git, and the machine has none.',
      remedy: 'Install git in a step before, or use a runner that has it.',
      example: '',
    },
    SD7002: {
      title: 'Git is too old',
      meaning: '`git-url` needs a newer git than the machine has.',
      remedy: 'Install the version that the message names in a step before.',
      example: '',
    },
    SD7003: {
      title: 'Git cannot work on this machine',
      meaning: 'A folder cannot be made, or git fails without talking to anybody.',
      remedy: 'Look at what git says: most often it is `RUNNER_TEMP`, its rights, or the disk.',
      example: '',
    },
    SD7004: {
      title: 'The project has commits that yours lacks',
      meaning: "A push would discard commits of the project's branch, which is never done unasked.",
      remedy:
        'Merge that branch into yours, or let this one head be discarded by `git-force`, as the message shows.',
      example: '',
    },
    SD7005: {
      title: 'Somebody pushed in the same moment',
      meaning: 'What they pushed is kept, and nothing was forced.',
      remedy: 'Run the job again.',
      example: '',
    },
    SD7006: {
      title: 'The push is refused',
      meaning:
        "The project's repository does not take the push: the branch is protected, or a hook declines it.",
      remedy: 'Push to another branch by `git-branch`, or let the owner of `git-token` push to it.',
      example: '',
    },
    SD7007: {
      title: 'The repositories use different hashes',
      meaning: "The project's repository uses SHA-256, and GitHub's SHA-1.",
      remedy: "Have the project's repository made with SHA-1.",
      example: '',
    },
    SD7008: {
      title: 'The repository could not store the commit',
      meaning: 'The push arrived, and was not kept: there may be no room left.',
      remedy: "Look at the project's storage at the service.",
      example: '',
    },
    SD7009: {
      title: 'A temporary folder is left',
      meaning: "A warning: the folder of git's temporary files could not be removed.",
      remedy: 'Remove it, on a machine of your own.',
      example: '',
    },
    SD7101: {
      title: 'GitHub does not let the commit be read',
      meaning: 'The commit is not in the checkout, and `github-token` may not read the repository.',
      remedy:
        "Add what the message names: `fetch-depth: 0` to the checkout, or `contents: read` to the job's permissions.",
      example: '',
    },
    SD7102: {
      title: 'The commit could not be fetched',
      meaning: 'The commit is not in the checkout, and GitHub could not be asked for it.',
      remedy: 'Run the job again; a checkout with `fetch-depth: 0` makes do without.',
      example: '',
    },
    SD7103: {
      title: 'GitHub does not have the commit',
      meaning: 'The commit is on no branch of the repository any more, or was never pushed.',
      remedy: 'Check `commit-sha`.',
      example: '',
    },
    SD7201: {
      title: "The project's repository does not accept the token",
      meaning: '`git-username` and `git-token` are refused.',
      remedy: 'See that the secret is set for this repository and this environment.',
      example: '',
    },
    SD7202: {
      title: 'The token may not push',
      meaning: '`git-token` is valid, and lacks the right.',
      remedy: "Give it the right to push to the project's repository.",
      example: '',
    },
    SD7203: {
      title: 'There is no repository at git-url',
      meaning: 'The address leads nowhere, or the token may not see it.',
      remedy: 'Check the address, its `{projectId}`, and the token.',
      example: '',
    },
    SD7204: {
      title: 'git-url leads elsewhere',
      meaning: 'The address redirects, and the token is not taken along.',
      remedy: 'Write the address that it leads to.',
      example: '',
    },
    SD7205: {
      title: 'The push is too large',
      meaning: "The project's repository does not take so much at once.",
      remedy: 'Take large files out of the history, or ask the service for a higher limit.',
      example: '',
    },
    SD7206: {
      title: 'git-url is no git repository',
      meaning: 'Something answers there that does not speak git, or does not take this request.',
      remedy: 'Check the address.',
      example: '',
    },
    SD7207: {
      title: "The project's repository is busy",
      meaning: 'It answered so, also when it was asked again.',
      remedy: 'Run the job again.',
      example: '',
    },
    SD7208: {
      title: "The project's repository cannot be reached",
      meaning: 'No connection, or it broke.',
      remedy:
        'Check `git-url`, and whether the runner can reach it: DNS, a firewall, a proxy; for ssh, its key and `known_hosts`.',
      example: '',
    },
    SD7209: {
      title: "The project's branch moved",
      meaning: 'Its head changed while it was read.',
      remedy: 'Run the job again.',
      example: '',
    },
    SD7301: {
      title: 'A proxy is in the way',
      meaning: 'The proxy of the machine refuses the way to the repository.',
      remedy:
        'Have it let git through, write its credentials into its address, or name the host in `no_proxy`.',
      example: '',
    },
    SD7302: {
      title: 'The disk is full',
      meaning: "There is no room for git's temporary files in `RUNNER_TEMP`.",
      remedy: 'Make room, or use a larger runner.',
      example: '',
    },
  },
} as const satisfies Topic<'SD7'>;
