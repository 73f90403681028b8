const AT_ONCE = 8

/** Does something for each item, a few at a time, and gives the answers in their order. */
export async function inTurns<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(act))))
  }
  return answers
}
