import { createHash } from 'node:crypto'
import type { Git } from '../process/run-git.ts'

const MOST_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 30_000
const OPTIONS = ['-r', '-p', '--root', '--no-commit-id', '--full-index', '--binary', '--unified=3']
const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--diff-algorithm=myers']
const INDEX = /^index [0-9a-f]+\.\.[0-9a-f]+/
const HUNK = /^@@ .*$/
const BINARY = 'GIT binary patch'

/**
 * What a commit does to the byte, wherever in its files: modes, names and lines with all their blanks. Nothing
 * when that is too much to compare, or nothing at all.
 */
export async function patchDigest(git: Git, hub: string, commit: string): Promise<string | undefined> {
  const ran = await git({
    directory: hub,
    arguments: ['diff-tree', ...OPTIONS, ...PLAIN, '--end-of-options', commit],
    cutAfterBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  if (!ran.ok || ran.value.code !== 0 || ran.value.isCut || ran.value.stdout.length === 0) return undefined
  const lines = ran.value.stdout.toString('latin1').split('\n')
  const digest = createHash('sha256')
  for (const [at, line] of lines.entries()) digest.update(`${patchLine(line, lines[at + 1])}\n`, 'latin1')
  return digest.digest('hex')
}

/** Lines of files begin with a sign, so that none can be taken for one of these. */
function patchLine(line: string, next: string | undefined): string {
  // What changes within a binary file says nothing without the file that it changes.
  if (line.startsWith('index ')) return next === BINARY ? line : line.replace(INDEX, 'index')
  return line.startsWith('@@ ') ? line.replace(HUNK, '@@') : line
}
