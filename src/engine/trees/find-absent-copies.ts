import type { EngineNeeds } from '../engine-needs.ts'

const MOST_NAMED = 5

/** A warning where files that every tree should get are not in the person's checkout. */
export async function findAbsentCopies(
  { disk }: Pick<EngineNeeds, 'disk'>,
  repositoryPath: string,
  copies: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(copies.map((path) => disk.exists(`${repositoryPath}/${path}`)))
  const absent = copies.filter((_, index) => !found[index])
  if (absent.length === 0) return []
  const names = absent.slice(0, MOST_NAMED).join(', ')
  const more = absent.length > MOST_NAMED ? ` and ${absent.length - MOST_NAMED} more` : ''
  return [`not copied, because absent in your checkout: ${names}${more}`]
}
