import { open } from 'node:fs/promises'
import type { IndexEntry } from '../commit/index-entries.ts'
import type { ObjectFormat } from '../repository/object-id.ts'

/** A path whose entry differs between two indexes. A side is undefined if its index doesn't have the path. */
export type IndexChange = {
  readonly path: string
  readonly before: IndexEntry | undefined
  readonly after: IndexEntry | undefined
}

const CHUNK_BYTES = 1024 * 1024
const SIGNATURE = 'DIRC'
/** The only versions that our git writes. Both store complete names, padded to a multiple of eight bytes. */
const VERSIONS = [2, 3]
const HEADER_BYTES = 12
const MODE_AT = 24
const ID_AT = 40
const IS_EXTENDED = 0x40
const PADDING = 8

/** Yields the sorted entries of an index file in batches. Starting git would cost more than comparing all entries. */
export async function* readIndex(
  path: string,
  format: ObjectFormat,
): AsyncGenerator<readonly IndexEntry[], void> {
  await using file = await open(path)
  const first = await readChunk()
  let left = countIn(first, path)
  let bytes = first.subarray(HEADER_BYTES)
  while (left > 0) {
    const { entries, used } = parseEntries(bytes, left, format)
    left -= entries.length
    yield entries
    if (left === 0) return
    const chunk = await readChunk()
    if (chunk.length === 0) throw new Error(`the index ${path} ends early`)
    bytes = Buffer.concat([bytes.subarray(used), chunk])
  }

  async function readChunk(): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES)
    return buffer.subarray(0, bytesRead)
  }
}

/** How many entries an index file has. */
export async function countEntries(path: string): Promise<number> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES)
  return countIn(buffer.subarray(0, bytesRead), path)
}

/** Calls `take` for every path that differs, in sorted order. */
export async function compareIndexes(
  one: AsyncGenerator<readonly IndexEntry[], void>,
  other: AsyncGenerator<readonly IndexEntry[], void>,
  take: (change: IndexChange) => void,
): Promise<void> {
  const befores = new Cursor(one)
  const afters = new Cursor(other)
  for (;;) {
    const next = befores.entry ?? (await befores.refill())
    const nextAfter = afters.entry ?? (await afters.refill())
    const path = firstOf(next?.path, nextAfter?.path)
    if (path === undefined) return
    const change = { path, before: befores.takeAt(path), after: afters.takeAt(path) }
    if (!isSame(change)) take(change)
  }
}

function firstOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function isSame({ before, after }: IndexChange): boolean {
  return before?.id === after?.id && before?.mode === after?.mode
}

class Cursor {
  readonly #batches: AsyncGenerator<readonly IndexEntry[], void>
  #batch: readonly IndexEntry[] = []
  #at = 0

  constructor(batches: AsyncGenerator<readonly IndexEntry[], void>) {
    this.#batches = batches
  }

  get entry(): IndexEntry | undefined {
    return this.#batch[this.#at]
  }

  /** The next entry, if it is the one with this path. */
  takeAt(path: string): IndexEntry | undefined {
    const { entry } = this
    if (entry?.path !== path) return undefined
    this.#at += 1
    return entry
  }

  async refill(): Promise<IndexEntry | undefined> {
    for (;;) {
      const next = await this.#batches.next()
      if (next.done === true) return undefined
      this.#batch = next.value
      this.#at = 0
      if (this.entry !== undefined) return this.entry
    }
  }
}

function countIn(bytes: Buffer, path: string): number {
  const isIndex = bytes.length >= HEADER_BYTES && bytes.toString('latin1', 0, 4) === SIGNATURE
  if (isIndex && VERSIONS.includes(bytes.readUInt32BE(4))) return bytes.readUInt32BE(8)
  throw new Error(`${path} is not an index file of a supported version`)
}

/** Parses the entries that are complete in these bytes. */
function parseEntries(
  bytes: Buffer,
  most: number,
  format: ObjectFormat,
): { readonly entries: readonly IndexEntry[]; readonly used: number } {
  const flagsAt = ID_AT + (format === 'sha1' ? 20 : 32)
  const entries: IndexEntry[] = []
  let start = 0
  while (entries.length < most && start + flagsAt + 2 < bytes.length) {
    const isExtended = ((bytes[start + flagsAt] ?? 0) & IS_EXTENDED) !== 0
    const nameAt = start + flagsAt + (isExtended ? 4 : 2)
    const nameEnd = bytes.indexOf(0, nameAt)
    const end = start + Math.ceil((nameEnd - start + 1) / PADDING) * PADDING
    if (nameEnd === -1 || end > bytes.length) break
    entries.push({
      mode: bytes.readUInt32BE(start + MODE_AT).toString(8),
      id: bytes.toString('hex', start + ID_AT, start + flagsAt),
      path: bytes.toString('latin1', nameAt, nameEnd),
    })
    start = end
  }
  return { entries, used: start }
}
