import { isMap, isPair, isScalar, isSeq, type Node } from 'yaml'

export type DuplicateKey = {
  readonly name: string
  readonly offset: number
  /** Where the map has it first. */
  readonly first: number
}

/**
 * The first key that its map already has. The YAML library can look for it too, but compares every key
 * with all earlier ones, which takes minutes for large maps.
 */
export function findDuplicateKey(contents: unknown): DuplicateKey | undefined {
  let found: DuplicateKey | undefined
  const open: unknown[] = [contents]
  while (open.length > 0) {
    const node = open.pop()
    const duplicate = isMap(node) ? duplicateIn(node.items) : undefined
    if (duplicate !== undefined && (found === undefined || duplicate.offset < found.offset)) found = duplicate
    for (const child of childrenOf(node)) open.push(child)
  }
  return found
}

function childrenOf(node: unknown): readonly unknown[] {
  if (isPair(node)) return [node.key, node.value]
  return isMap(node) || isSeq(node) ? node.items : []
}

function duplicateIn(items: readonly { readonly key: unknown }[]): DuplicateKey | undefined {
  const keys = new Map<unknown, number>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    const offset = (key as Node).range?.[0] ?? 0
    const first = keys.get(key.value)
    if (first !== undefined) return { name: String(key.value), offset, first }
    keys.set(key.value, offset)
  }
  return undefined
}
