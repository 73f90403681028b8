import { constants, copyFile, lstat, mkdir, readdir, realpath, stat, statfs } from 'node:fs/promises'
import type { Disk } from '../../../ports/disk.ts'
import { writeFileWhole } from '../../shared/write-file-whole.ts'

export function createLocalDisk(): Disk {
  return {
    async freeMb(path) {
      const { bavail, bsize } = await statfs(path)
      return Math.floor((bavail * bsize) / 2 ** 20)
    },
    writeFile: writeFileWhole,
    async makeDirectory(path) {
      await mkdir(path, { recursive: true, mode: 0o700 })
    },
    async copyIfAbsent(from, to) {
      try {
        await copyFile(from, to, constants.COPYFILE_EXCL)
      } catch (error) {
        if (!isAbsence(error) && !isPresence(error)) throw error
      }
    },
    realPath: (path) => realpath(path).catch(() => path),
    async exists(path) {
      try {
        await lstat(path)
        return true
      } catch (error) {
        if (isAbsence(error)) return false
        throw error
      }
    },
    isFile: (path) =>
      stat(path).then(
        (found) => found.isFile(),
        () => false,
      ),
    async list(directory) {
      try {
        return await readdir(directory)
      } catch (error) {
        if (isAbsence(error)) return []
        throw error
      }
    },
  }
}

function isPresence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
