/** What a run's token allows; may be changed at any time. */
export interface Access {
  /** The scopes that are read, in this order. The first is the one that is written to. */
  scopes: readonly string[];
  /** Read-only is what a run gets that an untrusted event started; none, if it may not even read. */
  permission: 'write' | 'read' | 'none';
}
