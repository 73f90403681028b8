import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  failed,
  git,
  makeRepository,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'
import { surveyTree } from './special-files.ts'

const FILES = { a: 'a\n', '.gitignore': '*.log\n' }

function makePipe(...parts: readonly string[]): void {
  rmSync(join(...parts), { force: true })
  execFileSync('mkfifo', [join(...parts)])
}

/** A tree with a new file and a nested repository at `sub`. */
async function openScene(): Promise<ProjectStage> {
  const work = await openProject(FILES)
  await work.openTree()
  writeFiles(work.directory, { new: 'x\n' })
  makeRepository(join(work.directory, 'sub'), { inner: 'x\n' })
  return work
}

describe('collecting a tree with a named pipe that git would open', () => {
  it.each(['.gitignore', '.gitattributes', 'deep/.gitignore', 'sub/.git/HEAD', 'sub/.git/config'])(
    'refuses the work and keeps all of it if the pipe is %s',
    async (path) => {
      using work = await openScene()
      mkdirSync(join(work.directory, 'deep'))
      makePipe(work.directory, path)
      const { tip, reason } = await work.collectRefused()

      expect(reason).toBe(`the agent left a named pipe at ${path}, which git can't read`)
      expect(git(work.hubDirectory, 'show', `${tip}:new`)).toBe('x')
      expect(git(work.hubDirectory, 'show', `${tip}:sub/inner`)).toBe('x')
    },
  )

  it('refuses the work again when it is collected again, although the pipe is gone', async () => {
    using work = await openScene()
    makePipe(work.directory, '.gitignore')
    const refused = await work.collectRefused()

    expect(await work.collectRefused()).toEqual(refused)
  })

  it('accepts a pipe with any other name, and links to devices, which git does not follow', async () => {
    using work = await openScene()
    makePipe(work.directory, 'pipe')
    rmSync(join(work.directory, '.gitignore'))
    symlinkSync('/dev/zero', join(work.directory, '.gitignore'))
    symlinkSync('/dev/zero', join(work.directory, '.gitattributes'))

    expect((await work.collect()).files).toContain('new')
    expect(existsSync(join(work.directory, 'pipe'))).toBe(true)
  })
})

describe('a nested repository that leads elsewhere', () => {
  it('is searched behind links, pointers and shared folders', async () => {
    using work = await openScene()
    const elsewhere = join(work.root, 'elsewhere')
    makeRepository(elsewhere, { inner: 'x\n' })
    makePipe(elsewhere, '.git/packed-refs')
    for (const name of ['linked', 'pointed', 'shared']) mkdirSync(join(work.directory, name))
    symlinkSync(join(elsewhere, '.git'), join(work.directory, 'linked/.git'))
    writeFileSync(
      join(work.directory, 'pointed/.git'),
      `gitdir: ${relative(join(work.directory, 'pointed'), elsewhere)}/.git\n`,
    )
    makeRepository(join(work.directory, 'shared'), { inner: 'x\n' })
    writeFileSync(join(work.directory, 'shared/.git/commondir'), `${elsewhere}/.git\n`)
    rmSync(join(work.directory, 'sub/.git/config'))
    symlinkSync('/dev/zero', join(work.directory, 'sub/.git/config'))
    symlinkSync('..', join(work.directory, 'sub/.git/loop'))

    const { special } = await surveyTree(work.directory)
    expect(special.map(({ path }) => path).sort()).toEqual([
      'linked/.git',
      'pointed/.git',
      'shared/.git/commondir',
      'sub/.git/config',
    ])
    await work.collectRefused()
    expect(existsSync(join(elsewhere, '.git/packed-refs'))).toBe(true)
  })
})

describe('a nested repository that hides a pipe', () => {
  /** A folder that git takes for a repository, whose HEAD is a pipe. */
  function makeTrap(work: ProjectStage, name: string): void {
    for (const part of ['objects', 'refs']) mkdirSync(join(work.directory, name, part), { recursive: true })
    makePipe(work.directory, name, 'HEAD')
  }

  it('is searched in a folder of branches called objects', async () => {
    using work = await openScene()
    mkdirSync(join(work.directory, 'sub/.git/refs/heads/objects'))
    makePipe(work.directory, 'sub/.git/refs/heads/objects/x')
    writeFileSync(join(work.directory, 'sub/.git/HEAD'), 'ref: refs/heads/objects/x\n')
    const { reason } = await work.collectRefused()
    expect(reason).toContain('a named pipe at sub/.git/refs/heads/objects/x')
  })

  it('is searched where links in a pointer lead', async () => {
    using work = await openScene()
    makeTrap(work, 'far/gd')
    mkdirSync(join(work.directory, 'far/deep'))
    mkdirSync(join(work.directory, 'n'))
    symlinkSync('../far/deep', join(work.directory, 'n/link'))
    writeFileSync(join(work.directory, 'n/.git'), 'gitdir: link/../gd\n')
    expect((await work.collectRefused()).reason).toContain('a named pipe at n/.git')
  })

  it.each([
    ['a line break in it', 'gitdir: ../g\nd\n', 'g\nd'],
    ['thousands of line breaks after it', `gitdir: ../gd${'\n'.repeat(9000)}`, 'gd'],
  ])('is refused if its pointer has %s', async (_, pointer, name) => {
    using work = await openScene()
    makeTrap(work, name)
    mkdirSync(join(work.directory, 'n'))
    writeFileSync(join(work.directory, 'n/.git'), pointer)
    expect((await work.collectRefused()).reason).toContain('a pointer of an unusual form at n/.git')
  })
})

it('fails for good if there are more nested repositories than it takes in', async () => {
  using work = await openScene()
  for (let count = 0; count <= 100; count += 1) {
    const nested = join(work.directory, 'many', String(count))
    mkdirSync(nested, { recursive: true })
    cpSync(join(work.directory, 'sub'), nested, { recursive: true })
  }
  const { project, attemptId, base, directory, hub } = work
  const request = { project, attemptId, directory, base, message: 'work', exclude: [] }
  expect(failed(await hub.trees.collect(request))).toMatchObject({
    problem: 'more than 100 nested repositories',
    isPermanent: true,
  })
})

it('reports a tracked file that a check replaced by a pipe as altered', async () => {
  using work = await openProject(FILES)
  const directory = await work.openTree()
  makePipe(directory, '.gitignore')

  expect(succeeded(await work.hub.trees.alteredFiles(work.project, directory, work.base))).toEqual([
    '.gitignore',
  ])
})

it("does not take a snapshot of a person's checkout with such a pipe, and leaves the pipe", async () => {
  using work = await openProject(FILES)
  makePipe(work.source, '.gitignore')
  const source = succeeded(await work.hub.branches.inspectSource(work.source))
  const request = { source, head: work.base, exclude: [] }

  expect(failed(await work.hub.branches.snapshot(work.project, request))).toMatchObject({
    type: 'uncommitted-unusable',
    problem: "there is a named pipe at .gitignore, which git can't read",
  })
  expect(existsSync(join(work.source, '.gitignore'))).toBe(true)
})
