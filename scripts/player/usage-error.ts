/** Something wrong with what a person asked for, in words for that person. */
export class UsageError extends Error {}
