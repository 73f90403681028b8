import { safeLine } from '../text/safe-text.ts'

type InRepository = { readonly repositoryPath: string }

/** Whether all of what is listed is in the person's current repository, which need not be named then. */
export type Extent = 'here' | 'elsewhere'

/** The lines of each item. Unless all are in the current repository, they are grouped under the paths of theirs. */
export function repositoryGroups<Item extends InRepository>(
  items: readonly Item[],
  extent: Extent,
  linesOf: (item: Item) => readonly string[],
): readonly string[] {
  if (extent === 'here') return items.flatMap(linesOf)
  const paths = [...new Set(items.map(({ repositoryPath }) => repositoryPath))]
  return paths.flatMap((path) => [
    `in ${safeLine(path)}:`,
    ...items.filter(({ repositoryPath }) => repositoryPath === path).flatMap(linesOf),
  ])
}
