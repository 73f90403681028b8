import { join } from 'node:path'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure } from '../../../ports/hub.ts'
import { findCommitFacts } from './commit-facts.ts'
import { gitText } from './git-answer.ts'
import { type IndexEntry, type IndexPlace, writeIndexEntries } from './index-entries.ts'
import { makeCommit } from './make-commit.ts'
import type { Git } from './run-git.ts'
import { openScratch } from './scratch.ts'

const EXECUTABLE = '100755'
const PLAIN = '100644'

export type FilesRequest = {
  readonly parent: string
  readonly files: Readonly<Record<string, string>>
  readonly message: string
}

/** The same parent, files and message always make the same commit, or none when nothing would change. */
export async function commitFiles(
  needs: { readonly git: Git },
  hub: string,
  { parent, files, message }: FilesRequest,
): Promise<Result<string, GitFailure>> {
  const facts = await findCommitFacts(needs, hub, parent)
  if (!facts.ok) return facts
  if (facts.value === undefined) {
    return failure({ type: 'git-failed', command: 'git log', problem: `the hub has no commit ${parent}` })
  }
  const tree = await treeWith(needs, hub, facts.value.commit, files)
  if (!tree.ok) return tree
  if (tree.value === facts.value.tree) return success(facts.value.commit)
  const { commit, time } = facts.value
  return await makeCommit(needs, hub, { tree: tree.value, parents: [commit], message, time: time + 1 })
}

async function treeWith(
  needs: { readonly git: Git },
  hub: string,
  parent: string,
  files: Readonly<Record<string, string>>,
): Promise<Result<string, GitFailure>> {
  await using scratch = await openScratch(hub)
  const place: IndexPlace = {
    directory: hub,
    environment: { GIT_INDEX_FILE: join(scratch.path, 'index') },
  }
  const read = await gitText(needs.git, { ...place, arguments: ['read-tree', '--end-of-options', parent] })
  if (!read.ok) return read

  const executables = await findExecutables(needs.git, hub, parent, Object.keys(files))
  if (!executables.ok) return executables
  const entries: IndexEntry[] = []
  for (const [path, text] of Object.entries(files)) {
    const id = await gitText(needs.git, {
      directory: hub,
      arguments: ['hash-object', '-w', '--no-filters', '--stdin'],
      input: text,
    })
    if (!id.ok) return id
    const mode = executables.value.has(path) ? EXECUTABLE : PLAIN
    entries.push({ mode, id: id.value, path: Buffer.from(path).toString('latin1') })
  }
  const written = await writeIndexEntries(needs.git, place, entries)
  if (!written.ok) return written
  return await gitText(needs.git, { ...place, arguments: ['write-tree'] })
}

/** A script that is written anew stays a script. */
async function findExecutables(
  git: Git,
  directory: string,
  commit: string,
  paths: readonly string[],
): Promise<Result<ReadonlySet<string>, GitFailure>> {
  const found = new Set<string>()
  if (paths.length === 0) return success(found)
  const listed = await gitText(git, {
    directory,
    arguments: ['ls-tree', '-z', '--end-of-options', commit, ...paths],
    onRecord: (record) => {
      const text = record.toString('utf8')
      if (text.startsWith(EXECUTABLE)) found.add(text.slice(text.indexOf('\t') + 1))
    },
  })
  return listed.ok ? success(found) : listed
}
