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
      example: '',
    },
    SD4002: {
      title: 'The service has a variable twice',
      meaning: 'Two variables of one name cannot be told apart, so nothing was written.',
      remedy: 'Remove all but one at the service, and run the job again.',
      example: '',
    },
    SD4003: {
      title: 'A required variable has no value',
      meaning:
        'The service marks a variable as required, this workflow gives no value, and nothing shows that there is one. New code would go live without it.',
      remedy: 'Add it to `env-from`, or set it at the service.',
      example: '',
    },
    SD4004: {
      title: 'A required variable is not declared',
      meaning:
        'A warning: the service marks a variable as required, and this workflow does not give it.',
      remedy: 'Add it to `env-from`, unless somebody sets it at the service.',
      example: '',
    },
    SD4005: {
      title: 'A variable is there twice now',
      meaning:
        'A warning: a request of this run took effect twice, or somebody made a variable of the same name in the same moment.',
      remedy: 'Remove all but one at the service.',
      example: '',
    },
    SD4006: {
      title: 'A new variable was written over',
      meaning: 'A warning: a variable that this run created has been written more often than that.',
      remedy: 'See who else writes it. `env-prune` will leave it.',
      example: '',
    },
    SD4007: {
      title: "Somebody else's write was overwritten",
      meaning: "A warning: a variable's version moved further than one write moves it.",
      remedy:
        'Give the workflow a `concurrency` group, and look at the value at the service if somebody changed it there.',
      example: '',
    },
    SD4008: {
      title: 'Nothing shows whether a write was taken',
      meaning:
        'A warning: the service answered with success, and shows neither a new version nor a new time.',
      remedy: 'Look at the variable at the service if you doubt it.',
      example: '',
    },
    SD4010: {
      title: 'There is no ledger to go by',
      meaning:
        'A warning: what this action wrote last cannot be known, so that a change made elsewhere cannot be seen and nothing can be pruned.',
      remedy:
        "On the first run that is as it should be. Otherwise see why the ledger is gone: another key, a cache that was cleared, or a branch that cannot read the base's cache.",
      example: '',
    },
    SD4011: {
      title: 'env-ledger names another file',
      meaning: 'A warning: the file exists and is no ledger, so that it is left as it is.',
      remedy: 'Name another file, or remove that one.',
      example: '',
    },
    SD4020: {
      title: 'The variables have drifted',
      meaning: 'The plan is not empty, and `fail-on-drift` is true.',
      remedy: 'Run `mode: apply`, or settle at the service what was changed there.',
      example: '',
    },
    SD4101: {
      title: 'The reviewed plan cannot be compared',
      meaning: 'The digest was made with another key than this run has.',
      remedy:
        'Give the run the `env-ledger-key` (or else the `api-key`) of the run that planned, or review the plan anew.',
      example: '',
    },
    SD4102: {
      title: 'The plan is no longer the one that was reviewed',
      meaning: 'Something changed since the plan was made: the declaration, or the service.',
      remedy: 'Review the new plan, and give its digest as `expected-plan`.',
      example: '',
    },
    SD4103: {
      title: 'The plan changes too much',
      meaning: 'The plan changes more than `max-changes` allows.',
      remedy: 'Review the plan; if it is right, raise `max-changes` for this run.',
      example: '',
    },
  },
} as const satisfies Topic<'SD4'>;
