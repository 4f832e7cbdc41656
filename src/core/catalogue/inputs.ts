import type { Topic } from './entry.ts';

/** What is wrong with the inputs of a step, by code. */
export const inputs = {
  title: 'Inputs',
  intro: 'What the step is given: `with:`, the environment, the event. Nothing was sent yet.',
  entries: {
    SD1001: {
      title: 'A required input is empty',
      meaning:
        'The input must be given, and what reached the step is empty. GitHub gives an empty text for a secret or a variable that is not set, or that this run may not read.',
      remedy:
        'Give the input in `with:`. If it is filled from a secret or a variable, see that this is set for the repository (or for the environment that the job names), and passed on to a reusable workflow.',
      example: `base-url: is required, and empty. If with: has base-url: \${{ vars.SITE_BASE_URL }}, that variable does not reach this job: not set (Settings → Secrets and variables → Actions, Variables), set as a secret, or of an environment that the job does not name.`,
    },
    SD1002: {
      title: 'An input has a form that it cannot have',
      meaning:
        'The value does not have the form that the message names: a duration, a number, one of a few words. Nothing was sent. Several mistakes are told together, each with its own code.',
      remedy:
        'Write the value as the message says; [the reference](reference.md) lists what each input takes.',
      example:
        'allowed-associations: "MEMBER, MEMBRE" must be one or more of OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, FIRST_TIMER, FIRST_TIME_CONTRIBUTOR, MANNEQUIN, NONE.',
    },
    SD1003: {
      title: 'base-url cannot be used',
      meaning:
        "The address of the service must be https (http only on this machine), end before the service's own paths, and hold neither a user name nor a query.",
      remedy:
        "Give the address that the service's documentation names, such as `https://api.example.com`, and nothing behind it.",
      example:
        'base-url: "http://api.example.com" must be https: the key would cross the network in the clear (plain http is for this machine only).',
    },
    SD1004: {
      title: 'The key cannot be sent',
      meaning:
        'The key holds a character that no header can carry, such as a space or a line break in its middle: most often it was pasted in part or twice.',
      remedy: 'Copy the key again, and set the secret anew.',
      example:
        'api-key: holds a character that a header cannot carry, such as a space in its middle.',
    },
    SD1005: {
      title: 'An id is not a UUID',
      meaning: 'Projects are named by their id, not by their name.',
      remedy: '`GET /v1/projects?filter=all`, or the `projects` action, lists the ids.',
      example:
        'preview-projects: "x" must be UUIDs of projects, one a line: GET /v1/projects?filter=all, or the /projects action, lists the ids.',
    },
    SD1006: {
      title: 'A commit is not a commit',
      meaning:
        "A commit is all 40 hex digits of its SHA-1, or `HEAD` for the head of the project's own repository. A short SHA, a branch or a tag is not enough.",
      remedy: 'Give `github.sha`, or leave `commit-sha` out: then the event says it.',
      example: 'commit-sha: "main" must be all 40 hex digits of a commit, or HEAD.',
    },
    SD1010: {
      title: 'A proxy variable is not a URL',
      meaning:
        'The service is reached through the proxy that the environment names, and the name is not a URL.',
      remedy:
        "Set it to a URL such as `http://proxy.example.com:3128`, or remove it from the job's environment.",
      example:
        'HTTPS_PROXY: is set in the environment, and is no URL such as http://proxy.example.com:3128.',
    },
    SD1101: {
      title: 'An input needs another, or does nothing',
      meaning:
        'The input has no effect beside the others that were given, so that what was meant would not happen.',
      remedy: 'Give the input that the message names, or take this one out.',
      example: 'name-pattern: is about a list, and create: true makes none.',
    },
    SD1102: {
      title: 'A project would be production and preview at once',
      meaning:
        '`preview-projects` holds the project of `project-id`. A pull request would lease it, and push and deploy over what is there.',
      remedy: 'Take the project out of `preview-projects`.',
      example:
        'preview-projects: holds project-id: a pull request would lease that project, and push and deploy over what is there. Take it out.',
    },
    SD1103: {
      title: 'There is nothing to comment on',
      meaning:
        '`comment: true` wants a comment, and the event is about no issue and no pull request.',
      remedy: 'Set `comment: auto`, which comments where that is possible.',
      example: 'comment: true needs an issue or a pull request: use auto.',
    },
    SD1104: {
      title: 'preview-domain gives no hostname',
      meaning:
        'The template cannot be filled in so that each preview has a hostname of its own that DNS takes.',
      remedy: 'Write it as the message says, for instance `pr-{number}.example.com`.',
      example:
        'preview-domain: "nodots" gives no valid hostname: use lower-case letters, digits, "-" and at least one dot beside the placeholders.',
    },
    SD1105: {
      title: 'verify-url cannot be asked',
      meaning:
        'The page, or the text that it must contain, cannot be made of the input: it is no public URL, or a placeholder has no value in this run.',
      remedy: 'Correct the URL, or give what the placeholder needs.',
      example: 'verify-url: must not hold a user name or password: the page must be public.',
    },
    SD1106: {
      title: 'git-url cannot be used',
      meaning:
        'The address is no repository that may be pushed to: wrong in form, not encrypted, that of this very workflow, or shared by projects that must not share one.',
      remedy: 'Give each project its own repository, most simply by `{projectId}` in the URL.',
      example:
        'git-url: has the protocol `file:`: use https://host/path, ssh://user@host/path, or http on this machine itself (for the project 3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10).',
    },
    SD1107: {
      title: 'git-branch is no branch',
      meaning: 'Git takes no branch of that name.',
      remedy: "Give the branch's name alone, such as `main`.",
      example: "git-branch: is a reference's whole name: give the branch's alone, such as main.",
    },
    SD1108: {
      title: 'A word means both success and failure',
      meaning: 'The same status stands in `success-states` and in `failure-states`.',
      remedy: 'Take it out of one of them.',
      example: 'failure-states: "zorp" is in success-states too.',
    },
    SD1109: {
      title: 'The event names no commit',
      meaning: 'The workflow runs for an event that has no commit of its own.',
      remedy:
        "Give `commit-sha`: 40 hex digits, or `HEAD` for the head of the project's own repository.",
      example:
        'commit-sha: the event "schedule" names no commit: give commit-sha 40 hex digits, or HEAD for the head of the project\'s own repository.',
    },
    SD1110: {
      title: 'The event does not say which pull request it is about',
      meaning:
        'The event is one of pull requests, and its payload has none: it was changed on its way, or a tool made it.',
      remedy:
        "Run the workflow on GitHub's own event; with a local runner, give it a whole payload.",
      example:
        "GITHUB_EVENT_PATH: the event's payload does not say which pull request it is about.",
    },
    SD1111: {
      title: 'GitHub cannot be asked for the pull request',
      meaning:
        'The event names the pull request only in part, and there is no token to ask GitHub with.',
      remedy: 'Leave `github-token` at its default, and give the job `pull-requests: read`.',
      example: 'github-token: is empty, so GitHub cannot be asked.',
    },
    SD1113: {
      title: 'A name to check is no domain',
      meaning: 'An item of `check` is not a domain name that somebody could register.',
      remedy: 'Write names such as `example.com`, one a line.',
      example:
        'check: "a-.com" is no domain name: it may hold only letters, digits, "_" and "-", and "-" not at the edge of a label.',
    },
    SD1114: {
      title: 'The message is empty',
      meaning: '`content` holds nothing but white space.',
      remedy:
        'Give the message; if it comes from an event, let the job run only where it is not empty.',
      example: 'content: holds nothing but white space.',
    },
  },
} as const satisfies Topic<'SD1'>;
