import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ArchivePart } from './archive-writer.ts'
import { BLOCK_BYTES, paddingOf, parseTarHeader } from './tar-header.ts'

type Place = { readonly start: number; readonly bytes: number }

/** The parts of a tar file, found without reading their contents. */
export class ArchiveReader {
  readonly #path: string
  readonly #places: ReadonlyMap<string, Place>

  private constructor(path: string, places: ReadonlyMap<string, Place>) {
    this.#path = path
    this.#places = places
  }

  /** Throws if the file isn't an archive of ours. */
  static async open(path: string): Promise<ArchiveReader> {
    const file = await open(path, 'r')
    try {
      const places = new Map<string, Place>()
      for (let at = 0; ; ) {
        const header = Buffer.alloc(BLOCK_BYTES)
        const { bytesRead } = await file.read(header, 0, BLOCK_BYTES, at)
        if (bytesRead < BLOCK_BYTES) throw new Error('it is incomplete')
        const entry = parseTarHeader(header)
        if (entry === undefined) return new ArchiveReader(path, places)
        places.set(entry.name, { start: at + BLOCK_BYTES, bytes: entry.bytes })
        at += BLOCK_BYTES + entry.bytes + paddingOf(entry.bytes)
      }
    } finally {
      await file.close()
    }
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  read(name: string): Readable {
    const place = this.#places.get(name)
    if (place === undefined) throw new Error(`it has no part ${name}`)
    // A stream can't be told to read nothing.
    if (place.bytes === 0) return createReadStream('/dev/null')
    return createReadStream(this.#path, { start: place.start, end: place.start + place.bytes - 1 })
  }

  async readText(name: string): Promise<string> {
    return Buffer.concat(await this.read(name).toArray()).toString('utf8')
  }

  /** Whether the part is there with exactly these contents. */
  async isIntact({ name, bytes, sha256 }: ArchivePart): Promise<boolean> {
    if (this.#places.get(name)?.bytes !== bytes) return false
    const hash = createHash('sha256')
    for await (const chunk of this.read(name)) hash.update(chunk)
    return hash.digest('hex') === sha256
  }
}
