declare const safe: unique symbol;
declare const form: unique symbol;

/**
 * Text that may be shown: printable and free of secrets. Outside text becomes it only by `createSanitize`, our own by the
 * tag `safe`; it is escaped where it is shown.
 */
export type SafeText = string & { readonly [safe]: true };

/** Text of a form that was checked, and that may be shown as it is, because no secret has that form. */
export type Validated<Form extends string> = SafeText & { readonly [form]: Form };

/** A project's id (section "Projects"). */
export type ProjectId = Validated<'ProjectId'>;

/** A hostname that the service can connect (section "Connected domains"). */
export type Hostname = Validated<'Hostname'>;
