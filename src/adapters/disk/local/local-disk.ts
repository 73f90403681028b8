import { constants, copyFile, lstat, mkdir, readdir, realpath, stat, statfs } from 'node:fs/promises'
import { ignoreCodes } from '../../../domain/system-error.ts'
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
      await copyFile(from, to, constants.COPYFILE_EXCL).catch(ignoreCodes('ENOENT', 'EEXIST'))
    },
    realPath: (path) => realpath(path).catch(() => path),
    exists: async (path) => (await lstat(path).catch(ignoreCodes('ENOENT'))) !== undefined,
    isFile: (path) =>
      stat(path).then(
        (found) => found.isFile(),
        () => false,
      ),
    list: async (directory) => (await readdir(directory).catch(ignoreCodes('ENOENT'))) ?? [],
  }
}
