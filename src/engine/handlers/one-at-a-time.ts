/**
 * Runs one handler per key at a time. If an item is sent again during its run, the same handler runs once more,
 * because the reason may be something that was stored after the run began.
 */
export function oneAtATime<Item>(
  keyOf: (item: Item) => string,
  handle: (item: Item) => Promise<void>,
): (item: Item) => Promise<void> {
  const underWay = new Set<string>()
  const sentAgain = new Set<string>()
  return async (item) => {
    const key = keyOf(item)
    if (underWay.has(key)) {
      sentAgain.add(key)
      return
    }
    underWay.add(key)
    try {
      do {
        sentAgain.delete(key)
        await handle(item)
      } while (sentAgain.has(key))
    } finally {
      underWay.delete(key)
      sentAgain.delete(key)
    }
  }
}
