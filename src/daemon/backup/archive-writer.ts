import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { BLOCK_BYTES, paddingOf, renderTarHeader } from './tar-header.ts'

/** A file in the archive, and the hash of its contents. */
export type ArchivePart = { readonly name: string; readonly bytes: number; readonly sha256: string }

/** Writes a tar file, one part after the other. Disposing closes the file. */
export class ArchiveWriter {
  readonly #file: FileHandle

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** The file must not exist, and only its owner may read it. */
  static async create(path: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(path, 'wx', 0o600))
  }

  async addFile(name: string, path: string): Promise<ArchivePart> {
    const { size } = await stat(path)
    return await this.#add(name, size, createReadStream(path))
  }

  async addText(name: string, text: string): Promise<ArchivePart> {
    const contents = Buffer.from(text)
    return await this.#add(name, contents.length, [contents])
  }

  /** Writes the end of the archive, and waits until everything is on the disk. */
  async finish(): Promise<void> {
    await this.#file.appendFile(Buffer.alloc(2 * BLOCK_BYTES))
    await this.#file.sync()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #add(
    name: string,
    bytes: number,
    contents: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<ArchivePart> {
    const hash = createHash('sha256')
    await this.#file.appendFile(renderTarHeader({ name, bytes }))
    for await (const chunk of contents) {
      hash.update(chunk)
      await this.#file.appendFile(chunk)
    }
    await this.#file.appendFile(Buffer.alloc(paddingOf(bytes)))
    return { name, bytes, sha256: hash.digest('hex') }
  }
}
