import { execFile } from 'node:child_process'
import { env } from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const { PATH } = env

/** Runs git with nothing configured except the author. */
export async function runPlainGit(directory: string, parts: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', directory, ...parts], {
    env: {
      PATH,
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A Person',
      GIT_AUTHOR_EMAIL: 'person@example.com',
      GIT_COMMITTER_NAME: 'A Person',
      GIT_COMMITTER_EMAIL: 'person@example.com',
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.trimEnd()
}
