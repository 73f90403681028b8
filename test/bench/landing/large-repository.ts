import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { runPlainGit } from './plain-git.ts'

export type LargeRepository = { readonly path: string; readonly branches: readonly string[] }

const LINES_A_FILE = 20
const FILES_A_BRANCH = 3
const CHUNK_LENGTH = 1_000_000
const FIRST_TIME = 1_700_000_000
const BY = 'A Person <person@example.com>'

/** A bare repository with this many files on main, and branches that change different files. */
export async function makeLargeRepository(
  path: string,
  files: number,
  branchCount: number,
): Promise<LargeRepository> {
  await runPlainGit('/', ['init', '--quiet', '--bare', '--initial-branch=main', path])
  const child = spawn('git', ['-C', path, 'fast-import', '--quiet', '--done'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  const branches = Array.from({ length: branchCount }, (_, index) => `branch${index}`)
  await writeMain(child, files)
  for (const [index, branch] of branches.entries()) await writeBranch(child, files, branch, index)
  child.stdin.end('done\n')
  const [code] = await ended
  if (code !== 0) throw new Error(`fast-import ended with ${code}`)
  return { path, branches }
}

type Importer = ChildProcessByStdio<Writable, null, null>

async function writeMain(child: Importer, files: number): Promise<void> {
  let text = `commit refs/heads/main\nmark :1\ncommitter ${BY} ${FIRST_TIME} +0000\n${data('all files')}`
  for (let index = 0; index < files; index += 1) {
    text += fileText(index, `line of file ${index}\n`.repeat(LINES_A_FILE))
    if (text.length < CHUNK_LENGTH) continue
    await write(child, text)
    text = ''
  }
  await write(child, text)
}

async function writeBranch(child: Importer, files: number, branch: string, index: number): Promise<void> {
  const time = FIRST_TIME + 1 + index
  let text = `commit refs/heads/${branch}\ncommitter ${BY} ${time} +0000\n${data(branch)}from :1\n`
  for (let file = 0; file < FILES_A_BRANCH; file += 1) {
    const number = (index * FILES_A_BRANCH + file) % files
    text += fileText(number, `changed by ${branch}\n`.repeat(LINES_A_FILE))
  }
  await write(child, text)
}

async function write(child: Importer, text: string): Promise<void> {
  if (!child.stdin.write(text)) await once(child.stdin, 'drain')
}

function fileText(index: number, text: string): string {
  return `M 100644 inline package${index % 50}/part${Math.floor(index / 50) % 40}/file${index}.txt\n${data(text)}`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}
