/** Thrown where the service answered a write with success, and nothing shows that it was carried out. */
export class Unproven extends Error {
  override readonly name = 'Unproven';

  /**
   * @param operation in words, such as "replace the variable"
   * @param why what speaks against it, clean
   */
  constructor(operation: string, why: string) {
    super(`could not ${operation}: the service answered with success, and ${why}`);
  }
}
