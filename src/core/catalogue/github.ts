import type { Topic } from './entry.ts';

/** What GitHub did not do, by code. */
export const github = {
  title: 'GitHub',
  intro:
    'Telling GitHub of the run, and asking it. Most of these are warnings: the deployment itself goes on.',
  entries: {
    SD8001: {
      title: "GitHub's rate limit is used up",
      meaning:
        'The token has asked GitHub too often; the message says until when, if GitHub does. The deployment itself goes on.',
      remedy: 'Run fewer jobs at once, or wait.',
      example:
        "Could not record the deployment: GitHub's rate limit for this token is used up until 2026-11-22T11:05:42Z.",
    },
    SD8002: {
      title: 'The token may not do this on GitHub',
      meaning:
        'GitHub refuses to be told of the run, or to be asked. The deployment itself goes on.',
      remedy: 'Give the job the line under `permissions:` that the message names.',
      example:
        'github-token: Could not read the pull request (GitHub answered 403): Resource not accessible by integration. Give the job the line "pull-requests: read" under permissions:.',
    },
    SD8003: {
      title: 'GitHub did not answer in time',
      meaning: 'A question or a record of the run was not answered. The deployment itself goes on.',
      remedy: 'Nothing, if it passes; see githubstatus.com if it does not.',
      example:
        'Could not see whether the pull request is still open: GitHub did not answer in time.',
    },
    SD8004: {
      title: 'GitHub refuses a request',
      meaning: 'GitHub answered with another error, or with something that cannot be read.',
      remedy:
        'Do what GitHub says. With a server that only resembles GitHub, set `comment: false` or `github-deployment: false`.',
      example:
        'Could not see whether the pull request is still open (GitHub answered 503): Service unavailable.',
    },
    SD8005: {
      title: 'GitHub cannot be reached',
      meaning: "No connection could be opened to GitHub's API, or it broke.",
      remedy: "Check the runner's network, and its proxy.",
      example:
        'Could not record the deployment: GitHub cannot be reached: no connection: its name is not in DNS (ENOTFOUND).',
    },
    SD8006: {
      title: 'GitHub does not show what was written',
      meaning: 'GitHub answered with success, and a look does not show it.',
      remedy: 'Look at the pull request; run the job again if something is missing.',
      example:
        'Could not write the comment: GitHub answered with success, and what was written does not show.',
    },
    SD8007: {
      title: 'The server has no such thing',
      meaning:
        'The server answers as for an address that it does not know: it resembles GitHub, and lacks this part of it.',
      remedy:
        'Set the input that the message names: the run then does without. Without GitHub Deployments, leave out `on-older`, `deploy: if-needed`, `require-verified` and `on-failed-checks: roll-back`, too.',
      example:
        'Could not write the comment (GitHub answered 404): Not Found. This server has no such thing: set comment: false.',
    },
    SD8008: {
      title: 'Our deployment records cannot be asked',
      meaning:
        'An input needs to know what was deployed before, and there is nothing that could tell it. `on-older` and `deploy: if-needed` then deploy the commit; `require-verified` fails.',
      remedy:
        'Let `github-token` and `github-deployment` have their defaults, and give the job `deployments: write` and `contents: read` under `permissions:`.',
      example:
        'github-deployment is false, so that no record says what was deployed here. So on-older cannot be decided, and the commit is deployed.',
    },
    SD8101: {
      title: 'The runner did not take something',
      meaning:
        "A warning: the runner's files for outputs, summary or state could not be written. What was deployed is deployed.",
      remedy:
        "See that the disk is not full, and that the summary of the job is not beyond GitHub's 1 MiB.",
      example: 'The runner did not take the summary (ENOSPC).',
    },
  },
} as const satisfies Topic<'SD8'>;
