import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Writes rows to a compressed file, each as a JSON string on its own line. Returns how many there were. */
export async function writeRows(path: string, pages: AsyncIterable<readonly string[]>): Promise<number> {
  let rows = 0
  async function* lines() {
    for await (const page of pages) {
      rows += page.length
      yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(path, { mode: 0o600 }))
  return rows
}

const PAGE_ROWS = 500
const PAGE_CHARACTERS = 4 * 2 ** 20

/** Reads rows in pages that are small in number and in size. */
export async function* readRows(compressed: Readable): AsyncGenerator<readonly string[]> {
  const unpacked = createGunzip()
  const piped = pipeline(compressed, unpacked)
  // An error ends the reading below, which reports it.
  piped.catch(() => undefined)
  let page: string[] = []
  let size = 0
  for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
    const row: unknown = JSON.parse(line)
    if (typeof row !== 'string') throw new Error('a row of the backup is not text')
    page.push(row)
    size += row.length
    if (page.length < PAGE_ROWS && size < PAGE_CHARACTERS) continue
    yield page
    page = []
    size = 0
  }
  await piped
  if (page.length > 0) yield page
}
