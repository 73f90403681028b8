type Instants<Fields> = { [Name in keyof Fields]?: string }

/** Optional moments as ISO text; absent ones stay absent. */
export function instantsToWire<Fields extends Readonly<Record<string, Date | undefined>>>(
  fields: Fields,
): Instants<Fields> {
  const known = Object.entries(fields).filter((entry): entry is [string, Date] => entry[1] !== undefined)
  return Object.fromEntries(known.map(([name, at]) => [name, at.toISOString()])) as Instants<Fields>
}
