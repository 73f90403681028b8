import { execFileSync } from 'node:child_process'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { ArchiveReader } from './archive-reader.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { parseTarHeader, renderTarHeader } from './tar-header.ts'

let directory: TemporaryDirectory
let path: string

beforeEach(async () => {
  directory = await temporaryDirectory('muster-archive')
  path = join(directory.path, 'file.tar')
})
afterEach(() => directory[Symbol.asyncDispose]())

async function writeArchive() {
  await using writer = await ArchiveWriter.create(path)
  const large = join(directory.path, 'large')
  await writeFile(large, 'x'.repeat(200_000))
  const parts = [
    await writer.addText('a/small.txt', 'hello'),
    await writer.addFile('large', large),
    await writer.addText('empty', ''),
  ]
  await writer.finish()
  return parts
}

describe('an archive', () => {
  it('contains its parts, which any tar can read', async () => {
    const parts = await writeArchive()
    const reader = await ArchiveReader.open(path)
    expect(await reader.readText('a/small.txt')).toBe('hello')
    expect(await reader.readText('empty')).toBe('')
    for (const part of parts) expect(await reader.isIntact(part)).toBe(true)
    expect(execFileSync('tar', ['-tf', path], { encoding: 'utf8' })).toBe('a/small.txt\nlarge\nempty\n')
    expect(execFileSync('tar', ['-xOf', path, 'large'], { encoding: 'utf8' })).toHaveLength(200_000)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('notices a changed part', async () => {
    const [small] = await writeArchive()
    const contents = await readFile(path)
    contents[512] = 0x48
    await writeFile(path, contents)
    expect(await (await ArchiveReader.open(path)).isIntact(small as never)).toBe(false)
  })

  it('is refused if it was cut off or is something else', async () => {
    await writeArchive()
    await truncate(path, 10_000)
    await expect(ArchiveReader.open(path)).rejects.toThrow('incomplete')
    await writeFile(path, 'something else'.repeat(100))
    await expect(ArchiveReader.open(path)).rejects.toThrow('damaged')
  })

  it('never overwrites a file', async () => {
    await writeArchive()
    await expect(ArchiveWriter.create(path)).rejects.toThrow('EEXIST')
  })
})

describe('the header of a part', () => {
  it('has room for any size', () => {
    for (const bytes of [0, 511, 8 ** 11 - 1, 8 ** 11, 2 ** 45]) {
      expect(parseTarHeader(renderTarHeader({ name: 'large', bytes }))).toEqual({ name: 'large', bytes })
    }
  })

  it.each(['/etc/passwd', '../up', 'a/../../b', 'a//b', 'a b', ''])('refuses the name %j', (name) => {
    expect(() => parseTarHeader(renderTarHeader({ name, bytes: 0 }))).toThrow()
  })
})
