/**
 * One handler for one key at a time. What is sent again while it is being done is done once more by the same handler:
 * something that handler has just stored may be why it was sent again.
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
