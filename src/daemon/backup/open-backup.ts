import { type BackupManifest, backupManifestSchema } from '../../contract/backup.ts'
import { parseJson } from '../../contract/parse-json.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { ArchiveReader } from './archive-reader.ts'
import { fileProblem } from './file-problem.ts'

export type OpenBackupFailure =
  | { readonly type: 'backup-unreadable'; readonly file: string; readonly problem: string }
  | { readonly type: 'backup-damaged'; readonly file: string; readonly part: string }

export type OpenBackup = { readonly archive: ArchiveReader; readonly manifest: BackupManifest }

/** Opens a backup and compares every part with the manifest before anything is restored from it. */
export async function openBackup(file: string): Promise<Result<OpenBackup, OpenBackupFailure>> {
  const unreadable = (problem: string) => failure({ type: 'backup-unreadable', file, problem } as const)
  try {
    const archive = await ArchiveReader.open(file)
    if (!archive.has('manifest.json')) return unreadable('it is not a Muster backup')
    const manifest = backupManifestSchema.safeParse(parseJson(await archive.readText('manifest.json')))
    if (!manifest.success) return unreadable('its manifest is invalid, or a newer Muster made it')
    for (const part of manifest.data.parts) {
      if (!(await archive.isIntact(part))) return failure({ type: 'backup-damaged', file, part: part.name })
    }
    return success({ archive, manifest: manifest.data })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return unreadable(fileProblem(error))
  }
}
