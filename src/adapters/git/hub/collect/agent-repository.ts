import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isBranchName } from '../../../../domain/job/branch-name.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes, systemErrorCode } from '../process/system-error.ts'
import { alternatesText } from '../repository/git-directory.ts'
import { isObjectId } from '../repository/object-id.ts'

export type AgentRepository = { readonly head: string; readonly objects: string }

const REF_LIMIT_BYTES = 4096
const PACKED_REFS_LIMIT_BYTES = 16 * 1024 * 1024
const SYMBOLIC_DEPTH = 5
const SYMBOLIC = /^ref: ([^\n]+)\n?$/
/** A link, a pipe that would block, a folder: none of them is read. */
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Where an agent's own commits are, read without git: its configuration, hooks and whatever else it put
 * there is never looked at. The failure says in words what is wrong with the repository.
 */
export async function readAgentRepository(
  directory: string,
  borrowed: string,
): Promise<Result<AgentRepository, string>> {
  const repository = join(directory, '.git')
  const objects = join(repository, 'objects')
  const isReal = (await isFolder(directory)) && (await isFolder(repository)) && (await isFolder(objects))
  if (!isReal) return failure('its .git is not the folder it was given')

  const alternates = await readPlainFile(join(objects, 'info', 'alternates'), REF_LIMIT_BYTES)
  if (alternates !== undefined && alternates !== alternatesText([borrowed])) {
    return failure('its repository borrows objects from elsewhere')
  }
  const head = await resolveRef(repository, 'HEAD')
  if (head === undefined) return failure('its HEAD names no commit')
  return success({ head, objects })
}

async function resolveRef(repository: string, first: string): Promise<string | undefined> {
  let ref = first
  for (let depth = 0; depth < SYMBOLIC_DEPTH; depth += 1) {
    const text = await readPlainFile(join(repository, ref), REF_LIMIT_BYTES)
    if (text === undefined) return await findPacked(repository, ref)
    if (isObjectId(text.trimEnd())) return text.trimEnd()
    const target = SYMBOLIC.exec(text)?.[1]
    // The rules for branch names also keep a path from leaving the folder.
    if (!target?.startsWith('refs/') || !isBranchName(target)) return undefined
    ref = target
  }
  return undefined
}

async function findPacked(repository: string, ref: string): Promise<string | undefined> {
  const text = (await readPlainFile(join(repository, 'packed-refs'), PACKED_REFS_LIMIT_BYTES)) ?? ''
  const line = text.split('\n').find((candidate) => candidate.endsWith(` ${ref}`))
  const id = line?.slice(0, -ref.length - 1)
  return id !== undefined && isObjectId(id) ? id : undefined
}

async function readPlainFile(path: string, limitBytes: number): Promise<string | undefined> {
  try {
    await using file = await open(path, PLAIN_FILE)
    const seen = await file.stat()
    if (!seen.isFile() || seen.size > limitBytes) return undefined
    return await file.readFile('utf8')
  } catch (error) {
    // Whatever the system says of a file an agent made: there is nothing to be read from it.
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.isDirectory() === true
}
