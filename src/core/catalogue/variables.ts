import type { Topic } from './entry.ts';

/** What a sync met, and why a plan is not applied, by code. */
export const variables = {
  title: 'Variables and plans',
  intro: 'What a sync of variables met at the service, and plans that are not applied.',
  entries: {
    SD4001: {
      title: 'A variable was changed elsewhere',
      meaning:
        'A variable is not as this action wrote it last: somebody changed it at the service. It was left as it is.',
      remedy: 'Settle it at the service, or set `env-on-conflict` to `overwrite` or `keep`.',
      example:
        'a conflict: A: changed elsewhere: this action wrote version 1, it has version 2 now. Settle it on the service, or set env-on-conflict to overwrite or keep, and run the job again.',
    },
    SD4002: {
      title: 'The service has a variable twice',
      meaning: 'Two variables of one name cannot be told apart, so nothing was written.',
      remedy: 'Remove all but one at the service, and run the job again.',
      example:
        'Not everything was synced, because of a conflict: API_KEY: the service has 2 variables of this name. Settle it on the service, and run the job again.',
    },
    SD4003: {
      title: 'A required variable has no value',
      meaning:
        'The service marks a variable as required, this workflow gives no value, and nothing shows that there is one. New code would go live without it.',
      remedy: 'Add it to `env-from`, or set it at the service.',
      example:
        'Nothing was written or deployed: the service requires NEEDED, this workflow gives no value, and nothing shows that there is one. Add it to env-from, or set it on the service.',
    },
    SD4004: {
      title: 'A required variable is not declared',
      meaning:
        'A warning: the service marks a variable as required, and this workflow does not give it.',
      remedy: 'Add it to `env-from`, unless somebody sets it at the service.',
      example:
        'The service marks NEEDED as required, and this workflow gives no value. Nothing shows that NEEDED ever got one: add it to env-from, or set it on the service.',
    },
    SD4005: {
      title: 'A variable is there twice now',
      meaning:
        'A warning: a request of this run took effect twice, or somebody made a variable of the same name in the same moment.',
      remedy: 'Remove all but one at the service.',
      example:
        'The service has more than one variable called API_KEY: a request of this run took effect once more, or somebody else made one in the same moment. Remove all but one.',
    },
    SD4006: {
      title: 'A new variable was written over',
      meaning: 'A warning: a variable that this run created has been written more often than that.',
      remedy: 'See who else writes it.',
      example:
        'SHARED was written more than once since it was created: somebody else created one of its name in the same moment and ours took its place, or our request was carried out twice.',
    },
    SD4007: {
      title: "Somebody else's write was overwritten",
      meaning: "A warning: a variable's version moved further than one write moves it.",
      remedy:
        'Give the workflow a `concurrency` group, and look at the value at the service if somebody changed it there.',
      example:
        'The version of BOTH, TARGETS, VALUE moved further than one write moves it: what somebody else wrote in the same moment was overwritten, or our request was carried out twice. The service did not refuse it.',
    },
    SD4008: {
      title: 'Nothing shows whether a write was taken',
      meaning:
        'A warning: the service answered with success, and shows neither a new version nor a new time.',
      remedy: 'Look at the variable at the service if you doubt it.',
      example:
        'Whether the service took what was written to API_KEY cannot be known: it answered with success, and neither the version nor the time of a variable moves there.',
    },
    SD4010: {
      title: 'There is no ledger to go by',
      meaning:
        'A warning: what this action wrote last cannot be known, so that a change made elsewhere cannot be seen.',
      remedy:
        "On the first run that is as it should be. Otherwise see why the ledger is gone: a new key, a cache that was cleared, or a branch that cannot read the base's cache.",
      example:
        'The ledger cannot be used: it belongs to another project: give each project a ledger of its own. So variables that exist are written again.',
    },
    SD4011: {
      title: 'The file named as ledger is none',
      meaning:
        'A warning: the file that `env-ledger` or `ledger` names exists and is no ledger, so that it is left as it is.',
      remedy: 'Name another file, or remove that one.',
      example:
        'env-ledger: link/ledger.txt is something else than a ledger, and is left as it is. Name another file, or remove it.',
    },
    SD4013: {
      title: "The ledger's file is another's",
      meaning:
        'The file that `env-ledger` or `ledger` names was sealed with another key, or is the ledger of another action. Nothing was written, and the file is left as it is. As a warning: another run put it there meanwhile.',
      remedy:
        'Set `env-ledger-key` (of `domains`: `ledger-key`) to the secret that sealed it, or delete the file after a change of the key: variables are then written again. Give `domains` a file of its own.',
      example:
        'env-ledger: ledgers/site was sealed with another key, and is left as it is. Set env-ledger-key to the secret that sealed it (without one it was the api-key), or delete the file.',
    },
    SD4014: {
      title: 'A required variable is named for deletion',
      meaning: 'The service marks the variable as required. Nothing was written or deleted.',
      remedy: 'Take its name out of `env-remove`, or `remove: true` out of the site file.',
      example:
        'The service requires API_KEY, so nothing was written or deleted. Take the name out of env-remove, or the line `remove: true` out of the site file.',
    },
    SD4020: {
      title: 'The variables have drifted',
      meaning: 'The plan is not empty, and `fail-on-drift` is true.',
      remedy: 'Run `mode: apply`, or settle at the service what was changed there.',
      example:
        'fail-on-drift is true, and the plan is not empty: what was changed elsewhere must be settled on the service, or by env-on-conflict.',
    },
    SD4101: {
      title: 'The reviewed plan cannot be compared',
      meaning: 'The digest was made with another key than this run has.',
      remedy:
        'Give the run the `env-ledger-key` (or else the `api-key`) of the run that planned, or review the plan anew.',
      example:
        'Nothing was changed: expected-plan was made with another key, so it cannot be told whether it is this plan. Give this run the env-ledger-key, or else the api-key, of the run that planned; or review the plan in the summary, and give its digest bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222.',
    },
    SD4102: {
      title: 'The plan is no longer the one that was reviewed',
      meaning: 'Something changed since the plan was made: the declaration, or the service.',
      remedy: 'Review the new plan, and give its digest as `expected-plan`.',
      example:
        'Nothing was changed: the plan is no longer the one that was reviewed. expected-plan is 5b0f…, the plan is 91ce… now. Review the plan in the summary, and give its digest.',
    },
    SD4103: {
      title: 'The plan changes too much',
      meaning: 'The plan changes more than `max-changes` allows.',
      remedy: 'Review the plan; if it is right, raise `max-changes` for this run.',
      example:
        'Nothing was changed: the plan changes 4 of 4, and max-changes is 1. Review the plan in the summary; if it is right, raise max-changes for this run.',
    },
  },
} as const satisfies Topic<'SD4'>;
