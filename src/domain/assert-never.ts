/** Makes a switch over a union exhaustive: a missing case is a type error, an unexpected value throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
