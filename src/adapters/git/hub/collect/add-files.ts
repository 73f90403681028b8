import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'
import { addReadable } from './add-readable.ts'
import { repositoriesWithoutCommit } from './nested-files.ts'
import type { IndexRequest, ScratchIndex } from './scratch-index.ts'
import { isBehindLink } from './tree-files.ts'

const WARNING = /^(?:error|warning): (.{1,300})/
/** Makes git take every file as it is. */
const NO_CONVERSION = '* -text -ident -filter -working-tree-encoding\n'

type Added = {
  readonly isRaw: boolean
  /** Nested repositories that git can't add. */
  readonly withoutCommit: readonly string[]
  readonly omissions: readonly string[]
}

/** Lets git add the files of a tree to the index. */
export async function addFiles(
  git: Git,
  place: ScratchIndex,
  request: IndexRequest,
  ofSetup: readonly string[],
): Promise<Result<Added, GitFailure>> {
  const call = await addCall(place, request, ofSetup)
  // A person's checkout stays as it is, and so does a tree that an agent works in.
  const run =
    request.checkout === undefined && request.isInUse !== true
      ? () => addReadable(git, call, { root: request.directory, indexFile: place.indexFile })
      : () => git(call)
  const added = await run()
  if (!added.ok) return added
  if (isAdded(added.value.code)) return success({ isRaw: false, ...readAdded(added.value.stderr) })

  // Git stops at a file that doesn't match its declared encoding, so try again without any conversion.
  await mkdir(join(place.directory, 'info'), { recursive: true })
  await writeFile(join(place.directory, 'info', 'attributes'), NO_CONVERSION)
  const addedRaw = await run()
  if (!addedRaw.ok) return addedRaw
  if (!isAdded(addedRaw.value.code)) return failure(gitFailed(addedRaw.value))
  const reason = "git's conversion of all files, because one does not match its declared encoding"
  const { withoutCommit, omissions } = readAdded(addedRaw.value.stderr)
  return success({ isRaw: true, withoutCommit, omissions: [reason, ...omissions] })
}

async function addCall(
  place: ScratchIndex,
  { directory, purpose, exclude = [] }: IndexRequest,
  ofSetup: readonly string[],
): Promise<GitCall> {
  const which = purpose === 'keep' ? '--all' : '--update'
  const options = [which, '--ignore-errors', '--no-warn-embedded-repo']
  const excluded: Buffer[] = []
  for (const path of [...exclude.map((given) => Buffer.from(given).toString('latin1')), ...ofSetup]) {
    // Git would stop at a path behind a link. It doesn't add anything there either.
    if (!(await isBehindLink(directory, path))) excluded.push(Buffer.from(path, 'latin1'))
  }
  if (excluded.length === 0) return { ...place, arguments: ['add', ...options] }
  const paths = excluded.map((path) => Buffer.concat([Buffer.from('\0:(top,exclude,literal)'), path]))
  return {
    ...place,
    arguments: ['add', ...options, '--pathspec-from-file=-', '--pathspec-file-nul'],
    environment: { ...place.environment, GIT_LITERAL_PATHSPECS: '0' },
    input: Buffer.concat([Buffer.from(':(top)'), ...paths]),
  }
}

/** With --ignore-errors, exit status 1 means that some files could not be added. */
function isAdded(code: number): boolean {
  return code === 0 || code === 1
}

function readAdded(stderr: string): Pick<Added, 'withoutCommit' | 'omissions'> {
  const { withoutCommit, rest } = repositoriesWithoutCommit(stderr)
  return { withoutCommit, omissions: rest.flatMap((line) => WARNING.exec(line)?.[1] ?? []) }
}
