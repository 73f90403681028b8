import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)

export type TestRepository = AsyncDisposable & {
  readonly path: string
  git(...words: readonly string[]): Promise<string>
  write(files: Readonly<Record<string, string>>): Promise<void>
  commit(message: string): Promise<void>
  /** A digest of the checkout: every file and link outside .git, the index and HEAD. */
  fingerprint(): Promise<string>
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** A person's repository with these files in one commit. */
export async function testRepository(
  files: Readonly<Record<string, string>> = { 'README.md': '# Example\n' },
  name = 'project',
): Promise<TestRepository> {
  const directory = await temporaryDirectory()
  const path = join(directory.path, name)
  await mkdir(path)
  const git = async (...words: readonly string[]) => {
    const { stdout } = await run('git', [...words], {
      cwd: path,
      env: { PATH: process.env['PATH'], ...IDENTITY },
      maxBuffer: 2 ** 26,
    })
    return stdout.trim()
  }
  const write = async (more: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(more)) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    }
  }
  const commit = async (message: string) => {
    await git('add', '-A')
    await git('commit', '-q', '-m', message)
  }
  await git('init', '-q', '-b', 'main')
  if (Object.keys(files).length > 0) {
    await write(files)
    await commit('first')
  }
  return {
    path,
    git,
    write,
    commit,
    fingerprint: () => fingerprint(path),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function fingerprint(path: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const names = entries.map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
  for (const { entry, file } of names.sort((one, other) => one.file.localeCompare(other.file))) {
    const inGit = file.startsWith(join(path, '.git'))
    if (inGit && file !== join(path, '.git', 'index') && file !== join(path, '.git', 'HEAD')) continue
    hash.update(`${file}\n`)
    if (entry.isFile()) hash.update(await readFile(file))
    if (entry.isSymbolicLink()) hash.update(await readlink(file))
  }
  return hash.digest('hex')
}
