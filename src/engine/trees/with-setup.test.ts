import { execFileSync, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { SETUP_FAILED, withSetup } from './with-setup.ts'

type Ran = { readonly status: number | null; readonly output: string; readonly errors: string }

const GIT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_PARAMETERS: "'user.name=a' 'user.email=a' 'init.defaultBranch=main'",
}

/** A repository with one commit. */
async function openRepository(directory: string): Promise<(...words: readonly string[]) => string> {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-C', directory, ...words], { env: GIT, encoding: 'utf8' })
  git('init', '-q')
  await writeFile(join(directory, 'a'), '1\n')
  git('add', 'a')
  git('commit', '-qm', 'first')
  return git
}

async function run(command: readonly [string, ...string[]], cwd: string, input = ''): Promise<Ran> {
  const [program, ...words] = command
  const child = spawn(program, words, { cwd, env: { ...GIT, KEPT: 'kept' } })
  child.stdin.end(input)
  const status = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await status, output, errors }
}

/** What is printed before every setup command but the first. */
const commandLine = (number: number, of: number) => `\nmuster: setup command ${number} of ${of}\n`

describe('a program with setup commands before it', () => {
  it('stays unchanged if there are none', () => {
    expect(withSetup(['/bin/cat', 'x'], [])).toEqual(['/bin/cat', 'x'])
  })

  it('starts after all of them, with its input untouched even if they read', async () => {
    await using directory = await temporaryDirectory()
    const setup = ['cat; echo one >> done', 'echo two >> done; echo loud']
    const ran = await run(withSetup(['/bin/sh', '-c', 'cat; cat done'], setup), directory.path, 'said\n')
    expect(ran).toEqual({
      status: 0,
      output: 'said\none\ntwo\n',
      errors: `muster: running setup\n${commandLine(2, 2)}loud\n\nmuster: setup finished\n`,
    })
  })

  it('does not start if one fails, and prints the number and the status of that command', async () => {
    await using directory = await temporaryDirectory()
    const setup = ['echo one >> done', 'printf half; exit 3', 'echo three >> done']
    const ran = await run(withSetup(['/bin/sh', '-c', 'echo started'], setup), directory.path)
    expect(ran.status).toBe(SETUP_FAILED)
    expect(ran.output).toBe('')
    expect(ran.errors).toBe(
      `muster: running setup\n${commandLine(2, 3)}half\nmuster: setup command 2 failed with status 3\n`,
    )
    expect(await readFile(join(directory.path, 'done'), 'utf8')).toBe('one\n')
  })

  it('passes commands, arguments and variables through unchanged', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'a b'), '')
    const odd = ['$(touch made)', "it's", '--', '', 'two\nlines', '"; touch made; "']
    const setup = ["test -f 'a b'\ntrue", '# --', 'test "$#" = 0 && test "$KEPT" = kept']
    const program = [
      '/bin/sh',
      '-c',
      'printf "%s|" "$@"; env | grep muster_setup; ls',
      'name',
      ...odd,
    ] as const
    const ran = await run(withSetup(program, setup), directory.path)
    expect(ran).toEqual({
      status: 0,
      output: `${odd.join('|')}|a b\n`,
      errors: `muster: running setup\n${commandLine(2, 3)}${commandLine(3, 3)}\nmuster: setup finished\n`,
    })
  })

  it('fails if a command exceeds its time limit', async () => {
    await using directory = await temporaryDirectory()
    const ran = await run(withSetup(['/bin/echo', 'started'], ['exec sleep 60'], 200), directory.path)
    expect(ran.status).toBe(SETUP_FAILED)
    expect(ran.errors).toContain('muster: setup command 1 failed with status 124')
  })

  it('prints that it has undone a commit of setup', async () => {
    await using directory = await temporaryDirectory()
    const git = await openRepository(directory.path)
    const ran = await run(
      withSetup(['/bin/echo', 'started'], ['echo 2 >a; git commit -qam setup']),
      directory.path,
    )
    expect(ran).toEqual({
      status: 0,
      output: 'started\n',
      errors:
        'muster: running setup\n\nmuster: setup committed or staged changes; Muster undid that and left the files as they are\n\nmuster: setup finished\n',
    })
    expect(git('log', '--format=%s')).toBe('first\n')
    expect(git('status', '--porcelain')).toBe(' M a\n')
  })

  it('does not start if a commit of setup cannot be undone', async () => {
    await using directory = await temporaryDirectory()
    await openRepository(directory.path)
    const setup = ['true', 'rm -rf .git; git init -q; git add .; git commit -qm setup']
    const ran = await run(withSetup(['/bin/echo', 'started'], setup), directory.path)
    expect(ran).toMatchObject({ status: SETUP_FAILED, output: '' })
    expect(ran.errors).toContain(
      '\nerror: setup must not commit or stage changes, and Muster could not undo it\n\nmuster: setup command 2 failed with status 1\n',
    )
  })

  it("leaves a repository alone that setup put in the place of the tree's own, or that is above it", async () => {
    await using directory = await temporaryDirectory()
    const git = await openRepository(directory.path)
    const tree = join(directory.path, 'tree')
    for (const setup of ['rm -rf .git', 'rm -rf .git; ln -s ../.git .git']) {
      git('clone', '-q', '.', tree)
      git('commit', '-q', '--allow-empty', '-m', 'second')
      const head = git('rev-parse', 'HEAD')
      const ran = await run(withSetup(['/bin/echo', 'started'], [setup]), tree)
      expect(ran).toMatchObject({ status: 0, output: 'started\n' })
      expect(git('rev-parse', 'HEAD')).toBe(head)
      await rm(tree, { recursive: true })
    }
  })

  it('exits with the status of the program', async () => {
    await using directory = await temporaryDirectory()
    expect(await run(withSetup(['/bin/sh', '-c', 'exit 5'], ['true']), directory.path)).toMatchObject({
      status: 5,
    })
  })
})
