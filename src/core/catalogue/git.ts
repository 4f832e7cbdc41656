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
      example:
        'Nothing was deployed. There is no git on this machine, and git-url needs it: install git 2.32 or newer in a step before, or use a runner that has it.',
    },
    SD7002: {
      title: 'Git is too old',
      meaning: '`git-url` needs a newer git than the machine has.',
      remedy: 'Install the version that the message names in a step before.',
      example: 'Git 2.25.1 is too old for git-url: install git 2.32 or newer in a step before.',
    },
    SD7003: {
      title: 'Git cannot work on this machine',
      meaning: 'A folder cannot be made, or git fails without talking to anybody.',
      remedy: 'Look at what git says: most often it is `RUNNER_TEMP`, its rights, or the disk.',
      example:
        'Nothing was deployed. Git cannot work on this machine. Git says: no folder can be made in /runner/temp (ENOSPC).',
    },
    SD7004: {
      title: 'The project has commits that yours lacks',
      meaning: "A push would discard commits of the project's branch, which is never done unasked.",
      remedy:
        'Merge that branch into yours, or let this one head be discarded by `git-force`, as the message shows.',
      example:
        "main of the project's repository has 12 commits that this one lacks; the newest is c0ffee0000000000000000000000000000000000. A push would discard them. To keep them, merge that branch into yours. To discard them, as on the first deploy of a new project, set `git-force: c0ffee0000000000000000000000000000000000`, which forces only while that is the head.",
    },
    SD7005: {
      title: 'Somebody pushed in the same moment',
      meaning: 'What they pushed is kept, and nothing was forced.',
      remedy: 'Run the job again.',
      example:
        "Somebody pushed to main of the project's repository in this moment; that is kept, and nothing was forced. Run the job again.",
    },
    SD7006: {
      title: 'The push is refused',
      meaning:
        "The project's repository does not take the push: the branch is protected, or a hook declines it.",
      remedy: 'Push to another branch by `git-branch`, or let the owner of `git-token` push to it.',
      example:
        "The project's repository refuses the push to main: declined. Is the branch protected? Push to another by git-branch, or let git-token's owner push to it.",
    },
    SD7007: {
      title: 'The repositories use different hashes',
      meaning: "The project's repository uses SHA-256, and GitHub's SHA-1.",
      remedy: "Have the project's repository made with SHA-1.",
      example:
        "The project's repository names its commits by SHA-256, and GitHub's by SHA-1: git cannot push from one to the other. Have the project's repository made with SHA-1.",
    },
    SD7008: {
      title: 'The repository could not store the commit',
      meaning: 'The push arrived, and was not kept: there may be no room left.',
      remedy: "Look at the project's storage at the service.",
      example:
        "Nothing was deployed. The project's repository could not store the commit: it may have no room left. Git says: pack exceeds maximum allowed size.",
    },
    SD7009: {
      title: 'A temporary folder is left',
      meaning: "A warning: the folder of git's temporary files could not be removed.",
      remedy: 'Remove it, on a machine of your own.',
      example:
        'A folder of temporary files could not be removed: /runner/temp/site-deploy-git-a1b2c3.',
    },
    SD7101: {
      title: 'GitHub does not let the commit be read',
      meaning: 'The commit is not in the checkout, and `github-token` may not read the repository.',
      remedy:
        "Add what the message names: `fetch-depth: 0` to the checkout, or `contents: read` to the job's permissions.",
      example:
        "The commit must come from GitHub, for the checkout does not have it, and github-token may not read octo-org/octo-site. Add `contents: read` to the job's `permissions`.",
    },
    SD7102: {
      title: 'The commit could not be fetched',
      meaning: 'The commit is not in the checkout, and GitHub could not be asked for it.',
      remedy: 'Run the job again; a checkout with `fetch-depth: 0` makes do without.',
      example:
        'The commit must come from GitHub, for nothing is checked out, and octo-org/octo-site could not be fetched. Run the job again; a checkout with `fetch-depth: 0` before this step makes do without.',
    },
    SD7103: {
      title: 'GitHub does not have the commit',
      meaning: 'The commit is on no branch of the repository any more, or was never pushed.',
      remedy: 'Check `commit-sha`.',
      example:
        'octo-org/octo-site has no commit c0ffee0000000000000000000000000000000000. Was it pushed, and is it still on a branch? Check commit-sha.',
    },
    SD7201: {
      title: "The project's repository does not accept the token",
      meaning: '`git-username` and `git-token` are refused.',
      remedy: 'See that the secret is set for this repository and this environment.',
      example:
        "Nothing was deployed. The project's repository does not accept git-username and git-token. Is the secret set for this repository and this environment?",
    },
    SD7202: {
      title: 'The token may not push',
      meaning: '`git-token` is valid, and lacks the right.',
      remedy: "Give it the right to push to the project's repository.",
      example:
        "Nothing was deployed. git-token is valid, but may not do this in the project's repository: give it the right to push.",
    },
    SD7203: {
      title: 'There is no repository at git-url',
      meaning: 'The address leads nowhere, or the token may not see it.',
      remedy: 'Check the address, its `{projectId}`, and the token.',
      example:
        'Nothing was deployed. There is no repository at git-url, or git-token may not see it. Check both, and `{projectId}` in the URL.',
    },
    SD7204: {
      title: 'git-url leads elsewhere',
      meaning: 'The address redirects, and the token is not taken along.',
      remedy: 'Write the address that it leads to.',
      example:
        'Nothing was deployed. git-url leads to another address, where the token is not taken along: write the address that it leads to.',
    },
    SD7205: {
      title: 'The push is too large',
      meaning: "The project's repository does not take so much at once.",
      remedy: 'Take large files out of the history, or ask the service for a higher limit.',
      example: "The push is larger than the project's repository takes.",
    },
    SD7206: {
      title: 'git-url is no git repository',
      meaning: 'Something answers there that does not speak git, or does not take this request.',
      remedy: 'Check the address.',
      example:
        'Nothing was deployed. git-url is not the address of a git repository, or it does not take this request. It answered 422.',
    },
    SD7207: {
      title: "The project's repository is busy",
      meaning: 'It answered so, also when it was asked again.',
      remedy: 'Run the job again.',
      example:
        "Nothing was deployed. The project's repository is busy. Run the job again. It answered 503.",
    },
    SD7208: {
      title: "The project's repository cannot be reached",
      meaning: 'No connection, or it broke.',
      remedy:
        'Check `git-url`, and whether the runner can reach it: DNS, a firewall, a proxy; for ssh, its key and `known_hosts`.',
      example:
        "Nothing was deployed. The project's repository could not be reached. Check git-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy; for ssh, its key and known_hosts). The cause: its name is not in DNS.",
    },
    SD7209: {
      title: "The project's branch moved",
      meaning: 'Its head changed while it was read.',
      remedy: 'Run the job again.',
      example:
        "Nothing was deployed. The head of the project's branch moved while it was read. Run the job again.",
    },
    SD7210: {
      title: "The connection to the project's repository broke",
      meaning: 'It had answered before: its address, the token and the network are right.',
      remedy:
        'Run the job again. If it breaks again, look for what ends long connections: a proxy, a firewall, a limit of the server.',
      example:
        "Nothing was deployed. The connection to the project's repository broke during the push. Run the job again. The cause: the other side closed the connection.",
    },
    SD7211: {
      title: "The project's repository sent too much",
      meaning: 'Git reached a bound of its memory or of its files on this machine.',
      remedy: "Check that `git-url` is the project's repository, and what is in it.",
      example:
        "Nothing was deployed. The project's repository sent more than git may take here. Check that git-url is the project's repository.",
    },
    SD7301: {
      title: 'A proxy is in the way',
      meaning: 'The proxy of the machine refuses the way to the repository.',
      remedy:
        'Have it let git through, write its credentials into its address, or name the host in `no_proxy`.',
      example:
        "The proxy of this machine (https_proxy, http_proxy) refuses the way there: have it let git through, write the proxy's credentials into its address, or name the host in no_proxy.",
    },
    SD7302: {
      title: 'The disk is full',
      meaning: "There is no room for git's temporary files in `RUNNER_TEMP`.",
      remedy: 'Make room, or use a larger runner.',
      example: 'The disk of this machine is full (RUNNER_TEMP).',
    },
    SD7303: {
      title: "This machine's proxy does not answer",
      meaning: 'Git is led to it by `http_proxy`, `https_proxy` or `all_proxy`.',
      remedy: "Check the proxy's address, or name the host of the repository in `no_proxy`.",
      example:
        'Nothing was deployed. The proxy of this machine (http_proxy, https_proxy) does not answer. Check its address, or name the host in no_proxy.',
    },
  },
} as const satisfies Topic<'SD7'>;
