/** "cancelled: wrong goal"; only the first part without a reason. */
export function joined(what: string, why: string): string {
  return why === '' ? what : `${what}: ${why}`
}
