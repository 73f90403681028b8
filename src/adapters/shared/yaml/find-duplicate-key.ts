import { isMap, isPair, isScalar, isSeq, type Node } from 'yaml'

/**
 * Where the first key starts that its map already has. The YAML library can look for it too, but compares every key
 * with all earlier ones, which takes minutes for large maps.
 */
export function findDuplicateKey(contents: unknown): number | undefined {
  let first: number | undefined
  const open: unknown[] = [contents]
  while (open.length > 0) {
    const node = open.pop()
    const offset = isMap(node) ? duplicateIn(node.items) : undefined
    if (offset !== undefined && (first === undefined || offset < first)) first = offset
    for (const child of childrenOf(node)) open.push(child)
  }
  return first
}

function childrenOf(node: unknown): readonly unknown[] {
  if (isPair(node)) return [node.key, node.value]
  return isMap(node) || isSeq(node) ? node.items : []
}

function duplicateIn(items: readonly { readonly key: unknown }[]): number | undefined {
  const keys = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (keys.has(key.value)) return (key as Node).range?.[0]
    keys.add(key.value)
  }
  return undefined
}
