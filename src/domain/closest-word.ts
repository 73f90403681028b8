/** Longer words can have more typing errors. */
const SHORT_WORD = 4

/** The known word that was most likely meant; undefined if none is close. */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const most = typed.length <= SHORT_WORD ? 1 : 2
  const close = known
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= most && distance < word.length)
    .sort((one, other) => one.distance - other.distance)
  return close[0]?.word ?? known.find((word) => typed.length > 2 && word.startsWith(typed))
}

/** How many letters have to be added, removed, changed or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  let earlier: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(earlier, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    earlier = last
    last = next
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
