/** Makes a switch over a union exhaustive: a forgotten case is a type error, a foreign value a throw. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
