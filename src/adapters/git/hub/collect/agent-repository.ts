import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isBranchName } from '../../../../domain/job/branch-name.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'
import { alternatesText } from '../repository/git-directory.ts'
import { isObjectId } from '../repository/object-id.ts'
import { isFolder, withPlainFile } from './tree-files.ts'

export type AgentRepository = { readonly head: string; readonly objects: string }

const REF_LIMIT_BYTES = 4096
const PACKED_REFS_LIMIT_BYTES = 16 * 1024 * 1024
/** Far more than an agent's own work has; the hub's objects are elsewhere. */
const MOST_OBJECT_FILES = 500_000
const SYMBOLIC_DEPTH = 5
const SYMBOLIC = /^ref: ([^\n]+)\n?$/

/**
 * Finds an agent's own commits without running git, so that nothing the agent has configured takes effect. The failure
 * describes what is wrong with the repository.
 */
export async function readAgentRepository(
  directory: string,
  borrowed: string,
): Promise<Result<AgentRepository, string>> {
  const repository = join(directory, '.git')
  const objects = join(repository, 'objects')
  const folders = await Promise.all([directory, repository, objects].map(isFolder))
  if (folders.includes(false)) return failure('.git is not the original folder')

  const [odd, isBorrowing, head] = await Promise.all([
    findOddEntry(objects),
    borrowsElsewhere(objects, borrowed),
    resolveRef(repository, 'HEAD'),
  ])
  if (odd !== undefined) return failure(`.git/objects has an entry that is not an object: ${odd}`)
  if (isBorrowing) return failure('.git borrows objects from another repository')
  if (head === undefined) return failure('HEAD does not name a commit')
  return success({ head, objects })
}

/**
 * An entry of an object directory that is neither a file nor a folder. Git would follow a link into
 * another repository, and wait forever for a pipe.
 */
async function findOddEntry(objects: string): Promise<string | undefined> {
  const folders = ['']
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(objects, folder), { withFileTypes: true }).catch(ignoreSystemErrors)
    seen += entries?.length ?? 0
    // A name that is not text, a folder too deep to name, or one that may not be read.
    if (entries === undefined || seen > MOST_OBJECT_FILES) return folder
    const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory())
    if (odd !== undefined) return join(folder, odd.name)
    for (const { name } of entries.filter((entry) => entry.isDirectory())) folders.push(join(folder, name))
  }
  return undefined
}

function ignoreSystemErrors(error: unknown): undefined {
  if (systemErrorCode(error) === undefined) throw error
}

/** Whether the repository borrows objects from anywhere but the hub. */
async function borrowsElsewhere(objects: string, hub: string): Promise<boolean> {
  const path = join(objects, 'info', 'alternates')
  const text = await readText(path, REF_LIMIT_BYTES)
  if (text !== undefined) return text !== alternatesText([hub])
  // Present, but too long or no plain file.
  return (await lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))) !== undefined
}

async function resolveRef(repository: string, first: string): Promise<string | undefined> {
  let ref = first
  for (let depth = 0; depth < SYMBOLIC_DEPTH; depth += 1) {
    const text = await readText(join(repository, ref), REF_LIMIT_BYTES)
    if (text === undefined) return await findPacked(repository, ref)
    if (isObjectId(text.trimEnd())) return text.trimEnd()
    const target = SYMBOLIC.exec(text)?.[1]
    // The rules for branch names also keep the path inside the folder.
    if (!target?.startsWith('refs/') || !isBranchName(target)) return undefined
    ref = target
  }
  return undefined
}

async function findPacked(repository: string, ref: string): Promise<string | undefined> {
  const text = (await readText(join(repository, 'packed-refs'), PACKED_REFS_LIMIT_BYTES)) ?? ''
  const line = text.split('\n').find((candidate) => candidate.endsWith(` ${ref}`))
  const id = line?.slice(0, -ref.length - 1)
  return id !== undefined && isObjectId(id) ? id : undefined
}

async function readText(path: string, limitBytes: number): Promise<string | undefined> {
  return await withPlainFile(path, async (file, size) =>
    size > limitBytes ? undefined : await file.readFile('utf8'),
  )
}
