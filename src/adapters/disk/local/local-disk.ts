import { randomUUID } from 'node:crypto'
import { readdir, rename, statfs, writeFile } from 'node:fs/promises'
import type { Disk } from '../../../ports/disk.ts'

export function createLocalDisk(): Disk {
  return {
    async freeMb(path) {
      const { bavail, bsize } = await statfs(path)
      return Math.floor((bavail * bsize) / 2 ** 20)
    },
    async writeFile(path, text) {
      const temporary = `${path}.${randomUUID()}.tmp`
      await writeFile(temporary, text, { mode: 0o600 })
      await rename(temporary, path)
    },
    async list(directory) {
      try {
        return await readdir(directory)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    },
  }
}
